"""Claims made for training: words around a claim, two claims as one, names exchanged; the label says what is true."""

from __future__ import annotations

import random

import pytest

from training.verifier.composed import exchanged, join, joined, swapped
from training.verifier.data import CONTRADICTS, NEUTRAL, NOT_SUPPORTED, SUPPORTS, Pair
from training.verifier.wording import NOBODY, SOURCE, SURNAMES, frame, inside, worded

EVIDENCE = "The bridge over the Lune was opened in 1931."
CLAIM = "The bridge was opened in 1931."
LABELS = (SUPPORTS, CONTRADICTS, NEUTRAL, NOT_SUPPORTED)


def pair(claim: str = CLAIM, label: int = SUPPORTS, evidence: str = EVIDENCE) -> Pair:
    return Pair(claim, evidence, label, "fever_train", "1")


def many(label: int, evidence: str = EVIDENCE) -> list[Pair]:
    return [one for one in worded([pair(label=label, evidence=evidence)] * 600, 1.0, 3) if one.source == SOURCE]


def told_by(rows: list[Pair], who: tuple[str, ...]) -> list[Pair]:
    """Rows whose claim is put into the mouth of one of ``who``; the evidence names nobody."""
    lower = [name.lower() for name in who]
    return [
        one
        for one in rows
        if one.evidence == EVIDENCE and "(" not in one.claim and any(name in one.claim.lower() for name in lower)
    ]


@pytest.mark.parametrize("label", LABELS)
def test_words_that_claim_nothing_keep_the_label(label: int) -> None:
    found = told_by(many(label), NOBODY)
    assert len(found) > 50
    assert {one.label for one in found} == {label}
    assert {one.label for one in many(label) if "(" in one.claim or one.claim == CLAIM.rstrip(".")} == {label}


def test_somebody_whom_the_evidence_does_not_name_is_not_supported() -> None:
    found = told_by(many(SUPPORTS), SURNAMES)
    assert len(found) > 50
    assert {one.label for one in found} == {NOT_SUPPORTED}


def test_a_person_in_the_evidence_keeps_the_label_and_another_one_does_not() -> None:
    both = [one for one in many(SUPPORTS) if one.evidence != EVIDENCE]
    assert {one.label for one in both} == {SUPPORTS, NOT_SUPPORTED}
    assert sum(one.label == SUPPORTS for one in both) > sum(one.label == NOT_SUPPORTED for one in both)


def test_a_named_contradiction_is_no_contradiction_of_that_person() -> None:
    assert {one.label for one in many(CONTRADICTS)} == {CONTRADICTS, NOT_SUPPORTED}
    assert {one.label for one in many(NEUTRAL)} == {NEUTRAL}


def test_the_seed_decides_and_the_share_is_kept() -> None:
    rows = [pair()] * 500
    assert list(worded(rows, 0.3, 5)) == list(worded(rows, 0.3, 5))
    changed = sum(one.source == SOURCE for one in worded(rows, 0.3, 5))
    assert 100 < changed < 200
    assert list(worded(rows, 0.0, 5)) == rows


def test_a_name_keeps_its_capital_behind_other_words() -> None:
    assert inside("The bridge was opened.") == "the bridge was opened."
    assert inside("Lancaster has a bridge.") == "Lancaster has a bridge."
    assert {frame(CLAIM, "The report", random.Random(at)) for at in range(30)} >= {
        "According to the report, the bridge was opened in 1931.",
        "The bridge was opened in 1931, according to the report.",
    }


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        (SUPPORTS, SUPPORTS, SUPPORTS),
        (SUPPORTS, CONTRADICTS, CONTRADICTS),
        (NEUTRAL, CONTRADICTS, CONTRADICTS),
        (SUPPORTS, NEUTRAL, NEUTRAL),
        (SUPPORTS, NOT_SUPPORTED, NOT_SUPPORTED),
    ],
)
def test_two_claims_are_supported_only_if_both_are(first: int, second: int, both: int) -> None:
    rows = [pair(CLAIM, first), pair("Ships pass under the arches at high tide.", second)]
    (made,) = joined(rows, 60, 1)
    assert made.label == both
    assert "opened in 1931" in made.claim
    assert "hips pass under" in made.claim


def test_a_claim_is_not_joined_to_itself_in_other_words_nor_to_one_of_other_evidence() -> None:
    assert list(joined([pair(), pair("The bridge was opened in 1931 there.")], 60, 1)) == []
    assert list(joined([pair(), pair("Ships pass under it.", evidence="Other words.")], 60, 1)) == []


def test_the_same_subject_is_named_once() -> None:
    made = join("Ann Lee is a painter.", "Ann Lee was born in Oslo.", random.Random(1))
    assert made == "Ann Lee is a painter and was born in Oslo."


def test_names_change_places_where_the_order_matters() -> None:
    evidence = "In 1999 Ann Lee sold the Lune Trust to Marcus Webb."
    claim = "Ann Lee sold a trust to Marcus Webb."
    assert exchanged(claim, evidence) == "Marcus Webb sold a trust to Ann Lee."
    assert exchanged("Ann Lee and Marcus Webb made a deal.", evidence) is None
    assert exchanged("Ann Lee is married to Marcus Webb.", evidence) is None
    rows = [pair(claim, label, evidence) for label in LABELS]
    (made,) = swapped(rows, 10, 1)
    assert made.label == NOT_SUPPORTED
