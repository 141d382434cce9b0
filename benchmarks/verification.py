"""``python -m benchmarks verification``: does a source support a claim? Every row of BENCH about labels.

Parts (``--only``): ``scifact``, ``healthver``, ``fever_symmetric``, ``climate_fever`` (evidence given), ``selection``
(the right sentence inside a source), ``scifact_found`` (sentence found by us), ``scifact_attributed`` (the same with
words that say whose statement it is), ``wice`` (whole page), ``paws`` (roles), ``seeded`` (checks alone),
``seeded_model`` (model and checks), ``speed``. Dev sets chose the calibration of the model and the thresholds of
``core.settings.values.Verification``, once; nothing was trained on them. What a figure means stands in the module of
its part.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks import (
    seeded,
    verification_attributed,
    verification_labels,
    verification_roles,
    verification_seeded,
    verification_selection,
    verification_wice,
)
from benchmarks.cached_encoder import CachedEncoder
from benchmarks.machine import machine
from benchmarks.projects import open_store
from benchmarks.report import Row
from benchmarks.verification_data import (
    PAIR_FILES,
    CitedPage,
    LabelledPair,
    digest,
    pairs,
    scifact_rationales,
    wice_pages,
)
from benchmarks.verification_pages import Pages
from benchmarks.verification_speed import speed
from core.ports.store import Entailer, JointEncoder
from core.records import SourceVerdict
from core.settings.values import Settings
from core.verify.source import judge_in_source

QUICK = 40
CLIMATE = 1500
"""Pairs of CLIMATE-FEVER that are judged, spread evenly over all 7,675."""


class Bench:
    """What the parts share: data, models, settings; each made when first asked for."""

    def __init__(self, data: Path, cache: Path, *, quick: bool) -> None:
        self.data, self.cache, self.quick = data, cache, quick
        self.settings = Settings()

    @cached_property
    def encoder(self) -> JointEncoder:
        """The product's encoder, with its passages kept on disk."""
        from core.backends.resolve import load_encoder

        return CachedEncoder(load_encoder(self.settings.models), self.cache)

    @cached_property
    def entailer(self) -> Entailer:
        """The product's judge."""
        from core.backends.resolve import load_entailer

        return load_entailer(self.settings.models)

    def rest(self, *files: str, model: bool = True) -> dict[str, Any]:
        """What every row says about how it came to be."""
        fingerprint: dict[str, object] = {"data": digest(self.data, *files)}
        if model:
            fingerprint["entailer"] = self.entailer.fingerprint
            fingerprint["settings"] = self.settings.verification.model_dump()
        return {"machine": machine(), "fingerprint": fingerprint}

    def some(self, items: Sequence[Any], count: int | None = None) -> list[Any]:
        """All items, or ``count`` of them spread evenly; few in a quick run."""
        wanted = QUICK if self.quick else count or len(items)
        step = max(1.0, len(items) / wanted)
        return [items[int(at * step)] for at in range(min(wanted, len(items)))]

    @contextmanager
    def pages(self, name: str, cited: Sequence[CitedPage]) -> Iterator[Pages]:
        """The pages stored and encoded in a project of their own."""
        with tempfile.TemporaryDirectory() as root, open_store(Path(root), name) as store:
            yield Pages.filled(store, cited, self.encoder)

    def verdicts(self, pages: Pages, cited: Sequence[CitedPage]) -> list[SourceVerdict]:
        """What each page says about its claim."""
        chosen = []
        for number, page in enumerate(cited):
            if number % 50 == 0:
                print(f"  judged {number} of {len(cited)}", file=sys.stderr, flush=True)
            source = pages.source(page)
            chosen.append(judge_in_source(page.claim, source, self.entailer, self.settings.verification))
        return chosen


