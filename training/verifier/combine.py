"""Weights of model and words on held-out training documents: ``python -m training.verifier.combine --data FOLDER``.

Documents are premises of the collection that training held out (``data.held_out``): long ones as they are, short ones
among other held-out passages that share words with the claim, so that sentences must be found; and cited pages of
WiCE train, whose annotators marked the words of a claim that the page does not support: the claim is not supported,
the claim without these words is. Each claim is judged in its document as the product does it (``core.verify``); beside
the rows as published stand claims that a rule has made false. Rows that a check vetoes are left out, for there the
probability decides nothing. One logistic regression with weights of at least 0 is fitted on all of it and written to
``verifier.json`` (``core.records.verify.Combination``); what it changes is measured on documents that its fit has not
seen (five folds by document). No dev or test set is read. ``--cache`` keeps what the models said, so that a second run
takes seconds.

Run it after ``export`` and ``calibrate``, for both change what the model says.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shelve
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.cached_encoder import CachedEncoder
from benchmarks.data import Text
from benchmarks.projects import as_document
from core.backends.onnx.entailer import SHIPPED, OnnxEntailer
from core.backends.resolve import load_encoder
from core.ports.store import Entailer
from core.settings.values import Models, Verification
from core.verify.aggregate import aggregate
from core.verify.by_vectors import UnitVectors
from core.verify.checks import run_checks
from core.verify.combine import Features, features
from core.verify.sentences import CitedSource
from core.verify.source import judge_windows
from core.verify.windows import windows_of
from training.verifier.augment import KINDS, seeded_error
from training.verifier.data import SUPPORTS, Pair, held_out, read
from training.verifier.negatives import LookAlikes, names
from training.verifier.partial import PAGES, WEIGHED, rows

LONG = ("factcg_cg2c_doc", "summedits", "defacto", "bump", "factcheck_gpt", "feverous_s_dev", "pubmedqa_conclusion")
SHORT = ("sufficient_facts", "fm2", "fever_dev", "fever_train_nei_bm25", "evidence_inference_tpl", "begin")
SEED = 7
FOLDS = 5
RIDGE = 0.0003
"""Of the sum of squares of the weights, beside the mean loss."""
BESIDE = 6
"""Passages that a short premise stands among, at most."""
PASS = Verification().pass_support

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """A claim and the document that it is judged in."""

    pair: Pair
    text: str

    @property
    def document(self) -> str:
        """What stays on one side of a fold."""
        return self.pair.evidence[:200]


def cases(data: Path, most: int) -> list[Case]:
    """At most ``most`` of each set, every second supported one also with an error made by rule."""
    held = {name: [p for p in read(data / "train" / "pairs", name) if held_out(p)] for name in (*LONG, *SHORT)}
    rng = random.Random(SEED)
    chosen = {name: rng.sample(pairs, min(most, len(pairs))) for name, pairs in held.items()}
    alike = LookAlikes(sorted({p.evidence for name in SHORT for p in held[name]}))
    pool = names([p for pairs in chosen.values() for p in pairs])
    found = [Case(pair, pair.evidence) for name in LONG for pair in chosen[name]]
    found += [Case(pair, _among(pair, alike, rng)) for name in SHORT for pair in chosen[name]]
    right = [case for case in found if case.pair.label == SUPPORTS]
    return found + [false for case in right[::2] if (false := _false(case, rng, pool)) is not None]


def wice_cases(data: Path, most: int) -> list[Case]:
    """Claims of WiCE train with and without the words that their page does not support.

    Training saw the whole claims beside their marked sentences, as NOT_SUPPORTED, and not what is left of them.
    """
    found = []
    for row, rest in rows(data)[: min(most, WEIGHED)]:
        text = "\n\n".join(row["evidence"])
        whole = Pair(row["claim"], text, -1, PAGES, str(row["meta"]["id"]))
        found += [Case(whole, text), Case(whole.with_claim(rest, SUPPORTS, PAGES), text)]
    return found


def _among(pair: Pair, alike: LookAlikes, rng: random.Random) -> str:
    parts = dict.fromkeys(alike.find(pair.claim, pair.evidence, rng) for _ in range(BESIDE))
    passages = [pair.evidence, *(part for part in parts if part)]
    rng.shuffle(passages)
    return "\n\n".join(passages)


def _false(case: Case, rng: random.Random, pool: Sequence[str]) -> Case | None:
    for kind in rng.sample(KINDS, len(KINDS)):
        error = seeded_error(case.pair.claim, case.text, kind, seed=SEED, pool=rng.sample(pool, min(60, len(pool))))
        if error is not None:
            return replace(case, pair=case.pair.with_claim(error.claim, -1, f"rule_{kind}"))
    return None


class Judge:
    """The views of a case, judged once for each graph and calibration. ``ports.Entailer`` around the shipped one."""

    def __init__(self, weights: Path, cache: Path, threads: int) -> None:
        described = json.loads((weights / "verifier.json").read_text())
        told = [described["sha256"], described["temperature"], described["bias"]]
        self.fingerprint = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
        self._entailer: Entailer = OnnxEntailer(weights, threads=threads)
        cache.mkdir(parents=True, exist_ok=True)
        self._kept = shelve.open(str(cache / "judged"))  # noqa: SIM115 - open as long as the process lives
        self._meaning = UnitVectors(CachedEncoder(load_encoder(Models(threads=threads)), cache))
        self.settings = Verification()

    def features(self, case: Case) -> Features | None:
        """As ``core.verify.source`` and ``aggregate`` make them; None where a check vetoes the widest view."""
        document, text, _ = as_document(Text(case.document, "", case.text), None)
        source = CitedSource(replace(document, title=""), text, meaning=self._meaning)
        claim = case.pair.claim
        units = [source.unit_at(one.start) for one in source.select(claim, self.settings.sentences)]
        views = [one for one in windows_of(source, units, self.settings) if one.view]
        widest = max(views, key=lambda one: len(one.units)).text
        if any(result.veto for result in run_checks(claim, widest)):
            return None
        alone = aggregate(claim, text, text, judge_windows(claim, views, self), self.settings)
        return features(claim, widest, "", alone.supports)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """What was asked before is read from the cache."""
        keys = [hashlib.sha256(json.dumps([self.fingerprint, *pair]).encode()).hexdigest() for pair in pairs]
        todo = [at for at, key in enumerate(keys) if key not in self._kept]
        if todo:
            for at, row in zip(todo, self._entailer.judge([pairs[at] for at in todo]), strict=True):
                self._kept[keys[at]] = row.tolist()
        return np.array([self._kept[key] for key in keys], dtype=np.float32)


def fit(rows: Array, truth: Array) -> Array:
    """(4,) bias and weights of support, words, names: the least mean log loss with a little ridge, weights >= 0."""
    from scipy.optimize import minimize

    def cost(values: Array) -> float:
        told = _probability(values, rows)
        loss = -np.mean(truth * np.log(told) + (1 - truth) * np.log(1 - told))
        return float(loss + RIDGE * np.sum(values[1:] ** 2))

    start = np.array([0.0, 1.0, 0.1, 0.1])
    found = minimize(cost, start, method="L-BFGS-B", bounds=[(None, None), *[(0, None)] * 3])
    return np.asarray(found.x)


def _probability(values: Array, rows: Array) -> Array:
    return np.asarray(np.clip(1 / (1 + np.exp(-(values[0] + rows @ values[1:]))), 1e-6, 1 - 1e-6))


def by_fold(rows: Array, truth: Array, documents: Sequence[str]) -> Array:
    """(n,) probabilities, each from a fit that saw nothing of the row's document."""
    fold = np.array([int(hashlib.sha256(one.encode()).hexdigest()[:8], 16) % FOLDS for one in documents])
    told = np.zeros(len(truth))
    for one in range(FOLDS):
        told[fold == one] = _probability(fit(rows[fold != one], truth[fold != one]), rows[fold == one])
    return told


