"""Temperature and class bias on the dev sets, once: ``python -m training.verifier.calibrate --data FOLDER``.

Reads the int8 graph of ``core/weights`` through the product's own backend, fits one temperature and one bias for the
classes (Guo et al. 2017: vector scaling with one scale) on two dev sets together, each weighing the same, writes
both to ``verifier.json`` and prints what they change: accuracy, macro-F1 and expected calibration error before
and after.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.backends.onnx.entailer import SHIPPED, OnnxEntailer
from training.verifier.data import iter_dev

DEV = ("scifact_abstract_dev", "healthver_dev", "fever_symmetric_v02_dev")
FITTED_ON = ("scifact_abstract_dev", "fever_symmetric_v02_dev")
"""HealthVer is only measured: no training data covers its topic, so the model is sure and wrong there, and a
temperature that answers for that makes it unsure where it is right."""
BINS = 15
Array = NDArray[np.float64]
Labels = NDArray[np.int64]
Score = Callable[[Labels, Labels], float]


def logits_of(entailer: OnnxEntailer, folder: Path, name: str) -> tuple[Array, NDArray[np.int64]]:
    """(n, 3) log-probabilities of a set and (n,) labels; the entailer must be uncalibrated (temperature 1, no bias)."""
    pairs = list(iter_dev(folder, name))
    found = entailer.judge([(pair.claim, pair.evidence) for pair in pairs]).astype(np.float64)
    return np.log(np.clip(found, 1e-9, 1)), np.array([pair.label for pair in pairs])


def apply(logits: Array, temperature: float, bias: Array) -> Array:
    """(n, 3) probabilities."""
    scaled = (logits + bias) / temperature
    grown = np.exp(scaled - scaled.max(1, keepdims=True))
    return np.asarray(grown / grown.sum(1, keepdims=True))


def ece(probabilities: Array, labels: NDArray[np.int64]) -> float:
    """Expected calibration error of the top probability, 15 bins of equal width (Guo et al. 2017)."""
    top, right = probabilities.max(1), probabilities.argmax(1) == labels
    bins = np.minimum((top * BINS).astype(int), BINS - 1)
    gaps = [abs(top[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins)]
    return float(sum(gaps))


def macro_f1(predicted: NDArray[np.int64], labels: NDArray[np.int64]) -> float:
    """Mean F1 over the classes that occur in ``labels``."""
    scores = []
    for label in np.unique(labels):
        hit = np.sum((predicted == label) & (labels == label))
        scores.append(2 * hit / max(1, np.sum(predicted == label) + np.sum(labels == label)))
    return float(np.mean(scores))


def interval(
    predicted: NDArray[np.int64], labels: NDArray[np.int64], score: object, seed: int = 7
) -> tuple[float, float]:
    """95 % percentile bootstrap over pairs, 1,000 draws."""
    assert callable(score)
    rng = np.random.default_rng(seed)
    draws = [rng.integers(0, len(labels), len(labels)) for _ in range(1000)]
    low, high = np.percentile([score(predicted[at], labels[at]) for at in draws], (2.5, 97.5))
    return float(low), float(high)


def fit(sets: dict[str, tuple[Array, NDArray[np.int64]]]) -> tuple[float, Array]:
    """Temperature and bias with the least mean negative log-likelihood, each set weighing the same."""
    from scipy.optimize import minimize

    def cost(values: Array) -> float:
        bias = np.array([values[1], values[2], 0.0])
        losses = []
        for logits, labels in sets.values():
            told = apply(logits, float(np.exp(values[0])), bias)
            losses.append(-np.log(np.clip(told[np.arange(len(labels)), labels], 1e-12, 1)).mean())
        return float(np.mean(losses)) + 0.01 * float(values[1] ** 2 + values[2] ** 2)

    best = minimize(cost, np.zeros(3), method="Nelder-Mead").x
    return float(np.exp(best[0])), np.array([best[1], best[2], 0.0])


def row(name: str, told: Array, labels: NDArray[np.int64]) -> dict[str, object]:
    """One set's figures."""
    predicted = told.argmax(1)
    accuracy = lambda p, y: float((p == y).mean())  # noqa: E731
    return {
        "data": name, "n": len(labels), "accuracy": round(accuracy(predicted, labels), 4),
        "accuracy_ci95": interval(predicted, labels, accuracy), "macro_f1": round(macro_f1(predicted, labels), 4),
        "macro_f1_ci95": interval(predicted, labels, macro_f1), "ece": round(ece(told, labels), 4),
    }  # fmt: skip


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=SHIPPED)
    parser.add_argument("--dry", action="store_true", help="measure, write nothing")
    args = parser.parse_args()
    described = args.weights / "verifier.json"
    held = json.loads(described.read_text())
    described.write_text(json.dumps(held | {"temperature": 1.0, "bias": [0.0, 0.0, 0.0]}, indent=1) + "\n")
    try:
        entailer = OnnxEntailer(args.weights)
        sets = {name: logits_of(entailer, args.data / "nli", name) for name in DEV}
        temperature, bias = fit({name: sets[name] for name in FITTED_ON})
        before = [row(name, apply(logits, 1.0, np.zeros(3)), labels) for name, (logits, labels) in sets.items()]
        after = [row(name, apply(logits, temperature, bias), labels) for name, (logits, labels) in sets.items()]
        print(json.dumps({"temperature": temperature, "bias": list(bias), "before": before, "after": after}, indent=1))
        if not args.dry:
            held |= {
                "temperature": round(temperature, 4), "bias": [round(float(b), 4) for b in bias],
                "calibrated_on": list(FITTED_ON),
            }  # fmt: skip
    finally:
        described.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
