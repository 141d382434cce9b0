"""Every file that can say so says that a source is not there any more."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import docx
import openpyxl
import pytest

from core.export.content import gone_words, rows_without_source
from core.export.formats import ExportFormat, writer_of
from tests.helpers.exporting import content_of

SAYS = "A source by which row 2 was judged is not in the project any more"


def words_of(format: ExportFormat, body: bytes) -> str:
    if format is ExportFormat.XLSX:
        book = openpyxl.load_workbook(io.BytesIO(body))
        return " ".join(str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row)
    if format is ExportFormat.DOCX:
        return " ".join(one.text for one in docx.Document(io.BytesIO(body)).paragraphs)
    if format is ExportFormat.SARIF:
        (told,) = json.loads(body)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        return str(told["message"]["text"])
    return body.decode()


@pytest.mark.parametrize("format", [one for one in ExportFormat if one not in (ExportFormat.PACK, ExportFormat.CSV)])
def test_a_deleted_source_is_told_in_the_file(format: ExportFormat) -> None:
    content = content_of(["one", "two"])
    assert "not in the project any more" not in writer_of(format)(content).decode("utf-8", "ignore")
    rest = {key: one for key, one in content.documents.items() if key != "1"}
    assert SAYS in words_of(format, writer_of(format)(replace(content, documents=rest)))


def test_the_rows_are_named_but_not_without_end() -> None:
    rows = rows_without_source(content_of([str(number) for number in range(30)]).findings, ())
    words = gone_words(rows, pack=True)
    assert "rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more were" in words
    assert "check of this pack will fail" in words
    assert gone_words([]) == ""
