"""What is judged in the query lab, and sets that were given as files, count in an imported project and in a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.records import StageSwitches
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench

QUESTION = "Do street trees cool a pavement?"
WORDS = StageSwitches(dense=False, late_interaction=False, mmr=False)
QRELS = b"q1 0 trees.txt 2\n"


@pytest.fixture
def judged(workbench: Workbench) -> OpenProject:
    opened = workbench.open(workbench.create("Heat").slug)
    texts = {"trees": "Street trees shade a pavement and cool the air below.", "pumps": "Heat pumps move heat indoors."}
    opened.sources.add_files([(f"{name}.txt", text.encode(), "text/plain") for name, text in texts.items()])
    while run_next(opened.job_context(), "test") is not None:
        pass
    document = next(one for one in opened.sources.documents() if one.filename == "trees.txt")
    opened.lab.judge(QUESTION, opened.sources.passages(document.id)[0].id, 3)
    given = opened.evaluations.read(("mine.qrels", QRELS), ("queries.tsv", b"q1\tstreet trees\n"))
    opened.evaluations.start(given, ["words"])
    opened.answers.set_guidance("general", "Be short.")
    return opened


def figures(opened: OpenProject) -> list[tuple[str, float | None, float | None]]:
    expansion = opened.lab.expand(QUESTION, ())
    return [(one.variant, one.ndcg, one.recall) for one in opened.lab.compare(expansion, [WORDS])]


@pytest.mark.parametrize("way", ["zip", "copy"])
def test_they_count_elsewhere(judged: OpenProject, workbench: Workbench, tmp_path: Path, way: str) -> None:
    before, slug = figures(judged), judged.project.slug
    assert before
    if way == "zip":
        taken = workbench.open(workbench.import_archive(workbench.export(slug, tmp_path / "heat.zip")).slug)
    else:
        taken = workbench.open(workbench.duplicate(slug, "Copy").slug)
    assert figures(taken) == before
    assert list(taken.lab.judgements(QUESTION).values()) == [3]
    assert [(one.name, dict(one.qrels)) for one in taken.evaluations.uploaded()] == [
        ("mine.qrels", {"q1": {"trees.txt": 2}})
    ]
    assert [one.guidance for one in taken.answers.templates() if one.edited] == ["Be short."]
    assert taken.import_notes() == []
