"""A Word document: the outcome, a table of citations, each row with its passage. No macro, field or link in it."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from core.export.cells import cut, legal, one_line
from core.export.content import Content
from core.export.lines import facts, fields, headline_of, passages
from core.export.rows import Row, SourcePassage, rows_of

_CELL = 200
_LONGEST = 20_000
_SHADES = {"PASS": "DDF3E4", "REVIEW": "FDECD2", "SOURCE_NOT_INDEXED": "E1ECFA"}
_HEADINGS = ("#", "Citation", "Claim", "Source", "Status", "Support", "Decision")
_WIDTHS = (0.9, 1.8, 6.6, 4.2, 2.6, 1.5, 2.2)


def as_docx(content: Content) -> bytes:
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
    """Put paragraphs, parsed group by group, at the end of the document, before the properties of its section.
    python-docx's own way to add a paragraph looks at all paragraphs before it, so a report with thousands of citations
    would take minutes. WordprocessingML (ECMA-376, part 1, 17.3 and 17.4) made here takes time as its length does."""
    last = document.element.body.sectPr  # looked for once: every look goes through all that stands before it
    for group in groups:
        for element in _parsed(group):
            last.addprevious(element)


def add_to_table(table: Any, rows: Sequence[str]) -> None:
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
