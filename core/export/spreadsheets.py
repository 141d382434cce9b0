"""Spreadsheets: CSV, and a workbook with a sheet each for citations, claims and the outcome. No text is run as a
formula. In CSV (RFC 4180: comma, CRLF, quotation marks doubled; UTF-8 with the byte order mark that Excel needs) every
cell stands in quotation marks, and none begins as a formula (``core.export.cells.csv_cell``). In a workbook text is
written by ``write_string`` only, so that none of it is a formula, a link or a number. Its cells are marked as text
(``quotePrefix``), so that it stays text when somebody edits it. Numbers are ours."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from core.export.cells import csv_cell, sheet_cell
from core.export.columns import CLAIM_COLUMNS, COLUMNS, Cell, cells, claim_cells
from core.export.content import Content
from core.export.lines import facts, headline_of
from core.export.rows import rows_of

BOM = "\ufeff"


def as_csv(content: Content) -> bytes:
    """One line of headings, then one record a row."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([column.name for column in COLUMNS])
    for row in rows_of(content):
        writer.writerow([_cell(cell) for cell in cells(row, content.title)])
    return (BOM + out.getvalue()).encode()


def _cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return f"{cell:.4f}"
    if isinstance(cell, int):
        return str(cell)
    return csv_cell(cell or "")


_TALLEST = 90
"""Height of a row in points: a long passage is read in its cell, not in the table."""
_COLOURS = {"PASS": "#DDF3E4", "REVIEW": "#FDECD2", "SOURCE_NOT_INDEXED": "#E1ECFA"}


def as_xlsx(content: Content) -> bytes:
    """The workbook as bytes. The same content gives the same bytes."""
    import xlsxwriter  # type: ignore[import-untyped, unused-ignore]

    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(out, options)
    book.set_properties({"title": sheet_cell(content.title)[:250], "created": content.made.replace(tzinfo=None)})
    sheets = _Sheets(book)
    rows = rows_of(content)
    citations = [cells(row, content.title) for row in rows]
    sheets.table("Citations", [(column.name, column.width) for column in COLUMNS], citations)
    sheets.table("Claims", CLAIM_COLUMNS, [claim_cells(claim, content) for claim in content.claims])
    outcome: list[list[Cell]] = [["Outcome", headline_of(content)]]
    outcome += [[name, value] for name, value in facts(content, rows)]
    sheets.table("Summary", [("what", 24), ("value", 110)], outcome)
    book.close()
    return out.getvalue()


class _Sheets:
    def __init__(self, book: Any) -> None:
        self._book = book
        self._head = book.add_format(
            {"bold": True, "bg_color": "#E6EBF2", "bottom": 1, "text_wrap": True, "valign": "top"}
        )
        self._text = book.add_format({"text_wrap": True, "valign": "top", "quote_prefix": True, "num_format": "@"})
        self._number = book.add_format({"valign": "top"})
        self._share = book.add_format({"valign": "top", "num_format": "0.00"})

    def table(self, name: str, columns: Sequence[tuple[str, int]], rows: Sequence[Sequence[Cell]]) -> None:
        """A sheet with a frozen line of headings, filters and widths."""
        sheet = self._book.add_worksheet(name)
        for at, (heading, width) in enumerate(columns):
            sheet.set_column(at, at, width)
            sheet.write_string(0, at, heading.replace("_", " "), self._head)
        for number, row in enumerate(rows, start=1):
            longest = max(
                (len(cell) / width for cell, (_, width) in zip(row, columns, strict=True) if isinstance(cell, str)),
                default=0,
            )
            sheet.set_row(number, min(_TALLEST, 15 * (1 + int(longest))))
            for at, cell in enumerate(row):
                self._cell(sheet, number, at, cell)
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, max(1, len(rows)), len(columns) - 1)
        self._paint(sheet, [heading for heading, _ in columns], len(rows))
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0)

    def _cell(self, sheet: Any, row: int, column: int, cell: Cell) -> None:
        if isinstance(cell, float):
            sheet.write_number(row, column, cell, self._share)
        elif isinstance(cell, int):
            sheet.write_number(row, column, cell, self._number)
        elif cell:
            sheet.write_string(row, column, sheet_cell(cell), self._text)

    def _paint(self, sheet: Any, headings: Sequence[str], rows: int) -> None:
        if "status" not in headings or not rows:
            return
        at = headings.index("status")
        for status, colour in _COLOURS.items():
            rule = {
                "type": "cell",
                "criteria": "==",
                "value": f'"{status}"',
                "format": self._book.add_format({"bg_color": colour}),
            }
            sheet.conditional_format(1, at, rows, at, rule)
