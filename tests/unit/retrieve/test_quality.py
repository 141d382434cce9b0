"""Content quality: the formula of SPEC 2, and the fall-back."""

from __future__ import annotations

import pytest

from core.records import Passage
from core.retrieve.quality import content_quality, keep_for_answer

TWENTY = " ".join(["filler"] * 20)


def passage(text: str, ordinal: int = 0) -> Passage:
    return Passage("d", ordinal, 0, len(text), text)


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


def test_passages_under_the_threshold_are_left_out() -> None:
    good, poor = passage(" ".join(["filler"] * 60) + " rain"), passage("too short")
    assert keep_for_answer([poor, good], "rain", 0.3) == ([good], False)


def test_when_all_are_poor_the_best_ranked_are_kept_and_it_says_so() -> None:
    poor = [passage(f"short {n}", n) for n in range(5)]
    assert keep_for_answer(poor, "rain", 0.3) == (poor[:3], True)


def test_without_a_question_the_filter_is_off() -> None:
    poor = [passage("short")]
    assert keep_for_answer(poor, None, 0.3) == (poor, False)
    assert keep_for_answer([], "rain", 0.3) == ([], False)
