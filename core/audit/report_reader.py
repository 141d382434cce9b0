"""Reading a report in the process that can be killed (``core.audit.reader_process``), as this process asks for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from core.audit.report_model import Report
from core.errors import ReportError, UnreadableSource
from core.ports.store import Extractor
from core.records import Fetched, StoredReport

if TYPE_CHECKING:
    from pydantic import TypeAdapter

REPORT = "report"
"""The task of reading a report."""
_FROM_BYTES = ("application/pdf", "application/jats+xml", "text/xml", "application/xml")


@cache
def records_of_reports() -> TypeAdapter[Report]:
    """The form in which a report travels: JSON, checked when it arrives."""
    from pydantic import TypeAdapter

    return TypeAdapter(Report)


def read_bytes(fetched: Fetched, extractor: Extractor) -> Report:
    """A report of any format as it was received.

    Raises:
        ReportError: it holds no text, cannot be read, or takes more time or memory than the settings allow.
    """
    from core.acquire.source_format import name_of
    from core.acquire.worker_protocol import fetched_to_head

    name = fetched.filename or name_of(fetched)
    if not fetched.body:
        raise ReportError(f"{name} is empty. Give a report with text in it.")
    report = _read(extractor, name, {"fetched": fetched_to_head(fetched)}, fetched.body)
    if not report.text.strip():
        raise ReportError(f"{name} holds no text. Give a report with text in it.")
    return report


def read_pasted(text: str, extractor: Extractor) -> Report:
    """A pasted text, as Markdown when it has marks of Markdown (ReportError as for ``read_bytes``)."""
    return _read_again(extractor, "the text", text, plain=None, url=None)


def reread(stored: StoredReport, text: str, body: Callable[[], bytes], extractor: Extractor) -> Report:
    """The report as it was read when it was added.

    Markdown, HTML and DOCX are kept as Markdown. A PDF's headings are no part of its text, so it is read again from
    ``body`` (the bytes as received).

    Raises:
        ReportError: as for ``read_bytes``, or the text that comes out is another one than the text whose offsets are
            stored.
    """
    if stored.media_type in _FROM_BYTES:
        fetched = Fetched(body=body(), media_type=stored.media_type, filename=stored.name, url=stored.url)
        report = read_bytes(fetched, extractor)
    else:
        plain = stored.media_type == "text/plain"
        report = _read_again(extractor, stored.name, text, plain=plain, url=stored.url)
    if report.text != text:
        raise ReportError(
            f"{stored.name!r} reads differently now than when it was added (the reader has changed). Add it again."
        )
    return report


def _read_again(extractor: Extractor, name: str, text: str, *, plain: bool | None, url: str | None) -> Report:
    return _read(extractor, name, {"fetched": None, "plain": plain, "url": url}, text.encode("utf-8", "replace"))


def _read(extractor: Extractor, name: str, request: dict[str, Any], body: bytes) -> Report:
    def decode(_head: dict[str, Any], output: bytes) -> Report:
        return records_of_reports().validate_json(output)

    try:
        return extractor.run(REPORT, name, request, body, decode)
    except UnreadableSource as error:
        raise ReportError(f"{name} cannot be read as a report: {error}") from error
