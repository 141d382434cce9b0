"""The texts that the keyed citations cite, read from the folder of public data; none of them is in the repository.

Every text is one string with its title apart. Blanks and line ends count as one blank when a passage is looked for.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FILES = {
    "scifact": "scifact/corpus_sentences.jsonl.gz",
    "html": "html/ground-truth.json",
    "wice": "wice/non_supported_tokens_train.jsonl",
    "pdf_docx": "pdf_docx/gold_md",
}
_TITLE_MARK = "(meta data) TITLE: "


@dataclass(frozen=True, slots=True)
class SourceRef:
    """A text that is cited: its set, its file and key in the folder of data, and what a reader knows it by."""

    set: str
    path: str
    document: str
    title: str
    publisher: str | None
    url: str | None

    @property
    def key(self) -> str:
        """The set and the document: what two halves must not share."""
        return f"{self.set}:{self.document}"


def missing(data: Path) -> list[str]:
    """The files of the sets that the folder of data lacks; empty when everything is there."""
    return [name for name in FILES.values() if not (data / name).exists()]


def text_of(data: Path, source: SourceRef) -> str:
    """The whole text of one source, without its title.

    Raises:
        FileNotFoundError: the folder of data lacks the set.
        KeyError: the set has no such document.
    """
    texts = _READERS[source.set](data)
    return texts[source.document]


def holds_passage(text: str, passage: str) -> bool:
    """Whether the passage stands in the text word for word, whatever blanks and line ends lie between the words."""
    return plain(passage) in plain(text)


def plain(text: str) -> str:
    """The text with every run of blanks and line ends as one blank."""
    return " ".join(text.split())


@lru_cache(maxsize=2)
def _abstracts(data: Path) -> dict[str, str]:
    with gzip.open(_file(data, "scifact"), "rt", encoding="utf-8") as lines:
        return {str(row["doc_id"]): " ".join(row["abstract"]) for row in _rows(lines)}


@lru_cache(maxsize=2)
def _pages(data: Path) -> dict[str, str]:
    pages = json.loads(_file(data, "html").read_text(encoding="utf-8"))
    return {key: page["articleBody"] for key, page in pages.items()}


@lru_cache(maxsize=2)
def _cited_pages(data: Path) -> dict[str, str]:
    with _file(data, "wice").open(encoding="utf-8") as lines:
        return {row["meta"]["id"]: "\n".join(row["evidence"]) for row in _rows(lines)}


@lru_cache(maxsize=2)
def _papers(data: Path) -> dict[str, str]:
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(_file(data, "pdf_docx").glob("*.md"))}


def wice_title(text: str) -> str:
    """The title that the first line of a WiCE page gives; empty where it gives none."""
    first = text.split("\n", 1)[0]
    return first.removeprefix(_TITLE_MARK).strip() if first.startswith(_TITLE_MARK) else ""


def _file(data: Path, name: str) -> Path:
    path = data / FILES[name]
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing. Give the folder of data sets with --data.")
    return path


def _rows(lines: Any) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line.strip():
            yield json.loads(line)


_READERS = {"scifact": _abstracts, "html": _pages, "wice": _cited_pages, "pdf_docx": _papers}
