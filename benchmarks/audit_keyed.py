"""Citations with a key through the product's own path: each source stored as a page, each claim audited as the one
citation of a report.

Data: ``keyed_open`` and ``keyed_held`` are the two halves of ``benchmarks/labels/keyed`` (the held half is opened once;
the README there says when), ``scifact_audit`` are the claims of SciFact dev (Wadden et al. 2020) with their abstracts.

Metrics: ``pass_precision`` is the share of ``PASS`` that the source says; ``pass_recall`` the share of what the source
says that passes; ``review_share`` the share of all citations sent to ``REVIEW``; ``accusation_precision`` the share of
``contradicted`` that the source really speaks against; ``caught_<fault>`` the share of wrong citations of one kind that
do not pass. A report whose citation has no row counts as not passed.
"""

from __future__ import annotations

import hashlib
import html
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import keyed_set
from benchmarks.audit_bench import bench, work
from benchmarks.report import Row
from benchmarks.rows import mean_row
from benchmarks.verification_data import pairs
from core.labels import Label, Reason, Status
from core.records import Finding
from core.workbench.open_project import OpenProject

DATA = ("keyed_open", "keyed_held", "scifact_audit")
_SILENT = ("not_mentioned", "wrong_source", "partial")
"""Faults of which the source says nothing, so that "contradicted" would be a false accusation."""


@dataclass(frozen=True, slots=True)
class Case:
    """One claim and the page that it cites. ``holds``: the page says it; ``against``: the page speaks against it;
    ``fault`` names the one difference of a wrong claim, "" where the set names none."""

    key: str
    claim: str
    title: str
    publisher: str
    text: str
    holds: bool
    against: bool
    fault: str = ""

    @property
    def url(self) -> str:
        """The invented address of the page; equal pages share one."""
        return f"https://keyed.example/{hashlib.sha256(self.text.encode()).hexdigest()[:16]}"

    @property
    def page(self) -> bytes:
        """The page as HTML with title and publisher, UTF-8."""
        paragraphs = "".join(f"<p>{html.escape(part)}</p>\n" for part in self.text.split("\n") if part.strip())
        title = html.escape(self.title)
        site = f'<meta property="og:site_name" content="{html.escape(self.publisher)}">' if self.publisher else ""
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{site}</head>'
            f"<body><article><h1>{title}</h1>\n{paragraphs}</article></body></html>"
        ).encode()

    @property
    def report(self) -> bytes:
        """The report of one citation, Markdown."""
        claim = self.claim.strip()
        marked = f"{claim[:-1]} [1]{claim[-1]}" if claim.endswith((".", "!", "?")) else f"{claim} [1]."
        return f"# Report\n\n{marked}\n\n## References\n\n1. {self.title}. {self.url}\n".encode()


def load(data: Path, name: str) -> list[Case]:
    """The cases of one of ``DATA``, in the order of its file.

    Raises:
        FileNotFoundError: the folder of data lacks a set.
    """
    if name == "scifact_audit":
        return [
            Case(
                pair.key, pair.claim, pair.title, "", pair.evidence,
                holds=pair.label is Label.SUPPORTS, against=pair.label is Label.CONTRADICTS,
            )
            for pair in pairs(data, "scifact")
        ]  # fmt: skip
    items = keyed_set.load("choose" if name == "keyed_open" else "held")
    return [
        Case(
            item.id, item.claim, item.source.title, item.source.publisher or "", keyed_set.text(item, data),
            holds=item.holds, against=not item.holds and item.fault not in _SILENT, fault=item.fault or "",
        )
        for item in items
    ]  # fmt: skip


def run(data: Path, cache: Path, name: str, shared: dict[str, Any], *, sample: int | None = None) -> list[Row]:
    """Audit every claim of one of ``DATA`` (or the first ``sample``); wrong ``PASS`` of open data go to standard
    error."""
    cases = load(data, name)[:sample]
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder), encoded=cache) as workbench:
        project = workbench.open(workbench.create("Keyed").slug)
        pages = {case.url: case.page for case in cases}
        project.sources.add_snapshots([(url, body, "text/html; charset=utf-8") for url, body in pages.items()])
        work(project)
        outcomes = [(case, _audited(project, case)) for case in cases]
    if name != "keyed_held":
        _show_wrong(name, outcomes)
    return score(name, outcomes, shared)


def _audited(project: OpenProject, case: Case) -> Finding | None:
    report, _ = project.audits.add(f"{case.key}.md", case.report, "text/markdown")
    work(project)
    cited = [row for row in project.audits.findings(report.id) if row.marker_text.strip("[]") == "1"]
    return cited[0] if cited else None


def score(name: str, outcomes: Sequence[tuple[Case, Finding | None]], shared: dict[str, Any]) -> list[Row]:
    """The rows over cases and what became of each."""
    passed = [row is not None and row.status is Status.PASS for _, row in outcomes]
    accused = [row is not None and Reason.CONTRADICTED in row.reasons for _, row in outcomes]
    review = [row is not None and row.status is Status.REVIEW for _, row in outcomes]
    cases = [case for case, _ in outcomes]
    values: dict[str, list[bool]] = {
        "pass_precision": [case.holds for case, passes in zip(cases, passed, strict=True) if passes],
        "pass_recall": [passes for case, passes in zip(cases, passed, strict=True) if case.holds],
        "review_share": review,
        "accusation_precision": [case.against for case, accuses in zip(cases, accused, strict=True) if accuses],
    }
    by_fault: dict[str, list[bool]] = defaultdict(list)
    for case, passes in zip(cases, passed, strict=True):
        if case.fault:
            by_fault[f"caught_{case.fault}"].append(not passes)
    values.update(sorted(by_fault.items()))
    return [mean_row("audit", name, "dev", "audit", metric, of, **shared) for metric, of in values.items() if of]


def _show_wrong(name: str, outcomes: Sequence[tuple[Case, Finding | None]]) -> None:
    for case, row in outcomes:
        if row is not None and row.verdict and row.status is Status.PASS and not case.holds:
            print(
                f"{name} {case.key} {case.fault}: PASS {row.verdict.supports:.2f}: {case.claim[:120]!r}",
                file=sys.stderr,
            )
