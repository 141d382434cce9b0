"""Claims out of sentences: kept with their place, their context, their parts, and the reason why or why not."""

from __future__ import annotations

from core.claims.extract import LONGEST, Statement, extract_claims, leans, typed_claim
from core.labels import ClaimType
from tests.contract.builders import START


def claims_of(*statements: Statement):  # type: ignore[no-untyped-def]
    return extract_claims(statements, created=START, report_id=7)


def test_a_claim_keeps_its_place_and_loses_marks_and_citations() -> None:
    (claim,) = claims_of(Statement("**Cover** rose to [21.3 per cent](https://a.example) in 2024 [2, 3].", 10, 80))
    assert (claim.report_id, claim.start, claim.end) == (7, 10, 80)
    assert claim.text == "Cover rose to 21.3 per cent in 2024."
    assert claim.check_worthy
    assert claim.id == 0


def test_sentences_not_worth_checking_are_listed_with_their_reason_and_headings_are_not() -> None:
    found = claims_of(
        Statement("Results", kind="heading"),
        Statement("What did it cost?"),
        Statement("31,640", kind="table_cell"),
        Statement("import os", kind="code"),
    )
    assert [(claim.text, claim.check_worthy) for claim in found] == [("What did it cost?", False)]
    assert found[0].check_reason == "a question"


def test_a_claim_that_leans_on_what_stands_before_shows_it() -> None:
    found = claims_of(
        Statement("Shade for All began in 2018."),
        Statement("It was paid for by the province."),
        Statement("By the end of that year it had planted 400 trees."),
    )
    assert found[0].context == ""
    assert found[1].context == "Shade for All began in 2018."
    assert found[2].context == "Shade for All began in 2018. It was paid for by the province."


def test_context_does_not_reach_over_a_heading() -> None:
    found = claims_of(
        Statement("Shade for All began in 2018."), Statement("Health", kind="heading"), Statement("It saved 94 lives.")
    )
    assert found[-1].context == ""


def test_what_leans_and_what_does_not() -> None:
    assert leans("These streets were 2 degrees cooler.")
    assert leans("However, it costs more.")
    assert leans("According to its tables, the gain was largest among the old.")
    assert leans("该机构于2020年成立。")
    assert not leans("It is known that trees cool streets.")
    assert not leans("Trees cool streets.")
    assert not leans("Thirty trees died.")


def test_a_typed_claim_is_worth_checking_because_somebody_asks() -> None:
    claim = typed_claim("  Trees\ncool streets, ", created=START)
    assert claim.text == "Trees cool streets,"
    assert claim.check_worthy
    assert claim.type is ClaimType.C2
    assert (claim.report_id, claim.start) == (None, None)


def test_a_sentence_too_long_for_one_claim_is_said_to_be() -> None:
    (claim,) = claims_of(Statement("The city planted trees and " * 1000 + "stopped."))
    assert not claim.check_worthy
    assert "no single statement" in claim.check_reason
    assert len(claim.text) == LONGEST
