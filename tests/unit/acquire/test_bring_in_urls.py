"""Promises of adding and fetching again by address, against a real server on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.labels import FetchState, Grade, JobKind, JobState
from core.records import Query, SearchRequest
from core.settings.values import Fetching, Settings
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.loopback import LoopbackServer


def page(title: str, sentence: str) -> str:
    body = "".join(
        f"<p>{sentence} This is paragraph {number} of the article, long enough to be read as text.</p>"
        for number in range(8)
    )
    return f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture
def online(tmp_path: Path, server: LoopbackServer) -> Iterator[Workbench]:
    """A workbench whose user allows this one loopback server."""
    fetching = Fetching(allowed_hosts=(server.host(),), per_host_delay_s=0, attempts=1, timeout_s=5)
    made = open_workbench(tmp_path / "root", Settings(fetching=fetching))
    yield made
    made.close()


@pytest.fixture
def project(online: Workbench) -> OpenProject:
    return online.open(online.create("Web").slug)


def test_pages_are_stored_with_every_address_and_failures_are_named(
    online: Workbench, project: OpenProject, server: LoopbackServer
) -> None:
    server.page("/trees", page("Trees", "Limes cool the avenue in July."))
    server.redirect("/old", "/trees")
    server.page("/gone", "", status=410)
    server.page("/picture", b"\x89PNG\r\n\x1a\n" + bytes(200), content_type="image/png")
    server.redirect("/inside", "http://127.0.0.1:1/secret")
    addresses = [server.url(path) for path in ("/old", "/gone", "/picture", "/inside", "/missing")]
    project.sources.add_urls(addresses)
    finish_jobs(online, project)
    states = {row.origin.rsplit("/", 1)[1]: row.state for row in project.sources.acquisitions()}
    assert states == {
        "old": FetchState.STORED,
        "gone": FetchState.GONE,
        "picture": FetchState.UNSUPPORTED_TYPE,
        "inside": FetchState.FORBIDDEN_ADDRESS,
        "missing": FetchState.NOT_FOUND,
    }
    stored = project.sources.documents()
    assert [document.title for document in stored] == ["Trees"]
    assert {server.url("/old"), server.url("/trees")} <= set(stored[0].urls)
    found = project.search(SearchRequest((Query("limes in July"),)))
    assert found.passages[0].document.canonical_url == server.url("/trees")


def test_the_same_page_at_two_addresses_is_one_document(
    online: Workbench, project: OpenProject, server: LoopbackServer
) -> None:
    server.page("/a", page("Trees", "Limes cool the avenue."))
    server.page("/b", page("Trees", "Limes cool the avenue."))
    project.sources.add_urls([server.url("/a"), server.url("/b")])
    finish_jobs(online, project)
    assert len(project.sources.documents()) == 1
    assert {server.url("/a"), server.url("/b")} <= set(project.sources.documents()[0].urls)
    assert sorted(row.state for row in project.sources.acquisitions()) == [FetchState.DUPLICATE, FetchState.STORED]


def test_fetching_again_keeps_the_old_snapshot_and_searches_the_new(
    online: Workbench, project: OpenProject, server: LoopbackServer
) -> None:
    server.page("/a", page("Trees", "Limes cool the avenue."))
    project.sources.add_urls([server.url("/a")])
    finish_jobs(online, project)
    before = project.sources.documents()[0]

    project.sources.refetch([before.id])
    finish_jobs(online, project)
    unchanged = next(job for job in project.jobs.all() if job.kind is JobKind.REFETCH)
    assert (unchanged.result["unchanged"], unchanged.result["changed"]) == (1, 0)
    assert [document.id for document in project.sources.documents()] == [before.id]

    server.page("/a", page("Trees", "Poplars warm the harbour."))
    project.sources.refetch([before.id])
    finish_jobs(online, project)
    after = project.sources.documents()
    assert [document.id for document in after] != [before.id]
    assert len(after) == 1
    assert project.sources.document(before.id).superseded_by == after[0].id
    assert "Limes" in project.sources.text(before.id)
    found = project.search(SearchRequest((Query("limes avenue"),)))
    assert before.id not in {one.document.id for one in found.passages}


def test_what_a_person_says_of_a_source_holds_when_it_is_fetched_again(
    online: Workbench, project: OpenProject, server: LoopbackServer
) -> None:
    server.page("/a", page("Microsoft Word - draft", "Limes cool the avenue."))
    project.sources.add_urls([server.url("/a")])
    finish_jobs(online, project)
    (before,) = project.sources.documents()
    project.sources.mend(before.id, title="Limes on Mill Lane", authors=("Ada Lund",), published=date(2021, 5, 3))
    project.sources.override_grade(before.id, Grade.B, reason="By the city.", by="Ada")
    project.sources.set_tags(before.id, ["limes"])
    for words in ("Poplars warm the harbour.", "Limes cool the avenue."):  # a new text, then the first one again
        server.page("/a", page("Microsoft Word - draft", words))
        project.sources.refetch([project.sources.documents()[0].id])
        finish_jobs(online, project)
        (after,) = project.sources.documents()
        assert (after.title, after.authors, str(after.published), after.grade_in_force, after.tags) == (
            "Limes on Mill Lane", ("Ada Lund",), "2021-05-03", Grade.B, ("limes",),
        )  # fmt: skip
        assert words in project.sources.text(after.id)
        assert all(one.context.startswith(after.title) for one in project.sources.passages(after.id))


def test_a_page_that_has_gone_keeps_what_is_stored(
    online: Workbench, project: OpenProject, server: LoopbackServer
) -> None:
    server.page("/a", page("Trees", "Limes cool the avenue."))
    project.sources.add_urls([server.url("/a")])
    finish_jobs(online, project)
    server.page("/a", "", status=404)
    job = project.sources.refetch([project.sources.documents()[0].id])
    finish_jobs(online, project)
    ended = project.jobs.get(job.id)
    assert ended.state is JobState.DONE
    assert ended.result["failed"] == 1
    assert "Trees" in str(ended.result["problems"])
    assert len(project.sources.documents()) == 1


def test_an_arxiv_address_is_asked_for_as_given_not_in_its_canonical_form(project: OpenProject) -> None:
    project.sources.add_urls(["https://arxiv.org/pdf/2004.12832v2"])
    assert [row.origin for row in project.sources.acquisitions()] == ["https://arxiv.org/pdf/2004.12832v2"]
