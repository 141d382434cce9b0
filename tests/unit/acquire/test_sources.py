"""Sources of a project: what adding refuses, keeps and asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.acquire.sources import Sources
from core.errors import SourceError
from core.labels import FetchState, JobKind, SourceKind
from core.ports.context import CHUNKING
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench

TREES = "Street trees cool the air. In July 2021 the shaded side of Mill Lane was 2.5 degrees cooler."


@pytest.fixture
def project(workbench: Workbench) -> OpenProject:
    return workbench.open(workbench.create("Streets").slug)


@pytest.fixture
def sources(project: OpenProject) -> Sources:
    return project.sources


def test_nothing_to_add_is_refused_and_asks_for_no_work(project: OpenProject, sources: Sources) -> None:
    for add in (
        lambda: sources.add_files([]),
        lambda: sources.add_text("Trees", " \n"),
        lambda: sources.add_urls("no address in here"),
    ):
        with pytest.raises(SourceError):
            add()
    assert (project.jobs.all(), sources.acquisitions()) == ([], [])


def test_adding_wakes_the_worker_and_keeps_what_was_given(project: OpenProject) -> None:
    woken: list[str] = []
    sources = Sources(replace(project.context, wake=lambda: woken.append("woken")))
    job = sources.add_files([("trees.txt", TREES.encode(), "text/plain"), ("", b"Nine bins.", "")])
    assert (job.kind, woken) == (JobKind.ADD, ["woken"])
    assert [row.origin for row in sources.acquisitions()] == ["unnamed", "trees.txt"]
    run_next(project.job_context(), "test", kinds=(JobKind.ADD,))
    (document,) = [document for document in sources.documents() if document.filename == "trees.txt"]
    assert sources.original(document.id).body == TREES.encode()
    assert sources.text(document.id)[slice(*_place(sources, document.id))] == sources.passages(document.id)[0].text


def _place(sources: Sources, document_id: str) -> tuple[int, int]:
    passage = sources.passages(document_id)[0]
    return passage.start, passage.end


def test_a_folder_is_added_file_by_file(sources: Sources, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("trees.txt", ".hidden.txt"):
        (folder / name).write_text(TREES)
    sources.add_folder(folder)
    assert [(row.origin, row.kind) for row in sources.acquisitions()] == [("trees.txt", SourceKind.FOLDER)]


def test_a_failed_request_is_listed_tried_again_and_forgotten(project: OpenProject, sources: Sources) -> None:
    sources.record_failure("https://example.org/gone", FetchState.NOT_FOUND, "The page is gone.")
    (failed,) = sources.acquisitions(failed_only=True)
    job = sources.retry([failed.id])
    assert job.payload == {"acquisitions": [failed.id]}
    assert sources.acquisitions(failed_only=True) == []
    project.jobs.cancel(job.id)
    assert [row.state for row in sources.acquisitions()] == [FetchState.CANCELLED]
    sources.forget_acquisition(failed.id)
    assert sources.acquisitions() == []


def test_a_source_without_an_address_cannot_be_fetched_again(project: OpenProject, sources: Sources) -> None:
    sources.add_text("Trees", TREES)
    run_next(project.job_context(), "test", kinds=(JobKind.ADD,))
    with pytest.raises(SourceError, match="no web address"):
        sources.refetch([document.id for document in sources.documents()])


def test_requests_whose_job_is_gone_get_another_one(project: OpenProject, sources: Sources) -> None:
    (row,) = project.context.store.request(SourceKind.URL, [("https://example.org/trees", None)])
    sources.catch_up()
    assert [job.payload for job in project.jobs.all(active=True)] == [{"acquisitions": [row.id]}]
    sources.catch_up()
    assert len(project.jobs.all(active=True)) == 1


def test_other_chunk_settings_have_all_sources_cut_anew_once(project: OpenProject, sources: Sources) -> None:
    sources.catch_up()
    assert project.jobs.all() == []
    project.context.store.set_memo(CHUNKING, "{}")
    sources.catch_up()
    sources.catch_up()
    assert [job.kind for job in project.jobs.all(active=True)] == [JobKind.RECHUNK]
