"""Promises of searching the web for a project, against a server that speaks for all providers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import JobCancelled, JobError, SourceError, WebSearchError
from core.labels import FetchState, JobState, ProviderState
from core.ports.engines import Engines
from core.records import Query, SearchRequest, WebResult
from core.settings.values import Fetching, Settings, Web
from core.web.search import WebSearches
from core.workbench.demo import finish_jobs
from core.workbench.jobs import run_next, silent
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.sharing import share
from tests.servers.search_api import KEYS, SearchApi, search_api

QUERY = "street trees summer heat"
FREE = ("searxng", "semantic_scholar", "openalex", "crossref", "wikipedia")
SHARED = ("encoder", "extractor")
Opening = Callable[..., Workbench]


@pytest.fixture(scope="module")
def running() -> Iterator[SearchApi]:
    with search_api() as api:
        yield api


@pytest.fixture
def api(running: SearchApi) -> SearchApi:
    running.switch("*", "ok")
    running._state.asked.clear()
    return running


@pytest.fixture
def opening(tmp_path: Path, engines: Engines, api: SearchApi) -> Iterator[Opening]:
    """A workbench over this test's root with settings of web search; several may be opened in turn."""
    made: list[Workbench] = []

    def opened(**changes: object) -> Workbench:
        base = {"enabled": True, "endpoints": api.endpoints, "providers": FREE, "timeout_s": 5, "cooldown_s": 0}
        fetching = Fetching(allowed_hosts=(api.host,), per_host_delay_s=0, attempts=1)
        bench = open_workbench(tmp_path / "root", Settings(web=Web(**{**base, **changes}), fetching=fetching))  # type: ignore[arg-type]
        share(bench.engines, engines, SHARED)
        made.append(bench)
        return bench

    yield opened
    for bench in made:
        for name in SHARED:  # they belong to all tests
            bench.engines._made.pop(name, None)
        bench.close()


@pytest.fixture
def bench(opening: Opening) -> Workbench:
    return opening()


@pytest.fixture
def project(bench: Workbench) -> OpenProject:
    return bench.open(bench.create("Streets").slug)


def states(result: WebResult) -> dict[str, ProviderState]:
    return {one.provider: one.state for one in result.outcomes}


def test_from_a_query_to_pages_that_can_be_searched(bench: Workbench, project: OpenProject, api: SearchApi) -> None:
    job = project.web.start([QUERY])
    finish_jobs(bench, project)
    result = project.web.result(job.id)
    assert states(result) == dict.fromkeys(FREE, ProviderState.OK)
    ticks = project.web.default_ticks(result)
    assert len(ticks) == 10
    project.web.fetch(ticks)
    finish_jobs(bench, project)
    assert {row.state for row in project.sources.acquisitions()} == {FetchState.STORED, FetchState.DUPLICATE}
    found = project.search(SearchRequest((Query("canopy afternoons degrees"),)))
    assert "Street trees" in found.passages[0].document.title
    again = project.web.result(job.id)
    assert sum(hit.document_id is not None for hit in again.hits) == 10
    assert len(project.web.default_ticks(again)) == len(again.hits) - 10
    assert "application/pdf" in {document.media_type for document in project.sources.documents()}


def test_what_failed_when_it_was_fetched_last_is_not_ticked_again(
    bench: Workbench, project: OpenProject, api: SearchApi
) -> None:
    job = project.web.start([QUERY])
    finish_jobs(bench, project)
    result = project.web.result(job.id)
    gone, away, *others = project.web.default_ticks(result)
    project.sources.record_failure(gone, FetchState.NOT_FOUND, "404")
    project.sources.record_failure(away, FetchState.NO_NETWORK, "no network")
    ticks = project.web.default_ticks(result)
    assert gone not in ticks
    assert [away, *others] == ticks[: 1 + len(others)]


def test_the_result_of_a_job_is_there_after_a_restart(opening: Opening) -> None:
    first = opening()
    project = first.open(first.create("Streets").slug)
    job = project.web.start([QUERY])
    finish_jobs(first, project)
    before = project.web.result(job.id)
    first._open.pop("streets").close()
    second = opening()
    reopened = second.open("streets")
    assert reopened.web.result(job.id) == before
    assert [one.id for one in reopened.web.searches()] == [job.id]


def test_nothing_is_sent_unless_it_is_switched_on(opening: Opening, api: SearchApi) -> None:
    bench = opening(enabled=False)
    project = bench.open(bench.create("Streets").slug)
    assert "switched off" in project.web.why_off()
    for search in (lambda: project.web.start([QUERY]), lambda: project.web.search_now([QUERY], silent)):
        with pytest.raises(WebSearchError, match="switched off"):
            search()
    assert api.asked == []


