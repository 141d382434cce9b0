"""Exports of a report with very many citations: processor seconds, memory and size by format. Outcomes are made up.

``python -m benchmarks.exporting [rows …]`` prints one table a number of rows (500, 1000, 2000 without any), then how
each format grows from the first number to the last: 1 is as fast as the rows, 2 their square.
"""

from __future__ import annotations

import hashlib
import math
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.audit.report import read_markdown
from core.audit.rows import cases_of
from core.export.content import Content
from core.export.formats import ExportFormat, writer_of
from core.export.job import gather, pack_members
from core.labels import DecisionKind, Label, Reason, Status
from core.records import CheckResult, Document, Finding, Judgement, Outcome, SourceVerdict, StoredReport
from core.text.sentences import sentence_spans
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench

SIZES = (500, 1_000, 2_000)
CITED_EACH = 10
"""Citations of one source."""
SENTENCES = 40
"""Of one source, some 3,000 characters."""
RUNS = 3
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Figure:
    """One format at one size: processor seconds of the fastest of ``RUNS`` (a busy machine changes them little), the
    most that Python held in a further run, bytes written."""

    seconds: float
    peak_mb: float
    size: int


def make(opened: OpenProject, rows: int) -> StoredReport:
    """Fill the empty project with sources and an audited report of ``rows`` citations, every twentieth of those that
    wait for a person decided on, every fourth not passing."""
    count = math.ceil(rows / CITED_EACH)
    pages = [(_url(at), _page(at).encode(), "text/plain") for at in range(count)]
    opened.sources.add_snapshots(pages)
    from core.labels import JobKind
    from core.workbench.jobs import run_next

    while run_next(opened.job_context(), "bench", kinds=[JobKind.ADD]) is not None:
        pass
    store = opened.job_context().store
    documents = {document.canonical_url: document for document in opened.sources.documents()}
    body = _report(rows, count)
    read = read_markdown(body)
    texts = {document.id: opened.sources.text(document.id) for document in documents.values()}
    figures = []
    for case in cases_of(read):
        document = documents.get(case.row.url or "")
        figures.append(_judged(case.row, document, texts[document.id]) if document and case.waits else case.row)
    report = store.add_report(
        StoredReport(
            0, "many.md", read.title, "text/markdown", hashlib.sha256(read.text.encode()).hexdigest(),
            store.put_blob(body.encode()), NOW, length=len(read.text),
        ),
        read.text, figures,
    )  # fmt: skip
    _decide(opened, report)
    return report


def _decide(opened: OpenProject, report: StoredReport) -> None:
    for item in opened.reviews.queue("Ann", report_id=report.id)[::20]:
        opened.reviews.decide(
            item.key, DecisionKind.REJECT, by="Ann", version=item.version, seen=item.seen, note="Looked at twice."
        )


def _url(at: int) -> str:
    return f"https://source-{at}.example/page"


def _sentence(source: int, at: int) -> str:
    return f"In district {source} the count of trees on street {at} rose by {source + at} per cent within two years."


def _page(source: int) -> str:
    return f"Trees of district {source}\n\n" + " ".join(_sentence(source, at) for at in range(SENTENCES))


def _report(rows: int, count: int) -> str:
    lines = ["# Trees by district\n"]
    for row in range(rows):
        source, at = row % count, row // count
        lines.append(f"{_sentence(source, at)[:-1]} [{source + 1}].\n")
    listed = "\n".join(f"{at + 1}. Trees of district {at}. {_url(at)}" for at in range(count))
    return "\n".join([*lines, "## References\n", listed, ""])


def _judged(row: Finding, document: Document, text: str) -> Finding:
    words = row.claim_text.split(" [")[0].rstrip(".")
    start = max(0, text.find(words))
    spans = sentence_spans(text)
    place = next((at for at, (begin, end) in enumerate(spans) if begin <= start < end), 0)
    first, last = spans[max(0, place - 2)][0], spans[min(len(spans) - 1, place + 2)][1]
    passes = row.ordinal % 4 != 3
    share = 0.95 if passes else 0.4
    window = Judgement(first, last, text[first:last], share, 0.02, 0.98 - share)
    check = CheckResult("numbers", Outcome.PASSED if passes else Outcome.FAILED, "Every number was compared.")
    return replace(
        row, document_id=document.id, matched_by="url", status=Status.PASS if passes else Status.REVIEW,
        reasons=() if passes else (Reason.PARTIAL,), explanation="The source says it in these words.", judged=NOW,
        verdict=SourceVerdict(
            document.id, Label.SUPPORTS if passes else Label.NEUTRAL, share, 0.02, best=window,
            rationale=(start, min(len(text), start + len(words))), checks=(check,), fingerprint="made up",
        ),
    )  # fmt: skip


def content_of(opened: OpenProject, report: StoredReport) -> Content:
    """What is written out of it."""
    context = opened.job_context()
    return gather(context.store, context.engines, context.settings, NOW, report.id, models={"entailer": "made up"})


def measure(opened: OpenProject, report: StoredReport, folder: Path) -> Mapping[str, Figure]:
    """Gathering, and each format of what was gathered."""
    figures = {"gather": _figure(lambda: content_of(opened, report), lambda _: 0)}
    content = content_of(opened, report)
    for format in ExportFormat:
        if format is not ExportFormat.PACK:
            figures[format.value] = _figure(lambda format=format: writer_of(format)(content), len)  # type: ignore[misc]
    context, target = opened.job_context(), folder / "pack.zip"
    figures["pack"] = _figure(
        lambda: context.write_pack(context.store, report.id, target, pack_members(content)),
        lambda _: target.stat().st_size,
    )
    return figures


def _figure(write: Callable[[], Any], size: Callable[[Any], int]) -> Figure:
    times = []
    for _ in range(RUNS):
        begun = time.process_time()
        body = write()
        times.append(time.process_time() - begun)
    tracemalloc.start()
    body = write()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Figure(min(times), peak / 1e6, size(body))


def main(sizes: tuple[int, ...]) -> None:
    """Print the tables."""
    every: dict[int, Mapping[str, Figure]] = {}
    for rows in sizes:
        with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
            bench = open_workbench(Path(folder) / "root")
            try:
                opened = bench.open(bench.create("Many").slug)
                every[rows] = measure(opened, make(opened, rows), Path(folder))
            finally:
                bench.close()
        csv = every[rows]["csv"].seconds
        print(f"\n{rows} rows (CSV {csv:.2f} s)\n\n| | times CSV | peak MB | file MB |\n|---|---|---|---|")
        for name, figure in every[rows].items():
            print(f"| {name} | {figure.seconds / csv:.1f} | {figure.peak_mb:.0f} | {figure.size / 1e6:.2f} |")
    if len(sizes) > 1:
        few, many = every[sizes[0]], every[sizes[-1]]
        steps = math.log(sizes[-1] / sizes[0])
        growth = {name: math.log(many[name].seconds / few[name].seconds) / steps for name in many}
        print("\nGrowth: " + ", ".join(f"{name} {ratio:.2f}" for name, ratio in growth.items()))


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
