"""Languages of a claim and its source differ only where that is sure."""

from __future__ import annotations

import pytest

from core.text.languages import different_languages, script_of

ENGLISH = "Street trees cool the air. The city planted 400 limes on Mill Lane between 2015 and 2019. " * 4
CHINESE = "该市在2015年至2019年间在米尔巷种植了400棵椴树。"
GERMAN = "Die Stadt pflanzte zwischen 2015 und 2019 vierhundert Linden in der Mühlengasse. "


@pytest.mark.parametrize(
    ("claim", "around", "source", "found"),
    [
        (CHINESE, CHINESE * 20, ENGLISH, ("Chinese", "English")),
        ("GPT-4 在 MMLU 上得分为 86.4", CHINESE * 20, ENGLISH, ("Chinese", "English")),
        (GERMAN, GERMAN * 5, ENGLISH, ("German", "English")),
        ("東京の人口は増えた", "東京の人口は増えた" * 30, ENGLISH, ("Japanese", "English")),
        ("The city planted 400 limes on Mill Lane.", ENGLISH, CHINESE * 20, ("English", "Chinese")),
    ],
)
def test_languages_that_surely_differ_are_named(claim: str, around: str, source: str, found: tuple[str, str]) -> None:
    assert different_languages(claim, around, source) == found


@pytest.mark.parametrize(
    ("claim", "around", "source"),
    [
        (ENGLISH[:90], ENGLISH, ENGLISH),
        ("The Bank (银行) rose by 3 per cent.", ENGLISH, ENGLISH),
        ("Linden pflanzen.", GERMAN * 5, ENGLISH),  # too short to tell
        (GERMAN, ENGLISH, ENGLISH),  # a quotation in an English report: told by one sentence only
        ("2015: 400", ENGLISH, CHINESE),
        ("東京の人口は増えた", "", CHINESE * 9),  # one script, short
        (CHINESE, CHINESE, "12 400"),
        ("", "", ""),
    ],
)
def test_what_cannot_be_told_is_no_difference(claim: str, around: str, source: str) -> None:
    assert different_languages(claim, around, source) is None


def test_names_in_latin_letters_do_not_make_a_chinese_sentence_english() -> None:
    assert script_of("Transformer 和 BERT 都很好") == "Han"
    assert script_of("BERT and Transformer (变压器)") == "Latin"
