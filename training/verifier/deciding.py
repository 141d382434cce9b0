"""Weights of both looks together: ``python -m training.verifier.deciding --data FOLDER`` writes ``judge.json``.

Claims are judged in their documents as the product does it: views by the small graph, single sentences by the large
one. Four sets weigh the same: the choosing half of the keyed citations, SciFact dev with abstracts, WiCE dev with its
pages, and documents that training held out (``training.verifier.combine``). Claims that a check vetoes are left out,
for there the probability decides nothing. One logistic regression with weights of at least 0 (``core.verify.combine``);
what it does to claims of documents that a fit has not seen is printed (five folds by document).

Run it after ``mpnet_export`` and ``calibrate --name judge``, for both change what the model says.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks import audit_keyed, audit_wice
from benchmarks.cached_encoder import CachedEncoder
from benchmarks.data import Text
from benchmarks.projects import as_document
from core.backends.onnx.entailer import LARGE, SHIPPED, OnnxEntailer
from core.backends.resolve import load_encoder
from core.backends.spacy_parser import SpacyParser
from core.settings.values import Models, Verification
from core.verify.aggregate import given_features
from core.verify.aligned.deciding import SideBySide
from core.verify.by_vectors import UnitVectors
from core.verify.checks import run_checks
from core.verify.closely import closely
from core.verify.combine import Features
from core.verify.judged import judge_windows
from core.verify.sentences import CitedSource
from core.verify.windows import windows_of
from training.verifier import combine
from training.verifier.combine import Array, by_fold, figures, fit
from training.verifier.data import SUPPORTS

NAMES = ("bias", "support", "words", "names", "close", "silent")


@dataclass(frozen=True, slots=True)
class Case:
    """A claim, the document it is judged in, whether that says it, and the set that it comes from."""

    group: str
    claim: str
    title: str
    text: str
    holds: bool


def cases(data: Path, pages: int, each: int) -> Iterator[Case]:
    """All claims of the four sets."""
    for name in ("keyed_open", "scifact_audit"):
        for keyed in audit_keyed.load(data, name):
            yield Case(name, keyed.claim, keyed.title, keyed.text, keyed.holds)
    for cited in audit_wice.load(data, sample=pages):
        yield Case("wice", cited.claim, cited.title, cited.page, cited.supported)
    for held in [*combine.cases(data, each), *combine.wice_cases(data, pages)]:
        yield Case("held_out", held.pair.claim, "", held.text, held.pair.label == SUPPORTS)


class Judges:
    """Both graphs, the encoder and the parser of the product."""

    def __init__(self, weights: Path, cache: Path) -> None:
        self._small, self._large = OnnxEntailer(weights), OnnxEntailer(weights, LARGE)
        self._meaning = UnitVectors(CachedEncoder(load_encoder(Models()), cache))
        self._parser = SpacyParser()
        self._settings = Verification()

    def features(self, case: Case) -> Features | None:
        """As ``core.verify.source`` makes them; None without a sentence to judge and where a check vetoes."""
        document, text, _ = as_document(Text(case.text[:200], case.title, case.text), None)
        document = replace(document, title=case.title)
        source = CitedSource(document, text, meaning=self._meaning, parser=self._parser)
        units = [source.unit_at(sentence.start) for sentence in source.select(case.claim, self._settings.sentences)]
        if not units:
            return None
        close = closely(case.claim, source, units, self._large)
        laid = SideBySide(case.claim, [(at, source.unit_text(at)) for at in units], self._parser).check()
        if laid is not None or any(check.veto for check in run_checks(case.claim, close.best.window.text)):
            return None
        views = [window for window in windows_of(source, units, self._settings) if window.view]
        judged = judge_windows(case.claim, views, self._small, source.abbreviations)
        return given_features(case.claim, case.title, judged, source.abbreviations, close)


def shares_of(kept: Sequence[Case]) -> Array:
    """(n,) weights with which every set counts the same."""
    sizes = Counter(case.group for case in kept)
    return np.array([1 / sizes[case.group] for case in kept])


def report(kept: Sequence[Case], rows: Array, truth: Array) -> Iterator[dict[str, object]]:
    """Figures by set: of the small graph's support, of the large one's, and of all together on unseen documents."""
    together = by_fold(rows, truth, [case.text[:200] for case in kept], shares_of(kept))
    for group in dict.fromkeys(case.group for case in kept):
        part = np.array([case.group == group for case in kept])
        alone = {name: 1 / (1 + np.exp(-rows[part, at])) for name, at in (("small", 0), ("large", 3))}
        all_of_them = {**alone, "together": together[part]}
        yield {"set": group, "n": int(part.sum()), **{name: figures(p, truth[part]) for name, p in all_of_them.items()}}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=SHIPPED)
    parser.add_argument("--cache", type=Path, default=Path("runs/combine"), help="encoded passages")
    parser.add_argument("--pages", type=int, default=60, help="pages of WiCE of either split, at most")
    parser.add_argument("--each", type=int, default=20, help="claims of each set that training held out, at most")
    parser.add_argument("--dry", action="store_true", help="measure, write nothing")
    args = parser.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    judges = Judges(args.weights, args.cache)
    kept, given = [], []
    for number, case in enumerate(cases(args.data, args.pages, args.each)):
        if number % 50 == 0:
            print(f"judged {number}", file=sys.stderr, flush=True)
        if (made := judges.features(case)) is not None:
            kept.append(case)
            given.append(made.row())
    rows, truth = np.array(given), np.array([float(case.holds) for case in kept])
    for line in report(kept, rows, truth):
        print(json.dumps(line))
    values = [round(float(value), 4) for value in fit(rows, truth, shares_of(kept))]
    combination = dict(zip(NAMES, values, strict=True)) | {"claims": len(kept)}
    print(json.dumps({"combination": combination}))
    if not args.dry:
        described = args.weights / "judge.json"
        held = json.loads(described.read_text()) | {"combination": combination}
        described.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
