"""Reading a kept report again: its text is stored, so blocks, markers and references are found in it anew."""

from __future__ import annotations

from collections.abc import Callable

from core.audit.report import read_markdown, read_report, read_text
from core.audit.report_model import Report
from core.errors import ReportError
from core.ports.store import Extractor
from core.records import Fetched, StoredReport

_FROM_BYTES = ("application/pdf", "application/jats+xml", "text/xml", "application/xml")


def reread(stored: StoredReport, text: str, body: Callable[[], bytes], extractor: Callable[[], Extractor]) -> Report:
    """The report as it was read when it was added.

    Markdown, HTML and DOCX are kept as Markdown. A PDF's headings are no part of its text, so it is read again from
    ``body`` (the bytes as received) by ``extractor``.

    Raises:
        ReportError: the text that comes out is another one than the text whose offsets are stored.
    """
    if stored.media_type in _FROM_BYTES:
        fetched = Fetched(body=body(), media_type=stored.media_type, filename=stored.name, url=stored.url)
        report = read_report(fetched, extractor=extractor())
    elif stored.media_type == "text/plain":
        report = read_text(text, url=stored.url)
    else:
        report = read_markdown(text, url=stored.url)
    if report.text != text:
        raise ReportError(
            f"{stored.name!r} reads differently now than when it was added (the reader has changed). Add it again."
        )
    return report
