"""Claim spans over the real reports against a key: the words that each citation stands for (``labels/spans``).

``exact``: the words of the key. ``right``: exact, or the words of an accepted reading; ``right_<style>`` is the same
for one style. ``glued``: the end of a sentence lies inside the span and inside no accepted reading. Marks, link targets
and punctuation at the ends are no words.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.pairing import check_versions
from benchmarks.report import Row
from benchmarks.rows import row
from core.audit.pairing import pair
from core.audit.report import read_markdown

LABELS = Path(__file__).resolve().parent / "labels" / "spans"
_TARGET = re.compile(r"\]\((?:[^()\s]|\([^()\s]*\))*\)")
_ENDING = re.compile(r"(?<!\bal)(?<!\bvs)(?<!\b[A-Za-z])[.!?][\"”’)*\]]*\s+(?=[\"“(*]*[A-Z])|[。！？](?=.)")
_LINKING = re.compile(r"(?:^(?:and|but|while|or) )|(?: according to(?: the)?$)", re.IGNORECASE)

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one label."""

    style: str
    exact: bool
    right: bool
    glued: bool


def run(data: Path) -> list[Row]:
    """Measure over ``data/reports``; every wrong span goes to standard error. Raises ValueError: a report is not the
    version that was labelled."""
    check_versions(data / "reports", json.loads((LABELS / "reports.json").read_text("utf-8")))
    labels: dict[str, list[dict[str, Any]]] = defaultdict(list)
    lines = (LABELS / "spans.jsonl").read_text("utf-8")
    for line in lines.splitlines():
        label = json.loads(line)
        labels[label["report"]].append(label)
    outcomes = [
        outcome for name, mine in sorted(labels.items()) for outcome in _of_report(data / "reports" / name, mine)
    ]
    groups: dict[str, list[bool]] = {
        "exact": [outcome.exact for outcome in outcomes],
        "right": [outcome.right for outcome in outcomes],
        "glued": [outcome.glued for outcome in outcomes],
    }
    for outcome in outcomes:
        groups.setdefault(f"right_{outcome.style}", []).append(outcome.right)
    fingerprint = {"labels": hashlib.sha256(lines.encode()).hexdigest()[:16]}
    return [
        row("audit", "spans", "", "audit", metric, sum(group) / len(group), n=len(group), machine=machine(),
            fingerprint=fingerprint)
        for metric, group in groups.items()
    ]  # fmt: skip


def _of_report(path: Path, labels: list[dict[str, Any]]) -> list[Outcome]:
    report = read_markdown(path.read_bytes().decode("utf-8"))
    claims = {citation.marker: citation.claim for citation in pair(report).citations}
    outcomes = []
    for label in labels:
        start, end = label["marker"]
        spans = [
            (claim.start, claim.end) if (claim := claims.get(at)) else None
            for at, marker in enumerate(report.markers)
            if marker.start < end and marker.end > start
        ]
        outcome = judge(report.text, label, spans[0] if spans else None)
        outcomes.append(outcome)
        if not outcome.right or outcome.glued:
            found = report.text[slice(*spans[0])] if spans and spans[0] else "nothing" if spans else "no marker"
            wanted = report.text[slice(*label["claim"])]
            kind = "glued" if outcome.glued else "wrong"
            print(f"{path.name} {start} {label['style']} {kind}\n  key: {wanted}\n  is:  {found}", file=sys.stderr)
    return outcomes


def judge(text: str, label: dict[str, Any], span: Place | None) -> Outcome:
    """A span of the product beside a label."""
    if span is None:
        return Outcome(label["style"], False, False, False)
    readings = [label["claim"], *label["or"]]
    is_one = [_words(text, span) == _words(text, reading) and _meet(span, reading) for reading in readings]
    ends = [at.start() for at in _ENDING.finditer(text, *span)]
    glued = any(not any(start <= end < stop for start, stop in readings) for end in ends)
    return Outcome(label["style"], is_one[0], any(is_one), glued and not any(is_one))


def _words(text: str, place: Place) -> str:
    words = " ".join(re.findall(r"\w+", _TARGET.sub("]", text[slice(*place)])))
    return _LINKING.sub("", words)


def _meet(one: Place, other: Place) -> bool:
    return one[0] < other[1] and other[0] < one[1]
