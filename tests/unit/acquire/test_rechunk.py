"""Changing the chunk settings cuts every document anew, and nothing is encoded twice."""

from __future__ import annotations

from pathlib import Path

from core.ports.engines import Engines
from core.settings.values import Chunking, Settings
from core.workbench.demo import finish_jobs
from core.workbench.wiring import open_workbench

TEXT = " ".join(f"Sentence number {number} says something about streets and trees." for number in range(60))


def test_changed_chunk_settings_cut_documents_anew(tmp_path: Path, engines: Engines) -> None:
    counts = []
    for size in (500, 200, 200):
        workbench = open_workbench(tmp_path / "root", Settings(chunking=Chunking(size=size)), engines=engines)
        slug = workbench.projects()[0].project.slug if counts else workbench.create("Streets").slug
        project = workbench.open(slug)
        if counts:
            project.catch_up()
        else:
            project.sources.add_text("Note", TEXT)
        finish_jobs(workbench, project)
        document = project.sources.documents()[0]
        passages = project.sources.passages(document.id)
        assert all(project.sources.text(document.id)[one.start : one.end] == one.text for one in passages)
        assert project.coverage() == (len(passages), len(passages))
        counts.append((len(passages), sum(job.kind == "rechunk" for job in project.jobs.all())))
        workbench.close()
    (few, none), (many, once), (same, still_once) = counts
    assert many > few
    assert same == many
    assert (none, once, still_once) == (0, 1, 1)
