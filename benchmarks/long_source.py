"""A claim against a PDF of 300 pages: made of abstracts of SciFact, stored and encoded as the product does it.

The claims are claims of SciFact whose abstract stands somewhere in the book. ``judge_p50_s``, ``judge_p95_s``: seconds
for a claim not seen before, models loaded; ``judge_cpu_p50_s``: seconds of the processor, which other programs do not
change much; ``right_page``: share whose deciding sentence lies in the abstract that people named.
"""

from __future__ import annotations

import io
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.audit_bench import bench, work
from benchmarks.data import RetrievalSet, load_retrieval
from benchmarks.machine import machine, versions
from benchmarks.report import Row
from benchmarks.rows import row
from core.verify.judge import Judge

PAGES = 300
CLAIMS = 30
_PARAGRAPHS = 3
_WIDTH = 95


def book(of_set: RetrievalSet, keys: Sequence[str], pages: int = PAGES) -> bytes:
    """A PDF whose pages hold ``_PARAGRAPHS`` abstracts each; those of ``keys`` are spread over it."""
    from reportlab.pdfgen.canvas import Canvas

    wanted = set(keys)
    named = [text for text in of_set.texts if text.key in wanted]
    others = [text for text in of_set.texts if text.key not in wanted][: pages * _PARAGRAPHS - len(named)]
    step = max(1, len(others) // max(1, len(named)))
    for at, source in enumerate(named):
        others.insert(at * (step + 1), source)
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for first in range(0, len(others), _PARAGRAPHS):
        text = canvas.beginText(36, 810)
        text.setFont("Helvetica", 7)
        text.setLeading(8)
        for source in others[first : first + _PARAGRAPHS]:
            for line in _lines(source.body):
                text.textLine(line)
            text.textLine("")
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def run(data: Path, *, claims: int = CLAIMS, pages: int = PAGES) -> list[Row]:
    """Build the book, judge the claims."""
    of_set = load_retrieval(data, "scifact")
    queries = list(of_set.queries)[:claims]
    gold = {query: next(key for key, grade in of_set.qrels[query].items() if grade > 0) for query in queries}
    bodies = {text.key: " ".join(text.body.split()) for text in of_set.texts}
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder)) as workbench:
        opened = workbench.open(workbench.create("Long").slug)
        begun = time.perf_counter()
        opened.sources.add_files([("book.pdf", book(of_set, list(gold.values()), pages), "application/pdf")])
        work(opened)
        ready = time.perf_counter() - begun
        document = opened.sources.documents()[0]
        judge = Judge(opened.context.store, workbench.engines, opened.settings)
        judge.verdict("Something to load the models with was never measured.", document.id)
        text, wall, cpu, right, units = opened.sources.text(document.id), [], [], [], 0
        for query in queries:
            start, used = time.perf_counter(), time.process_time()
            verdict = judge.verdict(of_set.queries[query], document.id)
            wall.append(time.perf_counter() - start)
            cpu.append(time.process_time() - used)
            units = verdict.sentences
            words = " ".join(text[slice(*verdict.rationale)].split()) if verdict.rationale else ""
            right.append(bool(words) and words[:60] in bodies[gold[query]])
        fingerprint = {
            "settings": opened.settings.fingerprint(), "entailer": judge.fingerprint, "data": of_set.fingerprint,
            "versions": versions(),
        }  # fmt: skip
    system = f"{pages} pages, {units:,} sentences, {document.passage_count:,} passages, all encoded"
    rows = [
        ("judge_p50_s", statistics.median(wall)), ("judge_p95_s", sorted(wall)[int(0.95 * (len(wall) - 1))]),
        ("judge_cpu_p50_s", statistics.median(cpu)), ("right_page", sum(right) / len(right)), ("ready_s", ready),
    ]  # fmt: skip
    for metric, value in rows:
        print(f"  {metric:20} {value:8.3f}", file=sys.stderr, flush=True)
    return [
        row(
            "speed",
            "long source",
            "",
            system,
            metric,
            value,
            n=len(queries),
            machine=machine(),
            fingerprint=fingerprint,
        )
        for metric, value in rows
    ]


def _lines(body: str) -> list[str]:
    lines, line = [], ""
    for word in body.encode("latin-1", "replace").decode("latin-1").split():
        if len(line) + len(word) > _WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line]
