"""Labels of given evidence, and of evidence that was found: SciFact, HealthVer, FEVER-symmetric, CLIMATE-FEVER.

Systems: ``verifier`` is the model's most probable label for the claim with all of the evidence (sets with given
evidence), or, in ``scifact_found``, of what ``judge_in_source`` found in the abstract: supports or contradicts,
whichever is larger, if it is at least one half, else neutral. ``product`` is the label of ``judge_in_source`` under the
thresholds of the settings and after the checks: it says neutral where it is not sure enough. Baselines: ``majority``,
the most frequent label of the set itself, and ``overlap``, supports where at least ``OVERLAP`` of the claim's words
stand in the evidence (fitted on SciFact train), else neutral.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import classify
from benchmarks.report import Row
from benchmarks.rows import row
from benchmarks.verification_data import LabelledPair
from core.labels import Label
from core.ports.store import Entailer
from core.records import SourceVerdict
from core.text.terms import index_terms

ORDER = (Label.SUPPORTS, Label.CONTRADICTS, Label.NEUTRAL)
OVERLAP = 0.6
_BATCH = 256


def given(pairs: Sequence[LabelledPair], entailer: Entailer, name: str, **rest: Any) -> list[Row]:
    """Rows of a set whose evidence is given."""
    claims = [(pair.claim, pair.evidence) for pair in pairs]
    chances = np.concatenate([entailer.judge(claims[at : at + _BATCH]) for at in range(0, len(claims), _BATCH)])
    truth = labels_of(pairs)
    if not (truth == ORDER.index(Label.NEUTRAL)).any():  # a set of two labels: the larger of the two
        chances = chances[:, :2] / np.maximum(chances[:, :2].sum(axis=1, keepdims=True), 1e-9)
    rows = [*of_probabilities(truth, chances.astype(np.float64), name, "verifier", **rest)]
    rows += of_labels(
        truth, np.full(len(truth), Counter(truth.tolist()).most_common(1)[0][0]), name, "majority", **rest
    )
    rows += of_labels(truth, _by_overlap(pairs), name, "overlap", **rest)
    return rows


def found(pairs: Sequence[LabelledPair], verdicts: Sequence[SourceVerdict], name: str, **rest: Any) -> list[Row]:
    """Rows of a set whose evidence was looked for in a source, one verdict a pair."""
    truth = labels_of(pairs)
    chances = np.array([[verdict.supports, verdict.contradicts] for verdict in verdicts])
    both = np.column_stack([chances, 1 - chances.max(axis=1)])
    rows = [*of_probabilities(truth, both, name, "verifier", **rest)]
    labels = np.array([ORDER.index(verdict.label) for verdict in verdicts])
    return [*rows, *of_labels(truth, labels, name, "product", **rest)]


def labels_of(pairs: Sequence[LabelledPair]) -> NDArray[np.int64]:
    """True labels as columns of ``ORDER``."""
    return np.array([ORDER.index(pair.label) for pair in pairs])


def of_probabilities(
    truth: NDArray[np.int64], chances: NDArray[np.float64], name: str, system: str, **rest: Any
) -> Iterator[Row]:
    """Rows of labels, and the calibration error of the most probable label."""
    predicted = chances.argmax(axis=1)
    yield from of_labels(truth, predicted, name, system, **rest)
    sure, right = np.clip(chances.max(axis=1), 0, 1), (predicted == truth).astype(float)

    def error(rows: NDArray[np.int64]) -> float:
        return classify.expected_calibration_error(sure[rows], right[rows])

    everything = np.arange(len(truth))
    bounds = classify.interval(len(truth), error)
    yield row(
        "verification", name, _split(name), system, "ece", error(everything), n=len(truth), interval=bounds, **rest
    )


def of_labels(truth: NDArray[np.int64], predicted: NDArray[np.int64], name: str, system: str, **rest: Any) -> list[Row]:
    """Macro-F1, accuracy, balanced accuracy with intervals, and F1 of each label."""
    size = len(ORDER)

    def make(metric: str) -> Row:
        measure = getattr(classify, metric)

        def value(rows: NDArray[np.int64]) -> float:
            return float(measure(classify.confusion(truth[rows], predicted[rows], size)))

        bounds = classify.interval(len(truth), value)
        everything = np.arange(len(truth))
        return row(
            "verification", name, _split(name), system, metric, value(everything), n=len(truth), interval=bounds, **rest
        )

    rows = [make(metric) for metric in ("macro_f1", "accuracy", "balanced_accuracy")]
    each = classify.f1(classify.confusion(truth, predicted, size))
    for label, value in zip(ORDER, each.tolist(), strict=True):
        count = int((truth == ORDER.index(label)).sum())
        if count:
            rows.append(row("verification", name, _split(name), system, f"f1_{label.value}", value, n=count, **rest))
    return rows


def overlap(claim: str, evidence: str) -> float:
    """Share of the claim's index terms that stand in the evidence; 0 for a claim without any."""
    wanted = set(index_terms(claim))
    return len(wanted & set(index_terms(evidence))) / len(wanted) if wanted else 0.0


def _by_overlap(pairs: Sequence[LabelledPair]) -> NDArray[np.int64]:
    supports, neutral = ORDER.index(Label.SUPPORTS), ORDER.index(Label.NEUTRAL)
    return np.array([supports if overlap(pair.claim, pair.evidence) >= OVERLAP else neutral for pair in pairs])


def _split(name: str) -> str:
    return "all" if name == "climate_fever" else "dev"
