"""PDF: pages, paragraphs, headings, running lines, divided words."""

from __future__ import annotations

import io
from datetime import date

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

from core.acquire.read_pdf import read_pdf
from core.acquire.read_pdf_lines import HYPHEN
from core.acquire.read_pdf_write import join_lines
from core.errors import UnreadableSource
from core.labels import FetchState

LINES = [
    "Rain gardens take in the water that runs off roofs and streets and let it",
    "sink into the ground, where plants and soil clean it before it reaches the",
    "river. They cost little and need no pipes.",
]


def document(pages: int = 4, *, title: str = "Rain gardens in three towns") -> bytes:
    """A report with a running header, page numbers, a heading a page and two paragraphs."""
    target = io.BytesIO()
    page = canvas.Canvas(target, pagesize=A4)
    page.setTitle(title)
    page.setAuthor("Ann Lee; Bo Cho")
    for number in range(1, pages + 1):
        page.setFont("Helvetica", 9)
        page.drawString(72, 810, "Water Notes, Report 7")
        page.drawString(290, 30, str(number))
        page.setFont("Helvetica-Bold", 16)
        page.drawString(72, 760, f"Town number {'ABCDEFGH'[number - 1]}")
        page.setFont("Helvetica", 11)
        for at, line in enumerate(LINES):
            page.drawString(72, 730 - 14 * at, line)
        for at, line in enumerate(LINES):
            page.drawString(72, 670 - 14 * at, line.replace("They", f"Gardens of {'ABCDEFGH'[number - 1]}"))
        page.showPage()
    page.save()
    return target.getvalue()


def test_each_page_is_a_span_of_the_text() -> None:
    report = read_pdf(document(), name="r.pdf")
    assert [page.number for page in report.pages] == [1, 2, 3, 4]
    for page, letter in zip(report.pages, "ABCD", strict=True):
        assert report.text[page.start : page.end].startswith(f"Town number {letter}")
    assert report.pages[-1].end == len(report.text)


def test_lines_are_joined_into_paragraphs_and_large_print_is_a_heading() -> None:
    report = read_pdf(document(), name="r.pdf")
    first = " ".join(LINES)
    assert report.text.count(first) == 4
    assert [h.text for h in report.headings] == [f"Town number {letter}" for letter in "ABCD"]
    assert report.text.split("\n\n")[:3] == ["Town number A", first, first.replace("They", "Gardens of A")]


def test_running_headers_and_page_numbers_are_dropped() -> None:
    report = read_pdf(document(), name="r.pdf")
    assert "Water Notes" not in report.text
    assert not any(line.strip().isdigit() for line in report.text.split("\n"))


def test_metadata_is_taken_when_it_is_plausible() -> None:
    report = read_pdf(document(), name="r.pdf")
    assert report.title == "Rain gardens in three towns"
    assert report.authors == ("Ann Lee", "Bo Cho")
    assert isinstance(report.published, date)
    assert report.language == "en"
    assert read_pdf(document(title="Microsoft Word - draft.doc"), name="r.pdf").title == "Town number A"


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["the effec" + HYPHEN, "tiveness of"], "the effectiveness of"),
        (["the effec-", "tiveness of"], "the effectiveness of"),
        (["a well" + HYPHEN, "known fact"], "a well-known fact"),
        (["in 1990-", "1995 it rose"], "in 1990-1995 it rose"),
        (["by Smith-", "Jones"], "by Smith-Jones"),
        (["plain", "lines"], "plain lines"),
    ],
)
def test_words_divided_at_a_line_end_are_mended(lines: list[str], joined: str) -> None:
    assert join_lines(lines, {"well-known", "effectiveness"}) == joined


def test_a_sentence_over_a_page_break_stays_whole() -> None:
    target = io.BytesIO()
    page = canvas.Canvas(target, pagesize=A4)
    page.setFont("Helvetica", 11)
    for at in range(20):
        page.drawString(
            72, 760 - 14 * at, "It goes on over this line and over the next one, and further down the page,"
        )
    page.showPage()
    page.setFont("Helvetica", 11)
    page.drawString(72, 760, "until it ends here on the second page. Then it begins again.")
    page.save()
    report = read_pdf(target.getvalue(), name="r.pdf")
    assert "further down the page, until it ends here" in report.text
    assert report.text[report.pages[1].start :].startswith("until it ends")


def test_a_blank_page_is_empty_and_says_so() -> None:
    target = io.BytesIO()
    page = canvas.Canvas(target)
    page.showPage()
    page.save()
    with pytest.raises(UnreadableSource, match="1 blank page") as caught:
        read_pdf(target.getvalue(), name="r.pdf")
    assert caught.value.state is FetchState.EMPTY
