"""Make ``core/weights/late_projection.npz``: centre and principal directions of the encoder's token states.

    python training/late_projection/train.py [--data ../shared/data] [--dim 160] [--per-set 400]

Reads passages of the training sets below (see README.md for their licences), encodes them with the encoder of the
default install, and writes the map unit(state) -> unit(state) @ weight + bias with
weight = the strongest eigenvectors of the covariance of the centred unit states, bias = -mean @ weight.
About two minutes on two cores. Prints the SHA-256 that ``core/backends/onnx/encoder.py`` pins.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import random
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.backends.files import sha256
from core.backends.locate import locate
from core.backends.onnx.encoder import RECIPE, SHIPPED, OnnxJointEncoder

SETS = ("rct_title_abstract", "rct_question_evidence", "pubmedqa", "medquad", "qed_nq", "fever_train", "fm2")
ENCODER = "bge-small-en-v1.5"
SEED = 7


def passages(data: Path, per_set: int) -> list[str]:
    """Distinct positives, the same number from every set, in a fixed order."""
    chosen: list[str] = []
    for name in SETS:
        with gzip.open(data / "train" / "retrieval" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            texts = sorted({json.loads(line)["positive"] for line in lines})
        random.Random(SEED).shuffle(texts)
        chosen += texts[:per_set]
    return chosen


def principal(units: NDArray[np.float32], dim: int) -> tuple[NDArray[np.float16], NDArray[np.float16], float]:
    """Weight, bias, and the share of the centred states' variance that ``dim`` directions keep."""
    mean = units.mean(axis=0)
    centred = units - mean
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-9)
    values, vectors = np.linalg.eigh((centred.T @ centred / len(centred)).astype(np.float64))
    order = np.argsort(-values)[:dim]
    weight = vectors[:, order]
    weight *= np.where(weight[np.abs(weight).argmax(axis=0), np.arange(dim)] < 0, -1, 1)  # eigenvectors have no sign
    kept = float(values[order].sum() / values.sum())
    return weight.astype(np.float16), (-mean @ weight).astype(np.float16), kept


def write(path: Path, arrays: dict[str, NDArray[np.generic]]) -> str:
    """Write an npz whose bytes depend on nothing but the arrays; returns its SHA-256."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, array)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), buffer.getvalue())
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "../shared/data")
    parser.add_argument("--dim", type=int, default=160)
    parser.add_argument("--per-set", type=int, default=400)
    parser.add_argument("--output", type=Path, default=SHIPPED)
    options = parser.parse_args()
    files = locate(ENCODER, allow_downloads=False).files
    assert files.onnx is not None
    texts = passages(options.data, options.per_set)
    states = OnnxJointEncoder(files, ENCODER).encode_passage_tokens(texts)
    units = np.concatenate([matrix.vectors for matrix in states])
    weight, bias, kept = principal(units, options.dim)
    meta = {
        "method": "centre and principal directions of unit token states",
        "model": ENCODER,
        "model_sha256": sha256(files.onnx),
        "recipe": RECIPE,
        "dim": options.dim,
        "sets": SETS,
        "passages": len(texts),
        "tokens": len(units),
        "variance_kept": round(kept, 4),
        "licence": "Apache-2.0",
    }
    body = np.frombuffer(json.dumps(meta, sort_keys=True).encode(), dtype=np.uint8)
    digest = write(options.output, {"weight": weight, "bias": bias, "meta": body})
    print(f"{options.output}: {len(units)} tokens of {len(texts)} passages, {kept:.1%} of the variance kept\n{digest}")


if __name__ == "__main__":
    main()
