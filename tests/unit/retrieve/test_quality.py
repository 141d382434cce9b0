"""Content quality by its formula, and the words of a question in passages."""

from __future__ import annotations

import pytest

from core.retrieve.crag import content_quality, content_stems, covered

TWENTY = " ".join(["filler"] * 20)


def test_twenty_words_score_twenty_six_hundredths() -> None:
    assert content_quality(TWENTY, "anything else") == pytest.approx(0.26)


def test_under_twenty_words_score_nothing() -> None:
    assert content_quality(" ".join(["rain"] * 19), "rain") == 0.0


def test_long_passages_are_capped_and_overlap_adds_a_fifth() -> None:
    long = " ".join(["filler"] * 500)
    assert content_quality(long, "rain garden") == pytest.approx(0.8)
    assert content_quality(f"{long} rain", "rain garden") == pytest.approx(0.9)
    assert content_quality(f"{long} rain garden", "Does the rain reach a garden?") == pytest.approx(0.8 + 0.2 * 2 / 3)
    assert content_quality(f"{long} rain garden", "rain garden") == pytest.approx(1.0)


def test_only_whole_words_count() -> None:
    assert content_quality(f"{TWENTY} start", "art") == content_quality(f"{TWENTY} plain", "art")


@pytest.mark.parametrize("question", [None, "", "what is the"])
def test_without_content_words_the_overlap_is_nought(question: str | None) -> None:
    assert content_quality(TWENTY, question) == pytest.approx(0.26)


def test_words_are_found_whole_and_by_their_stems() -> None:
    wanted = content_stems("art of the otters")
    assert covered(wanted, ["They start with an otter."]) == 0.5
    assert covered(wanted, ["The art of waiting.", "An OTTER swims"]) == 1.0
    assert covered(wanted, []) == 0.0


def test_a_question_of_function_words_only_is_taken_by_its_words() -> None:
    assert content_stems("can we")
    assert covered(frozenset(), ["anything"]) == 0.0
