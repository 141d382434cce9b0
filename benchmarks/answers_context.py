"""The context of an answer before and after refinement, on the golden questions of the demo.

``tokens_before``: mean tokens (a quarter of the characters) of the found passages, ``tokens_after`` those of the strips
that are kept, ``saved`` the share that is left out over all questions (asked: 0.3). ``kept_answering``: share of the
judged places that answer (grade 2) and stand in the found passages that still stand in the strips (at least half of
their characters; asked: 0.99); ``kept_helping`` the same for those that help.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.audit_bench import bench, work
from benchmarks.report import Row
from benchmarks.rows import row
from core.labels import AnswerMode
from core.workbench.demo import ensure_demo

Span = tuple[str, int, int]


def run(shared: dict[str, Any], data: Path, cache: Path, *, quick: bool = False) -> list[Row]:
    """Every golden question, asked as the product does."""
    before = after = 0
    survived: dict[int, list[bool]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder)) as workbench:
        project, _ = ensure_demo(workbench, audit=False)
        opened = workbench.open(project.slug)
        judged = opened.evaluations.golden()
        assert judged is not None, "the demo has judged questions"
        queries = list(judged.queries.items())[: 4 if quick else None]
        for key, text in queries:
            begun, _ = opened.answers.ask(text, mode=AnswerMode.EXTRACTIVE)
            work(opened)
            gathered: Any = opened.answers.get(begun.id).gathered
            if not gathered.get("attempts"):
                continue
            spans = {
                passage.id: passage
                for document in opened.sources.documents()
                for passage in opened.sources.passages(document.id)
            }
            passages = [spans[row["passage_id"]] for row in gathered["attempts"][-1]["passages"]]
            whole = [(passage.document_id, passage.start, passage.end) for passage in passages]
            strips = [
                (strip["document_id"], strip["start"], strip["end"]) for strip in gathered["refinement"]["strips"]
            ]
            before += sum(_tokens(span) for span in whole)
            after += sum(_tokens(strip) for strip in strips)
            for name, grade in judged.qrels[key].items():
                place = _place(name)
                if grade in survived and _held(place, whole):
                    survived[grade].append(_held(place, strips))
                    if not survived[grade][-1]:
                        print(
                            f"  lost (grade {grade}) for {text!r}: "
                            f"{opened.sources.text(place[0])[place[1] : place[2]]!r}",
                            file=sys.stderr,
                        )
    values = {
        "tokens_before": before / len(queries), "tokens_after": after / len(queries), "saved": 1 - after / before,
        "kept_answering": sum(survived[2]) / len(survived[2]),
        "kept_helping": sum(survived[1]) / max(1, len(survived[1])),
    }  # fmt: skip
    counts = {"kept_answering": len(survived[2]), "kept_helping": len(survived[1])}
    return [
        row("answers", "demo golden", "", "refinement", key, value, n=counts.get(key, len(queries)), **shared)
        for key, value in values.items()
    ]


def _tokens(span: Span) -> int:
    return (span[2] - span[1] + 3) // 4


def _place(name: str) -> Span:
    document, _, span = name.rpartition(":")
    start, end = map(int, span.split("-"))
    return document, start, end


def _held(place: Span, spans: list[Span]) -> bool:
    document, start, end = place
    covered = {at for other, a, b in spans if other == document for at in range(max(start, a), min(end, b))}
    return 2 * len(covered) >= end - start
