"""Seeded errors: changed in one place, the same for the same seed, and false by plain comparison."""

from __future__ import annotations

import re

import pytest

from training.verifier.augment import KINDS, seeded_error, seeded_errors, with_quote

CLAIM = "In 2019 Ada Lund reported that 340 trees were planted, and some of them survived for three years."
EVIDENCE = (
    "Ada Lund reported in 2019 that 340 trees were planted in Graz. Ines Varga wrote that some of them survived for "
    "three years, against what the council expected."
)
POOL = ("Petr Novak", "Mary Stone")
QUOTE = "She wrote: \u201cagainst what the council expected\u201d."


def test_every_kind_is_made_and_never_the_unchanged_claim() -> None:
    errors = seeded_errors(CLAIM, EVIDENCE, seed=1, pool=POOL)
    errors += seeded_errors(QUOTE, EVIDENCE, seed=1)
    assert {error.kind for error in errors} == set(KINDS)
    assert all(error.claim not in (CLAIM, QUOTE) for error in errors)


@pytest.mark.parametrize("seed", range(20))
def test_exactly_the_stated_span_is_altered(seed: int) -> None:
    for error in seeded_errors(CLAIM, EVIDENCE, seed=seed, pool=POOL):
        assert error.claim[: error.start] + error.was + error.claim[error.end :] == CLAIM


def test_one_seed_one_answer_and_seeds_differ() -> None:
    made = [seeded_errors(CLAIM, EVIDENCE, seed=seed, pool=POOL) for seed in range(10)]
    assert made == [seeded_errors(CLAIM, EVIDENCE, seed=seed, pool=POOL) for seed in range(10)]
    assert len({tuple(e.claim for e in errors) for errors in made}) > 1


@pytest.mark.parametrize("seed", range(20))
def test_new_numbers_dates_and_names_are_not_in_the_evidence(seed: int) -> None:
    for kind in ("number", "date", "entity"):
        error = seeded_error(CLAIM, EVIDENCE, kind, seed=seed, pool=POOL, rule="pool" if kind == "entity" else None)
        assert error is not None
        assert re.search(rf"\b{re.escape(error.claim[error.start : error.end])}\b", EVIDENCE) is None


@pytest.mark.parametrize("seed", range(10))
def test_a_bound_is_moved_to_where_it_is_false(seed: int) -> None:
    error = seeded_error("More than 500 trees died.", "More than 500 trees died.", "number", seed=seed, rule="value")
    assert error is not None
    assert int(error.claim[error.start : error.end]) > 500


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The tree is an oak.", "The tree is not an oak."),
        ("The band won a prize.", "The band did not win a prize."),
        ("The drug reduces pain.", "The drug does not reduce pain."),
        ("The tree was not an oak.", "The tree was an oak."),
    ],
)
def test_negation_is_grammatical(claim: str, expected: str) -> None:
    error = seeded_error(claim, claim, "negation", seed=1)
    assert error is not None
    assert error.claim == expected


def test_quantifiers_only_grow_stronger() -> None:
    error = seeded_error("Some trees died.", "Trees died.", "quantifier", seed=1)
    assert error is not None
    assert error.claim == "All trees died."
    assert seeded_error("All trees died.", "Trees died.", "quantifier", seed=1) is None
    assert seeded_error("The most beautiful tree died.", "It died.", "quantifier", seed=1) is None


def test_a_claim_can_be_given_a_quote_of_its_evidence() -> None:
    claim = with_quote("Trees died.", EVIDENCE, seed=1)
    assert claim is not None
    assert claim.split("\u201c")[1].split("\u201d")[0] in EVIDENCE
    assert with_quote("Trees died.", "Too short.", seed=1) is None


def test_nothing_to_change_gives_nothing_and_an_unknown_kind_is_an_error() -> None:
    assert seeded_errors("", "", seed=1) == []
    with pytest.raises(ValueError, match="known kinds: number, date"):
        seeded_error("a", "b", "colour", seed=1)
