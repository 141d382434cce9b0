"""Keyword search above the index."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.records import Filters, Hit
from core.retrieve.candidates import lexical


class Points:
    """Scores a passage by the points of the distinct terms it holds."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def lexical(self, terms: Sequence[str], filters: Filters, depth: int) -> list[Hit]:
        self.asked.append(list(terms))
        held = {1: {"heat": 2.0}, 2: {"pump": 1.5}, 3: {"heat": 1.0, "pump": 1.0}}
        scores = {key: sum(points.get(term, 0.0) for term in set(terms)) for key, points in held.items()}
        found = [Hit(key, score) for key, score in scores.items() if score]
        return sorted(found, key=lambda hit: (-hit.score, hit.passage_id))[:depth]


def test_a_repeated_word_counts_as_often_as_it_stands_there() -> None:
    index = Points()
    hits = lexical(index, ["pump", "heat", "pump", "pump"], Filters(), 10)  # type: ignore[arg-type]
    assert hits == [Hit(2, pytest.approx(4.5)), Hit(3, pytest.approx(4.0)), Hit(1, pytest.approx(2.0))]
    assert index.asked == [["pump", "heat"], ["pump"], ["pump"]]


def test_a_query_without_repeats_asks_once_and_keeps_the_depth() -> None:
    index = Points()
    assert lexical(index, ["heat", "pump"], Filters(), 2) == [Hit(1, 2.0), Hit(3, 2.0)]  # type: ignore[arg-type]
    assert len(index.asked) == 1


def test_no_word_asks_nothing() -> None:
    index = Points()
    assert lexical(index, [], Filters(), 5) == []  # type: ignore[arg-type]
    assert index.asked == []
