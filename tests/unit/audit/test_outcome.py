"""The one outcome of a report, in one sentence."""

from __future__ import annotations

import pytest

from core.audit.outcome import Counts, Holding, outcome_sentence

NAMES = (Holding.HOLDS, Holding.FAILS, Holding.OPEN, Holding.MISSING, Holding.WAITING)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((38, 6, 5, 4, 0), "38 of 53 citations hold, 6 do not, 5 need a person, 4 lack their source."),
        ((1, 0, 1, 0, 0), "1 of 2 citations holds, 1 needs a person."),
        ((50, 0, 0, 0, 0), "All 50 citations hold."),
        ((1, 0, 0, 0, 0), "The one citation holds."),
        ((25, 0, 5, 0, 20), "25 of 50 citations hold, 5 need a person, 20 are not checked yet."),
        ((0, 0, 0, 0, 3), "3 citations, none checked yet."),
        ((0, 0, 0, 0, 0), "No citation was found in this report."),
        ((0, 7, 0, 0, 0), "0 of 7 citations hold, 7 do not."),
    ],
)
def test_every_citation_is_counted_once(numbers: tuple[int, ...], words: str) -> None:
    assert outcome_sentence(Counts(sum(numbers), dict(zip(NAMES, numbers, strict=True)))) == words


@pytest.mark.parametrize(
    ("missing", "checked", "words"),
    [
        (7, 0, "None of 7 citations could be checked: the sources are not here yet."),
        (5, 2, "2 of 7 citations could be checked, none holds so far; 5 wait for their sources."),
        (1, 6, "6 of 7 citations could be checked, none holds so far; 1 waits for its source."),
    ],
)
def test_a_report_is_not_accused_of_sources_that_nobody_has_added(missing: int, checked: int, words: str) -> None:
    assert outcome_sentence(Counts(missing + checked, {Holding.MISSING: missing, Holding.OPEN: checked})) == words
