"""The texts of the demonstration sources, read plainly and by the product's own readers."""

from __future__ import annotations

import io
import re

import docx
import pypdfium2
from lxml import etree, html

from core import demo
from core.acquire.read_source import read
from core.labels import FetchState
from core.records import Extraction, Fetched

MARK = "Demonstration source, written for the evidence workbench; the organisations and figures are invented"


def squeezed(text: str) -> str:
    """One space for every run of white space; words hyphenated at a line end joined again."""
    return re.sub(r"\s+", " ", re.sub(r"(?<=\w)[-\u00ad\ufffe]\s*\n\s*(?=[a-z])", "-", text)).strip()


def extraction(source: demo.DemoSource) -> Extraction:
    """What the product reads in one source."""
    fetched = Fetched(source.body, source.media_type, url=source.url, filename=source.filename)
    return read(fetched, max_bytes=10_000_000, max_text_chars=1_000_000)


def _read(source: demo.DemoSource) -> str:
    kind = source.filename.rsplit(".", 1)[1]
    if kind == "html":
        return str(html.fromstring(source.body.decode("utf-8")).text_content())
    if kind == "xml":
        return " ".join(etree.fromstring(source.body).itertext())
    if kind == "pdf":
        pages = [page.get_textpage().get_text_range().splitlines() for page in pypdfium2.PdfDocument(source.body)]
        return "\n".join(_body_lines(pages)) + "\n" + MARK * any(MARK in line for page in pages for line in page)
    if kind == "docx":
        document = docx.Document(io.BytesIO(source.body))
        cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
        return "\n".join([paragraph.text for paragraph in document.paragraphs] + cells)
    return source.body.decode("utf-8")


def _body_lines(pages: list[list[str]]) -> list[str]:
    """The lines without running heads and feet, which would stand in the middle of a sentence."""
    everywhere = set.intersection(*(set(page) for page in pages))
    return [line for page in pages for line in page if line not in everywhere and MARK not in line]


STORED = [source for source in demo.sources() if source.state is FetchState.STORED]
TEXTS = {source.filename: squeezed(_read(source)) for source in demo.sources()}
"""File name → its text by a plain reader, white space squeezed."""
EXTRACTED = {source.filename: extraction(source) for source in STORED}
"""File name → what the product reads in it."""
