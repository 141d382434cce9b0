"""A run of the base-size judge in one small file: ``python -m training.verifier.mpnet_keep keep|restore …``.

A machine that trained goes with its session; the checkpoint (700 MB) cannot stay in the repository. What training
changed can: the difference from the start weights, row by row in 255 steps, without the moments of the optimiser
(about 50 MB after 70,000 pairs). ``restore`` makes a checkpoint of it that ``mpnet_train`` goes on from.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch

from training.verifier.errors import StartUnusable
from training.verifier.mpnet_start import Weights, judge, trained

LARGEST = 95_000_000
"""Bytes of the file: larger ones are not taken into the repository."""
STEPS = 127
"""Steps from 0 to the largest difference of a row."""
SIZES = ".sizes"
LEVEL = 12


def differences(weights: Weights, start: Weights) -> Weights:
    """The matrices of ``weights`` as int8 differences from ``start`` with one float16 size of step a row (under the
    name with ``SIZES``); what ``start`` lacks and vectors as they are; what did not change is left out."""
    kept: Weights = {}
    for name, value in weights.items():
        first = start.get(name)
        if first is None or value.ndim < 2:
            kept[name] = value.half()
            continue
        change = value.float() - first.float()
        if not change.any():
            continue
        sizes = change.abs().amax(-1, keepdim=True) / STEPS
        kept[name] = torch.where(sizes > 0, change / sizes, torch.zeros(())).round().to(torch.int8)
        kept[name + SIZES] = sizes.half()
    return kept


def restored(kept: Weights, start: Weights) -> Weights:
    """The float16 weights that ``differences`` was given, each off by at most half a step."""
    weights = {name: value.half() for name, value in start.items()}
    for name, value in kept.items():
        if name.endswith(SIZES):
            continue
        if name + SIZES in kept:
            value = start[name].float() + value.float() * kept[name + SIZES].float()
        weights[name] = value.half()
    return weights


def write(file: Path, kept: Weights, state: dict[str, Any]) -> int:
    """Write the differences and the position of the run, packed with zstd. The number of bytes.

    Raises:
        StartUnusable: the file would be larger than ``LARGEST``.
    """
    import zstandard
    from safetensors.torch import save

    body = save({name: value.contiguous() for name, value in kept.items()}, {"state": json.dumps(state)})
    data = zstandard.ZstdCompressor(level=LEVEL).compress(body)
    if len(data) > LARGEST:
        raise StartUnusable(f"the kept run has {len(data)} bytes, more than {LARGEST}: freeze more layers.")
    staged = file.with_suffix(".part")
    staged.write_bytes(data)
    staged.rename(file)
    return len(data)


def read(file: Path) -> tuple[Weights, dict[str, Any]]:
    """What ``write`` wrote: differences and position.

    Raises:
        StartUnusable: the file is missing or damaged.
    """
    import zstandard
    from safetensors.torch import load

    try:
        body = zstandard.ZstdDecompressor().decompress(file.read_bytes())
        length = int.from_bytes(body[:8], "little")
        state: dict[str, Any] = json.loads(json.loads(body[8 : 8 + length])["__metadata__"]["state"])
        return load(body), state
    except (OSError, zstandard.ZstdError, ValueError, KeyError) as error:
        raise StartUnusable(f"{file} is no kept run: {error}") from error


def _start(weights: Path) -> Weights:
    """The start weights without those of the head, which are drawn anew by every run."""
    return {name: value for name, value in trained(judge(weights)).items() if name.startswith("encoder.")}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("act", choices=("keep", "restore"))
    parser.add_argument("--run", type=Path, required=True, help="folder with judge.pt")
    parser.add_argument("--weights", type=Path, required=True, help="folder that fetch_mpnet wrote")
    parser.add_argument("--file", type=Path, required=True, help="the small file")
    parser.add_argument("--slow", action="store_true", help="keep the running mean of the weights")
    args = parser.parse_args()
    checkpoint = args.run / "judge.pt"
    if args.act == "keep":
        told = torch.load(checkpoint, map_location="cpu", weights_only=True)
        weights = told["model"] | (told["slow"] if args.slow else {})
        print(write(args.file, differences(weights, _start(args.weights)), told["state"]), "bytes")
        return
    if checkpoint.exists():
        parser.error(f"{checkpoint} is there already: a run is not written over")
    kept, state = read(args.file)
    args.run.mkdir(parents=True, exist_ok=True)
    model = restored(kept, _start(args.weights))
    torch.save({"model": model, "slow": {}, "moments": {}, "state": state}, checkpoint)
    print(state)


if __name__ == "__main__":
    main()
