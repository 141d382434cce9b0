"""Words and tables of the query lab."""

from __future__ import annotations

from typing import Any

import pytest

from core.labels import QueryKind, Stage
from core.model import (
    Estimate,
    ExpandedSearch,
    Expansion,
    LlmStatus,
    Query,
    ScoredPassage,
    SearchRequest,
    SearchResult,
    StageRank,
    Variant,
    VariantYield,
)
from core.present_lab import (
    first_found,
    judged_words,
    known_passages,
    of_query,
    presets,
    query_index,
    variant_name,
    variant_rows,
    why_off,
    yield_words,
)
from core.present_llm import estimate_words, money_words, price_label
from core.settings import Expansion as ExpansionSettings

VARIANTS = (
    Variant("original", QueryKind.ORIGINAL, "cold pumps"),
    Variant("transform-1", QueryKind.TRANSFORM, "pumps"),
    Variant("transform-2", QueryKind.TRANSFORM, "cold"),
)


def scored(rank: int, trail: tuple[StageRank, ...]) -> ScoredPassage:
    class Bare:
        id = rank

    bare: Any = Bare()
    return ScoredPassage(bare, bare, rank, 1.0, trail)


def at_words(rank: int, query: int) -> StageRank:
    return StageRank(Stage.LEXICAL, rank, 5.0, query)


RESULT = SearchResult(
    request=SearchRequest((Query("cold pumps"), Query("pumps", QueryKind.TRANSFORM))),
    passages=(
        scored(
            1,
            (StageRank(Stage.LEXICAL, 1, 9.0, 0), StageRank(Stage.LEXICAL, 4, 2.0, 1), StageRank(Stage.FUSION, 1, 1.0)),
        ),
        scored(2, (StageRank(Stage.LEXICAL, 1, 5.0, 1), StageRank(Stage.FUSION, 2, 0.5))),
    ),
    fingerprint={},
    timings={},
    searchable=2,
    encoded=2,
)
SEARCH = ExpandedSearch(
    Expansion("cold pumps", VARIANTS),
    RESULT,
    (VariantYield("original", 1, (1,), ("d",)), VariantYield("transform-1", 2, (2,), ())),
)
OFF = LlmStatus(False, "No key is there.", "", {})


def test_variants_of_one_kind_are_numbered() -> None:
    assert [variant_name(VARIANTS, one.key) for one in VARIANTS] == [
        "The question",
        "Reworded by rules 1",
        "Reworded by rules 2",
    ]


def test_a_passage_shows_its_place_for_each_variant_that_ran() -> None:
    rows = variant_rows(RESULT.passages[1], SEARCH)
    assert rows == {"Variant": ["The question", "Reworded by rules 1"], "Words": ["–", "1 (5)"]}
    assert query_index(SEARCH, "transform-2") is None


def test_the_waterfall_of_one_variant_leaves_out_what_it_did_not_find() -> None:
    only = of_query(RESULT, 0)
    assert [one.rank for one in only.passages] == [1]
    assert [step.stage for step in only.passages[0].trail] == [Stage.LEXICAL, Stage.FUSION]


def test_what_a_variant_brings_is_said() -> None:
    assert yield_words(SEARCH.yields[0], True) == "Finds 1 passage in 1 source."
    assert yield_words(SEARCH.yields[1], False) == "Finds 2 passages, 1 of them new."
    assert yield_words(VariantYield("x", 0, (), ()), False) == "Finds nothing."
    assert yield_words(VariantYield("x", 3, (), ()), False).endswith("none of them new.")
    assert first_found(SEARCH, 2) == "transform-1"
    assert [one.rank for one in known_passages(SEARCH, (2, 99))] == [2]


def test_kinds_that_need_a_model_say_why_they_are_off() -> None:
    settings = ExpansionSettings()
    assert why_off(QueryKind.HYDE, OFF, settings) == "No key is there."
    assert why_off(QueryKind.TRANSFORM, OFF, settings) == ""
    assert why_off(QueryKind.TRANSFORM, OFF, ExpansionSettings(transform_llm=True)) == "No key is there."


def test_the_first_preset_is_what_the_settings_say() -> None:
    assert presets(ExpansionSettings(transform=False, feedback=True))[0].kinds == {QueryKind.FEEDBACK}


def test_judgements_are_counted_by_grade() -> None:
    assert judged_words({}) == "No passage was judged for this question yet."
    assert judged_words({1: 2, 2: 3, 3: 0}) == "3 passages judged: 2 relevant, 1 not."


@pytest.mark.parametrize(
    ("usd", "said"),
    [
        (None, "a price that is not known"),
        (0.0, "$0"),
        (0.00001, "less than $0.0001"),
        (0.0031, "$0.0031"),
        (1234.5, "$1,234.50"),
    ],
)
def test_money_is_told_as_people_read_it(usd: float | None, said: str) -> None:
    assert money_words(usd) == said


def test_a_price_is_named_before_a_call() -> None:
    known = Estimate("small", 220, 400, 0.0021)
    assert estimate_words(known) == "At most $0.0021 with small (about 220 tokens in, up to 400 out)."
    assert price_label(known) == "at most $0.0021"
    assert price_label(Estimate("odd", 1, 1, None)) == "price not known" == price_label(None)
