"""Reading one source in this process: format, reader, caps. ``worker_pool.WorkerExtractor`` runs it in a worker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from core.acquire.injection import TEXT, flags_of, warnings_of
from core.acquire.read_mhtml import unpacked
from core.acquire.read_text import Decoded, charset_of, decoded
from core.acquire.source_format import Format, detect, name_of
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction, Fetched

_COMMENT = re.compile(r"<!--((?:(?!<!--).){1,20000}?)-->", re.DOTALL)


def read(fetched: Fetched, *, max_bytes: int, max_text_chars: int) -> Extraction:
    """Read ``fetched`` with the reader for what its bytes are.

    Raises:
        UnreadableSource: with the state that says why, in a message that names the source.
    """
    name = name_of(fetched)
    refuse_size(fetched, max_bytes)
    fetched = unpacked(fetched)
    kind = detect(fetched)
    extraction = _read_as(kind, fetched, name)
    refuse_length(name, extraction.text, max_text_chars)
    return _flagged(extraction, kind, fetched)


def _flagged(extraction: Extraction, kind: Format, fetched: Fetched) -> Extraction:
    """The extraction with a warning for each place that addresses a language model, hidden places included."""
    warnings = warnings_of(flags_of(_places(extraction, kind, fetched)))
    return replace(extraction, warnings=(*extraction.warnings, *warnings)) if warnings else extraction


def _places(extraction: Extraction, kind: Format, fetched: Fetched) -> Iterator[tuple[str, str]]:
    yield TEXT, extraction.text
    if kind is Format.PDF:
        from core.acquire.injection_pdf import pdf_places

        yield from pdf_places(fetched.body)
    elif kind is Format.HTML:
        from core.acquire.injection_places import html_places

        yield from html_places(_page(fetched).text)
    elif kind not in (Format.DOCX, Format.JATS):
        text = decoded(fetched.body, charset_of(fetched.media_type)).text
        yield TEXT, text  # also what reading leaves out, such as alternative texts of Markdown
        for comment in _COMMENT.findall(text):
            yield "comment", comment


def refuse_size(fetched: Fetched, max_bytes: int) -> None:
    """Raise UnreadableSource for 0 bytes and for more than ``max_bytes``."""
    name, size = name_of(fetched), len(fetched.body)
    if not size:
        raise UnreadableSource(FetchState.EMPTY, f"{name} is empty (0 bytes). Get the file again.")
    if size > max_bytes:
        raise UnreadableSource(
            FetchState.TOO_LARGE,
            f"{name} has {size:,} bytes; at most {max_bytes:,} are read (setting parsing.max_bytes). "
            "Split it or raise the limit.",
        )


def refuse_length(name: str, text: str, max_text_chars: int) -> None:
    """Raise UnreadableSource for a text of more than ``max_text_chars``."""
    if len(text) > max_text_chars:
        raise UnreadableSource(
            FetchState.TOO_LARGE,
            f"{name} holds {len(text):,} characters of text; at most {max_text_chars:,} are taken in "
            "(setting parsing.max_text_chars). Split it or raise the limit.",
        )


def _read_as(kind: Format, fetched: Fetched, name: str) -> Extraction:
    if kind is Format.PDF:
        from core.acquire.read_pdf import read_pdf

        return read_pdf(fetched.body, name=name)
    if kind is Format.DOCX:
        from core.acquire.read_docx import read_docx

        return read_docx(fetched.body, name=name)
    if kind is Format.JATS:
        from core.acquire.read_jats import read_jats

        return read_jats(fetched.body, name=name)
    if kind is Format.HTML:
        from core.acquire.read_html import read_html

        page = _page(fetched)
        return _warned(read_html(page.text, name=name, url=fetched.final_url or fetched.url), page)
    file = decoded(fetched.body, charset_of(fetched.media_type))
    if kind is Format.MARKDOWN:
        from core.acquire.read_markdown import read_markdown

        return _warned(read_markdown(file.text, name=name), file)
    from core.acquire.read_text import read_text

    return _warned(read_text(file.text, name=name), file)


def _page(fetched: Fetched) -> Decoded:
    """A page decoded as browsers do it: mark, header, declaration in the page, then a guess."""
    from w3lib.encoding import html_body_declared_encoding

    return decoded(fetched.body, charset_of(fetched.media_type) or html_body_declared_encoding(fetched.body))


def _warned(extraction: Extraction, file: Decoded) -> Extraction:
    return replace(extraction, warnings=(*extraction.warnings, *file.warnings()))
