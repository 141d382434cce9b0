"""Check-worthiness over real sentences labelled by hand. How they were labelled: ``benchmarks/labels/check_worthy.md``.

Positive is "worth checking". Every wrong one goes to standard error, by its number, with the reason the rules gave.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.report import Row
from benchmarks.rows import row
from core.verify.check_worthy import check_worthy

LABELS = Path(__file__).resolve().parent / "labels" / "check_worthy.json"
DEMO = Path(__file__).resolve().parents[1] / "core"


def run(data: Path) -> list[Row]:
    """Measure over ``data/reports`` and the demo report: accuracy, precision and recall of "worth checking".

    Raises:
        ValueError: a report is not the version that was labelled.
    """
    labels = json.loads(LABELS.read_text("utf-8"))
    texts = {name: _text(data / "reports", name, digest) for name, digest in labels["files"].items()}
    check_worthy("The patterns are read before the clock runs.")
    started = time.perf_counter()
    answers = [_judge(label, texts) for label in labels["labels"]]
    seconds = time.perf_counter() - started
    pairs = [(bool(label["worthy"]), ours) for label, ours in zip(labels["labels"], answers, strict=True)]
    hits = sum(truth and ours for truth, ours in pairs)
    values = {
        "check_worthy_accuracy": (sum(truth == ours for truth, ours in pairs), len(pairs)),
        "check_worthy_precision": (hits, sum(ours for _, ours in pairs)),
        "check_worthy_recall": (hits, sum(truth for truth, _ in pairs)),
        "check_worthy_majority": (sum(truth for truth, _ in pairs), len(pairs)),
    }
    fingerprint = {"labels": hashlib.sha256(LABELS.read_bytes()).hexdigest()[:16], "in_sample": True}
    shared: dict[str, Any] = {"machine": machine(), "fingerprint": fingerprint, "seconds": seconds}
    return [
        row("audit", "reports", "labelled", "check-worthy", metric, right / max(1, of), n=of, **shared)
        for metric, (right, of) in values.items()
    ]


def _judge(label: dict[str, Any], texts: dict[str, str]) -> bool:
    start, end = label["span"]
    ours, reason = check_worthy(texts[label["file"]][start:end], kind=label["kind"])
    if ours != label["worthy"]:
        print(f"{label['file']} label {label['id']}: worthy is {label['worthy']}, said {reason!r}", file=sys.stderr)
    return ours


def _text(folder: Path, name: str, digest: str) -> str:
    path = DEMO / name if name.startswith("demo/") else folder / name
    body = path.read_bytes()
    if hashlib.sha256(body).hexdigest() != digest:
        raise ValueError(f"{path} is not the version that was labelled. Fetch the data again.")
    return body.decode("utf-8")
