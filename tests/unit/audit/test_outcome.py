"""The one outcome of a report, in one sentence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.audit.outcome import Counts, Holding, counts_of, holding_of, outcome_sentence
from core.labels import DecisionKind, ItemKind, Reason, Status
from core.records import Decision, DecisionBasis, Finding, Standing

NAMES = (Holding.HOLDS, Holding.FAILS, Holding.OPEN, Holding.MISSING, Holding.WAITING)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((38, 6, 5, 4, 0), "38 of 53 citations hold, 6 do not, 5 need a look, 4 lack their source."),
        ((1, 0, 1, 0, 0), "1 of 2 citations holds, 1 needs a look."),
        ((50, 0, 0, 0, 0), "All 50 citations hold."),
        ((1, 0, 0, 0, 0), "The one citation holds."),
        ((25, 0, 5, 0, 20), "25 of 50 citations hold, 5 need a look, 20 are not checked yet."),
        ((0, 0, 0, 0, 3), "3 citations, none checked yet."),
        ((0, 0, 0, 0, 0), "No citation was found in this report."),
        ((0, 7, 0, 0, 0), "0 of 7 citations hold, 7 do not."),
    ],
)
def test_every_citation_is_counted_once(numbers: tuple[int, ...], words: str) -> None:
    assert outcome_sentence(Counts(sum(numbers), dict(zip(NAMES, numbers, strict=True)))) == words


def test_what_is_accepted_without_its_source_is_a_kind_of_its_own() -> None:
    row = Finding(1, 1, 0, "numeric", "[1]", "It rains.", document_id="d", status=Status.SOURCE_NOT_INDEXED)
    basis = DecisionBasis(1, 0, "It rains.", "")
    at = datetime(2026, 11, 29, tzinfo=UTC)
    standing = Standing(Decision(1, "item", ItemKind.CITATION, DecisionKind.ACCEPT, "Ann", at, basis))
    assert holding_of(row, standing) is Holding.UNSHOWN
    assert counts_of([row], {1: standing}).of(Holding.HOLDS) == 0
    here = replace(row, status=Status.REVIEW)
    assert holding_of(here, standing) is Holding.HOLDS
    for unread in (replace(here, document_id=None), replace(here, reasons=(Reason.ABSTRACT_ONLY,))):
        assert holding_of(unread, standing) is Holding.UNSHOWN


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
