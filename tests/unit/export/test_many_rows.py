"""A report with two thousand citations: every format is written in one go and opens again with all of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import docx
import openpyxl
import pytest
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from jsonschema import Draft202012Validator
from lxml import html

from core.audit.layout import shaded_blocks
from core.export.as_docx import Run, paragraph
from core.export.content import Content
from core.export.formats import ExportFormat, writer_of
from core.records import HeatSentence
from tests.helpers.exporting import content_of

ROWS = 2_000
PUBLISHED = Path(__file__).resolve().parents[3] / "docs" / "export.schema.json"


@pytest.fixture(scope="module")
def content() -> Content:
    return content_of([f"Words of row {at}, with a < b & ‮strange‬ signs." for at in range(ROWS)])


def _docx(body: bytes) -> int:
    document = docx.Document(io.BytesIO(body))
    (table,) = document.tables
    names = [str(one.get(qn("w:val"))) for one in document.element.body.iter(qn("w:pStyle"))]
    rows = sum(1 for _ in table._tbl.iter(qn("w:tr"))) - 1
    assert names.count("Heading2") == rows
    return rows


def _xlsx(body: bytes) -> int:
    book = openpyxl.load_workbook(io.BytesIO(body), read_only=True)
    return sum(1 for _ in book["Citations"].iter_rows()) - 1


def _json(body: bytes) -> int:
    value = json.loads(body)
    Draft202012Validator(json.loads(PUBLISHED.read_text("utf-8"))).validate(value)
    return len(value["rows"])


def _csv(body: bytes) -> int:
    return len(list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))) - 1


def _html(body: bytes) -> int:
    return len(html.document_fromstring(body).xpath("//article"))


def _markdown(body: bytes) -> int:
    return body.decode().count("\n### ")


def _sarif(body: bytes) -> int:
    """Rows that do not pass: every second one, and the last two in any case."""
    return 2 * len(json.loads(body)["runs"][0]["results"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "count"),
    [
        (ExportFormat.DOCX, _docx), (ExportFormat.XLSX, _xlsx), (ExportFormat.JSON, _json), (ExportFormat.CSV, _csv),
        (ExportFormat.HTML, _html), (ExportFormat.MARKDOWN, _markdown), (ExportFormat.SARIF, _sarif),
    ],
)  # fmt: skip
def test_two_thousand_rows_open_again(content: Content, format: ExportFormat, count: object) -> None:
    assert callable(count)
    assert abs(count(writer_of(format)(content)) - ROWS) <= 2


def _looks(monkeypatch: pytest.MonkeyPatch, rows: int) -> int:
    """How often a place among its siblings is looked for while a Word document is written."""
    calls = []
    original = BaseOxmlElement.first_child_found_in

    def counted(element: BaseOxmlElement, *names: str) -> object:
        calls.append(names)
        return original(element, *names)

    with monkeypatch.context() as patch:
        patch.setattr(BaseOxmlElement, "first_child_found_in", counted)
        writer_of(ExportFormat.DOCX)(content_of([f"Row {at}" for at in range(rows)]))
    return len(calls)


def test_a_word_document_of_more_rows_looks_through_no_more_of_them_each(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _looks(monkeypatch, 80) == _looks(monkeypatch, 20)


def test_text_of_a_paragraph_is_text() -> None:
    assert paragraph([Run("a < b & c\td\n]]>", bold=True)], "Quote", close=True) == (
        '<w:p><w:pPr><w:pStyle w:val="Quote"/><w:spacing w:after="0"/></w:pPr><w:r><w:rPr><w:b/></w:rPr>'
        '<w:t xml:space="preserve">a &lt; b &amp; c</w:t><w:tab/><w:t xml:space="preserve">d</w:t><w:br/>'
        '<w:t xml:space="preserve">]]&gt;</w:t></w:r></w:p>'
    )


def test_of_a_long_report_each_block_looks_at_its_own_sentences_only() -> None:
    content = content_of([f"Row {at}." for at in range(60)])
    looked: list[int] = []

    class Looked(HeatSentence):
        def __getattribute__(self, name: str) -> object:
            if name == "shade":
                looked.append(1)
            return super().__getattribute__(name)

    heat = [Looked(one.start, one.end, "verified", one.findings) for one in content.heat]
    blocks = shaded_blocks(content.read, heat)
    assert len(looked) == len(heat)
    pieces = [piece for block in blocks for piece in block.pieces]
    assert [(one.start, one.end) for one in pieces if one.shade != "plain"] == [(one.start, one.end) for one in heat]