def run(data: Path, cache: Path, only: Sequence[str] | None = None, *, quick: bool = False) -> list[Row]:
    """Measure; ``only`` names parts.

    Raises:
        ValueError: a part that does not exist.
        FileNotFoundError: a data set is missing.
    """
    unknown = set(only or ()) - set(PARTS)
    if unknown:
        raise ValueError(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    bench = Bench(data, cache, quick=quick)
    rows: list[Row] = []
    for name in only or PARTS:
        print(name, file=sys.stderr, flush=True)
        started = time.perf_counter()
        rows_of_part = PARTS[name](bench)
        seconds = round(time.perf_counter() - started, 3)
        rows += [{**row, "seconds": seconds} for row in rows_of_part]
    return rows


def _given(name: str) -> Callable[[Bench], list[Row]]:
    def part(bench: Bench) -> list[Row]:
        wanted = bench.some(pairs(bench.data, name), CLIMATE if name == "climate_fever" else None)
        rest = bench.rest(f"nli/{PAIR_FILES[name]}.jsonl.gz")
        return verification_labels.given(wanted, bench.entailer, name, **rest)

    return part


def _abstracts(bench: Bench) -> tuple[list[LabelledPair], list[CitedPage]]:
    labelled: list[LabelledPair] = bench.some(pairs(bench.data, "scifact"))
    return labelled, [
        CitedPage(pair.key, pair.claim, "", pair.title, pair.sentences, (), pair.label.value) for pair in labelled
    ]


def _attributed(bench: Bench) -> list[Row]:
    labelled, cited = _abstracts(bench)
    rest = bench.rest(f"nli/{PAIR_FILES['scifact']}.jsonl.gz")
    with bench.pages("scifact_attributed", cited) as stored:
        settings = bench.settings.verification
        return verification_attributed.run(stored, labelled, cited, bench.entailer, settings, **rest)


def _found(bench: Bench) -> list[Row]:
    labelled, cited = _abstracts(bench)
    with bench.pages("scifact_found", cited) as stored:
        verdicts = bench.verdicts(stored, cited)
    rest = bench.rest(f"nli/{PAIR_FILES['scifact']}.jsonl.gz")
    return verification_labels.found(labelled, verdicts, "scifact_found", **rest)


def _selection(bench: Bench) -> list[Row]:
    rows: list[Row] = []
    wice: list[CitedPage] = bench.some(wice_pages(bench.data))
    with bench.pages("wice", wice) as stored:
        rest = bench.rest("wice/claim_dev.jsonl.gz", model=False)
        rows += verification_selection.run(stored, "wice", wice, "dev", **rest)
        rows += verification_selection.run(stored, "wice", wice[1::2], "dev_held_out", **rest)
    scifact: list[CitedPage] = bench.some(scifact_rationales(bench.data))
    with bench.pages("scifact", scifact) as stored:
        rest = bench.rest("scifact/claims_dev.jsonl", "scifact/corpus_sentences.jsonl.gz", model=False)
        rows += verification_selection.run(stored, "scifact", scifact, "dev", **rest)
        verdicts = bench.verdicts(stored, scifact)
        rest = bench.rest("scifact/claims_dev.jsonl", "scifact/corpus_sentences.jsonl.gz")
        rows.append(verification_selection.shown("scifact", scifact, verdicts, "dev", **rest))
    return rows


def _wice(bench: Bench) -> list[Row]:
    cited: list[CitedPage] = bench.some(wice_pages(bench.data))
    with bench.pages("wice", cited) as stored:
        verdicts, rest = bench.verdicts(stored, cited), bench.rest("wice/claim_dev.jsonl.gz")
        rows = verification_wice.run(cited, verdicts, stored.source, **rest)
    for split, part in (("dev", slice(None)), ("dev_held_out", slice(1, None, 2))):
        rows.append(verification_selection.shown("wice", cited[part], verdicts[part], split, **rest))
    return rows


def _seeded_model(bench: Bench) -> list[Row]:
    if bench.quick:
        return []
    files = [f"train/pairs/{source}.jsonl.gz" for source in seeded.SOURCES]
    return verification_seeded.run(bench.data, bench.entailer, bench.settings.verification, **bench.rest(*files))


def _paws(bench: Bench) -> list[Row]:
    rest = bench.rest(verification_roles.FILE)
    return verification_roles.run(bench.data, bench.entailer, QUICK if bench.quick else 1, **rest)


def _speed(bench: Bench) -> list[Row]:
    claims = [(pair.claim, pair.evidence) for pair in bench.some(pairs(bench.data, "fever_symmetric"), 100)]
    return speed(claims, bench.entailer, **bench.rest(f"nli/{PAIR_FILES['fever_symmetric']}.jsonl.gz"))


PARTS: dict[str, Callable[[Bench], list[Row]]] = {
    **{name: _given(name) for name in PAIR_FILES},
    "selection": _selection,
    "scifact_found": _found,
    "scifact_attributed": _attributed,
    "wice": _wice,
    "paws": _paws,
    "seeded": lambda bench: [] if bench.quick else seeded.run(bench.data),
    "seeded_model": _seeded_model,
    "speed": _speed,
}
