"""Quotes: what must stand word for word, and what may differ."""

from __future__ import annotations

import pytest

from core.verify.checks.outcomes import Outcome
from core.verify.checks.quotes import check, quote_spans

EVIDENCE = (
    "The mayor said: \u201cThe new trees, planted in spring, did not survive the summer\u201d \u2013 and nobody asked."
)


@pytest.mark.parametrize(
    "claim",
    [
        'She said "the new trees, planted in spring, did not survive".',
        "She said \u201cThe new trees \u2026 did not survive the summer\u201d.",
        "She said \u00abthe new trees [...] did not survive\u00bb.",
        "She said 'did not survive the summer'.",
        'She said "[the city\'s] trees, planted in spring".',
        'She said "trees planted in\u00a0spring".',
        'It ends: "the summer - and nobody asked."',
    ],
)
def test_typography_omissions_and_insertions_are_no_change(claim: str) -> None:
    result = check(claim, EVIDENCE)
    assert result.outcome is Outcome.PASSED
    assert result.evidence_spans


def test_a_changed_word_is_named_on_both_sides() -> None:
    claim = 'She said "the new trees, planted in autumn, did not survive the summer".'
    result = check(claim, EVIDENCE)
    assert result.veto
    assert "\u201cautumn\u201d for \u201cspring\u201d" in result.explanation
    assert [claim[a:b] for a, b in result.claim_spans] == ["autumn"]
    assert [EVIDENCE[a:b] for a, b in result.evidence_spans] == ["spring"]


def test_a_word_left_out_without_a_mark_is_a_change() -> None:
    result = check('She said "the new trees, planted in spring, did survive the summer".', EVIDENCE)
    assert result.veto
    assert "\u201cnot\u201d is left out" in result.explanation


def test_words_that_stand_nowhere_veto() -> None:
    assert check('She said "we plan to cut every park budget".', EVIDENCE).veto


def test_a_missing_title_of_a_work_is_shown_without_veto() -> None:
    result = check('He wrote "The Old Man and the Sea".', EVIDENCE)
    assert result.outcome is Outcome.FAILED
    assert not result.veto


def test_a_quote_must_be_whole_words() -> None:
    assert check('He said "can do it".', "He said scan do it.").outcome is Outcome.FAILED


def test_pieces_around_an_omission_must_keep_their_order() -> None:
    assert check('She said "did not survive ... planted in spring".', EVIDENCE).outcome is Outcome.FAILED


def test_apostrophes_open_no_quote() -> None:
    assert quote_spans("It's the trees' fault and the mayor's.") == []
    assert check("It's the mayor's fault.", EVIDENCE).outcome is Outcome.NOT_APPLICABLE
