"""Messages between WorkerExtractor and its worker process.

A frame is two unsigned 64-bit big-endian lengths, then a JSON head and raw bytes. No pickle: a worker that a
hostile file has taken over must not be able to run code in its parent by what it answers.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from datetime import date
from typing import Any, BinaryIO

from core.records import Extraction, Fetched, Heading, PageSpan

SOURCE = "source"
"""The task of reading a source."""
_LENGTHS = struct.Struct(">QQ")
_MAX_HEAD = 200_000_000


def send(stream: BinaryIO, head: Mapping[str, Any], body: bytes = b"") -> None:
    """Write one frame."""
    encoded = json.dumps(head).encode()
    stream.write(_LENGTHS.pack(len(encoded), len(body)))
    stream.write(encoded)
    stream.write(body)
    stream.flush()


def receive(stream: BinaryIO, max_body: int) -> tuple[dict[str, Any], bytes] | None:
    """Read one frame; None at the end of the stream, also in the middle of a frame.

    Raises:
        ValueError: the frame is no frame, or larger than ``max_body`` bytes allows.
    """
    lengths = _exactly(stream, _LENGTHS.size)
    if lengths is None:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    if head_length > _MAX_HEAD or body_length > max_body:
        raise ValueError(f"a frame of {head_length} + {body_length} bytes is over the limit")
    head, body = _exactly(stream, head_length), _exactly(stream, body_length)
    if head is None or body is None:
        return None
    decoded = json.loads(head)
    if not isinstance(decoded, dict):
        raise ValueError("the head of a frame must be a JSON object")
    return decoded, body


def _exactly(stream: BinaryIO, count: int) -> bytes | None:
    parts, missing = [], count
    while missing:
        part = stream.read(min(missing, 1 << 24))
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def fetched_to_head(fetched: Fetched) -> dict[str, Any]:
    """The part of ``fetched`` that a reader needs beside the bytes."""
    return {
        "media_type": fetched.media_type, "url": fetched.url, "final_url": fetched.final_url,
        "filename": fetched.filename,
    }  # fmt: skip


def fetched_from(head: Mapping[str, Any], body: bytes) -> Fetched:
    """The inverse of ``fetched_to_head``."""
    return Fetched(
        body=body, media_type=head["media_type"], url=head["url"], final_url=head["final_url"],
        filename=head["filename"],
    )  # fmt: skip


def extraction_to_head(extraction: Extraction) -> dict[str, Any]:
    """Everything but the text, which travels as UTF-8 bytes."""
    return {
        "media_type": extraction.media_type,
        "method": extraction.method,
        "title": extraction.title,
        "authors": extraction.authors,
        "published": extraction.published.isoformat() if extraction.published else None,
        "language": extraction.language,
        "canonical_url": extraction.canonical_url,
        "publisher": extraction.publisher,
        "doi": extraction.doi,
        "pages": [(page.number, page.start, page.end) for page in extraction.pages],
        "headings": [(h.level, h.start, h.end, h.text) for h in extraction.headings],
        "references": extraction.references,
        "links": extraction.links,
        "warnings": extraction.warnings,
    }


def extraction_from(head: Mapping[str, Any], body: bytes) -> Extraction:
    """The inverse of ``extraction_to_head``.

    Raises:
        KeyError, TypeError, ValueError: the worker answered nonsense.
    """
    return Extraction(
        text=body.decode("utf-8"),
        media_type=head["media_type"],
        method=head["method"],
        title=head["title"],
        authors=tuple(head["authors"]),
        published=date.fromisoformat(head["published"]) if head["published"] else None,
        language=head["language"],
        canonical_url=head["canonical_url"],
        publisher=head["publisher"],
        doi=head["doi"],
        pages=tuple(PageSpan(*page) for page in head["pages"]),
        headings=tuple(Heading(*heading) for heading in head["headings"]),
        references=int(head["references"]),
        links=tuple(head["links"]),
        warnings=tuple(head["warnings"]),
    )
