"""PAWS-Wiki (Zhang et al. 2019): pairs of sentences with the same words, whose order keeps or changes the meaning.

The judge alone, evidence given. ``accuracy``: share of pairs that are told right, with one half of the probability of
"supports" as the threshold. ``auroc``: what that probability tells, whatever the threshold; one half is chance.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from benchmarks.audit_wice import auroc
from benchmarks.report import Row
from benchmarks.rows import mean_row, row
from core.ports.store import Entailer

FILE = "nli/paws_wiki_dev_eval.jsonl.gz"
_HALF = 0.5


def run(data: Path, entailer: Entailer, step: int, **rest: Any) -> list[Row]:
    """Judge every ``step``-th pair.

    Raises:
        FileNotFoundError: the folder of data lacks the set.
    """
    path = data / FILE
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing. Give the folder of data sets with --data.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines][::step]
    truth = [pair["label"] == "supports" for pair in pairs]
    support = entailer.judge([(pair["claim"], pair["evidence"]) for pair in pairs])[:, 0].tolist()
    right = [(value >= _HALF) == holds for value, holds in zip(support, truth, strict=True)]
    return [
        mean_row("verification", "paws", "dev", "verifier", "accuracy", right, **rest),
        row("verification", "paws", "dev", "verifier", "auroc", auroc(truth, support), n=len(truth), **rest),
    ]