def test_what_would_be_sent_is_one_sentence_with_the_names(project: OpenProject) -> None:
    said = project.web.would_send()
    assert said.endswith(".")
    assert all(name in said for name in ("SearXNG", "Semantic Scholar", "OpenAlex", "Crossref and Wikipedia"))


def test_without_keys_the_chosen_providers_say_how_to_get_them(
    opening: Opening, api: SearchApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in KEYS.values():
        monkeypatch.delenv(name, raising=False)
    bench = opening(providers=tuple(KEYS))
    project = bench.open(bench.create("Streets").slug)
    why = project.web.why_off()
    assert all(name in why for name in KEYS.values())
    some = bench.settings.web.model_copy(update={"providers": ("brave", "crossref")})
    mixed = WebSearches(replace(project.context, settings=bench.settings.model_copy(update={"web": some})))
    found = states(mixed.search_now([QUERY], silent))
    assert found == {"brave": ProviderState.NO_KEY, "crossref": ProviderState.OK}


def test_one_that_fails_takes_nothing_from_the_others(project: OpenProject, api: SearchApi) -> None:
    api.switch("searxng", "malformed")
    api.switch("openalex", "429:30")
    api.switch("crossref", "empty")
    result = project.web.search_now([QUERY], silent)
    assert states(result) == {
        "searxng": ProviderState.MALFORMED,
        "semantic_scholar": ProviderState.OK,
        "openalex": ProviderState.RATE_LIMITED,
        "crossref": ProviderState.EMPTY,
        "wikipedia": ProviderState.OK,
    }
    assert not result.failed
    assert result.hits
    assert all(one.message for one in result.outcomes if one.state is ProviderState.RATE_LIMITED)


def test_when_nobody_answers_the_result_says_so(project: OpenProject, api: SearchApi) -> None:
    api.switch("*", "400")
    result = project.web.search_now([QUERY], silent)
    assert result.failed
    assert result.hits == ()


def test_what_came_before_a_provider_failed_is_shown_with_its_failure(project: OpenProject, api: SearchApi) -> None:
    api.switch("searxng", "million", "malformed")
    result = project.web.search_now([QUERY], silent, max_results=30, providers=["searxng"])
    assert states(result) == {"searxng": ProviderState.MALFORMED}
    assert len(result.hits) == 10
    assert not result.failed


def test_a_provider_that_hangs_is_waited_for_no_longer_than_its_time(opening: Opening, api: SearchApi) -> None:
    bench = opening(timeout_s=0.5, providers=("crossref", "wikipedia"))
    project = bench.open(bench.create("Streets").slug)
    api.switch("wikipedia", "hang")
    result = project.web.search_now([QUERY, "cool roofs", "heat pumps"], silent)
    assert {one.state for one in result.outcomes if one.provider == "wikipedia"} <= {
        ProviderState.TIMEOUT,
        ProviderState.COOLDOWN,
    }
    assert [one.state for one in result.outcomes if one.provider == "crossref"] == [ProviderState.OK] * 3


def test_a_provider_that_failed_rests_also_in_another_process(opening: Opening, api: SearchApi) -> None:
    first = opening(cooldown_s=60)
    project = first.open(first.create("Streets").slug)
    api.switch("crossref", "429:30")
    project.web.search_now([QUERY], silent)
    first._open.pop("streets").close()
    api.switch("crossref", "ok")
    api._state.asked.clear()
    second = opening(cooldown_s=60)
    web = second.open("streets").web
    result = web.search_now([QUERY], silent)
    assert states(result)["crossref"] is ProviderState.COOLDOWN
    assert "left alone until" in next(one.message for one in result.outcomes if one.provider == "crossref")
    assert "crossref" not in {one.provider for one in api.asked}
    later = WebSearches(
        replace(second.open("streets").context, clock=lambda: datetime.now(UTC) + timedelta(seconds=61))
    )
    assert states(later.search_now([QUERY], silent))["crossref"] is ProviderState.OK


def test_a_clock_that_was_set_back_keeps_nobody_away(project: OpenProject, api: SearchApi) -> None:
    project.context.store.set_memo("web-cooldown crossref", '{"until": "2999-01-01T00:00:00+00:00", "why": "x"}')
    project.context.store.set_memo("web-cooldown openalex", "not json")
    found = states(project.web.search_now([QUERY], silent))
    assert found["crossref"] is found["openalex"] is ProviderState.OK


def test_stopping_gives_up_what_is_under_way(project: OpenProject, api: SearchApi) -> None:
    api.switch("*", "hang")
    calls = 0

    def stop(done: int, total: int | None, message: str = "") -> None:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise JobCancelled("stopped")

    before = threading.active_count()
    with pytest.raises(JobCancelled):
        project.web.search_now([QUERY], stop)
    assert threading.active_count() >= before  # they end by themselves, and are daemons


def test_a_job_that_waits_for_providers_can_be_stopped(opening: Opening, api: SearchApi) -> None:
    bench = opening(timeout_s=60)
    project = bench.open(bench.create("Streets").slug)
    api.switch("*", "hang")
    job = project.web.start([QUERY])
    worker = threading.Thread(target=run_next, args=(project.job_context(), "test"))
    worker.start()
    while len(api.asked) < len(FREE):
        worker.join(0.05)
    project.jobs.cancel(job.id)
    worker.join(20)
    assert not worker.is_alive()
    assert project.jobs.get(job.id).state is JobState.CANCELLED


def test_hits_of_several_queries_name_the_queries_that_brought_them(project: OpenProject, api: SearchApi) -> None:
    result = project.web.search_now(["", QUERY, f"  {QUERY}\n", "insulation of walls"], silent, providers=["crossref"])
    assert {at for hit in result.hits for at in hit.queries} <= {1, 3}
    assert [one.query for one in api.asked if one.provider == "crossref"].count(QUERY) == 1
    by_title = {hit.title: hit.queries for hit in result.hits}
    assert by_title["Insulation of old houses"] == (1, 3)


def test_a_page_that_is_stored_under_another_spelling_is_known(
    bench: Workbench, project: OpenProject, api: SearchApi
) -> None:
    project.sources.add_urls([api.page("street-trees")])
    finish_jobs(bench, project)
    api.switch("*", "duplicates")
    result = project.web.search_now([QUERY], silent)
    known = [hit for hit in result.hits if hit.document_id is not None]
    assert {hit.document_id for hit in known} == {project.sources.documents()[0].id}


@pytest.mark.parametrize(
    ("queries", "words"),
    [
        ([], "empty"),
        ([" ", "\n", "?!"], "empty"),
        (["x" * 100_000], "100,000"),
        ([f"query {number}" for number in range(11)], "at most 10"),
    ],
)
def test_queries_that_cannot_be_asked_are_refused_before_a_job_is_made(
    project: OpenProject, api: SearchApi, queries: list[str], words: str
) -> None:
    with pytest.raises(WebSearchError, match=words):
        project.web.start(queries)
    assert project.jobs.all() == []
    assert api.asked == []


def test_sizes_out_of_range_are_refused_or_clamped_with_a_note(project: OpenProject, api: SearchApi) -> None:
    for size in (0, -5):
        with pytest.raises(WebSearchError, match="1 to 100"):
            project.web.search_now([QUERY], silent, max_results=size)
    result = project.web.search_now([QUERY], silent, max_results=10**9, providers=["openalex"])
    assert any("100 results" in note for note in result.notes)
    assert api.asked[0].params["per_page"] == "100"


def test_unknown_providers_and_no_providers_are_named(project: OpenProject) -> None:
    with pytest.raises(WebSearchError, match="altavista"):
        project.web.start([QUERY], providers=["altavista"])
    with pytest.raises(WebSearchError, match=r"web\.providers"):
        project.web.start([QUERY], providers=[])


def test_results_of_jobs_that_brought_none_are_a_sentence(bench: Workbench, project: OpenProject) -> None:
    job = project.web.start([QUERY])
    with pytest.raises(WebSearchError, match="not finished"):
        project.web.result(job.id)
    project.jobs.cancel(job.id)
    with pytest.raises(WebSearchError, match="stopped"):
        project.web.result(job.id)
    other = project.sources.add_text("A", "Some words about trees.")
    with pytest.raises(WebSearchError, match="no web search"):
        project.web.result(other.id)


def test_a_job_that_was_switched_off_meanwhile_sends_nothing(
    bench: Workbench, project: OpenProject, api: SearchApi
) -> None:
    job = project.web.start([QUERY])
    off = bench.settings.model_copy(update={"web": bench.settings.web.model_copy(update={"enabled": False})})
    project.adopt(off, bench.engines)
    with pytest.raises(JobError, match="switched off"):
        finish_jobs(bench, project)
    assert project.jobs.get(job.id).state is JobState.FAILED
    assert api.asked == []


def test_what_is_no_address_is_not_fetched(project: OpenProject) -> None:
    with pytest.raises(WebSearchError, match="ticked"):
        project.web.fetch([])
    with pytest.raises(SourceError):
        project.web.fetch(["javascript:alert(1)"])
    assert project.sources.acquisitions() == []
