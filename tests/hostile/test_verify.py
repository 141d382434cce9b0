"""Odd claims and odd sources: no crash, a sensible label, and no confidence where there is nothing to judge."""

from __future__ import annotations

import pytest

from core.labels import Label
from core.records import SourceVerdict
from core.settings.values import Verification
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from tests.contract.builders import make_document
from tests.helpers.verifying import WordJudge

SETTINGS = Verification()
PLAIN = "The city planted 31,640 trees by 2024. Trees do not cool streets at night."
ODD = {
    "empty": "",
    "spaces": " \n\t ",
    "emoji": "🌳🌳🌳 🔥!! 👩‍👩‍👧‍👦",
    "numbers": "12 31,640 0.5 1e9 -7 % 2024",
    "chinese": "这座城市到2024年种植了31640棵树。夜间树木不会使街道降温。",
    "arabic": "زرعت المدينة 31640 شجرة بحلول عام 2024.",
    "german": "Die Stadt pflanzte bis 2024 insgesamt 31.640 Bäume.",
    "surrogate": "The city \ud800 planted trees.",
    "nul": "The city\x00planted\x00trees.",
    "markup": "<script>alert(1)</script> | a | b |\n|---|---|",
    "one word": "a" * 20_000,
    "no spaces": "漢" * 20_000,
    "brackets": "[" * 3000 + "(" * 3000,
    "quotes": '"' * 5000,
    "lines": "\n".join("x" for _ in range(5000)),
}


def judge(claim: str, text: str) -> SourceVerdict:
    source = CitedSource(make_document(text.encode("utf-8", "replace").decode()), text)
    return judge_in_source(claim, source, WordJudge(), SETTINGS)


@pytest.mark.parametrize("claim", ODD.values(), ids=ODD)
def test_an_odd_claim_gets_a_verdict(claim: str) -> None:
    found = judge(claim, PLAIN)
    assert 0 <= found.supports <= 1
    assert 0 <= found.contradicts <= 1
    assert found.label in Label


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_odd_source_gets_a_verdict(text: str) -> None:
    found = judge("The city planted 31,640 trees by 2024.", text)
    assert found.label is not Label.CONTRADICTS
    if found.best is not None:
        assert 0 <= found.best.start < found.best.end <= len(text)
    if found.rationale is not None:
        assert text[slice(*found.rationale)].strip()


@pytest.mark.parametrize("name", ["empty", "spaces", "emoji"])
def test_a_claim_without_words_is_neutral_without_confidence(name: str) -> None:
    found = judge(ODD[name], PLAIN)
    assert (found.label, found.supports, found.contradicts) == (Label.NEUTRAL, 0, 0)


@pytest.mark.parametrize("claim", ["🌳🌳", "12 31,640", "Die Stadt pflanzte Bäume.", "这座城市种植了树"])
def test_a_source_of_another_kind_does_not_support(claim: str) -> None:
    assert judge(claim, "Buses ran late all week.").label is Label.NEUTRAL


def test_a_claim_of_20000_words_is_not_judged_and_says_so() -> None:
    found = judge("The city planted trees and flowers. " * 3400, PLAIN)
    assert (found.label, found.supports) == (Label.NEUTRAL, 0)
    assert "20400 words" in found.notes[-1]


def test_evidence_of_20000_words_is_read_to_its_end() -> None:
    filler = "Buses ran late in the district of Estermark on that day. " * 2000
    found = judge("The city planted 31,640 trees by 2024.", filler + PLAIN)
    assert found.label is Label.SUPPORTS
    assert found.rationale is not None
    assert found.rationale[0] > len(filler) - 2


def test_one_sentence_of_20000_words_is_read_to_its_end() -> None:
    filler = "buses ran late and " * 5000
    found = judge("The city planted 31,640 trees by 2024.", filler + "the city planted 31,640 trees by 2024")
    assert found.label is Label.SUPPORTS


def test_a_claim_that_quotes_itself_is_supported_by_what_it_says_only() -> None:
    claim = "The city planted 31,640 trees by 2024, “the city planted 31,640 trees by 2024”."
    assert judge(claim, "The city planted 31,640 trees by 2024.").label is Label.SUPPORTS
    altered = "The city planted 31,640 trees by 2024: “the town planted 31,640 trees by 2024”."
    found = judge(altered, "The city planted 31,640 trees by 2024.")
    assert found.label is Label.NEUTRAL
    assert found.vetoed


def test_a_source_of_8000_sentences_costs_no_model_more_than_its_windows() -> None:
    text = " ".join(f"Street {number} was measured in summer {number % 7}." for number in range(8000))
    entailer = WordJudge()
    found = judge_in_source("Street 4711 was measured.", CitedSource(make_document(text), text), entailer, SETTINGS)
    assert found.sentences == 8000
    assert found.judged <= SETTINGS.windows
    assert found.best is not None
    assert "4711" in found.best.text