def figures(told: Array, truth: Array) -> dict[str, float]:
    """Area under the curve, largest balanced accuracy, log loss, ECE of "supported", and what passes."""
    yes, no = told[truth > 0], told[truth == 0]
    area = (yes[:, None] > no[None]).mean() + 0.5 * (yes[:, None] == no[None]).mean()
    balanced = max(((yes >= at).mean() + (no < at).mean()) / 2 for at in np.unique(told))
    clipped = np.clip(told, 1e-6, 1 - 1e-6)
    loss = -np.mean(truth * np.log(clipped) + (1 - truth) * np.log(1 - clipped))
    bins = np.minimum((told * 15).astype(int), 14)
    ece = sum(abs(told[bins == b].mean() - truth[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins))
    passed = told >= PASS
    return {
        "auc": round(float(area), 3), "balanced": round(float(balanced), 3), "log_loss": round(float(loss), 3),
        "ece": round(float(ece), 3), "passed": int(passed.sum()),
        "pass_precision": round(float(truth[passed].mean()) if passed.any() else 1.0, 3),
        "pass_recall": round(float((passed & (truth > 0)).sum() / max(1, (truth > 0).sum())), 3),
    }  # fmt: skip


def _report(found: Sequence[Case], rows: Array, truth: Array) -> Iterator[dict[str, object]]:
    alone = 1 / (1 + np.exp(-rows[:, 0]))
    together = by_fold(rows, truth, [case.document for case in found])
    made = np.array([case.pair.source.startswith("rule_") for case in found])
    groups = {"all": np.ones(len(found), bool), "published": ~made}
    groups |= {name: np.array([case.pair.source == name for case in found]) for name in (*LONG, *SHORT, PAGES)}
    for name, part in groups.items():
        both = 0 < truth[part].sum() < part.sum()
        if both:
            yield {
                "data": name, "n": int(part.sum()), "supported": int(truth[part].sum()),
                "model": figures(alone[part], truth[part]), "combined": figures(together[part], truth[part]),
            }  # fmt: skip


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=SHIPPED)
    parser.add_argument("--cache", type=Path, default=Path("runs/combine"))
    parser.add_argument("--each", type=int, default=40, help="claims of each set, at most")
    parser.add_argument("--pages", type=int, default=60, help="pages of WiCE train, at most")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--dry", action="store_true", help="measure, write nothing")
    args = parser.parse_args()
    judge = Judge(args.weights, args.cache, args.threads)
    asked = [*cases(args.data, args.each), *wice_cases(args.data, args.pages)]
    given, found = [], []
    for number, case in enumerate(asked):
        if number % 50 == 0:
            print(f"judged {number} of {len(asked)}", file=sys.stderr, flush=True)
        if (made := judge.features(case)) is not None:
            given.append(made.row())
            found.append(case)
    rows, truth = np.array(given), np.array([float(case.pair.label == SUPPORTS) for case in found])
    values = [round(float(one), 4) for one in fit(rows, truth)]
    for line in _report(found, rows, truth):
        print(json.dumps(line))
    combination = dict(zip(("bias", "support", "words", "names"), values, strict=True))
    combination |= {"claims": len(found), "documents": len({case.document for case in found})}
    print(json.dumps({"combination": combination}))
    if not args.dry:
        described = args.weights / "verifier.json"
        held = json.loads(described.read_text()) | {"combination": combination}
        described.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
