"""PDF by pdfium, and by pypdf where pdfium cannot open a file."""

from __future__ import annotations

import io
import logging
import re
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from core.acquire.read_blocks import TextBuilder, one_line
from core.acquire.read_common import count_references, find_doi, language_of, links_in, names, own_doi, parse_date
from core.acquire.read_pdf_columns import column_by_column, top_down, without_line_numbers
from core.acquire.read_pdf_layout import body_size, paragraphs, without_running_lines
from core.acquire.read_pdf_lines import Line, page_lines
from core.acquire.read_pdf_write import write
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction

MAX_PAGES = 10_000
_SOME_BYTES = 50
_WRONG_PASSWORD = 4  # FPDF_ERR_PASSWORD
_FILE_NAME = re.compile(
    r"\.(?:docx?|pdf|tex|indd|dvi|odt|rtf|qxd|pptx?|xlsx?)\b|^(?:microsoft word|untitled|title|slide 1)", re.I
)
_NO_PERSON = re.compile(r"^(?:admin(?:istrator)?|user|author|unknown|owner|root|none|n/?a|windows user)$", re.I)


@dataclass(slots=True)
class _Opened:
    """The pages of a file as one library read them."""

    method: str
    pages: list[list[Line]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # instead of lines, where there is no geometry
    meta: dict[str, str] = field(default_factory=dict)
    drawn: bool = False
    warnings: list[str] = field(default_factory=list)


def read_pdf(body: bytes, *, name: str) -> Extraction:
    """Read a PDF page by page.

    Raises:
        UnreadableSource: ``encrypted``, ``image_only``, ``empty`` (no page, or blank ones), ``broken``,
            ``too_large`` (over MAX_PAGES pages).
    """
    opened = _by_pdfium(body, name)
    if opened is None:
        opened = _by_pypdf(body, name)
    builder = TextBuilder()
    if opened.texts:
        for number, text in enumerate(opened.texts, start=1):
            builder.start_page(number)
            builder.add(text)
    else:
        upright = [without_line_numbers(top_down(lines)) for lines in opened.pages]
        pages = [column_by_column(lines) for lines in without_running_lines(upright)]
        write(list(paragraphs(pages)), len(pages), body_size(pages), builder)
    built = builder.build()
    if not any(map(str.isalnum, built.text)):
        raise _nothing(opened, body, name)
    title = _title(opened, [(h.level, h.start, h.text) for h in built.headings])
    return Extraction(
        text=built.text,
        media_type="application/pdf",
        method=opened.method,
        title=title,
        authors=_people(opened.meta.get("Author")),
        published=_published(opened.meta),
        language=language_of(built.text, opened.meta.get("Lang")),
        doi=find_doi(opened.meta.get("Subject"))
        or find_doi(opened.meta.get("doi"))
        or own_doi(built.text[: built.pages[0].end]),
        pages=built.pages,
        headings=built.headings,
        references=count_references(built.text, built.headings),
        links=links_in(built.text),
        warnings=(*opened.warnings, *_doubts(opened, built.text)),
    )


def _by_pdfium(body: bytes, name: str) -> _Opened | None:
    """Lines by pdfium; None when it cannot open the file at all."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == _WRONG_PASSWORD or "password" in str(error).lower():
            raise _encrypted(name) from error
        return None
    try:
        return _read_pages(document, name)
    finally:
        document.close()


def _read_pages(document: Any, name: str) -> _Opened:
    import pypdfium2 as pdfium

    opened = _Opened("pdfium")
    try:
        opened.meta = {key: value for key, value in document.get_metadata_dict().items() if value}
    except UnicodeDecodeError:
        opened.warnings.append("The title and author that the file gives are damaged and were left out.")
    if len(document) > MAX_PAGES:
        raise UnreadableSource(
            FetchState.TOO_LARGE, f"{name} has {len(document):,} pages; at most {MAX_PAGES:,} are read. Split it."
        )
    for number in range(len(document)):
        try:
            page = document[number]
        except pdfium.PdfiumError:
            opened.pages.append([])
            opened.warnings.append(f"Page {number + 1} is damaged and was left out.")
            continue
        try:
            opened.pages.append(page_lines(page))
            opened.drawn = opened.drawn or (not opened.pages[-1] and _has_drawing(page))
        except pdfium.PdfiumError:
            opened.pages.append([])
            opened.warnings.append(f"The text of page {number + 1} could not be read and was left out.")
        finally:
            page.close()
    return opened


def _has_drawing(page: Any) -> bool:
    import pypdfium2.raw as pdfium

    return bool(pdfium.FPDFPage_CountObjects(page.raw) > 0)


def _by_pypdf(body: bytes, name: str) -> _Opened:
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(body), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise _encrypted(name)
        opened = _Opened("pypdf", warnings=["The file is damaged; its text was read by a second, simpler reader."])
        for page in reader.pages[:MAX_PAGES]:
            opened.texts.append(page.extract_text())
        opened.meta = {str(key).lstrip("/"): str(value) for key, value in (reader.metadata or {}).items()}
    except UnreadableSource:
        raise
    except Exception as error:
        raise UnreadableSource(
            FetchState.BROKEN, f"{name} is a damaged PDF ({type(error).__name__}: {error}). Get the file again."
        ) from error
    if not opened.texts:
        raise UnreadableSource(FetchState.BROKEN, f"{name} is a damaged PDF: no page of it can be found. Get it again.")
    return opened


def _encrypted(name: str) -> UnreadableSource:
    return UnreadableSource(
        FetchState.ENCRYPTED, f"{name} is protected by a password. Save it without one and add it again."
    )


def _nothing(opened: _Opened, body: bytes, name: str) -> UnreadableSource:
    if opened.drawn:
        return UnreadableSource(
            FetchState.IMAGE_ONLY,
            f"{name} holds pictures of pages and no text. Run text recognition (OCR) over it and add the result.",
        )
    if _content_is_damaged(body):
        return UnreadableSource(
            FetchState.BROKEN, f"{name} is a damaged PDF: what stands on its pages cannot be unpacked. Get it again."
        )
    return UnreadableSource(
        FetchState.EMPTY, f"{name} has {len(opened.pages or opened.texts)} blank pages and no text."
    )


def _content_is_damaged(body: bytes) -> bool:
    """True when the first page has packed content that unpacks to nothing."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        contents = pypdf.PdfReader(io.BytesIO(body), strict=False).pages[0].get("/Contents")
        stream = contents.get_object() if contents is not None else None
        streams = [item.get_object() for item in stream] if isinstance(stream, list) else [stream]
        return any(s is not None and len(s._data) > _SOME_BYTES and not s.get_data() for s in streams)
    except Exception:  # whatever pypdf raises here is damage
        return True


def _title(opened: _Opened, headings: list[tuple[int, int, str]]) -> str | None:
    """The title of the metadata when it is one, else the largest heading near the start."""
    title = one_line(opened.meta.get("Title"))
    if title and 4 <= len(title) <= 300 and not _FILE_NAME.search(title) and any(map(str.isalpha, title)):
        return title
    early = [(level, start, text) for level, start, text in headings if start < 1500 and len(text) > 5]
    return min(early)[2] if early else None


def _people(value: str | None) -> tuple[str, ...]:
    return tuple(person for person in names(one_line(value)) if not _NO_PERSON.match(person) and "@" not in person)


def _published(meta: dict[str, str]) -> date | None:
    """The date of creation: what a PDF has in place of a date of publication."""
    return parse_date(meta.get("CreationDate"))


def _doubts(opened: _Opened, text: str) -> list[str]:
    """Warnings about the quality of the text, as sentences."""
    doubts = []
    visible = sum(1 for char in text if not char.isspace())
    unreadable = sum(1 for char in text if char == "\ufffd" or "\ue000" <= char <= "\uf8ff")
    if unreadable > 0.005 * visible:
        doubts.append(
            f"{unreadable / visible:.1%} of the characters have no readable form: a font of the file is broken."
        )
    blank = sum(1 for lines in opened.pages if not lines)
    if blank and opened.drawn:
        doubts.append(f"{blank} of {len(opened.pages)} pages hold pictures and no text.")
    return doubts
