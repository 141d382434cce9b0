"""Promises of checking a claim against what it cites, with the judge of the product."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.answer.check import PassageCheck, split, worthy
from core.errors import ModelError
from core.labels import Grade, Label
from core.ports.engines import Engines
from core.records import Assessment, Document
from core.settings.values import Settings
from tests.unit.answer.answering import evidence

LIMES = "In the shade of the limes the air on Mill Lane was 1.3 degrees cooler. The limes were planted in 2015."
COST = "Watering the limes of Mill Lane costs 40 crowns a year."


def document(key: str) -> Document:
    when = datetime(2026, 1, 1, tzinfo=UTC)
    return Document(key, key, key, "Limes", "text/plain", "test", when, Grade.B, Assessment(Grade.B, ()))


@pytest.fixture
def check(engines: Engines) -> PassageCheck:
    return PassageCheck(engines, Settings().verification, {f"doc{n}": document(f"doc{n}") for n in (1, 2)})


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("On Mill Lane the air was 1.3 degrees cooler in the shade of the limes.", True),
        ("According to the source, the limes were planted in 2015.", True),
        ("The sources say that the limes were planted in 2015.", True),
        ("On Mill Lane the air was 3.1 degrees cooler in the shade of the limes.", False),
        ("On Mill Lane the air was not cooler in the shade of the limes.", False),
        ("The limes were planted in 2019.", False),
        ("The oaks of Dock Street were planted in 2015.", False),
        ("Trams run every ten minutes on Sundays.", False),
    ],
)
def test_what_the_passage_says_is_supported_and_nothing_else(check: PassageCheck, claim: str, supported: bool) -> None:
    found = check(claim, evidence(LIMES)[:1], "")
    assert found.supported is supported, found
    assert found.why
    assert 0 <= found.support <= 1


def test_any_of_the_cited_passages_may_support(check: PassageCheck) -> None:
    both = evidence(COST, LIMES)
    assert check("The limes were planted in 2015.", both, "").supported
    assert not check("The limes were planted in 2015.", both[:1], "").supported


def test_without_a_judge_nothing_is_supported_and_the_reason_is_said(engines: Engines) -> None:
    def none() -> None:
        raise ModelError("It is not installed.")

    bare = replace(engines, make_entailer=none, _made={})  # type: ignore[arg-type]
    check = PassageCheck(bare, Settings().verification, {"doc1": document("doc1")})
    found = check("The limes were planted in 2015.", evidence(LIMES), "")
    assert (found.label, found.supported) == (Label.NEUTRAL, False)
    assert "not installed" in found.why
    assert check.fingerprint == ""
    assert check.contradicts([("a", "b")]) == [0.0]


def test_sentences_that_lean_on_others_are_known() -> None:
    [one] = evidence("Trees grow. Most of this growth is old. In the Docklands it was half. Most of the trees died.")
    assert [unit.leans for unit in split(one)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("sentence", "states"),
    [
        ("Everybody was glad.", True),
        ("Trees cool.", True),
        ("Why is that?", False),
        ("The documents do not say who paid.", False),
        ("The sources leave open whether trees help.", False),
        ("The sources leave no doubt that trees help.", True),
    ],
)
def test_an_answer_is_held_to_more_than_a_report(sentence: str, states: bool) -> None:
    assert worthy(sentence)[0] is states
