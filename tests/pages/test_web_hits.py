"""Hits of a web search on a page: ticks, what became of the providers, foreign text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.settings.values import Fetching, Settings, Web
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import texts, work
from tests.servers.search_api import SearchApi, search_api


@pytest.fixture(scope="module")
def api() -> Iterator[SearchApi]:
    with search_api() as running:
        yield running


@pytest.fixture
def project(bench: Workbench, api: SearchApi, monkeypatch: pytest.MonkeyPatch) -> OpenProject:
    """A project that may ask OpenAlex and Crossref of the loopback server."""
    from core.backends.web.providers import web_searchers
    from core.settings.keys import Keys

    api.switch("*", "ok")
    web = Web(enabled=True, endpoints=api.endpoints, providers=("openalex", "crossref"), cooldown_s=0)
    settings = Settings(web=web, fetching=Fetching(allowed_hosts=(api.host,), per_host_delay_s=0, attempts=1))
    monkeypatch.setattr(bench, "settings", settings)
    opened = bench.open(bench.create("Heat").slug)
    opened.adopt(settings, opened.context.engines)
    searchers = web_searchers(web, Keys(bench.root))
    monkeypatch.setattr(opened.context.engines, "searchers", lambda: searchers)
    return opened


def painted(slug: str, job: int) -> None:
    from pages.research.queries.web import show_hits
    from pages.shared.session import workbench

    opened = workbench().open(slug)
    show_hits(opened, opened.web.result(job), key=f"web-{job}")


def shown(opened: OpenProject, *queries: str) -> AppTest:
    job = opened.web.start(queries)
    work(opened)
    at = AppTest.from_function(painted, args=(opened.project.slug, job.id), default_timeout=60)
    return at.run()


def test_the_best_that_are_not_stored_are_ticked_and_fetched(project: OpenProject) -> None:
    at = shown(project, "street trees summer heat")
    assert not at.exception
    (fetch,) = at.button
    assert fetch.label == "Fetch 7 ticked"
    assert "7 results on the web" in texts(at)
    assert "2 of 2 providers answered" in [one.label for one in at.expander]
    fetch.click().run()
    assert not at.exception
    assert sum("/pages/" in row.origin for row in project.sources.acquisitions()) == 7


def test_a_provider_that_fails_is_named_beside_the_results_of_the_others(project: OpenProject, api: SearchApi) -> None:
    api.switch("crossref", "malformed")
    at = shown(project, "street trees summer heat")
    assert "7 results on the web" in texts(at)
    assert "Crossref: answered unreadably" in texts(at)
    assert "not valid JSON" in texts(at)


def test_when_nobody_answers_the_page_does_not_say_that_nothing_was_found(project: OpenProject, api: SearchApi) -> None:
    api.switch("*", "429:30")
    at = shown(project, "street trees summer heat")
    assert "No provider answered" in texts(at)
    assert not at.dataframe


def test_foreign_words_are_shown_as_text_only(project: OpenProject, api: SearchApi) -> None:
    api.switch("*", "schemes")
    at = shown(project, "street trees summer heat")
    assert not at.exception
    assert "no address that can be fetched" in texts(at)
    assert not at.get("link_button")
    urls = at.dataframe[0].value.to_csv()
    assert "javascript:" not in urls
