"""The body of a DOCX in reading order, with what python-docx's own iteration leaves out.

python-docx skips content controls, text boxes, inserted text of tracked changes, and formulas.
"""

from __future__ import annotations

import re
from typing import Any

from core.acquire.read_blocks import TextBuilder

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_SKIPPED = frozenset(
    {f"{W}del", f"{W}moveFrom", f"{W}instrText", f"{W}delText", f"{_MC}Fallback", f"{W}rPr", f"{W}pPr"}
)
_CONTAINERS = frozenset({f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml", f"{W}smartTag"})
_HEADING = re.compile(r"(?:heading|berschrift|titre|titulo|título|rubrik)\s*(\d)", re.IGNORECASE)


class Body:
    """Adds the blocks of elements to ``builder``."""

    def __init__(self, document: Any, builder: TextBuilder) -> None:
        self.builder = builder
        self.title: str | None = None
        self.warnings: list[str] = []
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

    def words(self, element: Any) -> str:
        """Running text of ``element``, paragraphs in it parted by line ends; text boxes left out."""
        parts: list[str] = []
        stack = [iter(element)]
        while stack:
            child = next(stack[-1], None)
            if child is None:
                stack.pop()
                continue
            tag = child.tag
            if tag in _SKIPPED or tag == f"{W}txbxContent":
                continue
            if tag in (f"{W}t", f"{M}t"):
                parts.append(child.text or "")
            elif tag in (f"{W}tab", f"{W}ptab"):
                parts.append(" ")
            elif tag in (f"{W}br", f"{W}cr"):
                parts.append("\n")
            elif tag == f"{W}noBreakHyphen":
                parts.append("-")
            elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
                parts.append(f"[{child.get(f'{W}id')}]")
            else:
                if tag in (f"{W}p", f"{W}tr") and parts:
                    parts.append("\n")
                stack.append(iter(child))
        return "".join(parts)

    def _paragraph(self, paragraph: Any) -> None:
        text = self.words(paragraph)
        level, is_title = self._level(paragraph)
        if text.strip():
            if is_title and self.title is None:
                self.title = " ".join(text.split())
            listed = level is None and paragraph.find(f"{W}pPr/{W}numPr") is not None
            self.builder.add(f"- {text.strip()}" if listed else text, level=level, tight=listed)
        for box in paragraph.iter(f"{W}txbxContent"):
            if not any(above.tag == f"{_MC}Fallback" for above in box.iterancestors()):
                self.add(box)

    def _level(self, paragraph: Any) -> tuple[int | None, bool]:
        """Heading level by outline level or style, and whether it is the title."""
        properties = paragraph.find(f"{W}pPr")
        if properties is None:
            return None, False
        outline = properties.find(f"{W}outlineLvl")
        if outline is not None and (outline.get(f"{W}val") or "9") < "6":
            return int(outline.get(f"{W}val")) + 1, False
        style_id = properties.find(f"{W}pStyle")
        style = self._styles.get(style_id.get(f"{W}val")) if style_id is not None else None
        for _ in range(10):  # styles may be based on a heading; a loop of bases must not hang us
            if style is None:
                break
            style_name = str(style.name or "")
            if style_name.lower() == "title":
                return 1, True
            if match := _HEADING.match(style_name):
                return min(6, max(1, int(match[1]))), False
            style = getattr(style, "base_style", None)
        return None, False

    def _table(self, table: Any) -> None:
        for row in table.iter(f"{W}tr"):
            if next(row.iterancestors(f"{W}tbl")) is not table:
                continue  # a row of a table inside a cell: its words are in the cell
            cells = (" ".join(self.words(cell).split()) for cell in row.iter(f"{W}tc") if self._is_of(cell, row))
            self.builder.add(" | ".join(cell for cell in cells if cell), tight=True)

    @staticmethod
    def _is_of(cell: Any, row: Any) -> bool:
        return next(cell.iterancestors(f"{W}tr")) is row
