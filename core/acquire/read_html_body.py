"""The body of a page as text blocks; pages that are built to exhaust a parser are refused first."""

from __future__ import annotations

import re
from typing import Any

from core.acquire.read_blocks import TextBuilder
from core.errors import UnreadableSource
from core.labels import FetchState

MAX_ATTRIBUTES = 5_000
"""Attributes of one element. Real pages stay under a hundred; parsers compare each with all others."""

_ATTRIBUTE = re.compile(r"\s[^\s=<>\"'/]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")
_TAG = re.compile(r"<[a-zA-Z][^\s/>]*")


def refuse_monsters(text: str, *, name: str) -> None:
    """Raise UnreadableSource (too_large) when an element has more than MAX_ATTRIBUTES attributes."""
    for tag in _TAG.finditer(text):
        # An element with so many attributes is long: look only at those whose next ">" is far.
        end = text.find(">", tag.end(), tag.end() + MAX_ATTRIBUTES * 2)
        if end != -1:
            continue
        count, at = 0, tag.end()
        while count <= MAX_ATTRIBUTES and (match := _ATTRIBUTE.match(text, at)):
            count, at = count + 1, match.end()
        if count > MAX_ATTRIBUTES:
            raise UnreadableSource(
                FetchState.TOO_LARGE,
                f"{name} has an element with more than {MAX_ATTRIBUTES} attributes, which only a page made to choke "
                "its reader has. It was not read.",
            )


_BLOCKS = frozenset({"p", "head", "quote", "item", "row", "code", "list", "table", "ab", "fw", "entry"})


def add_body(body: Any, builder: TextBuilder) -> None:
    """Add the paragraphs, headings, list items and table rows of ``body`` (TEI-like tags) to ``builder``."""
    from lxml.etree import iterwalk

    walker = _Walker(builder)
    for event, element in iterwalk(body, events=("start", "end")):
        if not isinstance(element.tag, str):
            if event == "end":
                walker.say(element.tail)
        elif event == "start":
            walker.enter(element)
        else:
            walker.leave(element, is_root=element is body)
    walker.flush()


class _Walker:
    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._words: list[str] = []
        self._level: int | None = None
        self._in_item = 0
        self._item_open = False
        self._cells: list[str] | None = None

    def say(self, text: str | None) -> None:
        """Running text."""
        if text:
            self._words.append(text)

    def flush(self) -> None:
        """End the block at hand."""
        text = "".join(self._words)
        if self._cells is not None:
            self._words.append(" ")
            return
        self._words.clear()
        if not text.strip():
            return
        if self._in_item and self._item_open:
            text, self._item_open = "- " + text.strip(), False
        self._builder.add(text, level=self._level, tight=bool(self._in_item) and self._level is None)

    def enter(self, element: Any) -> None:
        """A start tag."""
        tag = element.tag
        if tag in _BLOCKS:
            self.flush()
        if tag == "head":
            self._level = _level(element)
        elif tag == "item":
            self._in_item += 1
            self._item_open = True
        elif tag == "row" and self._cells is None:
            self._cells = []
        elif tag == "lb":
            self._words.append("\n")
        self.say(element.text)

    def leave(self, element: Any, *, is_root: bool) -> None:
        """An end tag and the text behind it."""
        tag = element.tag
        if tag == "cell" and self._cells is not None:
            self._cells.append(" ".join("".join(self._words).split()))
            self._words.clear()
        elif tag == "row" and self._cells is not None:
            line = " | ".join(cell for cell in [*self._cells, " ".join("".join(self._words).split())] if cell)
            self._words.clear()
            self._cells = None
            self._builder.add(line, tight=True)
        elif tag in _BLOCKS:
            self.flush()
        if tag == "head":
            self._level = None
        elif tag == "item":
            self._in_item -= 1
        if not is_root:
            self.say(element.tail)


def _level(element: Any) -> int:
    rend = element.get("rend") or ""
    return int(rend[1]) if len(rend) == 2 and rend[0] == "h" and rend[1] in "123456" else 3
