"""Projects whose answers are measured: the demo with its golden questions, and abstracts of SciFact with its claims."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.audit_bench import work
from benchmarks.data import load_retrieval
from core import demo
from core.labels import AnswerMode
from core.records import Answer
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench

CLAIMS = 15
"""Claims of SciFact that are asked."""
DISTRACTORS = 4
"""Abstracts beside each cited one."""


def demo_project(workbench: Workbench) -> tuple[OpenProject, list[str]]:
    """The demo's sources, with the golden questions."""
    opened = workbench.open(workbench.create("Demo").slug)
    opened.sources.add_snapshots([(source.url, source.body, source.media_type) for source in demo.sources()])
    work(opened)
    return opened, [str(question["text"]) for question in demo.questions()]


def scifact_project(workbench: Workbench, data: Path, *, first: int = 0) -> tuple[OpenProject, list[str]]:
    """Abstracts that claims of SciFact test cite, from the ``first`` on, and some beside them, with the claims as
    questions."""
    scifact = load_retrieval(data, "scifact")
    claims = list(scifact.qrels)[first : first + CLAIMS]
    wanted = {key for claim in claims for key, grade in scifact.qrels[claim].items() if grade > 0}
    others = [text for text in scifact.texts if text.key not in wanted][: DISTRACTORS * len(wanted)]
    texts = [text for text in scifact.texts if text.key in wanted] + others
    opened = workbench.open(workbench.create(f"SciFact {first}").slug)
    opened.sources.add_files(
        [(f"{text.key}.md", f"# {text.title}\n\n{text.body}".encode(), "text/markdown") for text in texts]
    )
    work(opened)
    return opened, [scifact.queries[claim] for claim in claims]


def answers(opened: OpenProject, questions: Sequence[str]) -> list[Answer]:
    """The extractive answer to each question."""
    answer_ids = [opened.answers.ask(question, mode=AnswerMode.EXTRACTIVE)[0].id for question in questions]
    work(opened)
    return [opened.answers.get(answer_id) for answer_id in answer_ids]
