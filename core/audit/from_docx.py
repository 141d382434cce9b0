"""A DOCX report as Markdown: headings, lists, tables, links, raised numbers, footnotes and endnotes."""

from __future__ import annotations

import re
from typing import Any

from core.audit.docx_runs import Runs, W, boxes, hides, raises, styles_that
from core.errors import UnreadableSource
from core.labels import FetchState

_HEADING = re.compile(r"(?:heading|berschrift|titre|t[ií]tulo)\s*(\d)", re.IGNORECASE)
_NOTES = (("footnotes", "footnote", ""), ("endnotes", "endnote", "e"))
_LOOKED_INTO = frozenset(f"{W}{name}" for name in ("sdt", "sdtContent", "ins", "customXml", "smartTag", "moveTo"))
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})
_STARTS_LIKE_MARK = re.compile(r"^(#{1,6} |>|```|~~~)")


def docx_as_markdown(body: bytes, *, name: str) -> str:
    """The text of a DOCX as Markdown; a footnote is ``[^3]`` with its definition at the end, an endnote ``[^e3]``.

    Raises:
        UnreadableSource: ``too_large``, ``encrypted``, ``broken``, ``empty``.
    """
    from core.acquire.read_docx_guard import open_docx

    document = open_docx(body, name=name)
    writer = _Writer(document)
    writer.body(document.element.body)
    for kind, tag, prefix in _NOTES:
        writer.notes(kind, tag, prefix)
    text = "\n".join(writer.lines).strip()
    if not any(map(str.isalnum, text)):
        raise UnreadableSource(FetchState.EMPTY, f"{name} has no text in it.")
    return text + "\n"


class _Writer:
    def __init__(self, document: Any) -> None:
        self._document = document
        self._styles = {style.style_id: style.name or "" for style in document.styles}
        self._looks = styles_that(document.styles, raises), styles_that(document.styles, hides)
        self._body_runs = Runs(_links(document.part), *self._looks)
        self._counters: dict[tuple[str, int], int] = {}
        self._ordered = _ordered_lists(document)
        self.lines: list[str] = []

    def body(self, element: Any) -> None:
        """Paragraphs and tables in their order; content controls are looked into. A text box stands behind the
        paragraph that it hangs on."""
        stack = list(reversed(element))
        while stack:
            child = stack.pop()
            if child.tag == f"{W}p":
                self._paragraph(child)
                for box in reversed(list(boxes(child))):
                    stack.extend(reversed(box))
            elif child.tag == f"{W}tbl":
                self._table(child)
            elif child.tag in _LOOKED_INTO:
                stack.extend(reversed(child))

    def notes(self, kind: str, tag: str, prefix: str) -> None:
        """Definitions of all footnotes or endnotes."""
        from lxml import etree

        from core.acquire.read_docx_guard import settle_alternatives

        part = next(
            (rel.target_part for rel in self._document.part.rels.values() if rel.reltype.endswith(f"/{kind}")), None
        )
        if part is None:
            return
        try:
            root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False, no_network=True))
        except etree.XMLSyntaxError as error:
            if error.code == etree.ErrorTypes.ERR_NO_MEMORY:
                raise
            return  # the marks stay and will be reported as dangling
        settle_alternatives(root)
        runs = Runs(_links(part), *self._looks)
        for note in root.findall(f"{W}{tag}"):
            if note.get(f"{W}type") in _SEPARATORS:
                continue
            words = " ".join(filter(None, (runs.text(p).strip() for p in note.iter(f"{W}p"))))
            if words:
                self.lines.append(f"[^{prefix}{note.get(f'{W}id')}]: {words}")

    def _paragraph(self, paragraph: Any) -> None:
        words = self._body_runs.text(paragraph).strip()
        if words:
            prefix = self._prefix(paragraph)
            if not prefix:
                words = _STARTS_LIKE_MARK.sub(r"\\\1", words)
            self.lines.extend([prefix + words, ""])

    def _prefix(self, paragraph: Any) -> str:
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        name = self._styles.get(style.get(f"{W}val"), "") if style is not None else ""
        heading = _HEADING.match(name)
        if heading or name == "Title":
            return "#" * min(6, int(heading[1][:6]) if heading else 1) + " "
        numbering = paragraph.find(f"{W}pPr/{W}numPr")
        if numbering is None and not name.startswith("List "):
            return ""
        identity, level = _numbering(numbering)
        if name.startswith("List Number") or (identity, level) in self._ordered:
            key = (identity or name, level)
            self._counters[key] = self._counters.get(key, 0) + 1
            return f"{'   ' * min(level, 8)}{self._counters[key]}. "
        return f"{'  ' * min(level, 8)}- "

    def _cell(self, cell: Any) -> str:
        words = " ".join(self._body_runs.text(p).strip() for p in cell.iter(f"{W}p"))
        return words.replace("|", "\\|").strip() or " "

    def _table(self, table: Any) -> None:
        for at, row in enumerate(table.findall(f"{W}tr")):
            cells = [self._cell(cell) for cell in row.findall(f"{W}tc")]
            if cells:
                self.lines.append("| " + " | ".join(cells) + " |")
                if at == 0:
                    self.lines.append("|" + " --- |" * len(cells))
        self.lines.append("")


def _links(part: Any) -> dict[str, str]:
    return {key: rel.target_ref for key, rel in part.rels.items() if rel.is_external}


def _numbering(element: Any) -> tuple[str, int]:
    if element is None:
        return "", 0
    identity, level = element.find(f"{W}numId"), element.find(f"{W}ilvl")
    depth = (level.get(f"{W}val") or "0") if level is not None else "0"
    return (identity.get(f"{W}val") or "" if identity is not None else ""), int(depth[:6]) if depth.isdecimal() else 0


def _ordered_lists(document: Any) -> set[tuple[str, int]]:
    """(list id, level) of the lists that count; bullets are left out."""
    part = next((rel.target_part for rel in document.part.rels.values() if rel.reltype.endswith("/numbering")), None)
    root = getattr(part, "element", None)
    if root is None:
        return set()
    formats: dict[str, set[int]] = {}
    for abstract in root.findall(f"{W}abstractNum"):
        levels = set()
        for level in abstract.findall(f"{W}lvl"):
            kind = level.find(f"{W}numFmt")
            if kind is not None and kind.get(f"{W}val") not in ("bullet", "none"):
                depth = level.get(f"{W}ilvl") or "0"
                levels.add(int(depth[:6]) if depth.isdecimal() else 0)
        formats[abstract.get(f"{W}abstractNumId")] = levels
    ordered: set[tuple[str, int]] = set()
    for number in root.findall(f"{W}num"):
        link = number.find(f"{W}abstractNumId")
        if link is not None:
            ordered |= {(number.get(f"{W}numId"), level) for level in formats.get(link.get(f"{W}val"), set())}
    return ordered
