"""A Word document: the outcome, a table of citations, each row with its passage. No macro, field or link in it."""

from __future__ import annotations

import io
from typing import Any

from core.export.cells import cut, legal, one_line
from core.export.content import Content
from core.export.finding_lines import fields, passages
from core.export.overall import facts, headline_of
from core.export.rows import Row, rows_of

_CELL = 200
_LONGEST = 20_000
_SHADES = {"PASS": "DDF3E4", "REVIEW": "FDECD2", "SOURCE_NOT_INDEXED": "E1ECFA"}
_HEADINGS = ("#", "Citation", "Claim", "Source", "Status", "Support", "Decision")
_WIDTHS = (0.9, 1.8, 6.6, 4.2, 2.6, 1.5, 2.2)


def as_docx(content: Content) -> bytes:
    """The document as bytes."""
    from docx import Document
    from docx.enum.section import WD_ORIENT

    document = Document()
    section = document.sections[0]
    section.orientation = WD_ORIENT.LANDSCAPE
    section.page_width, section.page_height = section.page_height, section.page_width
    document.core_properties.title = one_line(content.title)[:250]
    document.core_properties.author = "evidence-workbench"
    document.core_properties.comments = ""
    document.core_properties.created = content.made.replace(tzinfo=None)
    rows = rows_of(content)
    document.add_heading(f"Citation audit: {one_line(content.title)}"[:400], 0)
    document.add_paragraph(headline_of(content))
    for name, value in facts(content, rows):
        _named(document, name, value)
    document.add_heading("Citations", 1)
    _table(document, rows)
    document.add_heading("Each citation", 1)
    for row in rows:
        _section(document, row)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _table(document: Any, rows: list[Row]) -> None:
    from docx.shared import Cm, Pt

    table = document.add_table(rows=1, cols=len(_HEADINGS), style="Table Grid")
    table.autofit = False
    for cell, heading in zip(table.rows[0].cells, _HEADINGS, strict=True):
        cell.paragraphs[0].add_run(heading).bold = True
    _repeat(table.rows[0])
    for row in rows:
        values = (
            str(row.ordinal), row.marker, row.claim, row.source_title or row.reference or row.url,
            "\n".join([row.status.replace("_", " "), *(reason.replace("_", " ") for reason in row.reasons)]),
            "" if row.support is None else f"{row.support:.2f}", row.decision.replace("_", " "),
        )  # fmt: skip
        added = table.add_row().cells
        for cell, value in zip(added, values, strict=True):
            run = cell.paragraphs[0].add_run(cut(legal(value), _CELL, "…"))
            run.font.size = Pt(8.5)
        _shade(added[4], _SHADES.get(row.status, ""))
    for column, width in zip(table.columns, _WIDTHS, strict=True):
        column.width = Cm(width)


def _section(document: Any, row: Row) -> None:
    reasons = ", ".join(reason.replace("_", " ") for reason in row.reasons)
    document.add_heading(f"{row.ordinal}. {row.status.replace('_', ' ')}{f': {reasons}' if reasons else ''}", 2)
    if row.claim:
        document.add_paragraph().add_run(cut(legal(row.claim), _LONGEST)).bold = True
    for name, words, where in passages(row)[:1]:
        document.add_paragraph(f"{name}{where}:")
        document.add_paragraph(cut(legal(words.text), _LONGEST), style="Intense Quote")
    for name, value in fields(row):
        _named(document, name, value)
    for name, words, where in passages(row)[1:]:
        document.add_paragraph(f"{name}{where}:")
        document.add_paragraph(cut(legal(words.text), _LONGEST), style="Intense Quote")


def _named(document: Any, name: str, value: str) -> None:
    paragraph = document.add_paragraph()
    paragraph.paragraph_format.space_after = 0
    paragraph.add_run(f"{name}: ").bold = True
    paragraph.add_run(cut(legal(value), _LONGEST))


def _repeat(row: Any) -> None:
    """Let the line of headings stand on every page."""
    from docx.oxml import OxmlElement

    row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _shade(cell: Any, colour: str) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    if not colour:
        return
    shading = OxmlElement("w:shd")
    for name, value in (("w:val", "clear"), ("w:color", "auto"), ("w:fill", colour)):
        shading.set(qn(name), value)
    cell._tc.get_or_add_tcPr().append(shading)
