"""Sampling that makes the claim alone say less about the label.

FEVER claims give their label away (a bag-of-words model of the claim alone is right on 81 %). Rows are drawn with
weight 1 / P(label | claim), the importance weighting that makes label and claim independent (the idea of
Schuster et al. 2019,
"Towards Debiasing Fact Verification Models", applied to the choice of rows instead of to the loss).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from training.verifier.data import Pair

CLIP = 12.0
Weights = NDArray[np.float64]


def weights(pairs: Sequence[Pair], seed: int) -> Weights:
    """(n,) 1 / P(label | claim), cross-fitted in two halves, clipped at 12, classes weighted as if equally common."""
    # Imported here: the rest of the mix is tested where only the product is installed.
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import SGDClassifier

    text = HashingVectorizer(ngram_range=(1, 2), n_features=2**18, alternate_sign=False, norm="l2")
    matrix = text.transform([pair.claim for pair in pairs])
    labels = np.array([pair.label for pair in pairs])
    half = np.random.default_rng(seed).permutation(len(pairs)) % 2
    result = np.ones(len(pairs))
    for side in (0, 1):
        model = SGDClassifier(loss="log_loss", alpha=3e-6, class_weight="balanced", random_state=seed, max_iter=12)
        model.fit(matrix[half != side], labels[half != side])
        rows = np.flatnonzero(half == side)
        probabilities = model.predict_proba(matrix[rows])
        column = np.searchsorted(model.classes_, labels[rows])
        result[rows] = 1 / np.maximum(probabilities[np.arange(len(rows)), column], 1 / CLIP)
    return result


def draw(weight: Weights, count: int, seed: int) -> NDArray[np.int64]:
    """``count`` rows without replacement, by weight (Efraimidis & Spirakis 2006)."""
    keys = np.random.default_rng(seed).random(len(weight)) ** (1 / weight)
    return np.sort(np.argsort(-keys)[:count])
