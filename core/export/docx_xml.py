"""Paragraphs and table rows as WordprocessingML (ECMA-376, part 1, 17.3 and 17.4), put into a document of python-docx.

Its own way to add a paragraph looks at all paragraphs before it, so a report with thousands of citations would take
minutes; text made here and parsed once a citation takes time as its length does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

_NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TWIPS_A_CM = 567
_HALF_POINTS = 2


@dataclass(frozen=True, slots=True)
class Run:
    """Legal text (``core.export.cells.legal``) in one look. ``size`` in points, 0 for that of the style."""

    text: str
    bold: bool = False
    size: float = 0


def paragraph(runs: Sequence[Run], style: str = "", *, close: bool = False) -> str:
    """A paragraph; ``style`` is the id of a style, ``close`` leaves no space after it."""
    about = f'<w:pStyle w:val="{style}"/>' if style else ""
    about += '<w:spacing w:after="0"/>' if close else ""
    return f"<w:p>{f'<w:pPr>{about}</w:pPr>' if about else ''}{''.join(map(_run, runs))}</w:p>"


def table_row(cells: Sequence[str], widths_cm: Sequence[float], shades: Sequence[str], *, heading: bool = False) -> str:
    """A row of paragraphs (one a cell). ``shades`` are colours (``DDF3E4``) or "". ``heading``: it stands on every page
    again."""
    parts = []
    for cell, width, shade in zip(cells, widths_cm, shades, strict=True):
        colour = f'<w:shd w:val="clear" w:color="auto" w:fill="{shade}"/>' if shade else ""
        size = f'<w:tcW w:type="dxa" w:w="{round(width * _TWIPS_A_CM)}"/>'
        parts.append(f"<w:tc><w:tcPr>{size}{colour}</w:tcPr>{cell}</w:tc>")
    return f"<w:tr>{'<w:trPr><w:tblHeader/></w:trPr>' if heading else ''}{''.join(parts)}</w:tr>"


def add_to_body(document: Any, groups: Iterable[Sequence[str]]) -> None:
    """Put paragraphs, parsed group by group, at the end of the document, before the properties of its section."""
    last = document.element.body.sectPr  # looked for once: every look goes through all that stands before it
    for group in groups:
        for element in _parsed(group):
            last.addprevious(element)


def add_to_table(table: Any, rows: Sequence[str]) -> None:
    """Put rows at the end of a table."""
    for element in _parsed(rows):
        table._tbl.append(element)


def _parsed(parts: Sequence[str]) -> list[Any]:
    from docx.oxml.parser import parse_xml

    return list(parse_xml(f"<w:body {_NAMESPACE}>{''.join(parts)}</w:body>"))


def _run(run: Run) -> str:
    about = "<w:b/>" if run.bold else ""
    if run.size:
        half = round(run.size * _HALF_POINTS)
        about += f'<w:sz w:val="{half}"/><w:szCs w:val="{half}"/>'
    text = "<w:br/>".join("<w:tab/>".join(map(_words, line.split("\t"))) for line in run.text.split("\n"))
    return f"<w:r>{f'<w:rPr>{about}</w:rPr>' if about else ''}{text}</w:r>"


def _words(text: str) -> str:
    return f'<w:t xml:space="preserve">{escape(text)}</w:t>' if text else ""
