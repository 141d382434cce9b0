"""What leaves the workbench: each export downloaded and opened as its reader would, and the overview on paper."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pytest
from lxml import html
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.conftest import press, ready, settle
from tools.app_server import HOME, serving

pytestmark = pytest.mark.browser

SAID = "seven units of heat"
"""Words of the report."""
CITED = "Estermark Housing Survey"
"""A source that nobody has; it is told in every format."""
SOURCE = "three units of heat for one unit of electricity"
"""Words of the source that decide."""


def csv_words(body: bytes) -> str:
    """All cells."""
    rows = list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) == 5
    return "\n".join(cell for row in rows for cell in row)


def xlsx_words(body: bytes) -> str:
    """All cells of all sheets; none is a formula."""
    cells = [cell for sheet in openpyxl.load_workbook(io.BytesIO(body)) for row in sheet.iter_rows() for cell in row]
    assert not [cell for cell in cells if cell.data_type == "f"]
    return "\n".join(str(cell.value) for cell in cells)


def json_words(body: bytes) -> str:
    """Parsed and written again."""
    return json.dumps(json.loads(body), ensure_ascii=False)


def sarif_words(body: bytes) -> str:
    """A SARIF log of the version it says."""
    log = json.loads(body)
    assert log["version"] == "2.1.0"
    assert log["runs"][0]["results"]
    return json.dumps(log, ensure_ascii=False)


def docx_words(body: bytes) -> str:
    """Paragraphs and tables."""
    document = docx.Document(io.BytesIO(body))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])


def html_words(body: bytes) -> str:
    """A page without scripts."""
    tree = html.document_fromstring(body)
    assert not tree.xpath("//script")
    return str(tree.text_content())


def pack_words(body: bytes) -> str:
    """The readable page inside."""
    with zipfile.ZipFile(io.BytesIO(body)) as pack:
        assert pack.testzip() is None
        return html_words(pack.read("report.html"))


READERS: dict[str, Callable[[bytes], str]] = {
    "Web page (one file)": html_words,
    "Word": docx_words,
    "Excel": xlsx_words,
    "CSV": csv_words,
    "Markdown": lambda body: body.decode("utf-8"),
    "JSON": json_words,
    "SARIF 2.1.0": sarif_words,
    "Audit pack": pack_words,
}


def test_each_export_opens_the_pack_verifies_and_the_overview_prints(
    tab: Callable[..., Page], root: Path, tmp_path: Path
) -> None:
    with serving(root) as url:
        page = tab()
        page.goto(f"{url}/review?project=pumps&reviewer=Ann")
        ready(page)
        press(page, "x")
        page.goto(f"{url}/export?project=pumps&report=1")
        files = {name: _downloaded(page, name, number, tmp_path) for number, name in enumerate(READERS, 1)}
        for name, file in files.items():
            words = " ".join(READERS[name](file.read_bytes()).split())
            assert CITED in words, name
            if name != "SARIF 2.1.0":  # which points into the report instead of quoting
                assert SAID in words, name
                assert SOURCE in words, name
        _overview_on_paper(page, url)
    command = [
        sys.executable,
        "-m",
        "core.commands",
        "--root",
        str(tmp_path / "other"),
        "verify",
        str(files["Audit pack"]),
    ]
    checked = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "1 decision in a whole chain" in " ".join(checked.stdout.split())


def _downloaded(page: Page, format: str, number: int, folder: Path) -> Path:
    """Write a report out in this format; the ``number``-th file of the list."""
    settle(page)
    page.get_by_test_id("stRadio").get_by_text(format, exact=True).click()
    settle(page)
    page.get_by_role("button", name="Write the file").first.click()
    expect(page.get_by_role("button", name="Download")).to_have_count(number)
    settle(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").first.click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def _overview_on_paper(page: Page, url: str) -> None:
    page.goto(f"{url}/overview?project=trees&report=1")
    expect(page.get_by_role("heading", name="What does not hold").last).to_be_visible()
    settle(page)
    sheets = PdfReader(io.BytesIO(page.pdf(format="A4"))).pages
    words = " ".join(" ".join(sheet.extract_text() for sheet in sheets).split())
    assert "citations hold" in words
    assert words.count("The report: ") >= 53
    assert words.count("The source: ") >= 40
    assert "Citation audit" not in words  # no menu on paper
    assert "Export" not in words  # no buttons
