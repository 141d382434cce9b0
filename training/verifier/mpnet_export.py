"""The base-size judge for the product: ``python -m training.verifier.mpnet_export --run FOLDER --weights FOLDER``.

Writes ``judge.onnx.zst`` and ``judge.json`` to ``core/weights`` and prints the parity of int8 and float on held-out
pairs. Weights are kept in seven bits of an int8 (``reduce_range``): processors without VNNI add in 16 bits,
which overflows with eight, and the file is a quarter smaller. A few channels of the feed-forward layers carry values
fifty times as large as the others and would take all the steps of an int8; they are multiplied in float (Dettmers et
al., "LLM.int8()", NeurIPS 2022; mean difference of the probabilities .08 without, .009 with). Word vectors have steps
of their own, row by row. The graph takes ids of the uncased BERT vocabulary, which the shipped tokenizer of the small
graph gives: MPNet has the same words, four numbers higher.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from training.verifier.export import digest, softmax
from training.verifier.mpnet_ids import BERT, LIMIT, MPNET, encode, tensors, tokenizer
from training.verifier.mpnet_run import load
from training.verifier.mpnet_start import Judge, judge
from training.verifier.start import WEIGHTS
from training.verifier.units import Encoded
from training.verifier.wide_mix import read

SHIFT = 4
"""What a word's number in the vocabulary of MPNet has more than in that of BERT."""
LARGEST = 80_000_000
"""Bytes of the packed graph: with the small graph, the lexicon and the tokenizer under 120 MB."""
HELD, SEEN = 500, 60
"""Held-out pairs on which int8 and float are compared, and others by which the large channels are found."""
LARGE_CHANNELS = 6
"""Input channels of a feed-forward product that stay in float."""
WORD_STEPS = 16
"""Steps from 0 to the largest value of a word vector."""
GRAPH, TOKENIZER = "judge.onnx.zst", "verifier_tokenizer.json"


class Graph(torch.nn.Module):
    """The judge on ids of BERT: (n, length) ids and mask to (n, 3) logits."""

    def __init__(self, model: Judge) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(n, 3) logits."""
        own = torch.where(ids == BERT.start, MPNET.start, torch.where(ids == BERT.end, MPNET.end, ids + SHIFT))
        own = torch.where(mask == 0, MPNET.pad, own)
        logits: torch.Tensor = self.model(own, mask)
        return logits


class Parted(nn.Module):
    """A linear layer whose product of the channels ``large`` is a product of its own."""

    def __init__(self, layer: nn.Linear, large: torch.Tensor) -> None:
        super().__init__()
        keep = torch.ones(layer.in_features)
        keep[large] = 0
        self.register_buffer("keep", keep)
        self.register_buffer("large", large)
        self.in_float = nn.Linear(len(large), layer.out_features, bias=False)
        self.in_float.weight.data = layer.weight.data[:, large].clone()
        layer.weight.data = layer.weight.data * keep
        self.layer = layer

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """As the layer that was given."""
        whole: torch.Tensor = self.layer(x * self.keep) + self.in_float(x[..., self.large])
        return whole


class WordVectors(nn.Module):
    """Word vectors in whole steps, with one size of step a row."""

    def __init__(self, vectors: torch.Tensor) -> None:
        super().__init__()
        sizes = vectors.abs().max(1, keepdim=True).values.clamp(min=1e-9) / WORD_STEPS
        self.register_buffer("steps", (vectors / sizes).round().to(torch.int8))
        self.register_buffer("sizes", sizes)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """(…, width) vectors of ids (…)."""
        vectors: torch.Tensor = self.steps[ids].float() * self.sizes[ids]
        return vectors


@torch.no_grad()
def prepare(model: Judge, pairs: Sequence[Encoded]) -> None:
    """Part the feed-forward layers by the largest inputs that ``pairs`` bring, and put word vectors in steps."""
    layers = {
        name: layer
        for name, layer in model.named_modules()
        if isinstance(layer, nn.Linear) and name.endswith((".intermediate.dense", ".output.dense"))
    }
    largest = {name: torch.zeros(layer.in_features) for name, layer in layers.items()}

    def watch(name: str) -> Any:
        def seen(_: nn.Module, given: tuple[torch.Tensor, ...]) -> None:
            values = given[0].abs().reshape(-1, given[0].shape[-1]).amax(0)
            largest[name] = torch.maximum(largest[name], values)

        return seen

    hooks = [layer.register_forward_pre_hook(watch(name)) for name, layer in layers.items()]
    for pair in pairs:
        model(*tensors([pair])[:2])
    for hook in hooks:
        hook.remove()
    for name, layer in layers.items():
        parent, leaf = name.rsplit(".", 1)
        setattr(model.get_submodule(parent), leaf, Parted(layer, largest[name].topk(LARGE_CHANNELS).indices))
    model.encoder.embeddings.word_embeddings = WordVectors(model.encoder.embeddings.word_embeddings.weight.data)


def to_onnx(model: Judge, path: Path) -> None:
    """Float graph of a prepared model, then int8 weights by output channel and dynamic int8 activations."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    names = ["input_ids", "attention_mask"]
    given = tuple(torch.ones(2, 16, dtype=torch.long) for _ in names)
    axes = {name: {0: "batch", 1: "length"} for name in names} | {"logits": {0: "batch"}}
    with tempfile.TemporaryDirectory() as folder:
        plain, ready = Path(folder, "float.onnx"), Path(folder, "ready.onnx")
        torch.onnx.export(
            Graph(model).eval(), given, str(plain), input_names=names, output_names=["logits"], dynamic_axes=axes,
            opset_version=17, dynamo=False,
        )  # fmt: skip
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
        in_float = [node.name for node in onnx.load(str(ready)).graph.node if "/in_float/" in node.name]
        quantize_dynamic(
            str(ready), str(path), per_channel=True, reduce_range=True, weight_type=QuantType.QInt8,
            nodes_to_exclude=in_float,
        )  # fmt: skip


