"""Promises of bringing sources in through jobs, on the real store, reader and models."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SourceError
from core.labels import FetchState, Grade, JobKind, JobState, SourceKind
from core.records import Filters, Query, SearchRequest
from core.workbench.demo import finish_jobs
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench

TREES = (
    "Street trees cool the air. In July 2021 the shaded side of Mill Lane was 2.5 degrees cooler than the sunny side. "
    "The city planted 400 limes between 2015 and 2019, and measured the temperature at forty places every ten minutes."
)
BIKES = (
    "Cycle lanes and shops. After the lane was built, takings in the high street rose by four percent within a year. "
    "Shopkeepers had feared the opposite, because they believed that most customers came by car from other towns."
)


@pytest.fixture
def project(workbench: Workbench) -> OpenProject:
    return workbench.open(workbench.create("Streets").slug)


def words_only(text: str) -> SearchRequest:
    from core.records import StageSwitches

    return SearchRequest((Query(text),), stages=StageSwitches(dense=False, late_interaction=False, mmr=False))


def test_new_text_is_found_by_words_before_it_is_encoded(workbench: Workbench, project: OpenProject) -> None:
    project.sources.add_text("Trees", TREES)
    run_next(project.job_context(), "test", kinds=(JobKind.ADD,))
    result = project.search(SearchRequest((Query("limes planted"),)))
    assert result.passages[0].document.title == "Trees"
    assert (result.encoded, result.searchable) == (0, result.searchable)
    assert any("encoded" in note for note in result.notes)


def test_after_encoding_it_is_found_by_meaning(workbench: Workbench, project: OpenProject) -> None:
    project.sources.add_text("Trees", TREES)
    project.sources.add_text("Bikes", BIKES)
    finish_jobs(workbench, project)
    result = project.search(SearchRequest((Query("retail revenue effects of bicycle infrastructure"),)))
    assert result.passages[0].document.title == "Bikes"
    assert result.encoded == result.searchable > 0


def test_the_same_text_twice_is_one_document_and_is_encoded_once(workbench: Workbench, project: OpenProject) -> None:
    project.sources.add_text("Trees", TREES)
    finish_jobs(workbench, project)
    project.sources.add_text("Trees again", TREES)
    finish_jobs(workbench, project)
    assert len(project.sources.documents()) == 1
    assert [row.state for row in project.sources.acquisitions()] == [FetchState.DUPLICATE, FetchState.STORED]
    encodings = [job for job in project.jobs.all() if job.kind is JobKind.ENCODE]
    assert sorted(int(str(job.result["encoded"])) for job in encodings) == [
        0,
        len(project.sources.passages(project.sources.documents()[0].id)),
    ]


def test_deleting_and_adding_again_encodes_nothing(workbench: Workbench, project: OpenProject) -> None:
    project.sources.add_text("Trees", TREES)
    finish_jobs(workbench, project)
    project.sources.delete(project.sources.documents()[0].id)
    assert project.search(SearchRequest((Query("limes planted"),))).passages == ()
    project.sources.add_text("Trees", TREES)
    finish_jobs(workbench, project)
    assert project.jobs.all()[0].kind is JobKind.ENCODE
    assert project.jobs.all()[0].result == {"encoded": 0}


def test_each_bad_file_gets_its_own_state_and_the_good_one_is_stored(
    workbench: Workbench, project: OpenProject
) -> None:
    project.sources.add_files(
        [
            ("good.txt", TREES.encode(), ""),
            ("empty.txt", b"", ""),
            ("zero.pdf", b"", ""),
            ("junk.bin", bytes(range(256)) * 40, ""),
        ]
    )
    finish_jobs(workbench, project)
    states = {row.origin: row.state for row in project.sources.acquisitions()}
    assert states["good.txt"] is FetchState.STORED
    assert states["empty.txt"] is FetchState.EMPTY
    assert states["zero.pdf"] is FetchState.EMPTY
    assert states["junk.bin"] is FetchState.UNSUPPORTED_TYPE
    assert all(row.message for row in project.sources.acquisitions() if row.state.failed)
    assert [document.filename for document in project.sources.documents()] == ["good.txt"]


def test_a_stopped_job_leaves_what_was_done_and_says_so(workbench: Workbench, project: OpenProject) -> None:
    job = project.sources.add_text("Trees", TREES)
    project.jobs.cancel(job.id)
    assert run_next(project.job_context(), "test", kinds=(JobKind.ADD,)) is None
    assert project.jobs.get(job.id).state is JobState.CANCELLED
    project.catch_up()
    assert [row.state for row in project.sources.acquisitions()] == [FetchState.CANCELLED]
    assert project.jobs.all(active=True) == []


def test_a_failed_source_can_be_tried_again(workbench: Workbench, project: OpenProject) -> None:
    project.sources.add_files([("empty.txt", b"", "")])
    finish_jobs(workbench, project)
    failed = project.sources.acquisitions(failed_only=True)
    project.sources.retry([failed[0].id])
    finish_jobs(workbench, project)
    assert [row.state for row in project.sources.acquisitions()] == [FetchState.EMPTY]


def test_a_folder_is_read_file_by_file(workbench: Workbench, project: OpenProject, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text(TREES)
    (folder / "deep" / "b.md").write_text(f"# Bikes\n\n{BIKES}")
    (folder / ".hidden.txt").write_text("secret")
    (folder / "ignored.exe").write_bytes(b"MZ")
    project.sources.add_folder(folder)
    finish_jobs(workbench, project)
    assert {row.origin for row in project.sources.acquisitions()} == {"a.txt", "deep/b.md"}
    assert {row.kind for row in project.sources.acquisitions()} == {SourceKind.FOLDER}


def test_empty_requests_are_refused_with_what_to_do(project: OpenProject, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="Choose at least one"):
        project.sources.add_files([])
    with pytest.raises(SourceError, match="Paste the text"):
        project.sources.add_text("Title", "  \n ")
    with pytest.raises(SourceError, match="http://"):
        project.sources.add_urls("no address here")
    with pytest.raises(SourceError, match="not a folder"):
        project.sources.add_folder(tmp_path / "missing")
    assert project.jobs.all() == []


def test_a_grade_override_needs_a_reason_is_logged_and_filters(workbench: Workbench, project: OpenProject) -> None:
    project.sources.add_text("Trees", TREES)
    finish_jobs(workbench, project)
    document = project.sources.documents()[0]
    with pytest.raises(SourceError, match="why"):
        project.sources.override_grade(document.id, Grade.A, reason=" ")
    project.sources.override_grade(document.id, Grade.A, reason="Measured by the city itself", by="Ada")
    request = SearchRequest((Query("limes planted"),), filters=Filters(min_grade=Grade.A))
    assert len(project.search(request).passages) >= 1
    assert [change.by for change in project.sources.grade_changes(document.id)] == ["Ada"]


def test_an_equal_search_is_answered_from_the_cache_until_something_changes(
    workbench: Workbench, project: OpenProject
) -> None:
    project.sources.add_text("Trees", TREES)
    finish_jobs(workbench, project)
    first = project.search(words_only("shaded side"))
    second = project.search(words_only("shaded side"))
    assert (first.cached, second.cached) == (False, True)
    assert second.passages == first.passages
    project.sources.add_text("Bikes", BIKES)
    finish_jobs(workbench, project)
    assert project.search(words_only("shaded side")).cached is False
    statistics = project.statistics()
    assert statistics.total_queries == 3
    assert statistics.cache_hit_rate == pytest.approx(1 / 3)


def test_the_answering_words_are_named(workbench: Workbench, project: OpenProject) -> None:
    project.sources.add_text("Trees", TREES)
    finish_jobs(workbench, project)
    found = project.search(SearchRequest((Query("how much cooler is shade"),))).passages[0]
    matches = project.explain("how much cooler is shade", found.passage)
    words = {match.query_word: match.word for match in matches}
    assert words["cooler"] == "cooler"
    text = project.sources.text(found.document.id)
    for match in matches:
        source = found.passage.context if match.in_context else text
        assert source[match.start : match.end] == match.word


def test_rerank_keeps_the_passages_and_says_that_it_spoke(workbench: Workbench, project: OpenProject) -> None:
    project.sources.add_text("Trees", TREES)
    project.sources.add_text("Bikes", BIKES)
    finish_jobs(workbench, project)
    result = project.search(SearchRequest((Query("takings of shops"),)))
    reranked = project.rerank(result)
    assert reranked.reranked
    assert {one.passage.id for one in reranked.passages} == {one.passage.id for one in result.passages}
    assert reranked.passages[0].document.title == "Bikes"


def test_a_file_cannot_earn_a_grade_by_claiming_an_address(workbench: Workbench, project: OpenProject) -> None:
    claim = '<html><head><link rel="canonical" href="https://www.nature.com/articles/x1"><title>T</title></head><body><article>'
    page = f"{claim}<p>{TREES}</p><p>{BIKES}</p></article></body></html>".encode()
    project.sources.add_files([("page.html", page, "text/html")])
    project.sources.add_snapshots(
        [("https://www.nature.com/articles/x2", page.replace(b"Mill Lane", b"Hill Lane"), "text/html")]
    )
    finish_jobs(workbench, project)
    claimed, given = sorted(project.sources.documents(), key=lambda document: document.filename is None)
    assert given.grade.value_rank > claimed.grade.value_rank
    assert not any("nature.com" in reason.text for reason in claimed.assessment.reasons)
