"""The pipeline over a small index in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.errors import QueryError
from core.labels import Grade, QueryKind, Stage
from core.records import Filters, Query, SearchRequest, StageSwitches
from core.retrieve.pipeline import rerank, search
from core.settings.values import Retrieval

SETTINGS = Retrieval()


def ask(*texts: str, **changes: Any) -> SearchRequest:
    return SearchRequest(tuple(Query(text) for text in texts), **changes)


class LikesNoise:
    fingerprint = "likes-noise"

    def score(self, query: str, texts: Sequence[str]) -> np.ndarray:
        return np.array([10.0 if "Noise" in text else 0.0 for text in texts], dtype=np.float32)


def test_the_passage_that_answers_comes_first_with_its_way_there(index, encoder) -> None:  # type: ignore[no-untyped-def]
    result = search(ask("seasonal performance factor of heat pumps"), index, encoder, SETTINGS)
    best = result.passages[0]
    assert best.passage.text.startswith("Heat pumps reached")
    assert best.document.title == "Field trial"
    assert best.rank == 1
    assert [step.stage for step in best.trail] == [
        Stage.LEXICAL, Stage.DENSE, Stage.LATE_INTERACTION, Stage.FUSION, Stage.MMR,
    ]  # fmt: skip
    assert all(step.rank == 1 for step in best.trail)
    assert [step.query for step in best.trail] == [0, 0, 0, None, None]
    assert best.excerpts[0].matches
    assert result.notes == ()


def test_the_same_request_gives_the_same_result(index, encoder) -> None:  # type: ignore[no-untyped-def]
    one, two = (search(ask("heat pump costs"), index, encoder, SETTINGS) for _ in range(2))
    assert replace(one, timings={}) == replace(two, timings={})


def test_filters_hold_before_ranking(index, encoder) -> None:  # type: ignore[no-untyped-def]
    for exact in (False, True):
        request = ask("heat pumps", filters=Filters(min_grade=Grade.C), k=10, exact=exact)
        grades = {one.document.grade for one in search(request, index, encoder, SETTINGS).passages}
        assert grades == {Grade.A, Grade.C}


def test_without_a_model_words_still_find_and_it_says_so(index) -> None:  # type: ignore[no-untyped-def]
    result = search(ask("gas boiler"), index, None, SETTINGS)
    assert result.passages[0].passage.text == "Gas boilers are cheap."
    assert result.encoded == 0
    assert "words alone" in result.notes[0]
    assert set(result.fingerprint) == {"lexical", "fusion", "hash"}


@pytest.mark.parametrize("fusion", ["scores", "ranks"])
def test_passages_that_are_not_encoded_are_found_by_words_and_it_says_so(index, encoder, document, fusion) -> None:  # type: ignore[no-untyped-def]
    index.add(replace(document, id="d" * 16), ["Geothermal probes reach deep."])
    result = search(ask("geothermal probes"), index, encoder, Retrieval(fusion=fusion))
    assert result.passages[0].passage.text == "Geothermal probes reach deep."
    assert (result.encoded, result.searchable) == (6, 7)
    assert result.notes == ("1 of 7 passages are not encoded yet; until then only words find them.",)


def test_a_query_of_function_words_is_searched_by_meaning_and_it_says_so(index, encoder) -> None:  # type: ignore[no-untyped-def]
    result = search(ask("to be or not to be"), index, encoder, SETTINGS)
    assert result.passages
    assert "searched by meaning only" in result.notes[0]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (SearchRequest(()), "No query"),
        (ask(""), "empty"),
        (ask("heat", " \n\x00"), "empty"),
        (ask("x" * 2001), "2,001 characters"),
        (ask(*[f"query {n}" for n in range(21)]), "at most 20"),
        (ask("heat", stages=StageSwitches(lexical=False, dense=False, late_interaction=False)), "switched off"),
    ],
)
def test_a_query_that_cannot_run_says_why(index, encoder, request_: SearchRequest, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(QueryError, match=said):
        search(request_, index, encoder, SETTINGS)


def test_function_words_without_a_model_are_an_error_not_an_empty_result(index) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(QueryError, match="Add a word"):
        search(ask("the of"), index, None, SETTINGS)
    with pytest.raises(QueryError, match="needs a model"):
        search(ask("heat", stages=StageSwitches(lexical=False)), index, None, SETTINGS)


def test_every_query_has_its_own_rankings_and_all_are_fused(index, encoder) -> None:  # type: ignore[no-untyped-def]
    result = search(ask("noise of the outdoor unit", "electricity prices"), index, encoder, SETTINGS)
    texts = [one.passage.text for one in result.passages[:2]]
    assert {text.split()[0] for text in texts} == {"Noise", "Electricity"}
    noise = next(one for one in result.passages if one.passage.text.startswith("Noise"))
    dense = [(step.query, step.rank) for step in noise.trail if step.stage is Stage.DENSE]
    assert [query for query, _ in dense] == [0, 1]
    assert dense[0][1] == 1
    assert encoder.encoded_queries == 2


def test_an_equal_query_runs_once(index, encoder) -> None:  # type: ignore[no-untyped-def]
    assert len(search(ask("heat", " heat "), index, encoder, SETTINGS).request.queries) == 1


def test_stages_can_be_switched_off_one_by_one(index, encoder) -> None:  # type: ignore[no-untyped-def]
    only = StageSwitches(lexical=False, dense=False, mmr=False)
    result = search(ask("heat pumps", stages=only), index, encoder, SETTINGS)
    assert len(result.passages) == 6  # late interaction alone looks at every passage
    assert set(result.timings) == {"encode", "late_interaction", "fusion", "load", "excerpts", "total"}
    words_only = StageSwitches(dense=False, late_interaction=False, mmr=False)
    words = search(ask("heat", stages=words_only), index, encoder, SETTINGS)
    assert encoder.encoded_queries == 1
    assert set(words.fingerprint) == {"lexical", "fusion", "hash"}


def test_exact_looks_at_passages_that_no_index_brought(index, encoder) -> None:  # type: ignore[no-untyped-def]
    stages = StageSwitches(dense=False, mmr=False)
    near = search(ask("noise", stages=stages), index, encoder, SETTINGS)
    everything = search(ask("noise", stages=stages, exact=True), index, encoder, SETTINGS)
    assert len(near.passages) == 1
    assert len(everything.passages) == 6


def test_k_and_depth_are_kept_within_their_limits(index, encoder) -> None:  # type: ignore[no-untyped-def]
    request = search(ask("heat", k=0, depth=0), index, encoder, SETTINGS).request
    assert (request.k, request.depth) == (1, 1)
    request = search(ask("heat", k=10**6, depth=10**9), index, encoder, SETTINGS).request
    assert (request.k, request.depth) == (200, 1000)


def test_rerank_reorders_and_adds_its_step(index, encoder) -> None:  # type: ignore[no-untyped-def]
    result = search(ask("heat pumps in the field trial", k=2), index, encoder, SETTINGS)
    assert all("Noise" not in one.passage.text for one in result.passages[:1])
    again = rerank(result, LikesNoise(), SETTINGS)
    assert again.reranked
    assert not result.reranked
    assert len(again.passages) == 2
    assert [one.rank for one in again.passages] == [1, 2]
    assert any("Noise" in one.passage.text for one in again.passages)
    assert again.passages[0].trail[-1].stage is Stage.RERANK
    assert again.passages[0].excerpts
    assert again.fingerprint["rerank"]["model"] == "likes-noise"
    assert again.fingerprint["hash"] != result.fingerprint["hash"]
    assert "rerank" in again.timings
    assert rerank(again, LikesNoise(), SETTINGS) is again


def test_rerank_keeps_results_beyond_its_depth(index, encoder) -> None:  # type: ignore[no-untyped-def]
    settings = Retrieval(rerank_depth=2)
    result = search(ask("heat pumps"), index, encoder, settings)
    again = rerank(result, LikesNoise(), settings)
    assert len(again.candidates) == 2
    assert [one.passage.id for one in again.passages[2:]] == [one.passage.id for one in result.passages[2:]]
    assert [one.rank for one in again.passages] == list(range(1, 7))


def test_rerank_asks_the_original_question(index, encoder) -> None:  # type: ignore[no-untyped-def]
    asked: list[str] = []

    class Listens(LikesNoise):
        def score(self, query: str, texts: Sequence[str]) -> np.ndarray:
            asked.append(query)
            return super().score(query, texts)

    request = SearchRequest((Query("a hypothetical answer", QueryKind.HYDE), Query("the question")))
    rerank(search(request, index, encoder, SETTINGS), Listens(), SETTINGS)
    assert asked == ["the question"]


def test_nothing_found_is_an_answer(empty_index, encoder) -> None:  # type: ignore[no-untyped-def]
    result = search(ask("heat"), empty_index, encoder, SETTINGS)
    assert result.passages == ()
    assert rerank(result, LikesNoise(), SETTINGS) is result


def test_the_clock_is_injected(index, encoder) -> None:  # type: ignore[no-untyped-def]
    ticks = iter(range(1000))
    result = search(ask("heat"), index, encoder, SETTINGS, clock=lambda: float(next(ticks)))
    assert result.timings["fusion"] == 1000.0


def test_a_ranking_of_weight_zero_does_not_count(index, encoder) -> None:  # type: ignore[no-untyped-def]
    stages = StageSwitches(mmr=False)
    both = search(ask("gas boiler", stages=stages), index, encoder, Retrieval(weight_dense=0, weight_late=0))
    words = search(
        ask("gas boiler", stages=StageSwitches(dense=False, late_interaction=False, mmr=False)), index, None, SETTINGS
    )
    assert [one.passage.id for one in both.passages][: len(words.passages)] == [
        one.passage.id for one in words.passages
    ]
    assert (
        both.fingerprint["hash"]
        != search(ask("gas boiler", stages=stages), index, encoder, SETTINGS).fingerprint["hash"]
    )


def test_when_no_word_of_the_question_occurs_it_is_said(index, encoder) -> None:  # type: ignore[no-untyped-def]
    result = search(ask("zzqqxx blorf"), index, encoder, SETTINGS)
    assert result.passages
    assert any("only come nearest" in note for note in result.notes)
