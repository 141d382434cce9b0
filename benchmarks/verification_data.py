"""The public sets with labels of evidence, as values of one kind."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.labels import Label


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A claim, evidence that is given, and the label people gave. ``sentences`` are those of the evidence where the
    set says which; ``title`` is that of its document."""

    key: str
    claim: str
    evidence: str
    label: Label
    sentences: tuple[str, ...] = ()
    title: str = ""


@dataclass(frozen=True, slots=True)
class CitedPage:
    """A claim and the whole page that it cites. ``gold`` holds the sets of sentences (indices) each of which supports
    the claim, or its supported part, alone; ``label`` is the foreign spelling."""

    key: str
    claim: str
    context: str
    title: str
    sentences: tuple[str, ...]
    gold: tuple[frozenset[int], ...]
    label: str


PAIR_FILES = {
    "scifact": "scifact_abstract_dev",
    "healthver": "healthver_dev",
    "fever_symmetric": "fever_symmetric_v02_dev",
    "climate_fever": "climate_fever_pairs",
}


def pairs(data: Path, name: str, split: str = "dev") -> list[LabelledPair]:
    """One of ``PAIR_FILES`` (``split`` "train": SciFact only), in the order of the file.

    Raises:
        FileNotFoundError: the set is missing; the message says where it was looked for.
    """
    file = PAIR_FILES[name] if split == "dev" else f"{name}_abstract_{split}"
    items = []
    for row in _rows(data / "nli" / f"{file}.jsonl.gz"):
        extra = row.get("extra") or {}
        sentences = tuple(extra.get("sentences") or ())
        title = str(extra.get("title") or "")
        label = Label.from_foreign(row["label"])
        items.append(LabelledPair(row["id"], row["claim"], row["evidence"], label, sentences, title))
    return items


def wice_pages(data: Path) -> list[CitedPage]:
    """WiCE dev (Kamoi et al. 2023): claims of Wikipedia with all sentences of the page that they cite."""
    return [
        CitedPage(
            key=row["meta"]["id"],
            claim=row["claim"],
            context=row["meta"].get("claim_context") or "",
            title=_page_title(row["evidence"]),
            sentences=tuple(row["evidence"]),
            gold=tuple(frozenset(numbers) for numbers in row["supporting_sentences"] if numbers),
            label=row["label"],
        )
        for row in _rows(data / "wice" / "claim_dev.jsonl.gz")
    ]


def scifact_rationales(data: Path, split: str = "dev") -> list[CitedPage]:
    """SciFact (Wadden et al. 2020): claims with abstracts that hold at least one rationale."""
    abstracts = {row["doc_id"]: row for row in _rows(data / "scifact" / "corpus_sentences.jsonl.gz")}
    items = []
    for row in _rows(data / "scifact" / f"claims_{split}.jsonl"):
        for document, rationales in row["evidence"].items():
            abstract = abstracts[int(document)]
            gold = tuple(frozenset(rationale["sentences"]) for rationale in rationales)
            label = rationales[0]["label"]
            key = f"{row['id']}-{document}"
            items.append(CitedPage(key, row["claim"], "", abstract["title"], tuple(abstract["abstract"]), gold, label))
    return items


def digest(data: Path, *names: str) -> str:
    """First 16 hex digits of the SHA-256 over files of the data folder."""
    taken = hashlib.sha256()
    for name in names:
        taken.update((data / name).read_bytes())
    return taken.hexdigest()[:16]


def _page_title(sentences: list[str]) -> str:
    mark = "(meta data) TITLE:"
    return next((sentence[len(mark) :].strip() for sentence in sentences[:5] if sentence.startswith(mark)), "")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing. Give the folder of data sets with --data.")
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
