"""A checkpoint as the shipped model: ``python -m training.verifier.export --run FOLDER --name NAME --data FOLDER``.

Writes ``verifier.onnx`` (int8), ``verifier_tokenizer.json`` and ``verifier.json`` to ``core/weights`` and prints the
parity of int8 and float on held-out pairs. Calibration is neutral until ``training.verifier.calibrate`` sets it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import BertForSequenceClassification

from training.verifier.batches import Encoded, encode, tensors
from training.verifier.running import LIMITS
from training.verifier.start import SHIPPED, WEIGHTS, carried, classifier, empty

LARGEST = 40 * 2**20
FLOAT = tuple(f"layer.{layer}/output/dense/MatMul" for layer in (1, 2, 3))
"""Left in float: the outliers that enter these layers cost most of what int8 loses (label agreement .964 with them in
int8, .984 without, on 500 held-out pairs)."""
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class Graph(torch.nn.Module):
    """The classifier with its three inputs by position and its logits as the only output."""

    def __init__(self, model: BertForSequenceClassification) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        """(n, 3) logits."""
        logits: torch.Tensor = self.model(input_ids=ids, attention_mask=mask, token_type_ids=types).logits
        return logits


def float_model(path: Path, start: str) -> tuple[BertForSequenceClassification, dict[str, Any]]:
    """The model of a checkpoint, in evaluation mode, and where its training stood."""
    kept = torch.load(path, map_location="cpu", weights_only=True)
    model = empty(kept["sizes"]) if "sizes" in kept else classifier(start, dropout=0.0)
    model.load_state_dict(kept["model"])
    return model.eval(), kept["state"]


def to_onnx(model: BertForSequenceClassification, path: Path) -> None:
    """Float graph, then int8 weights by output channel and dynamic int8 activations (onnxruntime)."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    model.config._attn_implementation = "eager"
    # The exporter puts back the mode of what it is given: a wrapper in training mode would switch dropout on again.
    given = tuple(torch.ones(2, 16, dtype=torch.long) for _ in INPUTS)
    axes = {name: {0: "batch", 1: "length"} for name in INPUTS} | {"logits": {0: "batch"}}
    with tempfile.TemporaryDirectory() as folder:
        plain, ready = Path(folder, "float.onnx"), Path(folder, "ready.onnx")
        torch.onnx.export(
            Graph(model).eval(), given, str(plain), input_names=list(INPUTS), output_names=["logits"],
            dynamic_axes=axes, opset_version=17, dynamo=False,
        )  # fmt: skip
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
        nodes = [node.name for node in onnx.load(str(ready)).graph.node]
        kept = [name for name in nodes if any(place in name for place in FLOAT)]
        quantize_dynamic(str(ready), str(path), per_channel=True, weight_type=QuantType.QInt8, nodes_to_exclude=kept)


def int8_logits(path: Path, rows: Sequence[tuple[list[int], int]]) -> NDArray[np.float32]:
    """(n, 3) logits, each pair alone as in the product."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    found = []
    for ids, head in rows:
        given = {
            "input_ids": np.array([ids]),
            "attention_mask": np.ones((1, len(ids)), dtype=np.int64),
            "token_type_ids": np.array([[0] * head + [1] * (len(ids) - head)]),
        }
        found.append(session.run(["logits"], given)[0][0])
    return np.array(found, dtype=np.float32)


def held_pairs(run: Path, data: Path, seed: int) -> list[Encoded]:
    """200 of the held-out pairs."""
    from training.verifier import mix

    held = mix.load(run, data, seed)["held"]
    chosen = [held[at] for at in np.random.default_rng(seed).permutation(len(held))[:200]]
    return encode(chosen, carried("ms-marco-MiniLM-L-12-v2") / "tokenizer.json")


def parity(model: BertForSequenceClassification, path: Path, pairs: Sequence[Encoded]) -> dict[str, float]:
    """Share of the pairs with the same label and mean absolute difference of the probabilities."""
    plain = []
    with torch.no_grad():
        for pair in pairs:
            given = tensors([pair], LIMITS[1])
            given.pop("labels")
            plain.append(model(**given).logits[0].numpy())
    small = int8_logits(path, [pair.ids(LIMITS[1]) for pair in pairs])
    first, second = softmax(np.array(plain)), softmax(small)
    return {
        "label_agreement": float((first.argmax(1) == second.argmax(1)).mean()),
        "mean_abs_difference": float(np.abs(first - second).mean()),
    }


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Row-wise."""
    grown = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(grown / grown.sum(1, keepdims=True), dtype=np.float32)


def digest(path: Path) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--name", default="verifier")
    parser.add_argument("--start", default="ms-marco-MiniLM-L-12-v2")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    torch.set_num_threads(1)
    model, state = float_model(args.run / f"{args.name}.pt", args.start)
    args.out.mkdir(parents=True, exist_ok=True)
    staged = args.out / "verifier.onnx.part"
    to_onnx(model, staged)
    if staged.stat().st_size > LARGEST:
        raise SystemExit(f"the graph has {staged.stat().st_size} bytes, more than {LARGEST}")
    model.config._attn_implementation = "sdpa"
    measured = parity(model, staged, held_pairs(args.run, args.data, args.seed))
    staged.rename(args.out / "verifier.onnx")
    tokenizer = WEIGHTS / "verifier_tokenizer.json" if args.start == SHIPPED else carried(args.start) / "tokenizer.json"
    if tokenizer.resolve() != (args.out / "verifier_tokenizer.json").resolve():
        shutil.copyfile(tokenizer, args.out / "verifier_tokenizer.json")
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True, cwd=WEIGHTS)
    described = {
        "labels": ["supports", "contradicts", "neutral"],
        "order": "claim, evidence",
        "max_tokens": LIMITS[1],
        "temperature": 1.0,
        "bias": [0.0, 0.0, 0.0],
        "sha256": {name: digest(args.out / name) for name in ("verifier.onnx", "verifier_tokenizer.json")},
        "start": args.start,
        "training": {"commit": commit.stdout.strip(), "seed": args.seed, **state},
        "parity": measured,
    }
    (args.out / "verifier.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(described, indent=1))


if __name__ == "__main__":
    main()
