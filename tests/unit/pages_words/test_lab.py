"""Words and tables of the query lab."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.lab.figures import Figures
from core.labels import QueryKind, Stage
from core.records import (
    Estimate,
    ExpandedSearch,
    Expansion,
    LlmStatus,
    Query,
    ScoredPassage,
    SearchRequest,
    SearchResult,
    StageRank,
    StageSwitches,
    Variant,
    VariantYield,
)
from core.settings.values import Expansion as ExpansionSettings
from pages.words.lab import (
    engine_problems,
    figure_rows,
    first_found,
    judged_words,
    known_passages,
    of_query,
    presets,
    query_index,
    variant_figures,
    variant_name,
    variant_rows,
    why_off,
    yield_words,
)
from pages.words.llm import estimate_words, money_words, page_words, price_label

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


def test_where_two_engines_compared_each_row_names_its_engine_and_a_missing_figure_its_reason() -> None:
    late, words = StageSwitches(), StageSwitches(dense=False, late_interaction=False, mmr=False)
    names = {"As switched": late, "Words": words}
    ours = [Figures("", late, 0.5, 0.5, 1, 2), Figures("", words, 0.4, 0.5, 1, 2)]
    assert "Word by word" not in figure_rows(ours, names)
    assert engine_problems(ours) == []
    theirs = Figures("", late, None, None, 0, 2, "it starts.", "RAGatouille")
    rows = figure_rows([*ours, theirs], names)
    assert rows["Steps"] == ["As switched", "As switched", "Words"]
    assert rows["Word by word"] == ["Exact engine", "RAGatouille index", "–"]
    assert rows["nDCG at 10"] == [".500 (best)", "–", ".400"]
    assert engine_problems([*ours, theirs]) == ["Where the RAGatouille index has no figure: it starts."]


def test_the_variants_go_by_the_engine_of_the_project_where_it_could_answer() -> None:
    late = StageSwitches()
    ours = [Figures("", late, 0.5, 0.5, 1, 2), Figures("original", late, 0.5, 0.5, 1, 2)]
    theirs = [replace(one, ndcg=0.75, engine="RAGatouille") for one in ours]
    assert variant_figures([*ours, *theirs], late, [])["nDCG at 10"] == [".750 (best)", ".750 (best)"]
    failed = Figures("", late, None, None, 0, 2, "it starts.", "RAGatouille")
    assert variant_figures([*ours, failed], late, [])["nDCG at 10"] == [".500 (best)", ".500 (best)"]


def test_a_page_leaves_out_what_a_setting_is_called_in_its_file() -> None:
    said = "Switched off. Switch it on under Settings → Language model (llm.enabled)."
    assert page_words(said) == "Switched off. Switch it on under Settings → Language model."
    assert page_words("It costs ($2), as (others) say.") == "It costs ($2), as (others) say."
