"""What goes to a machine with a GPU and what comes back, as small files.

There: the pairs as ids, each text once, compressed (the machine needs neither the data nor the libraries that made the
mix). Back: the trained parameters in float16, in pieces of at most 15 MiB, with their SHA-256.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.verifier.batches import Encoded
from training.verifier.errors import DataMissing, Diverged

PARTS = ("short", "long", "held")
PIECE = 15 * 2**20


def write_pairs(path: Path, parts: Mapping[str, Sequence[Encoded]]) -> None:
    """``parts`` as one file: beside it first, then renamed."""
    texts: dict[tuple[int, ...], int] = {}
    sources: dict[str, int] = {}
    arrays: dict[str, NDArray[Any]] = {}
    for name in PARTS:
        rows = [
            (texts.setdefault(tuple(pair.claim), len(texts)), texts.setdefault(tuple(pair.evidence), len(texts)),
             pair.label, sources.setdefault(pair.source, len(sources)))
            for pair in parts[name]
        ]  # fmt: skip
        arrays[name] = np.array(rows, dtype=np.int32).reshape(-1, 4)
    arrays["ids"] = np.array(list(chain.from_iterable(texts)), dtype=np.uint16)
    arrays["ends"] = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    arrays["sources"] = np.array(list(sources))
    held = io.BytesIO()
    np.savez(held, allow_pickle=False, **arrays)
    path.parent.mkdir(parents=True, exist_ok=True)
    staged = path.with_suffix(".part")
    staged.write_bytes(lzma.compress(held.getvalue(), preset=6))
    staged.rename(path)


def read_pairs(path: Path) -> dict[str, list[Encoded]]:
    """What ``write_pairs`` wrote, in the same order.

    Raises:
        DataMissing: there is no such file, or it is not whole.
    """
    if not path.is_file():
        raise DataMissing(
            f"{path} is not there. Make it where the data is (python -m training.verifier.gpu pack) and name it with "
            "--pairs, or name the data with --data."
        )
    try:
        with np.load(io.BytesIO(lzma.decompress(path.read_bytes())), allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        ids, sources = arrays["ids"].tolist(), arrays["sources"].tolist()
        texts = [ids[start:end] for start, end in pairwise(arrays["ends"].tolist())]
        return {
            name: [Encoded(texts[a], texts[b], label, sources[s]) for a, b, label, s in arrays[name].tolist()]
            for name in PARTS
        }
    except (lzma.LZMAError, EOFError, ValueError, KeyError, IndexError, OSError) as error:
        raise DataMissing(f"{path} is not whole ({error!r}): make it again with `gpu pack`.") from error


def write_back(folder: Path, name: str, state: Mapping[str, torch.Tensor], told: dict[str, Any]) -> list[Path]:
    """Parameters in float16 as ``NAME.00`` and so on, and ``NAME.json`` with ``told`` and the hashes, written last.

    Raises:
        Diverged: a parameter is no finite number in float16.
    """
    from safetensors.torch import save

    small = {key: value.detach().to("cpu", torch.float16).contiguous() for key, value in state.items()}
    for key, value in small.items():
        if not bool(torch.isfinite(value).all()):
            raise Diverged(f"{key} holds values that float16 does not: the run is of no use.")
    whole = save(small)
    folder.mkdir(parents=True, exist_ok=True)
    pieces = {f"{name}.{at // PIECE:02d}": whole[at : at + PIECE] for at in range(0, len(whole), PIECE)}
    for file, piece in pieces.items():
        (folder / f"{file}.part").write_bytes(piece)
    for file in pieces:
        (folder / f"{file}.part").rename(folder / file)
    told = {**told, "pieces": {file: hashlib.sha256(piece).hexdigest() for file, piece in pieces.items()}}
    (folder / f"{name}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return [*(folder / file for file in pieces), folder / f"{name}.json"]


def read_back(folder: Path, name: str) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """The parameters in float32, and what was told.

    Raises:
        DataMissing: a piece is not there or not as it was written.
    """
    from safetensors.torch import load

    listed = folder / f"{name}.json"
    if not listed.is_file():
        raise DataMissing(f"{listed} is not there: name the folder that `gpu train` wrote to with --out.")
    told = json.loads(listed.read_text(encoding="utf-8"))
    pieces = []
    for file, digest in told["pieces"].items():
        piece = (folder / file).read_bytes() if (folder / file).is_file() else b""
        if hashlib.sha256(piece).hexdigest() != digest:
            raise DataMissing(f"{folder / file} is missing or not as it was written: copy it again.")
        pieces.append(piece)
    return {key: value.float() for key, value in load(b"".join(pieces)).items()}, told
