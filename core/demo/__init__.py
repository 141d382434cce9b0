"""The bundled demonstration project: invented sources, a report over them, and the key to its planted faults.

Everything is read as package data, so it works from an installed wheel. The files are described in
catalogue.toml; the generated ones are made by ``python -m tools.make_demo_files`` in the repository.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from core.labels import FetchState, Grade, SourceKind

__all__ = [
    "DEMO_NAME",
    "DemoSource",
    "Unavailable",
    "key",
    "questions",
    "report",
    "sources",
    "unavailable",
]

DEMO_NAME = "Do street trees cool a city?"


@dataclass(frozen=True, slots=True)
class DemoSource:
    """One file of the demonstration with what adding it must come to.

    ``kind`` is how it is to be brought in: a web page by its URL, any other file as an upload that came from
    ``url``. ``state`` is STORED, or the named state of the one file that cannot be read. ``grade`` is the expected
    grade, None where nothing is stored; it holds once the grade rules list the domain of ``url`` under
    ``publisher_class``. ``abstract_only``: the file holds the abstract of a longer work.
    """

    body: bytes
    filename: str
    url: str
    media_type: str
    kind: SourceKind
    title: str
    genre: str
    state: FetchState = FetchState.STORED
    grade: Grade | None = None
    published: date | None = None
    doi: str | None = None
    abstract_only: bool = False
    publisher_class: str | None = None


@dataclass(frozen=True, slots=True)
class Unavailable:
    """An address the report cites and whose fetch failed; there is no file. ``message`` says what happened."""

    url: str
    state: FetchState
    message: str


def sources() -> list[DemoSource]:
    """Every bundled file, the better grades first (a press release before its copy), the unreadable scan last."""
    return [_source(row) for row in _catalogue()["source"]]


def unavailable() -> list[Unavailable]:
    """The addresses that were asked for and could not be fetched."""
    return [Unavailable(row["url"], FetchState(row["state"]), row["message"]) for row in _catalogue()["unavailable"]]


def report() -> str:
    """The report as Markdown; the offsets of :func:`key` count code points of exactly this string."""
    return _text("report.md")


def key() -> dict[str, Any]:
    """The key to the report, which an audit must find: ``conventions`` explains the fields, ``citations`` holds one row
    for each pair of marker and reference; beside them unused references, near-duplicates, shared origins and grades."""
    loaded: dict[str, Any] = json.loads(_text("key.json"))
    return loaded


def questions() -> list[dict[str, Any]]:
    """Golden questions: ``id``, ``kind``, ``text``, and ``answers`` (``source`` file, ``quote``, ``relevance``: 2 for a
    sentence that answers, 1 for one that helps)."""
    loaded: list[dict[str, Any]] = json.loads(_text("questions.json"))
    return loaded


def _source(row: dict[str, Any]) -> DemoSource:
    media_type = row["media_type"]
    return DemoSource(
        body=(_folder() / "sources" / row["file"]).read_bytes(),
        filename=row["file"],
        url=row["url"],
        media_type=media_type,
        kind=SourceKind.URL if media_type == "text/html" else SourceKind.UPLOAD,
        title=row["title"],
        genre=row["genre"],
        state=FetchState(row.get("state", "stored")),
        grade=Grade(row["grade"]) if "grade" in row else None,
        published=row.get("published"),
        doi=row.get("doi"),
        abstract_only=row.get("abstract_only", False),
        publisher_class=row.get("publisher_class"),
    )


@cache
def _catalogue() -> dict[str, Any]:
    return tomllib.loads(_text("catalogue.toml"))


def _folder() -> Traversable:
    return files("core.demo")


def _text(name: str) -> str:
    # Bytes first: reading as text would translate line ends on some systems and shift the offsets.
    return (_folder() / name).read_bytes().decode("utf-8")
