"""Exports of hostile text, opened again by the readers that people's programs use: nothing runs, nothing is lost
silently, nothing breaks a file."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from typing import Any

import pytest
from lxml import etree, html

from core.export.as_docx import as_docx
from core.export.as_html import as_html
from core.export.as_json import as_json
from core.export.as_markdown import as_markdown
from core.export.cells import CELL_LIMIT, CUT_MARK, csv_cell, cut, legal
from core.export.columns import COLUMNS
from core.export.content import Content
from core.export.formats import as_sarif
from core.export.spreadsheets import as_csv, as_xlsx
from tests.helpers.exporting import content_of

HEBREW = "\u200f\u05e9\u05dc\u05d5\u05dd\u200e \u202bend\u202c"
FORMULAS = [
    "=1+1", "@SUM(A1:A9)", "+2", "-2+3", "\t=1+1", "\r=1+1", "\n=cmd|' /C calc'!A0", "  =1+1", "\ufeff=1+1",
    "\u200b=1+1", "\xa0-1", "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20SUM", '=HYPERLINK("http://evil.example","x")',
    'x;=1+1', 'x;"=1+1', "x\n@SUM(1)", "x\t+1", "\x00=1+1", "\x1f=1+1", "\ud800=1",
]  # fmt: skip
MARKUP = (
    "<script>alert(1)</script><img src=http://evil.example/x.png onerror=alert(1)> [a](http://evil.example) *b* | c"
)
ODD = [
    "a\x00b\x08c\x7fd\x9fe",
    HEBREW,
    "x\ufffey\uffffz",
    "lone \ud800 surrogate",
    "_x0041_",
    MARKUP,
    "]]>",
    "&lt;&amp;",
]
LARGE = "large " * 170_000  # 1 MB
ASTRAL = "\U0001f333" * 40_000
TEXTS = [*FORMULAS, *ODD, LARGE, ASTRAL, " " * 50_000 + "=1", "plain", "plain", "plain"]


@pytest.fixture(scope="module")
def content() -> Content:
    return content_of(TEXTS, title='=HYPERLINK("http://evil.example")')


def starts_a_cell(text: str) -> bool:
    """What OWASP warns of, white space and unseen marks skipped."""
    seen = re.sub("^[\\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+", "", text)
    return text[:1] in ("\t", "\r", "\n") or seen[:1] in tuple("=+-@＝＋－＠")


def test_no_cell_of_a_csv_begins_as_a_formula_whatever_the_separator(content: Content) -> None:
    body = as_csv(content).decode("utf-8-sig")
    csv.field_size_limit(10_000_000)
    lines = list(csv.reader(io.StringIO(body, newline="")))
    assert len(lines) == len(TEXTS) + 1
    assert {len(line) for line in lines} == {len(COLUMNS)}
    assert not [cell[:20] for line in lines for cell in line if starts_a_cell(cell)]
    # Read by a spreadsheet that splits at semicolons, tabs and line ends, and knows no quotation marks.
    assert not [part[:20] for part in re.split("[;\t\r\n]", body) if starts_a_cell(part.strip().strip('"'))]
    at = [column.name for column in COLUMNS].index("claim")
    found = {line[at] for line in lines}
    assert {"'=1+1", "'@SUM(A1:A9)", "'\t'=1+1", HEBREW, "abcde", "_x0041_", MARKUP} <= found
    assert "\x00" not in body
    assert LARGE in found


def test_every_cell_of_a_sheet_is_text_and_says_where_it_was_cut(content: Content) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    body = as_xlsx(content)
    book = openpyxl.load_workbook(io.BytesIO(body))
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type in ("s", "n"), cell
                assert cell.hyperlink is None
                if isinstance(cell.value, str):
                    assert len(cell.value.encode("utf-16-le")) <= 2 * CELL_LIMIT
                    if cell.row > 1:
                        assert cell.quotePrefix
    claims = [row[2].value for row in book["Citations"].iter_rows(min_row=2)]
    assert claims[: len(FORMULAS)] == [legal(text) for text in FORMULAS]
    assert {HEBREW, "_x0041_", MARKUP, "]]>", "&lt;&amp;"} <= set(claims)
    large = next(one for one in claims if one and one.startswith("large"))
    assert large.endswith(CUT_MARK)
    parts = zipfile.ZipFile(io.BytesIO(body))
    assert not [name for name in parts.namelist() if "vba" in name.lower() or "external" in name.lower()]
    for name in parts.namelist():
        if name.endswith((".xml", ".rels")):
            tree = etree.fromstring(parts.read(name))
            assert not tree.xpath("//*[local-name()='f'] | //@TargetMode")


def test_json_holds_every_text_whole(content: Content) -> None:
    value = json.loads(as_json(content))
    claims = [row["claim"] for row in value["rows"]]
    assert claims == [text.replace("\ud800", "\ufffd") for text in TEXTS]
    assert as_json(content).decode() == as_json(content).decode("utf-8")


def test_a_word_document_opens_and_holds_no_field_link_or_macro(content: Content) -> None:
    from docx import Document

    body = as_docx(content)
    document = Document(io.BytesIO(body))
    texts = [one.text for one in document.paragraphs]
    assert "=1+1" in texts
    assert HEBREW in texts
    assert "abcde" in texts
    parts = zipfile.ZipFile(io.BytesIO(body))
    tree = etree.fromstring(parts.read("word/document.xml"))
    assert not tree.xpath("//*[local-name()='fldSimple' or local-name()='instrText' or local-name()='hyperlink']")
    assert b"External" not in parts.read("word/_rels/document.xml.rels")


def test_html_shows_markup_letter_for_letter_and_has_no_way_out(content: Content) -> None:
    tree = html.document_fromstring(as_html(content).decode())
    assert not tree.xpath("//script | //img | //*[@onerror] | //link | //iframe")
    assert all(one.startswith("#") for one in tree.xpath("//@href"))
    assert MARKUP in tree.xpath("//article/p[@class='claim']/text()")
    assert "\x00" not in tree.text_content()
    # Marks of direction stay, inside an element that keeps them from what stands around it.
    (claim,) = [one for one in tree.xpath("//article/p[@class='claim']") if one.text == HEBREW]
    assert claim.get("dir") == "auto"


def test_markdown_makes_no_link_image_or_tag(content: Content) -> None:
    from markdown_it import MarkdownIt

    rendered = MarkdownIt("commonmark").enable("table").render(as_markdown(content).decode())
    tree: Any = html.fromstring(rendered)
    assert not tree.xpath("//script | //img | //a | //em | //code")
    assert "<script>" in tree.text_content()


def test_sarif_holds_hostile_text_too(content: Content) -> None:
    log = json.loads(as_sarif(content))
    assert len(log["runs"][0]["results"]) > 1


@pytest.mark.parametrize("text", FORMULAS)
def test_a_neutralised_cell_keeps_its_words(text: str) -> None:
    assert csv_cell(text).replace("'", "") == legal(text).replace("'", "")


def test_a_megabyte_of_blanks_or_separators_takes_no_square() -> None:
    for text in (" " * 2_000_000, "\n;" * 1_000_000, '"' * 2_000_000, "-" * 2_000_000):
        assert len(csv_cell(text)) <= 2 * len(text) + 1


def test_a_cut_counts_as_a_spreadsheet_does() -> None:
    assert len(cut(ASTRAL, 1000).encode("utf-16-le")) <= 2000
    assert cut("short", 1000) == "short"
