"""The gate: absolute scores, of the question itself, decide; scores scaled within a search cannot."""

from __future__ import annotations

from dataclasses import replace

from core.labels import QueryKind, Stage
from core.records import Query, ScoredPassage, SearchRequest, SearchResult, StageRank
from core.retrieve.crag import gate
from tests.unit.retrieve.test_crag import scored

BGE = {"dense": {"model": "bge-small-en-v1.5@1"}}


def result(cosines: list[float], *, fingerprint: object = None, query: int = 0) -> SearchResult:
    found: list[ScoredPassage] = []
    for number, cosine in enumerate(cosines, start=1):
        steps = (StageRank(Stage.DENSE, number, cosine, query), StageRank(Stage.FUSION, number, 1.0))
        found.append(scored(number, f"otters {number}", trail=steps))
    request = SearchRequest((Query("otters"), Query("beavers", QueryKind.TRANSFORM)))
    told = BGE if fingerprint is None else fingerprint
    return SearchResult(request, tuple(found), told, {}, 9, 9)  # type: ignore[arg-type]


def test_a_near_passage_passes_and_a_far_one_does_not() -> None:
    near, far = gate(result([0.88, 0.8]), "otters", 0.35), gate(result([0.6, 0.59]), "otters", 0.35)
    assert near.passed
    assert not far.passed
    assert 0 <= far.top < 0.1 < 0.8 < near.top <= 1
    assert near.confidence >= near.top
    assert near.gap == near.top - gate(result([0.8]), "otters", 0.35).top


def test_the_threshold_is_a_setting() -> None:
    one = result([0.8])
    top = gate(one, "otters", 0.0).confidence
    assert gate(one, "otters", top).passed
    assert not gate(one, "otters", min(1.0, top + 0.01)).passed


def test_nothing_found_never_passes() -> None:
    empty = gate(result([]), "otters", 0.35)
    assert (empty.top, empty.gap, empty.confidence, empty.passed) == (0.0, 0.0, 0.0, False)


def test_what_another_query_brought_does_not_speak_for_the_question() -> None:
    assert not gate(result([0.95], query=1), "beavers", 0.35).passed
    mixed = result([0.9])
    first = replace(mixed.passages[0], trail=(StageRank(Stage.DENSE, 1, 0.99, 1), *mixed.passages[0].trail))
    assert gate(replace(mixed, passages=(first,)), "otters", 0.35) == gate(mixed, "otters", 0.35)


def test_without_the_encoder_the_words_decide() -> None:
    for told in ({}, {"dense": {"model": "another@2"}}, {"dense": {"model": None}}):
        assert gate(result([0.1], fingerprint=told), "otters", 0.35).passed
        assert not gate(result([0.99], fingerprint=told), "glaciers of Peru", 0.35).passed
