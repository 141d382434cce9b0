"""Pairing of markers, claims and references over the real reports: hand labels, and counts by an independent counter.

A label counts as right when the marker's offsets are exact, its references are exactly those expected, and its claim
overlaps the expected one by at least half (intersection over union in characters); ``claim_exact`` asks for the same
words. How the labels were made, and what they are worth: ``benchmarks/labels/README.md``.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.pairing_count import count_markers
from benchmarks.report import Row
from benchmarks.rows import row
from core.audit.pairing import pair
from core.audit.report import read_markdown
from core.audit.report_model import Citation, Pairing, Reference, Report

LABELS = Path(__file__).resolve().parent / "labels" / "pairing.json"
_METRICS = {"author_year_narrative": "author_year"}
_OVERLAP = 0.5
_EDGES = " \n.,;:()*_"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one label; ``problem`` is empty when it is right."""

    style: str
    paired: bool
    right: bool
    exact: bool
    problem: str


@dataclass(frozen=True, slots=True)
class _Read:
    report: Report
    pairing: Pairing
    at: dict[tuple[int, int], list[Citation]]


def run(data: Path) -> list[Row]:
    """Measure over ``data/reports``; every wrong label and every difference of counts goes to standard error.

    Raises:
        ValueError: a report is not the version that was labelled.
    """
    folder = data / "reports"
    labels = json.loads(LABELS.read_text("utf-8"))
    started = time.perf_counter()
    reports = {path.name: _read(path) for path in sorted(folder.glob("*.md"))}
    seconds = time.perf_counter() - started
    check_versions(folder, labels["files"])
    outcomes = [judge(label, reports[label["file"]]) for label in labels["labels"]]
    for outcome in outcomes:
        if outcome.problem:
            print(outcome.problem, file=sys.stderr)
    fingerprint = {"reports": len(reports), "labels": hashlib.sha256(LABELS.read_bytes()).hexdigest()[:16]}
    shared: dict[str, Any] = {"machine": machine(), "fingerprint": fingerprint}
    rows = _label_rows(outcomes, shared)
    return [*rows, *_count_rows(reports, seconds, shared)]


def check_versions(folder: Path, files: dict[str, str]) -> None:
    """Refuse reports whose bytes are not those that were labelled."""
    for name, digest in files.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise ValueError(f"{name} in {folder} is not the version that was labelled. Fetch the data again.")


def judge(label: dict[str, Any], read: _Read) -> Outcome:
    """Compare one label with what the parser found."""
    style, place = label["style"], f"{label['file']} label {label['id']}"
    if label.get("none"):
        hit = any(marker.start <= label["near"] < marker.end for marker in read.report.markers)
        return Outcome(style, not hit, not hit, not hit, f"{place}: a marker where none is" if hit else "")
    references = read.at.get((label["marker"][0], label["marker"][1]), [])
    if not references:
        return Outcome(style, False, False, False, f"{place}: marker not found")
    cited = [(c.target.url, None if c.reference is None else read.pairing.references[c.reference]) for c in references]
    if not _as_expected(cited, label["references"], whole=style != "author_year"):
        return Outcome(style, False, False, False, f"{place}: another reference")
    if label["claim"] is None:
        return Outcome(style, True, True, True, "")
    overlap, exact = _compare(read.report.text, label["claim"], references[0])
    right = overlap >= _OVERLAP
    problem = "" if right else f"{place}: claim overlaps by {overlap:.2f}"
    return Outcome(style, True, right, right and exact, problem)


def _read(path: Path) -> _Read:
    report = read_markdown(path.read_bytes().decode("utf-8"))
    pairing = pair(report)
    at: dict[tuple[int, int], list[Citation]] = defaultdict(list)
    for citation in pairing.citations:
        marker = report.markers[citation.marker]
        at[marker.start, marker.end].append(citation)
    return _Read(report, pairing, at)


_Cited = tuple[str | None, Reference | None]
"""The address that the marker itself names, and the reference it was paired with."""


def _as_expected(cited: list[_Cited], expected: list[int | str | None], *, whole: bool) -> bool:
    """Whether every expected reference is among the cited ones, and (``whole``) no other one is."""
    if whole and len(cited) != len(expected):
        return False
    return all(any(_is(url, reference, address) for url, reference in cited) for address in expected)


def _is(url: str | None, reference: Reference | None, expected: int | str | None) -> bool:
    if reference is None or expected is None:
        return reference is None and expected is None
    if isinstance(expected, str):
        digest = hashlib.sha256((url or "").encode()).hexdigest()[:16]
        return expected == f"sha256:{digest}"
    return expected in (reference.start, *(span.start for span in reference.also))


def _compare(text: str, expected: list[int], citation: Citation) -> tuple[float, bool]:
    if citation.claim is None:
        return 0.0, False
    (a, b), (c, d) = expected, (citation.claim.start, citation.claim.end)
    common = max(0, min(b, d) - max(a, c))
    return common / (max(b, d) - min(a, c)), text[a:b].strip(_EDGES) == text[c:d].strip(_EDGES)


def _label_rows(outcomes: list[Outcome], shared: dict[str, Any]) -> list[Row]:
    rows: list[Row] = []
    by_style: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_style[outcome.style].append(outcome)
    for style, mine in sorted(by_style.items()):
        for metric, hits in (
            (f"pairing_{style}", [outcome.right for outcome in mine]),
            (f"reference_{style}", [outcome.paired for outcome in mine]),
            (f"claim_exact_{style}", [outcome.exact for outcome in mine]),
        ):
            value = sum(hits) / len(hits)
            rows.append(row("audit", "reports", "labelled", "audit", metric, value, n=len(hits), **shared))
    return rows


def _count_rows(reports: dict[str, _Read], seconds: float, shared: dict[str, Any]) -> list[Row]:
    """Markers by style beside the independent count; the value is the relative difference over all reports."""
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    for name, read in reports.items():
        mine = Counter(_METRICS.get(marker.style.value, marker.style.value) for marker in read.report.markers)
        other = count_markers(read.report.text)
        for style in sorted(mine.keys() | other.keys()):
            if mine[style] != other[style]:
                print(f"{name}: {style} {mine[style]} found, {other[style]} counted", file=sys.stderr)
        ours.update(mine)
        theirs.update(other)
    rows: list[Row] = []
    for style in sorted(ours.keys() | theirs.keys()):
        value = abs(ours[style] - theirs[style]) / max(1, theirs[style])
        metric = f"count_difference_{style}"
        rows.append(row("audit", "reports", "all", "audit", metric, value, n=theirs[style], seconds=seconds, **shared))
    return rows
