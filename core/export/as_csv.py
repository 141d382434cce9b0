"""CSV as RFC 4180 has it (comma, CRLF, quotation marks doubled), in UTF-8 with a byte order mark, which Excel needs.

Every cell stands in quotation marks, and none begins as a formula (``core.export.cells.csv_cell``).
"""

from __future__ import annotations

import csv
import io

from core.export.cells import csv_cell
from core.export.columns import COLUMNS, Cell, cells
from core.export.content import Content
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
