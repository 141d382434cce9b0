"""Work in progress on each page: what runs is seen everywhere, what ended only where it belongs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.labels import JobKind
from core.ports.engines import Engines
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from tests.pages.conftest import texts, work

Visit = Callable[..., AppTest]
ADDED = "Adding sources: done"


@pytest.fixture(scope="module")
def audited_root(audited_root: Path, engines: Engines, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The audited demo, encoded too: its work is no part of what a test does."""
    root = shutil.copytree(audited_root, tmp_path_factory.mktemp("encoded") / "root")
    made = open_workbench(root, engines=engines)
    work(made.open("trees"))
    made.close()
    return root


def running(at: AppTest) -> str:
    return "".join(str(element.proto.text) for element in at.get("progress"))


@pytest.mark.parametrize(("page", "params"), [("queries", {}), ("export", {}), ("evaluation", {})])
def test_sources_that_came_in_are_told_among_the_sources_and_not_on_pages_of_other_work(
    visit: Visit, audited: OpenProject, page: str, params: dict[str, str]
) -> None:
    audited.sources.add_text("Limes", "A lime in the street shades the pavement of an afternoon in summer.")
    assert "Adding sources" in running(visit(page, project="trees", **params))
    while audited.jobs.all(active=True):
        work(audited)
    at = visit(page, project="trees", **params)
    assert not at.exception
    assert not at.error
    assert ADDED not in texts(at)
    assert ADDED in texts(visit("sources", project="trees"))


def test_the_end_of_a_pages_own_work_is_told_there(visit: Visit, filled: OpenProject) -> None:
    filled.jobs.schedule(JobKind.EVALUATE, {})
    work(filled)
    assert "Measuring: failed" in texts(visit("evaluation", project="heat"))
    assert "Measuring: failed" not in texts(visit("export", project="heat"))


def test_pages_that_were_fetched_from_the_web_are_told_beside_its_hits(visit: Visit, filled: OpenProject) -> None:
    filled.sources.add_text("Limes", "A lime in the street shades the pavement of an afternoon in summer.")
    job = filled.jobs.schedule(JobKind.WEB_SEARCH, {"queries": ["lime"]})
    work(filled)
    assert ADDED in texts(visit("queries", project="heat", web=str(job.id)))
    assert ADDED not in texts(visit("queries", project="heat"))


WORDS = {
    JobKind.EXPORT: "Writing an export",
    JobKind.EVALUATE: "Measuring",
    JobKind.VERIFY: "Checking claims",
    JobKind.AUDIT: "Checking citations",
    JobKind.REFETCH: "Fetching again",
}


@pytest.mark.parametrize(
    ("page", "params", "own"),
    [
        ("claims", {}, {JobKind.VERIFY}),
        ("sources", {}, {JobKind.REFETCH}),
        ("citations", {}, {JobKind.AUDIT}),
        ("citations", {"report": "1"}, {JobKind.AUDIT}),
    ],
)
def test_each_page_tells_the_end_of_its_own_kinds_of_work_and_shows_all_that_runs(
    visit: Visit, audited: OpenProject, page: str, params: dict[str, str], own: set[JobKind]
) -> None:
    payloads = {
        JobKind.VERIFY: {"claims": [9_999]},
        JobKind.AUDIT: {"report": 1, "findings": [audited.audits.findings(1)[0].id]},  # all take half a minute of CPU
        JobKind.REFETCH: {"documents": []},
    }
    for kind in WORDS:
        audited.jobs.schedule(kind, payloads.get(kind, {}))
        assert WORDS[kind] in running(visit(page, project="trees", **params))
        while audited.jobs.all(active=True):
            work(audited)
    seen = texts(visit(page, project="trees", **params))
    told = {kind for kind, words in WORDS.items() if f"{words}: " in seen or f"{words} of \u201c" in seen}
    assert told == own


def test_work_on_a_report_carries_its_title_and_ends_on_its_own_page(visit: Visit, audited: OpenProject) -> None:
    (first,) = audited.audits.reports()
    other, job = audited.audits.add("b.md", b"# Report B\n\nLimes cool streets.\n", "text/markdown")
    running_words = "Checking citations of \u201cReport B\u201d"
    assert job is not None
    assert running_words in running(visit("citations", project="trees", report=str(first.id)))
    while audited.jobs.all(active=True):
        work(audited)
    assert running_words not in texts(visit("citations", project="trees", report=str(first.id)))
    assert f"{running_words}: done" in texts(visit("citations", project="trees", report=str(other.id)))
