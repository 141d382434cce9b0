"""Seeded errors: how many the deterministic checks veto, per kind, and how often they veto what is supported.

Clean rows are the SUPPORTS pairs of ``train/pairs`` (fever_train, sufficient_facts, fm2, scifact_train_*,
entailment_bank, summedits without SAMSum). Held out: pairs whose premise has an SHA-256 that begins with a byte below
``HELD_OUT`` (20 %), so that no premise is on both sides; the checks were tuned on the others only. Of each source the
first ``CLEAN`` pairs by hash are taken as clean rows, and per kind the first ``SEEDS`` pairs that allow an error.

``caught_<kind>``: share of errors of that kind which the check of that kind vetoes. ``caught_any_<kind>``: which some
check vetoes; ``shown_<kind>``: which the check of that kind reports, with or without veto.
``false_alarm_<kind>``: share of all clean rows which that check vetoes;
``false_alarm_where_applicable_<kind>``: share of the clean rows where it has something to look at. Labels are as
published: some "clean" rows do state what their evidence lacks, so false alarms are an upper bound.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.report import Row
from benchmarks.rows import mean_row
from core.verify.checks import run_checks
from core.verify.checks.mentions import mentions
from core.verify.checks.outcomes import CheckResult, Outcome
from training.verifier.augment import KINDS, SeededError, seeded_error, with_quote

SOURCES = (
    "fever_train",
    "sufficient_facts",
    "fm2",
    "scifact_train_abstract",
    "scifact_train_rationale",
    "entailment_bank",
    "summedits",
)
HELD_OUT = 51
CLEAN = 500
SEEDS = 150
SEED = 20261128
CHECK_OF = {
    "number": "numbers",
    "date": "dates",
    "negation": "negation",
    "entity": "entities",
    "quantifier": "quantifiers",
    "quote": "quotes",
}
_POOL = 60
_SAME_DOCUMENT = "entity_same_document"


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim that its evidence supports, as published."""

    source: str
    claim: str
    evidence: str


def run(data: Path) -> list[Row]:
    """Measure on the held-out pairs of ``data/train/pairs``; a table by source goes to standard error.

    Raises:
        FileNotFoundError: a set is missing; the message says which file.
    """
    started = time.perf_counter()
    digest = hashlib.sha256()
    pairs = {source: _held_out(data / "train" / "pairs" / f"{source}.jsonl.gz", source, digest) for source in SOURCES}
    names = names_in(pairs)
    values: dict[str, list[float]] = defaultdict(list)
    for source in SOURCES:
        mine: dict[str, list[float]] = defaultdict(list)
        _clean(pairs[source], mine)
        for kind in (*KINDS, _SAME_DOCUMENT):
            _seeds(pairs[source], kind, names, mine)
        for metric, outcomes in mine.items():
            values[metric] += outcomes
            print(f"{source}\t{metric}\t{sum(outcomes) / len(outcomes):.3f}\t{len(outcomes)}", file=sys.stderr)
    rest = {
        "machine": machine(),
        "fingerprint": {"sha256": digest.hexdigest(), "seed": SEED, "clean": CLEAN, "seeds": SEEDS},
        "seconds": time.perf_counter() - started,
    }
    return [
        mean_row("verification", "seeded", "heldout", "checks", metric, outcomes, **rest)
        for metric, outcomes in values.items()
    ]


def held_out(evidence: str) -> bool:
    """Whether a pair with this premise belongs to the held-out part."""
    return hashlib.sha256(evidence.encode()).digest()[0] < HELD_OUT


def held_out_pairs(data: Path, source: str) -> list[Pair]:
    """The held-out pairs of one of ``SOURCES``, in the order of their hashes (FileNotFoundError)."""
    return _held_out(data / "train" / "pairs" / f"{source}.jsonl.gz", source, hashlib.sha256())


def _held_out(file: Path, source: str, digest: hashlib._Hash) -> list[Pair]:
    if not file.is_file():
        raise FileNotFoundError(f"{file} is missing. Give the folder of data sets with --data.")
    body = gzip.decompress(file.read_bytes())
    digest.update(body)
    rows = (json.loads(line) for line in body.decode().splitlines())
    outcomes = {
        Pair(source, row["hypothesis"], row["premise"])
        for row in rows
        if row["label"] == "SUPPORTS" and "samsum" not in row["id"].lower() and held_out(row["premise"])
    }
    return sorted(outcomes, key=lambda pair: hashlib.sha256(f"{pair.evidence}\x00{pair.claim}".encode()).digest())


def names_in(pairs: dict[str, list[Pair]]) -> list[str]:
    """Names from the evidence of all sources: what a name of a claim is swapped with."""
    words = set()
    for mine in pairs.values():
        for pair in mine[:CLEAN]:
            head = pair.evidence[:400]
            words |= {head[m.start : m.end] for m in mentions(head) if m.sure and 4 < m.end - m.start < 40}
    return sorted(words)


def _clean(pairs: list[Pair], values: dict[str, list[float]]) -> None:
    for pair in pairs[:CLEAN]:
        results = {result.name: result for result in run_checks(pair.claim, pair.evidence)}
        values["false_alarm_any"].append(float(any(result.veto for result in results.values())))
        for kind, name in CHECK_OF.items():
            result = results[name]
            values[f"false_alarm_{kind}"].append(float(result.veto))
            if result.outcome is not Outcome.NOT_APPLICABLE:
                values[f"false_alarm_where_applicable_{kind}"].append(float(result.veto))


def _seeds(pairs: list[Pair], kind: str, names: list[str], values: dict[str, list[float]]) -> None:
    for pair, error in islice(errors(pairs, kind, names), SEEDS):
        results: tuple[CheckResult, ...] = run_checks(error.claim, pair.evidence)
        own = CHECK_OF[error.kind]
        values[f"caught_{kind}"].append(float(any(result.veto for result in results if result.name == own)))
        values[f"shown_{kind}"].append(float(any(r.outcome is Outcome.FAILED for r in results if r.name == own)))
        values[f"caught_any_{kind}"].append(float(any(result.veto for result in results)))
        if error.kind in ("number", "negation"):
            values[f"caught_{kind}_{error.rule}"].append(values[f"caught_{kind}"][-1])


def errors(pairs: list[Pair], kind: str, names: list[str]) -> Iterator[tuple[Pair, SeededError]]:
    """Each pair that allows an error of ``kind``, with that error, in the order of the pairs."""
    rule = {"entity": "pool", _SAME_DOCUMENT: "document"}.get(kind)
    wanted = "entity" if kind == _SAME_DOCUMENT else kind
    for place, pair in enumerate(pairs):
        claim = pair.claim
        if kind == "quote" and not any(mark in claim for mark in '"“'):
            claim = with_quote(claim, pair.evidence, seed=SEED) or claim
        pool = random.Random(f"{SEED} {place}").sample(names, min(_POOL, len(names))) if wanted == "entity" else ()
        error = seeded_error(claim, pair.evidence, wanted, seed=SEED, pool=pool, rule=rule)
        if error is not None:
            yield pair, error
