"""Reading foreign files: text of HTML pages against gold bodies, and every PDF and DOCX read or named.

The measure for HTML is that of the set's makers (Scrapinghub's article-extraction-benchmark): shingles of
four words, counted with repeats; per page true and false positives and false negatives, then precision and
recall as means over pages, and F1 out of the two means. What is measured is the stored text, headings included.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.machine import machine
from benchmarks.report import Row
from benchmarks.rows import row
from core.acquire.worker_pool import WorkerExtractor
from core.errors import UnreadableSource
from core.records import Fetched
from core.settings.values import Parsing

_WORD = re.compile(r"\w+")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LIBRARIES = ("trafilatura", "htmldate", "lxml", "pypdfium2", "pypdf", "python-docx")
Shares = tuple[float, float, float]
"""True positives, false positives, false negatives of one page."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of one PDF or DOCX; ``token_f1`` where there is a reference."""

    file: str
    state: str
    characters: int
    pages: int
    headings: int
    seconds: float
    token_f1: float | None
    message: str


def run(data: Path) -> list[Row]:
    """Measure over ``data/html`` and ``data/pdf_docx``; a table of all files goes to standard error."""
    with WorkerExtractor(Parsing(), workers=1) as extractor:
        return [*_html(data / "html", extractor), *_files(data / "pdf_docx", extractor)]


def shingle_shares(gold: str, text: str, size: int = 4) -> Shares:
    """Counts of word shingles that both have, only ``found`` has, only ``gold`` has."""
    expected, given = _shingles(gold, size), _shingles(text, size)
    both = (expected & given).total()
    return both, given.total() - both, expected.total() - both


def corpus_scores(pages: Sequence[Shares]) -> tuple[float, float, float]:
    """(F1, precision, recall): precision and recall are means over pages, F1 is made of the two."""
    precision = mean(_share(tp, fp, fn) for tp, fp, fn in pages if tp + fp)
    recall = mean(_share(tp, fn, fp) for tp, fp, fn in pages if tp + fn)
    return 2 * precision * recall / (precision + recall), precision, recall


def token_f1(gold: str, text: str) -> float:
    """F1 over words, counted with repeats, lower case: order does not count."""
    expected, given = Counter(_WORD.findall(gold.lower())), Counter(_WORD.findall(text.lower()))
    total = expected.total() + given.total()
    return 2 * (expected & given).total() / total if total else 1.0


def _shingles(text: str, size: int) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    grams = (tuple(words[at : at + size]) for at in range(max(1, len(words) - size + 1)))
    return Counter(gram for gram in grams if gram)


def _share(hit: float, wrong: float, other: float) -> float:
    if wrong == other == 0:
        return 1.0
    return hit / (hit + wrong) if hit else 0.0


def _html(folder: Path, extractor: WorkerExtractor) -> list[Row]:
    truth = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    pages: list[Shares] = []
    times: list[float] = []
    digest = hashlib.sha256()
    for key in sorted(truth):
        body = gzip.decompress((folder / "pages" / f"{key}.html.gz").read_bytes())
        digest.update(body)
        started = time.perf_counter()
        text = _text(extractor, Fetched(body, "text/html", url=truth[key]["url"]))
        times.append(time.perf_counter() - started)
        pages.append(shingle_shares(truth[key]["articleBody"], text))
    rest: dict[str, Any] = {"n": len(pages), "machine": machine(), "fingerprint": _fingerprint(digest.hexdigest())}
    names = ("f1", "precision", "recall")
    rows = [
        row("extraction", "html", "test", "default", name, value, interval=interval, seconds=sum(times), **rest)
        for name, value, interval in zip(names, corpus_scores(pages), _intervals(pages), strict=True)
    ]
    return [*rows, row("extraction", "html", "test", "default", "slowest_page_s", max(times), **rest)]


def _text(extractor: WorkerExtractor, fetched: Fetched) -> str:
    try:
        return extractor.extract(fetched).text
    except UnreadableSource as error:
        print(f"{fetched.url}: {error.state}: {error}", file=sys.stderr)
        return ""


def _intervals(pages: Sequence[Shares], samples: int = 1000) -> list[tuple[float, float]]:
    """95 % bootstrap intervals over pages of F1, precision, recall (as the set's own script, with a fixed seed)."""
    random = np.random.default_rng(0)
    drawn = [corpus_scores([pages[at] for at in random.integers(0, len(pages), len(pages))]) for _ in range(samples)]
    low, high = np.percentile(np.asarray(drawn), [2.5, 97.5], axis=0)
    return [(float(a), float(b)) for a, b in zip(low, high, strict=True)]


def _files(folder: Path, extractor: WorkerExtractor) -> list[Row]:
    entries = json.loads((folder / "manifest.json").read_text("utf-8"))
    results = [_file(folder, entry, extractor) for entry in entries]
    _print(results)
    digest = hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
    rest: dict[str, Any] = {"machine": machine(), "fingerprint": _fingerprint(digest)}
    rows = []
    for kind in ("pdf", "docx"):
        mine = [result for result in results if result.file.startswith(kind)]
        read = [result for result in mine if result.state == "read"]
        hung = [result for result in mine if result.state == "timeout"]
        scores = [result.token_f1 for result in read if result.token_f1 is not None]
        spent = sum(result.seconds for result in mine)
        rows += [
            row("extraction", kind, "test", "default", "read", len(read), n=len(mine), seconds=spent, **rest),
            row("extraction", kind, "test", "default", "named_state", len(mine) - len(read), n=len(mine), **rest),
            row("extraction", kind, "test", "default", "hung", len(hung), n=len(mine), **rest),
            row("extraction", kind, "test", "default", "token_f1", mean(scores), n=len(scores), **rest),
        ]
    return rows


def _file(folder: Path, entry: dict[str, Any], extractor: WorkerExtractor) -> FileResult:
    path = folder / entry["file"]
    started = time.perf_counter()
    try:
        extracted = extractor.extract(Fetched(path.read_bytes(), "application/octet-stream", filename=path.name))
    except UnreadableSource as error:
        return FileResult(entry["file"], str(error.state), 0, 0, 0, time.perf_counter() - started, None, str(error))
    seconds = time.perf_counter() - started
    score = None
    if "gold_md" in entry:
        score = token_f1(_COMMENT.sub("", (folder / entry["gold_md"]).read_text("utf-8")), extracted.text)
    about = "; ".join(extracted.warnings)
    return FileResult(
        entry["file"], "read", len(extracted.text), len(extracted.pages), len(extracted.headings), seconds, score, about
    )


def _print(results: Iterable[FileResult]) -> None:
    print("| file | state | characters | pages | headings | token F1 | note |", file=sys.stderr)
    print("|---|---|---|---|---|---|---|", file=sys.stderr)
    for r in results:
        score = "" if r.token_f1 is None else f"{r.token_f1:.3f}"
        print(
            f"| {r.file} | {r.state} | {r.characters} | {r.pages} | {r.headings} | {score} | {r.message} |",
            file=sys.stderr,
        )


def _fingerprint(data: str) -> dict[str, object]:
    return {"data": data[:16], **{name: version(name) for name in _LIBRARIES}}
