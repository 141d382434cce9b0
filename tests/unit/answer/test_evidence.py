"""Search, gate, one broader try, CRAG, refinement, the web: every way through, with a real store and a loopback web."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core.answer.evidence import gather
from core.errors import JobCancelled, QueryError
from core.labels import CragAction, CragClass, FetchState, Grade, QueryKind
from core.ports.engines import Engines
from core.ports.store import Progress
from core.records import Filters, Gathered, Query, SearchRequest, SearchResult, Variant
from core.settings.values import Crag, Fetching, Models, Settings, Web
from core.workbench.demo import finish_jobs
from core.workbench.jobs import silent
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.sharing import share
from tests.servers.search_api import SearchApi, search_api

TREES = "How far do street trees lower the air temperature on hot afternoons?"
PUMPS = "How much heat do heat pumps deliver for a unit of electricity at minus ten degrees?"
MILK = "Which enzyme splits lactose in the small intestine of adults?"
SOURCE = (
    "Street trees lower the air temperature under their canopy by one to two degrees on hot afternoons, as forty "
    "streets of Berlin showed over three summers.\n\nThe effect is strongest where the canopy of the trees closes over "
    "the pavement and the soil below holds enough water."
)
FOREIGN = "The mayor opened the exhibition of old coins on a Tuesday in May and thanked the museum for its patience."
OTHER = "Trees along a street cool the air of hot afternoons by up to two degrees where their crowns give dense shade."
SHARED = ("encoder", "extractor")
Asking = Callable[..., Gathered]


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
def opening(tmp_path: Path, engines: Engines, api: SearchApi) -> Iterator[Callable[..., OpenProject]]:
    """Opens the same project under other settings; without a cross-encoder, which the tests need not wait for."""
    made: list[Workbench] = []

    def opened(crag: Crag = Crag(), *, sources: bool = True, **web: object) -> OpenProject:
        base = {"enabled": True, "endpoints": api.endpoints, "providers": ("searxng", "openalex"), "cooldown_s": 0}
        settings = Settings(
            web=Web(**{**base, "timeout_s": 2, **web}),
            fetching=Fetching(allowed_hosts=(api.host,), per_host_delay_s=0, attempts=1),
            models=Models(reranker="heuristic"),
            crag=crag,
        )
        bench = open_workbench(tmp_path / "root", settings)
        share(bench.engines, engines, SHARED)
        made.append(bench)
        known = bench.projects()
        if known:
            return bench.open(known[0].project.slug)
        project = bench.open(bench.create("Streets").slug)
        if sources:
            project.sources.add_text("Measurements in Berlin", SOURCE)
            project.sources.add_text("Shade of crowns", OTHER)
            project.sources.add_text("Coins", FOREIGN)
            finish_jobs(bench, project)
        return project

    yield opened
    for bench in made:
        for name in SHARED:  # they belong to all tests
            bench.engines._made.pop(name, None)
        bench.close()


def ask(project: OpenProject, question: str, progress: Progress = silent, **changes: Any) -> Gathered:
    request = replace(SearchRequest((Query(question),), k=10), **changes.pop("request", {}))
    context = project.job_context()
    engines = changes.pop("engines", context.engines)
    given: dict[str, Any] = {"search": project.search, "web": project.web, "context": context, **changes}
    return gather(
        question, request, store=context.store, engines=engines, settings=context.settings,
        progress=progress, **given,
    )  # fmt: skip


def titles(gathered: Gathered, project: OpenProject) -> set[str]:
    return {project.sources.document(one.document_id).title for one in gathered.refinement.strips}


def standing(gathered: Gathered, project: OpenProject) -> bool:
    """Whether every strip stands at its place in the stored text."""
    return all(
        project.sources.text(one.document_id)[one.start : one.end] == one.text for one in gathered.refinement.strips
    )


# ---------------------------------------------------------------- good


def test_what_answers_is_refined_and_the_web_is_left_alone(opening: Callable[..., OpenProject], api: SearchApi) -> None:
    project = opening(Crag(correct=0.42))  # without a cross-encoder, and with a source on another topic
    gathered = ask(project, TREES)
    (only,) = gathered.attempts
    assert only.gate.passed
    assert only.judgement is not None
    assert (only.judgement.verdict, gathered.action) == (CragClass.CORRECT, CragAction.REFINED)
    assert only.judgement.signals.rerank is None
    assert only.judgement.weights == pytest.approx((0.0, 0.5, 0.5))
    assert (gathered.web, gathered.web_note, api.asked) == (None, "", [])
    assert standing(gathered, project)
    assert gathered.refinement.strips[0].relevance > 0.5
    assert not any("mayor" in one.text for one in gathered.refinement.strips)
    assert gathered.refinement.dropped >= 1


def test_the_cross_encoder_speaks_where_it_is_there(opening: Callable[..., OpenProject], engines: Engines) -> None:
    project = opening(enabled=False)
    good, bad = (
        ask(project, TREES, engines=engines).final.judgement,
        ask(project, MILK, engines=engines).final.judgement,
    )
    assert good is not None
    assert bad is not None
    assert good.signals.rerank is not None
    assert bad.signals.rerank is not None
    assert good.signals.rerank > 0.8 > 0.2 > bad.signals.rerank
    assert good.weights == pytest.approx((0.4, 0.3, 0.3))
    assert bad.verdict is CragClass.INCORRECT


def test_switched_off_everything_stays_as_it_came(opening: Callable[..., OpenProject], api: SearchApi) -> None:
    project = opening(Crag(enabled=False))
    gathered = ask(project, MILK)
    (only,) = gathered.attempts
    assert (gathered.action, only.judgement, api.asked) == (CragAction.OFF, None, [])
    assert [one.passage_id for one in gathered.refinement.strips] == [one.passage.id for one in only.result.passages]
    assert standing(gathered, project)


# ---------------------------------------------------------------- one broader try


def test_a_search_below_the_gate_is_broadened_and_tried_exactly_once_more(opening: Callable[..., OpenProject]) -> None:
    project = opening(enabled=False)
    asked: list[SearchRequest] = []

    def search(request: SearchRequest) -> SearchResult:
        asked.append(request)
        return project.search(request)

    filters = Filters(tags=(), languages=("en", "de"))
    gathered = ask(project, MILK, search=search, request={"filters": filters, "depth": 10})
    first, second = gathered.attempts
    assert not first.gate.passed
    assert not second.gate.passed
    assert len(asked) == 2
    assert (first.broadened, first.result.request) == ("", asked[0])
    assert second.broadened
    assert (asked[1].depth, asked[1].filters.languages) == (30, ())
    assert asked[1].queries[: len(asked[0].queries)] == asked[0].queries
    assert len(asked[1].queries) > len(asked[0].queries)
    assert gathered.final is second


def test_what_was_chosen_by_name_is_not_broadened(opening: Callable[..., OpenProject]) -> None:
    project = opening(enabled=False)
    document = project.sources.documents()[0].id
    variant = Variant("v", QueryKind.TRANSFORM, "lactase")
    off = Variant("w", QueryKind.TRANSFORM, "milk sugar", on=False)
    gathered = ask(
        project,
        MILK,
        expand=lambda _: [variant, off],
        request={"filters": Filters(documents=(document,)), "depth": 1000},
    )
    again = gathered.attempts[1].result.request
    assert (again.filters.documents, again.depth) == ((document,), 1000)
    assert [one.text for one in again.queries] == [MILK, "lactase"]
    assert gathered.attempts[1].broadened == "1 more query"


def test_a_gate_of_zero_never_asks_twice(opening: Callable[..., OpenProject]) -> None:
    assert len(ask(opening(Crag(gate=0.0), enabled=False), MILK).attempts) == 1


# ---------------------------------------------------------------- the web


def test_a_bad_find_is_replaced_by_pages_that_were_fetched_and_stored(
    opening: Callable[..., OpenProject], api: SearchApi
) -> None:
    project = opening(Crag(incorrect=0.45))
    gathered = ask(project, PUMPS)
    assert gathered.final.judgement is not None
    assert gathered.final.judgement.verdict is CragClass.INCORRECT
    assert gathered.action is CragAction.REPLACED_BY_WEB
    assert gathered.web is not None
    assert "looked through" in gathered.web_note
    assert any("three units of heat" in one.text for one in gathered.refinement.strips)
    assert not titles(gathered, project) & {"Measurements in Berlin", "Shade of crowns"}
    assert standing(gathered, project)
    assert {one.query.rstrip("?") for one in api.asked} == {PUMPS.rstrip("?")}
    stored = [one for one in project.sources.documents(waiting=True) if one.canonical_url]
    assert 1 <= len(stored) <= 3
    assert not any(one.accepted for one in stored)  # nobody ticked them: they are evidence of this answer only
    assert all(one.accepted for one in project.sources.documents())


@pytest.mark.parametrize("grade", [Grade.A, None])
def test_of_a_bad_find_the_web_replaces_only_what_is_worse_than_what_it_brings(
    opening: Callable[..., OpenProject], grade: Grade | None
) -> None:
    project = opening(Crag(correct=1.0, incorrect=0.99))
    paper = next(one for one in project.sources.documents() if one.title == "Measurements in Berlin")
    project.sources.override_grade(paper.id, grade, reason="A reviewed paper.")
    gathered = ask(project, TREES)
    assert gathered.final.judgement is not None
    assert gathered.final.judgement.verdict is CragClass.INCORRECT
    assert gathered.action is CragAction.COMBINED_WITH_WEB
    assert {"Measurements in Berlin", "Street trees and summer heat"} <= titles(gathered, project)
    assert "Coins" not in titles(gathered, project)


def test_a_page_fetched_for_an_answer_supports_no_other_answer_until_it_is_accepted(
    opening: Callable[..., OpenProject], api: SearchApi
) -> None:
    project = opening(Crag(incorrect=0.45))
    ask(project, PUMPS)
    (page,) = [one for one in project.sources.documents(waiting=True) if "pump" in one.title.lower()][:1]
    request = SearchRequest((Query(PUMPS),), k=10)
    assert page.id not in {one.document.id for one in project.search(request).passages}
    project.sources.accept(page.id)
    assert page.id in {one.document.id for one in project.search(request).passages}


def test_an_uncertain_find_is_combined_with_the_web(opening: Callable[..., OpenProject]) -> None:
    project = opening(Crag(correct=1.0, incorrect=0.0))
    gathered = ask(project, TREES)
    assert gathered.action is CragAction.COMBINED_WITH_WEB
    assert {"Measurements in Berlin", "Street trees and summer heat"} <= titles(gathered, project)
    again = ask(project, TREES)
    assert again.action is CragAction.COMBINED_WITH_WEB  # the pages that are stored are searched, not fetched again
    assert len(project.sources.acquisitions()) <= 3 + 3 + 3


@pytest.mark.parametrize("mode", ["500", "malformed", "hang", "429"])
def test_with_the_web_down_what_was_found_stays(opening: Callable[..., OpenProject], api: SearchApi, mode: str) -> None:
    api.switch("*", mode)
    project = opening(Crag(correct=1.0, incorrect=0.0), timeout_s=0.5)
    gathered = ask(project, TREES)
    assert gathered.action is CragAction.KEPT_WITHOUT_WEB
    assert gathered.web is not None
    assert gathered.web.failed
    assert "could not be reached" in gathered.web_note
    assert "Measurements in Berlin" in titles(gathered, project)


def test_with_an_empty_web_what_was_found_stays_even_when_it_is_bad(
    opening: Callable[..., OpenProject], api: SearchApi
) -> None:
    api.switch("*", "empty")
    project = opening()
    gathered = ask(project, MILK)
    assert gathered.final.judgement is not None
    assert gathered.final.judgement.verdict is not CragClass.CORRECT
    assert gathered.action is CragAction.KEPT_WITHOUT_WEB
    assert "no result" in gathered.web_note
    assert gathered.refinement.strips
    assert standing(gathered, project)


def test_a_web_that_failed_is_left_alone_for_a_while(opening: Callable[..., OpenProject], api: SearchApi) -> None:
    api.switch("*", "500")
    project = opening(Crag(correct=1.0, incorrect=0.0), cooldown_s=600)
    ask(project, TREES)
    before = len(api.asked)
    api.switch("*", "ok")
    gathered = ask(project, TREES)
    assert len(api.asked) == before
    assert gathered.action is CragAction.KEPT_WITHOUT_WEB
    assert "not asked again so soon" in gathered.web_note
    assert gathered.refinement.strips


def test_pages_that_cannot_be_fetched_are_said_and_nothing_is_lost(
    opening: Callable[..., OpenProject], api: SearchApi
) -> None:
    project = opening(Crag(correct=1.0, incorrect=0.0))
    with_pages, api._state.corpus = api._state.corpus, api._state.corpus
    api._state.modes.clear()
    found = project.web.search_now([TREES], silent)
    assert found.hits
    api._state.corpus = []  # pages are gone, and so is the index of the search
    try:
        fake = replace(found)
        project_web = project.web
        object.__setattr__(project_web, "search_now", lambda *_args, **_more: fake)
        gathered = ask(project, TREES, web=project_web)
    finally:
        api._state.corpus = with_pages
    assert gathered.action is CragAction.KEPT_WITHOUT_WEB
    assert "could not be had" in gathered.web_note
    assert {one.state for one in project.sources.acquisitions() if one.origin.startswith("http")} <= {
        FetchState.NOT_FOUND,
        FetchState.GONE,
    }


def test_a_web_that_is_off_is_not_asked_and_the_note_says_how_to_switch_it_on(
    opening: Callable[..., OpenProject], api: SearchApi
) -> None:
    gathered = ask(opening(enabled=False), MILK)
    assert (gathered.action, gathered.web, api.asked) == (CragAction.KEPT_WITHOUT_WEB, None, [])
    assert "switched off" in gathered.web_note
    assert gathered.refinement.strips


def test_the_web_is_asked_for_answers_no_more_often_a_day_than_the_settings_allow(
    opening: Callable[..., OpenProject], api: SearchApi
) -> None:
    api.switch("*", "empty")
    project = opening(Crag(correct=1.0, incorrect=0.0, web_searches=2))
    notes = [ask(project, question).web_note for question in (TREES, MILK, PUMPS, TREES)]
    assert len({one.query.rstrip("?") for one in api.asked}) == 2
    assert ["crag.web_searches" in note for note in notes] == [False, False, True, True]
    tomorrow = replace(project.job_context(), clock=lambda: datetime.now(UTC) + timedelta(days=1))
    assert "no result" in ask(project, PUMPS, context=tomorrow).web_note


def test_a_search_for_which_nothing_was_sent_does_not_count(
    opening: Callable[..., OpenProject], api: SearchApi
) -> None:
    api.switch("*", "500")
    project = opening(Crag(correct=1.0, incorrect=0.0, web_searches=2), cooldown_s=600)
    notes = [ask(project, question).web_note for question in (TREES, MILK, PUMPS)]
    assert ["not asked again so soon" in note for note in notes] == [False, True, True]
    later = replace(project.job_context(), clock=lambda: datetime.now(UTC) + timedelta(seconds=900))
    assert "crag.web_searches" not in ask(project, MILK, context=later).web_note


def test_the_setting_of_crag_keeps_it_off_the_web(opening: Callable[..., OpenProject], api: SearchApi) -> None:
    gathered = ask(opening(Crag(use_web=False)), MILK)
    assert "crag.use_web" in gathered.web_note
    assert api.asked == []
    assert "not asked" in ask(opening(Crag()), MILK, web=None).web_note


def test_an_empty_project_has_nothing_and_says_so(opening: Callable[..., OpenProject]) -> None:
    gathered = ask(opening(sources=False, enabled=False), TREES)
    assert (gathered.action, gathered.refinement.strips) == (CragAction.NOTHING_FOUND, ())
    assert len(gathered.attempts) == 2


def test_an_empty_project_is_answered_from_the_web(opening: Callable[..., OpenProject]) -> None:
    project = opening(sources=False)
    gathered = ask(project, TREES)
    assert gathered.action is CragAction.REPLACED_BY_WEB
    assert "Street trees and summer heat" in titles(gathered, project)


# ---------------------------------------------------------------- stopping, refusing


@pytest.mark.parametrize("step", ["Searching", "Judging", "Asking the web", "Fetching", "Searching inside"])
def test_it_stops_where_the_user_says_and_keeps_what_is_stored(opening: Callable[..., OpenProject], step: str) -> None:
    project = opening(Crag(correct=1.0, incorrect=0.0))
    said: list[str] = []

    def progress(done: int, total: int | None, message: str = "") -> None:
        said.append(message)
        if message.startswith(step):
            raise JobCancelled("Stopped.")

    before = {one.id for one in project.sources.documents()}
    with pytest.raises(JobCancelled):
        ask(project, TREES, progress)
    assert said[-1].startswith(step)
    assert before <= {one.id for one in project.sources.documents()}
    assert FetchState.QUEUED not in {one.state for one in project.sources.acquisitions()}


def test_a_question_that_cannot_be_searched_is_refused(opening: Callable[..., OpenProject]) -> None:
    project = opening(enabled=False)
    for question in ("", "x" * 100_000):
        with pytest.raises(QueryError):
            ask(project, question)
