"""DOCX by python-docx: paragraphs, headings by style, lists, tables as lines, text boxes, notes. Macros are ignored."""

from __future__ import annotations

import re
from typing import Any

from core.acquire.docx_runs import Runs, W, boxes
from core.acquire.read_blocks import TextBuilder, one_line
from core.acquire.read_common import count_references, language_of, links_in, names, own_doi, unique
from core.acquire.read_docx_guard import open_docx, settle_alternatives
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction

_NOTES = (("footnotes", "footnote", "Footnotes"), ("endnotes", "endnote", "Endnotes"))
_PLAIN_AUTHORS = frozenset({"python-docx", "admin", "user", "unknown", "microsoft office user", "author"})


def read_docx(body: bytes, *, name: str) -> Extraction:
    """Read a DOCX (Transitional or Strict).

    Raises:
        UnreadableSource: ``too_large`` for a zip bomb, ``encrypted``, ``broken``, ``image_only``, ``empty``.
    """
    document = open_docx(body, name=name)
    builder = TextBuilder()
    reader = Body(document, builder)
    reader.add(document.element.body)
    for kind, tag, heading in _NOTES:
        _add_notes(document, reader, kind, tag, heading)
    built = builder.build()
    if not any(map(str.isalnum, built.text)):
        raise _nothing(document, name)
    core = document.core_properties
    text = built.text
    links = [rel.target_ref for rel in document.part.rels.values() if rel.is_external and "hyperlink" in rel.reltype]
    author = one_line(core.author)
    return Extraction(
        text=text,
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        method="python-docx",
        title=one_line(core.title) or reader.title or next((h.text for h in built.headings if h.level == 1), None),
        authors=() if (author or "").lower() in _PLAIN_AUTHORS else names(author),
        published=_date(core),
        language=language_of(text, core.language),
        doi=own_doi(text),
        headings=built.headings,
        references=count_references(text, built.headings),
        links=unique([*(link for link in links if link.startswith("http")), *links_in(text)]),
        warnings=tuple(reader.warnings),
    )


def _nothing(document: Any, name: str) -> UnreadableSource:
    if any("image" in rel.reltype for rel in document.part.rels.values()):
        return UnreadableSource(
            FetchState.IMAGE_ONLY, f"{name} holds pictures and no text. Run text recognition (OCR) over it first."
        )
    return UnreadableSource(FetchState.EMPTY, f"{name} is a Word document without text.")


def _date(core: Any) -> Any:
    for moment in (core.created, core.modified):
        if moment is not None and (moment.year, moment.month) != (2013, 12):  # the template of python-docx
            return moment.date()
    return None


def _add_notes(document: Any, reader: Body, kind: str, tag: str, heading: str) -> None:
    """Footnotes or endnotes, behind the body, under a heading of their own."""
    from docx.oxml import parse_xml

    parts = [
        rel.target_part
        for rel in document.part.rels.values()
        if not rel.is_external and rel.reltype.endswith(f"/{kind}")
    ]
    for part in parts:
        root = part.element if hasattr(part, "element") else parse_xml(part.blob)
        settle_alternatives(root)
        notes = [n for n in root.iter(f"{W}{tag}") if n.get(f"{W}type") in (None, "normal")]
        texts = [(n.get(f"{W}id") or "", reader.words(n)) for n in notes]
        if any(text.strip() for _, text in texts):
            reader.builder.add(heading, level=2)
            for number, text in texts:
                reader.builder.add(f"[{number}] {text.strip()}", tight=True)


_CONTAINERS = frozenset({f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml", f"{W}smartTag"})
_HEADING = re.compile(r"(?:heading|berschrift|titre|titulo|título|rubrik)\s*(\d)", re.IGNORECASE)


class Body:
    """Adds the blocks of elements to ``builder`` in reading order.

    python-docx's own iteration skips content controls, text boxes, inserted text of tracked changes, and formulas;
    they are read here.
    """

    def __init__(self, document: Any, builder: TextBuilder) -> None:
        self.builder = builder
        self.title: str | None = None
        self.warnings: list[str] = []
        self.words = Runs(document).words
        self._styles = {style.style_id: style for style in document.styles if hasattr(style, "style_id")}

    def add(self, parent: Any) -> None:
        """Add what stands in ``parent``: paragraphs, tables, and containers of them."""
        for child in parent:
            if child.tag == f"{W}p":
                self._paragraph(child)
            elif child.tag == f"{W}tbl":
                self._table(child)
            elif child.tag in _CONTAINERS:
                self.add(child)

    def _paragraph(self, paragraph: Any) -> None:
        text = self.words(paragraph)
        level, is_title = self._level(paragraph)
        if text.strip():
            if is_title and self.title is None:
                self.title = " ".join(text.split())
            listed = level is None and paragraph.find(f"{W}pPr/{W}numPr") is not None
            self.builder.add(f"- {text.strip()}" if listed else text, level=level, tight=listed)
        for box in boxes(paragraph):
            self.add(box)

    def _level(self, paragraph: Any) -> tuple[int | None, bool]:
        """Heading level by outline level or style, and whether it is the title."""
        properties = paragraph.find(f"{W}pPr")
        if properties is None:
            return None, False
        outline = properties.find(f"{W}outlineLvl")
        if outline is not None and (level := outline.get(f"{W}val")) in tuple("012345"):
            return int(level) + 1, False
        style_id = properties.find(f"{W}pStyle")
        style = self._styles.get(style_id.get(f"{W}val")) if style_id is not None else None
        for _ in range(10):  # styles may be based on a heading; a loop of bases must not hang us
            if style is None:
                break
            style_name = str(style.name or "")
            if style_name.lower() == "title":
                return 1, True
            if match := _HEADING.match(style_name):
                return min(6, max(1, int(match[1][:6]))), False
            style = getattr(style, "base_style", None)
        return None, False

    def _table(self, table: Any) -> None:
        for row in table.iter(f"{W}tr"):
            if next(row.iterancestors(f"{W}tbl")) is not table:
                continue  # a row of a table inside a cell: its words are in the cell
            cells = (" ".join(self.words(cell).split()) for cell in row.iter(f"{W}tc") if self._is_of(cell, row))
            self.builder.add(" | ".join(cell for cell in cells if cell), tight=True)
        for box in boxes(table):
            self.add(box)

    @staticmethod
    def _is_of(cell: Any, row: Any) -> bool:
        return next(cell.iterancestors(f"{W}tr")) is row
