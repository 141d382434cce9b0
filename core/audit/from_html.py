"""An HTML report as Markdown: everything visible, with links, raised numbers, lists, tables and code kept."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

from core.errors import UnreadableSource
from core.labels import FetchState

if TYPE_CHECKING:
    from core.records import Fetched

_SKIPPED = frozenset(
    "script style noscript template svg head nav button form iframe object select textarea math".split()  # noqa: SIM905
)
_BLOCKS = frozenset(
    """p div section article main header footer aside figure figcaption blockquote ul ol dl dt dd table tr pre
    address details summary hr body html li h1 h2 h3 h4 h5 h6""".split()  # noqa: SIM905
)
_STRUCK = frozenset({"del", "s", "strike"})
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_SPACES = re.compile(r"[ \t\r\n\f]+")
_HEAD = 200_000
_LINK = re.compile(rb"<link\b[^<>]{1,2000}>", re.IGNORECASE)
_CANONICAL = re.compile(rb"\brel\s*=\s*[\"']?canonical\b", re.IGNORECASE)
_HREF = re.compile(rb"\bhref\s*=\s*[\"']?(https?://[^\s\"'<>]+)", re.IGNORECASE)
_NUMBER = re.compile(r"\[?\^?(\d{1,4})\]?")


def html_as_markdown(fetched: Fetched, *, name: str) -> str:
    """The visible text of a page as Markdown.

    A link to a place in the page whose words are only a number becomes ``[n]`` (a reference mark), and an item of
    an ordered list keeps its number, so that lists of references stay what they are.

    Raises:
        UnreadableSource: ``empty`` where nothing is visible, ``broken`` where there is no HTML, ``too_large``.
    """
    from lxml import html
    from w3lib.encoding import html_body_declared_encoding

    from core.acquire.read_common import fit_for_trees
    from core.acquire.read_html_body import refuse_monsters
    from core.acquire.read_text import charset_of, decode

    declared = charset_of(fetched.media_type) or html_body_declared_encoding(fetched.body)
    text = decode(fetched.body, declared)[0].replace("\x00", "")
    refuse_monsters(text, name=name)
    if not text.strip():
        raise UnreadableSource(FetchState.EMPTY, f"{name} is empty. Give a report with text in it.")
    try:
        tree = html.document_fromstring(fit_for_trees(re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)))
    except (ValueError, html.etree.LxmlError) as error:
        raise UnreadableSource(FetchState.BROKEN, f"{name} is not HTML that can be read ({error}).") from error
    writer = _Writer()
    writer.write(tree)
    written = writer.text()
    if not written.strip():
        raise UnreadableSource(FetchState.EMPTY, f"{name} has no visible text.")
    return written


def canonical_link(body: bytes) -> str | None:
    """The web address that a page gives as its own (``<link rel="canonical">``); it proves nothing."""
    for tag in _LINK.findall(body[:_HEAD]):
        href = _HREF.search(tag) if _CANONICAL.search(tag) else None
        if href:
            return unescape(href[1].decode("utf-8", "replace"))
    return None


class _Writer:
    """Writes Markdown while walking over the tree; no recursion, so that deep nesting does no harm."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._now: list[str] = []
        self._prefix = ""
        self._lists: list[int | None] = []
        self._pre = 0
        self._cells: list[str] | None = None
        self._rows = 0

    def write(self, root: Any) -> None:
        from lxml import etree

        skipped: Any = None
        for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            if event in ("comment", "pi"):
                if skipped is None:
                    self._add(element.tail)
                continue
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "start":
                if skipped is None and tag in _SKIPPED:
                    skipped = element
                elif skipped is None:
                    self._open(tag, element)
                    self._add(element.text)
            elif skipped is None:
                self._close(tag, element)
                self._add(element.tail)
            elif skipped is element:
                skipped = None
                self._add(element.tail)
        self._break()

    def text(self) -> str:
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self._lines)).strip() + "\n"

    def _add(self, words: str | None) -> None:
        if words:
            self._now.append(words if self._pre else _SPACES.sub(" ", words))

    def _break(self, *, blank: bool = True) -> None:
        line = "".join(self._now)
        self._now = []
        line = line.rstrip() if self._pre else re.sub(r" {2,}", " ", line).strip()
        if self._cells is not None:
            if line:
                self._cells.append(line.replace("\n", " ").replace("|", "\\|"))
            return
        if line:
            if not self._pre and not self._prefix:
                line = re.sub(r"^(#{1,6} |[-+*] |\d{1,9}[.)] |>|```|~~~)", r"\\\1", line)
            self._lines.append(f"{self._prefix}{line}")
            self._prefix = ""
            if blank:
                self._lines.append("")

    def _open(self, tag: str, element: Any) -> None:
        if tag in _BLOCKS or tag in ("td", "th"):
            if tag in ("td", "th") or tag != "tr":
                self._break()
            self._begin_block(tag, element)
        elif tag == "br":
            self._now.append("\n" if self._pre or self._cells is None else " ")
        elif tag == "a":
            self._now.append("\x01")
        elif tag == "sup":
            self._now.append("<sup>")
        elif tag in _STRUCK:
            self._now.append("<del>")
        elif tag == "code" and not self._pre:
            self._now.append("`")
        elif tag == "img":
            self._now.append(f"![{element.get('alt', '')}]()" if element.get("alt") else "")

    def _begin_block(self, tag: str, element: Any) -> None:
        if tag in _HEADINGS:
            self._prefix = f"{_HEADINGS[tag]} "
        elif tag == "li":
            number = self._lists[-1] if self._lists else None
            indent = "   " * max(0, min(len(self._lists), 8) - 1)
            value = element.get("value", "")
            number = int(value[:6]) if number is not None and value.isdecimal() else number
            self._prefix = f"{indent}{number}. " if number is not None else f"{indent}- "
            if self._lists and number is not None:
                self._lists[-1] = number + 1
        elif tag in ("ul", "ol"):
            start = element.get("start", "")
            self._lists.append((int(start[:6]) if start.isdecimal() else 1) if tag == "ol" else None)
        elif tag == "pre":
            self._lines.append("```")
            self._pre += 1
        elif tag == "table":
            self._rows = 0
        elif tag == "tr":
            self._break()
            self._cells = []

    def _close(self, tag: str, element: Any) -> None:
        if tag == "a":
            self._link(element)
        elif tag == "sup":
            self._now.append("</sup>")
        elif tag in _STRUCK:
            self._now.append("</del>")
        elif tag == "code" and not self._pre:
            self._now.append("`")
        elif tag == "pre":
            self._break()
            self._pre = max(0, self._pre - 1)
            self._lines.extend(["```", ""])
        elif tag == "tr":
            self._row()
        elif tag in ("ul", "ol"):
            self._break()
            if self._lists:
                self._lists.pop()
        elif tag == "table":
            self._break()
            self._lines.append("")
        elif tag in _BLOCKS or tag in ("td", "th"):
            self._break()
            self._prefix = ""

    def _link(self, element: Any) -> None:
        pieces: list[str] = []
        while self._now:
            piece = self._now.pop()
            if piece == "\x01":
                break
            pieces.append(piece)
        words = "".join(reversed(pieces))
        target = (element.get("href") or "").strip()
        number = _NUMBER.fullmatch(words.strip())
        if number and target.startswith("#"):
            self._now.append(f"[{number[1]}]")
        elif target.lower().startswith(("http://", "https://")) and words.strip() and words.strip() != target:
            address = target.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
            self._now.append(f"[{words.strip()}]({address})")
        else:
            self._now.append(words)

    def _row(self) -> None:
        self._break()
        cells, self._cells = self._cells or [], None
        if not cells:
            return
        self._lines.append("| " + " | ".join(cells) + " |")
        self._rows += 1
        if self._rows == 1:
            self._lines.append("|" + " --- |" * len(cells))
