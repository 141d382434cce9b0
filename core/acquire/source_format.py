"""The format of a file: by its bytes first, then by the declared media type, then by its name."""

from __future__ import annotations

import io
import re
import zipfile
from enum import StrEnum
from pathlib import PurePosixPath

from core.acquire.read_text import guess_utf16
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Fetched


class Format(StrEnum):
    """Formats with a reader; the value is the media type."""

    HTML = "text/html"
    PDF = "application/pdf"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    MARKDOWN = "text/markdown"
    TEXT = "text/plain"
    JATS = "application/jats+xml"


READABLE = "HTML, PDF, DOCX, Markdown, plain text and JATS XML"

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"(\xb5/\xfd", "a Zstandard archive"),
    (b"{\\rtf", "a Rich Text document"),
    (b"%!PS", "a PostScript document"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3", "an SQLite database"),
    (b"OggS", "a sound or video file"),
    (b"ID3", "a sound file"),
    (b"fLaC", "a sound file"),
    (b"wOF2", "a font"),
    (b"\x00\x01\x00\x00\x00", "a font"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHER_TEXT = {
    "application/json": "JSON data", ".json": "JSON data", ".jsonl": "JSON data", ".ipynb": "a notebook",
    "text/csv": "a table of values (CSV)", ".csv": "a table of values (CSV)", ".tsv": "a table of values (TSV)",
    "text/css": "a style sheet", ".css": "a style sheet",
    "text/javascript": "a script", "application/javascript": "a script", ".js": "a script",
    "image/svg+xml": "an SVG image", ".svg": "an SVG image",
    "application/rss+xml": "a news feed", "application/atom+xml": "a news feed",
}  # fmt: skip
_HTML_START = re.compile(
    r"(?:\s|<\?xml[^>]{0,200}\?>|<!--(?:(?!-->).){0,2000}-->)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_TAG = re.compile(r"<(?:p|div|span|a|h[1-6]|ul|ol|table|article|main|br|title|meta)\b[^<>]{0,500}>", re.I)
_XML_START = re.compile(r"\s*<(?:\?xml|!DOCTYPE|[A-Za-z][\w.-]*:?[\w.-]*[\s>])", re.I)
_JATS = re.compile(
    r"<!DOCTYPE\s+article\b|JATS|NLM//DTD|<(?:\w+:)?article\b[^>]{0,2000}(?:article-type|dtd-version)|<pmc-articleset",
    re.IGNORECASE,
)


def name_of(fetched: Fetched) -> str:
    """The name of the source in messages."""
    return fetched.filename or fetched.final_url or fetched.url or "the pasted text"


def detect(fetched: Fetched) -> Format:
    """The format of ``fetched``.

    Raises:
        UnreadableSource: ``empty``, ``encrypted``, ``broken``, or ``unsupported_type`` with what it is instead.
    """
    body, name = fetched.body, name_of(fetched)
    if not body:
        raise UnreadableSource(FetchState.EMPTY, f"{name} is empty (0 bytes). Get the file again.")
    if b"%PDF-" in body[:1024]:
        return Format.PDF
    if body.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _in_zip(body, name)
    if body.startswith(_OLE):
        raise _in_ole(body, name)
    if kind := _known_binary(body):
        raise unsupported(name, f"it is {kind}{_despite(fetched)}")
    declared = fetched.media_type.split(";")[0].strip().lower()
    suffix = PurePosixPath(fetched.filename or "").suffix.lower()
    if _is_binary(body):
        if declared == Format.PDF or suffix == ".pdf":
            raise _no_pdf(name)
        raise unsupported(name, "its bytes are neither text nor a format the workbench knows")
    return _text_format(body, name, declared, suffix)


def unsupported(name: str, why: str) -> UnreadableSource:
    """The error for what has no reader."""
    return UnreadableSource(
        FetchState.UNSUPPORTED_TYPE, f"cannot read {name} because {why}; the workbench reads {READABLE}."
    )


def _no_pdf(name: str) -> UnreadableSource:
    return UnreadableSource(
        FetchState.BROKEN, f"{name} is called a PDF but is none: its start is missing. Get the file again."
    )


def _text_format(body: bytes, name: str, declared: str, suffix: str) -> Format:
    encoding = guess_utf16(body) or ("utf-16" if body[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")
    start = body[:8000].decode(encoding, "replace").lstrip("\ufeff")
    if not start.strip() and not body.strip():
        raise UnreadableSource(FetchState.EMPTY, f"{name} holds only white space. Add a file that has text in it.")
    if _HTML_START.match(start):
        return Format.HTML
    if _XML_START.match(start) and _JATS.search(start):
        return Format.JATS
    other = _OTHER_TEXT.get(declared) or _OTHER_TEXT.get(suffix)
    if other:
        raise unsupported(name, f"it is {other}")
    if start.lstrip().startswith("<?xml") or declared in ("application/xml", "text/xml", str(Format.JATS)):
        return _xml_format(start, name)
    if format_ := _declared_format(name, declared, suffix):
        return format_
    if len(_HTML_TAG.findall(start)) >= 3 and start.lstrip().startswith("<"):
        return Format.HTML
    return Format.TEXT


def _xml_format(start: str, name: str) -> Format:
    if "<article" in start:
        return Format.JATS
    if "xhtml" in start:
        return Format.HTML
    raise unsupported(name, "it is XML of another kind than JATS")


def _declared_format(name: str, declared: str, suffix: str) -> Format | None:
    """The format of text by its media type or ending, None where these say nothing."""
    if declared in ("text/html", "application/xhtml+xml") or suffix in (".html", ".htm", ".xhtml"):
        return Format.HTML
    if declared in ("text/markdown", "text/x-markdown") or suffix in (".md", ".markdown", ".mdown", ".mkd"):
        return Format.MARKDOWN
    if declared == "application/pdf" or suffix == ".pdf":
        raise _no_pdf(name)
    if suffix == ".docx":
        raise UnreadableSource(FetchState.BROKEN, f"{name} is called a DOCX but is none. Get it again.")
    return None


def _in_zip(body: bytes, name: str) -> Format:
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            members = set(archive.namelist())
            media = (
                archive.read("mimetype")[:100].decode("ascii", "replace")
                if "mimetype" in members and (archive.getinfo("mimetype").file_size < 200)
                else ""
            )
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise UnreadableSource(
            FetchState.BROKEN, f"{name} starts like a DOCX or zip file but is damaged ({error}). Get it again."
        ) from error
    if "[Content_Types].xml" in members and not any(m.startswith(("xl/", "ppt/")) for m in members):
        return Format.DOCX
    kinds = {"xl/": "a spreadsheet (XLSX)", "ppt/": "a presentation (PPTX)"}
    kind = next((words for start, words in kinds.items() if any(m.startswith(start) for m in members)), None)
    if "epub" in media:
        kind = "an e-book (EPUB)"
    elif "opendocument" in media:
        kind = "an OpenDocument file"
    raise unsupported(name, f"it is {kind or 'a zip archive'}")


def _in_ole(body: bytes, name: str) -> UnreadableSource:
    if "EncryptedPackage".encode("utf-16-le") in body:
        return UnreadableSource(
            FetchState.ENCRYPTED, f"{name} is protected by a password. Save it without one and add it again."
        )
    return unsupported(name, "it is an old Office file (.doc, .xls, .ppt); save it as DOCX or PDF")


def _known_binary(body: bytes) -> str | None:
    for magic, kind in _MAGIC:
        if body.startswith(magic):
            return kind
    if body[:4] == b"RIFF":
        return "a WebP image" if body[8:12] == b"WEBP" else "a sound or video file"
    if body[4:8] == b"ftyp":
        return "a video or picture file"
    return None


def _despite(fetched: Fetched) -> str:
    suffix = PurePosixPath(fetched.filename or "").suffix
    return f", though its name ends in {suffix}" if suffix.lower() in (".pdf", ".docx", ".html", ".txt", ".md") else ""


def _is_binary(body: bytes) -> bool:
    """True when the start holds what text never does: zeros outside UTF-16/32, or many control characters."""
    if body[:2] in (b"\xff\xfe", b"\xfe\xff") or body[:4] == b"\x00\x00\xfe\xff" or guess_utf16(body):
        return False
    sample = body[:8000]
    controls = sum(sample.count(byte) for byte in [*range(9), *range(14, 27), *range(28, 32), 127])
    return sample.count(0) > len(sample) * 0.01 or controls > len(sample) * 0.05
