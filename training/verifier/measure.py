"""Figures of a checkpoint of the base-size judge: ``python -m training.verifier.measure --file FILE --weights FOLDER``.

Prints one JSON line: held-out accuracy, and on development sets macro-F1, recall of SUPPORTS at precision .95, area and
accuracy. Bare model, largest of three outputs. The development sets are for choosing; nothing is trained on them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from training.verifier.calibrate import macro_f1
from training.verifier.data import CONTRADICTS, NEUTRAL, NOT_SUPPORTED, SUPPORTS, Pair
from training.verifier.mpnet_ids import LIMIT, encode, tokenizer
from training.verifier.mpnet_run import faster_type, load
from training.verifier.mpnet_start import judge
from training.verifier.mpnet_train import held_accuracy, logits_of
from training.verifier.wide_mix import read, sample_held

SETS = ("scifact_rationale_dev", "healthver_dev", "fever_symmetric_v02_dev", "paws_wiki_dev_eval")
_LABELS = {"supports": SUPPORTS, "contradicts": CONTRADICTS, "neutral": NEUTRAL, "not_supported": NOT_SUPPORTED}
Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


def dev_pairs(file: Path, most: int, seed: int = 7) -> list[Pair]:
    """Rows of a set of ``nli/``, at most ``most``, always the same ones."""
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    pairs = [Pair(row["claim"], row["evidence"], _LABELS[row["label"]], row["dataset"], str(row["id"])) for row in rows]
    return pairs if len(pairs) <= most else random.Random(seed).sample(pairs, most)


def recall_at(precision: float, support: Floats, labels: Labels) -> float:
    """Greatest share of the SUPPORTS rows above a threshold at which at least ``precision`` of the rows are right."""
    order = np.argsort(-support, kind="stable")
    right = (labels[order] == SUPPORTS).cumsum()
    good = right / np.arange(1, len(order) + 1) >= precision
    return float(right[good].max() / max(1, (labels == SUPPORTS).sum())) if good.any() else 0.0


def figures(told: Floats, labels: Labels) -> dict[str, Any]:
    """Figures of one set: ``told`` (n, 3) probabilities, ``labels`` (n,)."""
    predicted, support = told.argmax(1), told[:, SUPPORTS]
    found: dict[str, Any] = {"n": len(labels), "recall_at_95": round(recall_at(0.95, support, labels), 3)}
    found["area"] = round(float(roc_auc_score(labels == SUPPORTS, support)), 3)
    if NOT_SUPPORTED in labels:
        found["accuracy"] = round(float(((predicted == SUPPORTS) == (labels == SUPPORTS)).mean()), 3)
    else:
        found["macro_f1"] = round(macro_f1(predicted, labels), 3)
        found["accuracy"] = round(float((predicted == labels).mean()), 3)
    return found


def main(given: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, required=True, help="a checkpoint or snapshot")
    parser.add_argument("--weights", type=Path, required=True, help="folder that fetch_mpnet wrote")
    parser.add_argument("--data", type=Path, required=True, help="the shared data folder")
    parser.add_argument("--mix", type=Path, help="folder of a mix: its held-out pairs are measured too")
    parser.add_argument("--slow", action="store_true", help="the mean of the last steps instead of the last step")
    parser.add_argument("--most", type=int, default=10**6, help="rows of a set, drawn once for all")
    parser.add_argument("--held", type=int, default=20, help="held-out pairs of a source")
    args = parser.parse_args(given)
    torch.set_num_threads(1)
    begun = time.process_time()
    model, words, kind = judge(args.weights), tokenizer(args.weights / "tokenizer.json"), faster_type()
    state = load(args.file, model, slow=args.slow)
    told: dict[str, Any] = {"file": args.file.name, "pairs": state["pairs"], "slow": args.slow, "most": args.most}
    for name in SETS:
        pairs = dev_pairs(args.data / "nli" / f"{name}.jsonl.gz", args.most)
        logits = logits_of(model, encode(pairs, words, LIMIT), kind)
        labels = np.array([pair.label for pair in pairs])
        told[name] = figures(torch.softmax(logits, -1).double().numpy(), labels)
    if args.mix:
        held = sample_held([pair for (pair,) in read(args.mix, ["held"])["held"]], args.held)
        told["held_out"] = held_accuracy(model, encode(held, words, LIMIT), kind)
    told["cpu_seconds"] = round(time.process_time() - begun)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
