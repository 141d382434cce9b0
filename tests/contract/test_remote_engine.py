"""A project of a service answers as the project itself does: the same requests, in process and through the client,
give equal records. Nothing is cached here, so both sides do the whole work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from core.labels import Grade, QueryKind
from core.ports.engines import Engines
from core.records import Filters, Query, SearchRequest, SearchResult, StageSwitches
from core.settings.values import Retrieval, Settings
from tests.helpers.auditing import REPORT
from tests.helpers.service_client import RemoteProject
from tests.helpers.serving import Town, served, town

LIMES = Query("Where were limes planted?")
VARIANT = Query("lime trees planted Mill Lane", QueryKind.TRANSFORM)
REQUESTS = {
    "question": SearchRequest((LIMES,)),
    "several": SearchRequest((LIMES, VARIANT, Query("shops")), k=3, depth=5),
    "words": SearchRequest((LIMES,), stages=StageSwitches(dense=False, late_interaction=False, mmr=False)),
    "meaning": SearchRequest((LIMES,), stages=StageSwitches(lexical=False, mmr=False)),
    "exact": SearchRequest((LIMES,), exact=True),
    "reranked": SearchRequest((LIMES,), stages=StageSwitches(rerank=True)),
    "graded": SearchRequest((LIMES,), Filters(min_grade=Grade.E)),
    "good": SearchRequest((LIMES,), Filters(min_grade=Grade.A)),
    "dated": SearchRequest((LIMES,), Filters(published_from=date(1990, 1, 1), published_to=date(2030, 12, 31))),
    "tagged": SearchRequest((LIMES,), Filters(languages=("en",), tags=("none such",))),
    "odd": SearchRequest((Query("Straße 東京 ½ 🌳 \u2028 'quoted' \"words\" \u0000"),)),
    "nothing": SearchRequest((Query("zzzz qqqq xxxx"),), stages=StageSwitches(dense=False, late_interaction=False)),
}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[tuple[Town, RemoteProject]]:
    settings = Settings(retrieval=Retrieval(cache_entries=0))
    with town(tmp_path_factory.mktemp("remote") / "root", engines, settings) as made:
        made.streets.sources.set_tags(made.streets.sources.documents()[0].id, ["ä tag"])
        with served(made.workbench) as at, at.client() as client:
            yield made, client.open("streets")


def _of_time(result: SearchResult) -> SearchResult:
    """Without what the clock says."""
    return replace(result, timings=dict.fromkeys(result.timings, 0.0))


@pytest.mark.parametrize("name", REQUESTS)
def test_equal_requests_have_equal_answers(both: tuple[Town, RemoteProject], name: str) -> None:
    (town_, remote), request = both, REQUESTS[name]
    here = town_.streets.search(request)
    if request.stages.rerank:
        here = town_.streets.rerank(here)
    there = remote.search(request)
    assert not here.cached
    assert not there.cached
    assert _of_time(there) == _of_time(here)


def test_reranking_a_result_is_the_same_on_both_sides(both: tuple[Town, RemoteProject]) -> None:
    town_, remote = both
    request = REQUESTS["question"]
    here, there = town_.streets.rerank(town_.streets.search(request)), remote.rerank(remote.search(request))
    assert there.reranked
    assert [(one.passage, one.rank, one.score) for one in there.passages] == [
        (one.passage, one.rank, one.score) for one in here.passages
    ]


def test_statistics_jobs_and_verdicts_are_the_same_records(both: tuple[Town, RemoteProject]) -> None:
    town_, remote = both
    assert remote.statistics() == town_.streets.statistics()
    assert [remote.job(job.id) for job in town_.streets.jobs.all()] == town_.streets.jobs.all()
    document = town_.streets.search(REQUESTS["question"]).passages[0].document.id
    claim = "The city planted 400 limes on Mill Lane."
    assert remote.in_document(claim, document) == town_.streets.claims.in_document(claim, document)


def test_claims_and_findings_are_the_same_records(both: tuple[Town, RemoteProject]) -> None:
    town_, remote = both
    asked, audited = remote.verify("Takings rose by 4 per cent."), remote.audit("report.md", REPORT.encode())
    town_.work()
    assert list(remote.outcome(asked.job.id).claims) == town_.streets.claims.all()
    ended = remote.outcome(audited.job.id)
    assert ended.report is not None
    assert ended.report == town_.streets.audits.report(ended.report.id)
    assert list(ended.findings) == town_.streets.audits.findings(ended.report.id)
    assert ended.summary == town_.streets.audits.summary(ended.report.id)
