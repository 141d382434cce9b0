"""Citation support on WiCE dev: the whole cited page is given, the product finds and judges.

A claim counts as supported only when all of it is (``supported``), not when it is ``partially_supported``.
``balanced_accuracy``: ``supports`` of the verdict, with no veto of a check, against a threshold that was chosen on the
even rows; split ``dev_held_out`` is the odd rows. ``pass_precision``, ``pass_recall``: of the label ``supports`` under
the thresholds of the settings. ``review_share``: what does not pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import classify
from benchmarks.report import Row
from benchmarks.rows import row
from benchmarks.verification_data import CitedPage
from benchmarks.verification_labels import overlap
from core.labels import Label
from core.records import SourceVerdict
from core.verify.sentences import CitedSource


def run(
    pages: Sequence[CitedPage],
    verdicts: Sequence[SourceVerdict],
    source_of: Callable[[CitedPage], CitedSource],
    **rest: Any,
) -> list[Row]:
    """Rows of all of dev and of its odd half."""
    truth = np.array([page.label == "supported" for page in pages])
    scores = {
        "verifier": np.array([0.0 if verdict.vetoed else verdict.supports for verdict in verdicts]),
        "model": np.array([verdict.supports for verdict in verdicts]),
        "overlap": np.array([_nearest_words(page, source_of(page)) for page in pages]),
        "majority": np.zeros(len(pages)),
    }
    passed = np.array([verdict.label is Label.SUPPORTS for verdict in verdicts])
    rows = []
    for system, scores_of_system in scores.items():
        threshold = classify.best_threshold(scores_of_system[0::2].tolist(), truth[0::2].tolist())
        for split, part in (("dev", slice(None)), ("dev_held_out", slice(1, None, 2))):
            rows += _balanced(truth[part], scores_of_system[part] >= threshold, split, system, threshold, rest)
    for split, part in (("dev", slice(None)), ("dev_held_out", slice(1, None, 2))):
        rows += _passed(truth[part], passed[part], split, rest)
        rows.append(_calibration(truth[part], scores["model"][part], split, rest))
    return rows


def _balanced(
    truth: NDArray[np.bool_],
    predicted: NDArray[np.bool_],
    split: str,
    system: str,
    threshold: float,
    rest: dict[str, Any],
) -> list[Row]:
    def value(rows: NDArray[np.int64]) -> float:
        counts = classify.confusion(truth[rows].astype(int), predicted[rows].astype(int), 2)
        return classify.balanced_accuracy(counts)

    everything = np.arange(len(truth))
    print_ = {**rest, "fingerprint": {**rest["fingerprint"], "threshold": round(threshold, 4)}}
    bounds = classify.interval(len(truth), value)
    figures = row(
        "verification", "wice", split, system, "balanced_accuracy", value(everything), n=len(truth), interval=bounds,
        **print_,
    )  # fmt: skip
    return [figures]


def _passed(truth: NDArray[np.bool_], passed: NDArray[np.bool_], split: str, rest: dict[str, Any]) -> list[Row]:
    measures: dict[str, tuple[float, int]] = {
        "pass_precision": (float(truth[passed].mean()) if passed.any() else 1.0, int(passed.sum())),
        "pass_recall": (float(passed[truth].mean()), int(truth.sum())),
        "review_share": (float(1 - passed.mean()), len(passed)),
    }
    return [
        row("verification", "wice", split, "product", name, value, n=count, interval=_wilson(value, count), **rest)
        for name, (value, count) in measures.items()
    ]


def _wilson(share: float, count: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson 1927), which a bootstrap cannot give where the share is 0 or 1."""
    if not count:
        return 0.0, 1.0
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * ((share * (1 - share) + z * z / (4 * count)) / count) ** 0.5 / (1 + z * z / count)
    return max(0.0, middle - half), min(1.0, middle + half)


def _calibration(truth: NDArray[np.bool_], supports: NDArray[np.float64], split: str, rest: dict[str, Any]) -> Row:
    predicted = supports >= 0.5
    sure, right = np.where(predicted, supports, 1 - supports), (predicted == truth).astype(float)

    def error(rows: NDArray[np.int64]) -> float:
        return classify.expected_calibration_error(sure[rows], right[rows])

    bounds = classify.interval(len(truth), error)
    value = error(np.arange(len(truth)))
    return row("verification", "wice", split, "verifier", "ece", value, n=len(truth), interval=bounds, **rest)


def _nearest_words(page: CitedPage, source: CitedSource) -> float:
    chosen = source.select(page.claim, 5)
    return overlap(page.claim, " ".join(sentence.text for sentence in chosen))
