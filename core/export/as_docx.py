"""A Word document: the outcome, a table of citations, each row with its passage. No macro, field or link in it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from core.export.cells import cut, legal, one_line
from core.export.content import Content
from core.export.docx_xml import Run, add_to_body, add_to_table, paragraph, table_row
from core.export.finding_lines import fields, passages
from core.export.overall import facts, headline_of
from core.export.rows import Row, SourcePassage, rows_of

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
    heading, quote = (document.styles[name].style_id for name in ("Heading 2", "Intense Quote"))
    add_to_body(document, (list(_section(row, heading, quote)) for row in rows))
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _table(document: Any, rows: list[Row]) -> None:
    from docx.shared import Cm

    table = document.add_table(rows=0, cols=len(_HEADINGS), style="Table Grid")
    table.autofit = False
    for column, width in zip(table.columns, _WIDTHS, strict=True):
        column.width = Cm(width)
    heads = [paragraph([Run(heading, bold=True)]) for heading in _HEADINGS]
    lines = [table_row(heads, _WIDTHS, [""] * len(_HEADINGS), heading=True)]
    for row in rows:
        values = (
            str(row.ordinal), row.marker, row.claim, row.source_title or row.reference or row.url,
            "\n".join([row.status.replace("_", " "), *(reason.replace("_", " ") for reason in row.reasons)]),
            "" if row.support is None else f"{row.support:.2f}", row.decision.replace("_", " "),
        )  # fmt: skip
        cells = [paragraph([Run(cut(legal(value), _CELL, "…"), size=8.5)]) for value in values]
        lines.append(table_row(cells, _WIDTHS, ["", "", "", "", _SHADES.get(row.status, ""), "", ""]))
    add_to_table(table, lines)


def _section(row: Row, heading: str, quote: str) -> Iterator[str]:
    """The paragraphs of a citation; ``heading`` and ``quote`` are ids of styles."""
    reasons = ", ".join(reason.replace("_", " ") for reason in row.reasons)
    title = f"{row.ordinal}. {row.status.replace('_', ' ')}{f': {reasons}' if reasons else ''}"
    yield paragraph([Run(legal(title))], heading)
    if row.claim:
        yield paragraph([Run(cut(legal(row.claim), _LONGEST), bold=True)])
    shown = passages(row)
    yield from _quoted(shown[:1], quote)
    for name, value in fields(row):
        yield paragraph([Run(f"{name}: ", bold=True), Run(cut(legal(value), _LONGEST))], close=True)
    yield from _quoted(shown[1:], quote)


def _quoted(shown: Sequence[tuple[str, SourcePassage, str]], quote: str) -> Iterator[str]:
    for name, words, where in shown:
        yield paragraph([Run(f"{name}{where}:")])
        yield paragraph([Run(cut(legal(words.text), _LONGEST))], quote)


def _named(document: Any, name: str, value: str) -> None:
    paragraph = document.add_paragraph()
    paragraph.paragraph_format.space_after = 0
    paragraph.add_run(f"{name}: ").bold = True
    paragraph.add_run(cut(legal(value), _LONGEST))
