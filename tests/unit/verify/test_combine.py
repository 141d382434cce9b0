"""Model and words in one probability: never less for more, contradiction and support never above one together."""

from __future__ import annotations

import itertools

import pytest

from core.records import Combination
from core.verify.combine import Features, combined, features, support_note

WEIGHTS = Combination(bias=-3.0, support=0.8, words=3.0, names=1.0)
LEVELS = (0.0, 0.1, 0.5, 0.9, 1.0)


def test_words_are_content_words_and_names_are_figures_and_capitals() -> None:
    found = features(
        "In 2024 the city of Porto planted 31,640 trees.", "31,640 trees were planted.", "Porto today", 0.5
    )
    assert found.words == pytest.approx(4 / 7)  # 31, 640, plant, tree; not 2024, city, Porto
    assert found.names == pytest.approx(3 / 4)  # 31, 640 and Porto, which is in the title; not 2024


def test_a_claim_without_words_or_names_lacks_nothing() -> None:
    found = features("it is", "Anything.", "", 0.5)
    assert (found.words, found.names) == (1.0, 1.0)


@pytest.mark.parametrize("contradicts", [0.0, 0.2, 0.5])
def test_more_support_more_words_or_more_names_never_lower_the_result(contradicts: float) -> None:
    for place in range(3):
        for rest in itertools.product((0.1, 0.5, 0.9), repeat=2):
            values = []
            for level in LEVELS:
                row = [*rest[:place], level, *rest[place:]]
                values.append(combined(WEIGHTS, Features(*row), contradicts)[0])
            assert values == sorted(values)


def test_the_probabilities_stay_within_one() -> None:
    for support, words, names in itertools.product(LEVELS, repeat=3):
        for contradicts in (0.0, (1 - support) / 2, 1 - support):
            supports, against = combined(WEIGHTS, Features(support, words, names), contradicts)
            assert 0 <= supports <= 1
            assert 0 <= against <= 1
            assert supports + against <= 1 + 1e-9


def test_a_missing_word_is_no_contradiction() -> None:
    supports, against = combined(WEIGHTS, Features(0.8, 0.2, 0.0), 0.1)
    assert supports < 0.8
    assert against == 0.1


def test_support_that_is_gained_is_taken_from_both_others() -> None:
    supports, against = combined(WEIGHTS, Features(0.5, 1.0, 1.0), 0.3)
    assert supports > 0.5
    assert against == pytest.approx(0.3 * (1 - supports) / 0.5)


def test_what_went_into_it_is_told_in_one_sentence() -> None:
    line = support_note(Features(0.63, 0.888, 1.0), 0.72)
    assert line == (
        "Support 0.72: the model alone says 0.63; the evidence has 89% of the claim's words and 100% of its figures "
        "and names."
    )


@pytest.mark.parametrize("weights", [(0.0, -0.1, 1.0, 1.0), (0.0, 1.0, float("nan"), 1.0), (float("inf"), 1, 1, 1)])
def test_weights_that_would_turn_the_order_round_are_refused(weights: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="at least 0"):
        Combination(*weights)
