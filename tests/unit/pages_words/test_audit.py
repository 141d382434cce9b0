"""The rows of the table of citations: whole words, and an order by each column."""

from __future__ import annotations

import pytest

from core.audit.outcome import Holding
from core.labels import Reason
from core.records import Finding
from pages.words.audit import COLUMNS, audit_row, in_order

ROWS = [
    Finding(1, 1, 0, "numeric", "[1]", "Otters swim.", document_id="z"),
    Finding(2, 1, 1, "numeric", "[2]", "Herons wait.", document_id="a", reasons=(Reason.NUMBER_MISMATCH,)),
    Finding(3, 1, 2, "numeric", "[3]", "Mills turn.", reference_text="13. Somebody. (2020). A page."),
]
HOLDINGS = {1: Holding.HOLDS, 2: Holding.FAILS, 3: Holding.MISSING}
TITLES = {"z": "Zebras", "a": "A study of streets"}


def test_a_row_tells_the_outcome_by_sign_and_word_and_the_source_by_its_title() -> None:
    row = audit_row(ROWS[1], Holding.FAILS, TITLES)
    assert (row.outcome, row.source, row.why, row.sure) == (
        "✗ does not hold", "A study of streets", "Number differs", "–",
    )  # fmt: skip


def test_a_row_without_a_source_shows_the_reference_as_the_report_has_it() -> None:
    row = audit_row(ROWS[2], Holding.MISSING, TITLES)
    assert (row.outcome, row.source) == ("? source missing", "13. Somebody. (2020). A page.")
    assert audit_row(ROWS[2], None, TITLES).outcome == "never cited"


def test_a_claim_and_its_reasons_are_whole() -> None:
    row = audit_row(Finding(4, 1, 3, "numeric", "[4]", "word " * 100, reasons=tuple(Reason)[:4]), None, {})
    assert row.claim == ("word " * 100).strip()
    assert row.why.count(";") == 3


@pytest.mark.parametrize(
    ("sort", "ids"),
    [
        ("", [1, 2, 3]),
        ("nonsense", [1, 2, 3]),
        ("-place", [3, 2, 1]),
        ("outcome", [2, 3, 1]),
        ("-outcome", [1, 3, 2]),
        ("source", [3, 2, 1]),
    ],
)
def test_rows_stand_in_the_order_that_was_asked_for(sort: str, ids: list[int]) -> None:
    assert [row.id for row in in_order(ROWS[::-1], HOLDINGS, TITLES, sort)] == ids
    assert sort.lstrip("-") in {*COLUMNS, "", "nonsense"}
