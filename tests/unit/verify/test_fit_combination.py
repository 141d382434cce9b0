"""The script that fits model and words: weights are never negative, and an unseen document says whether it helps."""

from __future__ import annotations

import numpy as np
import pytest

from training.verifier.combine import by_fold, figures, fit
from training.verifier.partial import supported_words


def test_a_feature_that_goes_the_wrong_way_weighs_nothing() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 400).astype(float)
    rows = np.column_stack([2 * truth - 1 + rng.normal(0, 1, 400), 0.5 + 0.1 * truth, 1 - truth])
    bias, support, _, names = fit(rows, truth)
    assert support > 0.5
    assert names == pytest.approx(0)
    assert np.isfinite(bias)


def test_a_row_is_told_by_a_fit_that_did_not_see_its_document() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 200).astype(float)
    rows = np.column_stack([truth + rng.normal(0, 1, 200), rng.random(200), rng.random(200)])
    documents = [f"document {at % 20}" for at in range(200)]
    told = by_fold(rows, truth, documents)
    assert told.shape == (200,)
    assert 0.5 < figures(told, truth)["auc"] < 1


def test_words_that_the_page_does_not_support_are_taken_out() -> None:
    claim = "The company had rebranded itself as Radius in April 2012."
    tokens = ["The", "company", "had", "rebranded", "itself", "as", "Radius", "in", "April", "2012", "."]
    marks = [False] * 7 + [True] * 3 + [False]
    assert supported_words(claim, tokens, marks) is None  # company, rebrand, Radius: too little is left
    longer, more = claim.replace("company", "fuel card company"), [*tokens[:1], "fuel", "card", *tokens[1:]]
    assert supported_words(longer, more, [False] * 2 + marks) == "The fuel card company had rebranded itself as Radius."
    assert supported_words(longer, more, [False] * 13) is None
    assert supported_words(longer, [*more[:-1], "other"], [True] * 13) is None
