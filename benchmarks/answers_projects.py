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
    return opened, [str(one["text"]) for one in demo.questions()]


def scifact_project(workbench: Workbench, data: Path, *, first: int = 0) -> tuple[OpenProject, list[str]]:
    """Abstracts that claims of SciFact test cite, from the ``first`` on, and some beside them, with the claims as
    questions."""
    found = load_retrieval(data, "scifact")
    claims = list(found.qrels)[first : first + CLAIMS]
    wanted = {key for claim in claims for key, grade in found.qrels[claim].items() if grade > 0}
    others = [one for one in found.texts if one.key not in wanted][: DISTRACTORS * len(wanted)]
    texts = [one for one in found.texts if one.key in wanted] + others
    opened = workbench.open(workbench.create(f"SciFact {first}").slug)
    opened.sources.add_files(
        [(f"{one.key}.md", f"# {one.title}\n\n{one.body}".encode(), "text/markdown") for one in texts]
    )
    work(opened)
    return opened, [found.queries[claim] for claim in claims]


def answers(opened: OpenProject, questions: Sequence[str]) -> list[Answer]:
    """The extractive answer to each question."""
    made = [opened.answers.ask(question, mode=AnswerMode.EXTRACTIVE)[0].id for question in questions]
    work(opened)
    return [opened.answers.get(one) for one in made]
