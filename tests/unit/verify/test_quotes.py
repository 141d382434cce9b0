"""Quotes: what must stand word for word, and what may differ."""

from __future__ import annotations

import pytest

from core.verify.checks.outcomes import Outcome
from core.verify.checks.quotes import check, quote_spans
from tests.helpers.comparing import vetoes

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


SAID = (
    'The mayor said: "We will plant ten new trees in every street." He walked the length of it. It was very accurate.'
)


@pytest.mark.parametrize(
    "claim",
    [
        'The mayor said "[W]e will plant ten new trees".',
        'The mayor said "[w]e will plant ten new trees".',
        'The mayor promised "ten new tree[s] in every street".',
        'He "walk[ed] the length of it".',
        'The mayor said "we will plant ten new trees [limes] in every street".',
        'The mayor said "we will plant [\u2026] in every street".',
        'The mayor said "[they] will plant ten new trees".',
        'The mayor said "we [sic] will plant ten new trees".',
        'The mayor said "we will plant ten new trees[1] in every street".',
        'The mayor said "we will [re]plant ten new trees".',
        'The mayor said "[H]e walked the length".',
    ],
)
def test_square_brackets_in_a_quote_are_the_writers_own(claim: str) -> None:
    assert check(claim, SAID).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    "claim",
    [
        'The mayor said "[W]e will fell ten new trees".',
        'The mayor promised "ten new bush[es] in every street".',
        'He "ran[k] the length of it".',
        'The mayor said "[W]e will not plant ten new trees".',
        'The mayor said "ten old tree[s] in every street".',
    ],
)
def test_other_words_beside_brackets_are_a_change(claim: str) -> None:
    assert check(claim, SAID).veto


def test_brackets_of_the_source_count_as_those_of_the_claim() -> None:
    assert check('She wrote "we will plant limes".', 'She wrote: "[W]e will plant lime[s]."').outcome is Outcome.PASSED


@pytest.mark.parametrize(
    "claim",
    [
        'The paper calls it "very precise".',
        'The paper calls it "robust".',
        'The mayor described the count as "flawless".',
        "The paper calls the count 'deeply flawed'.",
        "The paper calls the count 'flawed'.",
        'The scheme was "hopeless", said the mayor.',
        'Critics branded it "reckless".',
        'In the words of the mayor, the street is "paradise".',
        "The report labels the count \u201chighly dubious\u201d.",
        'The mayor termed it a "disaster".',
    ],
)
def test_one_or_two_quoted_words_that_stand_nowhere_veto(claim: str) -> None:
    assert check(claim, SAID).veto
    assert "quotes" in vetoes(claim, SAID)


@pytest.mark.parametrize(
    "claim",
    [
        'The paper calls it "very accurate".',
        'The paper calls it "accurate".',
        "The paper calls it 'accurate'.",
        'The mayor described it as "Very accurate".',
        # marks of distance, names, terms and words about words
        'The so-called "smart" street has trees.',
        'The word "tree" is old.',
        'The film "Blink" was shown there.',
        'They call the club "The Owls".',
        'The "sharing economy" has trees.',
        "The mayors' plan was the councils' own.",
        "In the '90s and '80s trees were planted.",
        'The boards were 6" wide and 8" long.',
        'The variable "x" stands for trees.',
    ],
)
def test_quoted_words_that_stand_there_or_quote_nobody_do_not_veto(claim: str) -> None:
    assert not check(claim, SAID).veto