def int8_logits(path: Path, rows: Sequence[Encoded]) -> NDArray[np.float32]:
    """(n, 3) logits, each pair alone as in the product; ``rows`` have ids of BERT."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    logits = []
    for row in rows:
        ids = np.array([row.ids])
        logits.append(session.run(["logits"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0])
    return np.array(logits, dtype=np.float32)


def bert_ids(row: Encoded) -> Encoded:
    """The pair in ids of BERT, with the marks of MPNet: two separators in the middle."""
    marks = {MPNET.start: BERT.start, MPNET.end: BERT.end}
    return Encoded(tuple(marks.get(number, number - SHIFT) for number in row.ids), row.label, row.source)


@torch.no_grad()
def float_logits(model: Judge, pairs: Sequence[Encoded]) -> NDArray[np.float32]:
    """(n, 3) logits of ids of MPNet."""
    return np.array([model(*tensors([pair])[:2])[0].numpy() for pair in pairs])


def parity(plain: NDArray[np.float32], path: Path, pairs: Sequence[Encoded]) -> dict[str, float]:
    """Share of the pairs with the same label and mean absolute difference of the probabilities."""
    first, second = softmax(plain), softmax(int8_logits(path, [bert_ids(pair) for pair in pairs]))
    return {
        "pairs": len(pairs),
        "label_agreement": round(float((first.argmax(1) == second.argmax(1)).mean()), 4),
        "mean_abs_difference": round(float(np.abs(first - second).mean()), 5),
    }


def packed(graph: Path, path: Path) -> None:
    """Write ``graph`` packed with zstd.

    Raises:
        SystemExit: it is larger than what may be shipped.
    """
    import zstandard

    data = zstandard.ZstdCompressor(level=3).compress(graph.read_bytes())
    if len(data) > LARGEST:
        raise SystemExit(f"the packed graph has {len(data)} bytes, more than {LARGEST}")
    staged = path.with_suffix(".part")
    staged.write_bytes(data)
    staged.rename(path)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder with judge.pt")
    parser.add_argument("--weights", type=Path, required=True, help="folder that fetch_mpnet wrote")
    parser.add_argument("--mix", type=Path, required=True, help="folder that wide_mix wrote, for its held-out pairs")
    parser.add_argument("--slow", action="store_true", help="the running mean of the weights")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    torch.set_num_threads(1)
    model = judge(args.weights)
    state: dict[str, Any] = load(args.run / "judge.pt", model, slow=args.slow)
    model.eval()
    held = [pair for unit in read(args.mix, ["held"])["held"] for pair in unit]
    drawn = encode(random.Random(7).sample(held, HELD + SEEN), tokenizer(args.weights / "tokenizer.json"))
    pairs, plain = drawn[:HELD], float_logits(model, drawn[:HELD])
    prepare(model, drawn[HELD:])
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder, "judge.onnx")
        to_onnx(model, graph)
        measured = parity(plain, graph, pairs)
        packed(graph, args.out / GRAPH)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True, cwd=WEIGHTS)
    described = {
        "labels": ["supports", "contradicts", "neutral"], "order": "claim, evidence", "separators": 2,
        "max_tokens": LIMIT, "temperature": 1.0, "bias": [0.0, 0.0, 0.0],
        "sha256": {GRAPH: digest(args.out / GRAPH), TOKENIZER: digest(WEIGHTS / TOKENIZER)},
        "start": "all-mpnet-base-v2", "training": {"commit": commit.stdout.strip(), **state}, "parity": measured,
    }  # fmt: skip
    (args.out / "judge.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(described, indent=1))


if __name__ == "__main__":
    main()
