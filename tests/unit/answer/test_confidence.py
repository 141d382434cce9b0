"""Promises of confidence: within its range, never high on weak ground."""

from __future__ import annotations

import pytest

from core.answer.grounding import confidence
from core.labels import CragClass
from core.records import AnswerCitation


def cited(count: int, relevance: float = 1.0) -> list[AnswerCitation]:
    return [AnswerCitation(n, f"d{n}", n, "t", "x", 0, 1, relevance) for n in range(1, count + 1)]


def test_all_of_everything_is_a_hundred_and_nothing_is_none() -> None:
    assert confidence(cited(3), 1.0, grounded=True, retrieval=1.0) == (100, "high")
    assert confidence([], 1.0, grounded=True, retrieval=1.0) == (0, "low")


def test_the_formula() -> None:
    score, level = confidence(cited(2, 0.5), 0.75, grounded=True, retrieval=0.6)
    assert score == round(100 * (0.4 * 0.75 + 0.3 * 0.6 + 0.2 * 0.5 + 0.1 * 2 / 3))
    assert level == "medium"


@pytest.mark.parametrize(
    ("limit", "highest"),
    [
        ({"grounded": False}, 39),
        ({"grounded": True, "verdict": CragClass.INCORRECT}, 39),
        ({"grounded": True, "disputed": True}, 69),
        ({"grounded": True, "lacks_amount": True}, 69),
        ({"grounded": True}, 100),
    ],
)
def test_limits(limit: dict[str, object], highest: int) -> None:
    assert confidence(cited(4), 1.0, retrieval=1.0, **limit)[0] == highest  # type: ignore[arg-type]


def test_quoted_sentences_do_not_vouch_for_themselves() -> None:
    weak = confidence(cited(3, 0.3), 1.0, grounded=True, retrieval=0.5, quoted=True)[0]
    assert weak < confidence(cited(3, 0.3), 1.0, grounded=True, retrieval=0.5)[0]
