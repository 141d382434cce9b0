"""Near-duplicates: edited copies are found, other texts are not."""

from __future__ import annotations

import random

import pytest

from core.acquire.dedup import PERMUTATIONS, find_near_duplicate, signature, similarity

WORDS = [f"{a}{b}" for a in ("river", "garden", "storm", "wall", "roof", "city", "rain", "tree") for b in range(40)]


def text(seed: int, words: int = 600) -> str:
    chosen = random.Random(seed)
    return " ".join(chosen.choice(WORDS) for _ in range(words))


def jaccard(a: str, b: str) -> float:
    one, two = ({tuple(t.split()[i : i + 5]) for i in range(len(t.split()) - 4)} for t in (a, b))
    return len(one & two) / len(one | two)


def test_a_signature_is_the_same_on_every_machine_and_run() -> None:
    assert len(signature("one two three four five six")) == 4 * PERMUTATIONS
    assert signature("one two three four five six")[:8].hex() == "b130452cc7be123b"


def test_case_and_punctuation_do_not_matter() -> None:
    assert signature("The rain, it falls on the roof!") == signature("the rain it falls -- on THE roof")


@pytest.mark.parametrize("changes", [0, 3, 10, 40])
def test_similarity_estimates_the_share_of_common_shingles(changes: int) -> None:
    original = text(1)
    words = original.split()
    for at in random.Random(2).sample(range(len(words)), changes):
        words[at] = "changed"
    edited = " ".join(words)
    assert similarity(signature(original), signature(edited)) == pytest.approx(jaccard(original, edited), abs=0.13)


def test_an_edited_copy_is_a_near_duplicate_of_the_earliest() -> None:
    original = text(1)
    copy = original.replace(original.split()[100], "changed", 1) + " And a new end."
    stored = {"other": signature(text(5)), "first": signature(original), "second": signature(original)}
    assert find_near_duplicate(signature(copy), stored) == "first"


def test_different_texts_are_no_near_duplicates() -> None:
    stored = {str(seed): signature(text(seed)) for seed in range(30)}
    assert find_near_duplicate(signature(text(99)), stored) is None
    assert find_near_duplicate(signature(text(99)), {}) is None


def test_short_texts_compare_as_a_whole() -> None:
    assert similarity(signature("page not found"), signature("Page not found.")) == 1.0
    assert similarity(signature("page not found"), signature("page was found")) < 0.2


def test_texts_without_words_are_like_nothing() -> None:
    assert signature("") == signature("... !") == b""
    assert similarity(b"", b"") == 0.0
    assert find_near_duplicate(b"", {"a": b"", "b": signature("a b c d e f")}) is None


def test_a_long_text_is_hashed_over_slices_as_one() -> None:
    long = text(3, 200_000)
    assert len(long) > 1_000_000
    assert similarity(signature(long), signature(long + " end")) > 0.95
