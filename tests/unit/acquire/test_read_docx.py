"""DOCX: headings, lists, tables, notes, and what python-docx leaves out."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from core.acquire.read_docx import read_docx
from core.errors import UnreadableSource
from core.labels import FetchState


def saved(document: object) -> bytes:
    target = io.BytesIO()
    document.save(target)  # type: ignore[attr-defined]
    return target.getvalue()


@pytest.fixture
def report() -> bytes:
    document = docx.Document()
    document.core_properties.author = "Ann Lee"
    document.core_properties.title = ""
    document.core_properties.created = datetime(2024, 3, 2)
    document.add_heading("Rain gardens", 0)
    document.add_heading("Costs", 1)
    document.add_paragraph("They cost little.")
    document.add_paragraph("Soil", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for row, words in zip(table.rows, (("Item", "Cost"), ("Soil", "20")), strict=True):
        for cell, word in zip(row.cells, words, strict=True):
            cell.text = word
    document.add_heading("Deeper", 2)
    body = document.element.body
    body.insert(
        len(body) - 1,
        parse_xml(
            f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>In a control. </w:t></w:r>"
            "<w:ins><w:r><w:t>Inserted. </w:t></w:r></w:ins><w:del><w:r><w:delText>Deleted.</w:delText></w:r></w:del>"
            "</w:p></w:sdtContent></w:sdt>"
        ),
    )
    return saved(document)


def test_headings_lists_and_tables_come_in_reading_order(report: bytes) -> None:
    read = read_docx(report, name="r.docx")
    assert read.text == (
        "Rain gardens\n\nCosts\n\nThey cost little.\n\nSoil\n\nItem | Cost\nSoil | 20\n\n"
        "Deeper\n\nIn a control. Inserted."
    )
    assert [(h.level, read.text[h.start : h.end]) for h in read.headings] == [
        (1, "Rain gardens"),
        (1, "Costs"),
        (2, "Deeper"),
    ]


def test_properties_give_title_author_and_date(report: bytes) -> None:
    read = read_docx(report, name="r.docx")
    assert (read.title, read.authors, str(read.published)) == ("Rain gardens", ("Ann Lee",), "2024-03-02")


def test_the_strict_variant_is_read(report: bytes) -> None:
    strict = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(report)) as source, zipfile.ZipFile(strict, "w") as target:
        for member in source.infolist():
            data = source.read(member)
            for transitional, other in (
                (
                    b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                    b"http://purl.oclc.org/ooxml/wordprocessingml/main",
                ),
                (
                    b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
                    b"http://purl.oclc.org/ooxml/officeDocument/relationships",
                ),
            ):
                data = data.replace(transitional, other)
            target.writestr(member.filename, data)
    assert read_docx(strict.getvalue(), name="s.docx").text == read_docx(report, name="r.docx").text


def test_a_document_without_text_is_empty() -> None:
    with pytest.raises(UnreadableSource) as caught:
        read_docx(saved(docx.Document()), name="e.docx")
    assert caught.value.state is FetchState.EMPTY


def test_footnotes_stand_behind_the_text(report: bytes) -> None:
    notes = (
        f"<w:footnotes {nsdecls('w')}><w:footnote w:type='separator' w:id='0'><w:p/></w:footnote>"
        "<w:footnote w:id='2'><w:p><w:r><w:t>Measured in 2021.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(report)) as source, zipfile.ZipFile(target, "w") as copy:
        for member in source.infolist():
            data = source.read(member)
            if member.filename == "word/_rels/document.xml.rels":
                kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
                link = f'<Relationship Id="rIdN" Type="{kind}" Target="footnotes.xml"/></Relationships>'
                data = data.replace(b"</Relationships>", link.encode())
            if member.filename == "[Content_Types].xml":
                part = '<Override PartName="/word/footnotes.xml" ContentType="application/xml"/></Types>'
                data = data.replace(b"</Types>", part.encode())
            copy.writestr(member.filename, data)
        copy.writestr("word/footnotes.xml", notes)
    assert read_docx(target.getvalue(), name="n.docx").text.endswith("Footnotes\n\n[2] Measured in 2021.")


def test_a_damaged_part_is_named(report: bytes) -> None:
    at = report.index(b"word/document.xml") + 60
    with pytest.raises(UnreadableSource, match=r"r\.docx is a damaged DOCX") as caught:
        read_docx(report[:at] + b"\xff" * 40 + report[at + 40 :], name="r.docx")
    assert caught.value.state is FetchState.BROKEN
