"""What a file is: by its bytes, then by what was declared, then by its name."""

from __future__ import annotations

import contextlib
import io
import zipfile

import pytest

from core.acquire.source_format import Format, detect
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Fetched


def zipped(*names: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), "x")  # a fixed date: the bytes are part of a test's name
    return target.getvalue()


DOCX = zipped("[Content_Types].xml", "word/document.xml")
HTML = b"<!DOCTYPE html><html><body><p>Hi</p></body></html>"
JATS = b'<?xml version="1.0"?><article article-type="research-article" dtd-version="1.2"><body/></article>'


@pytest.mark.parametrize(
    ("body", "media_type", "filename", "kind"),
    [
        (DOCX, "application/octet-stream", "x.bin", Format.DOCX),
        (HTML, "text/plain", "page.txt", Format.HTML),
        (b"\n<!-- c --><HTML>", "application/octet-stream", None, Format.HTML),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "", None, Format.HTML),
        (b"%PDF-1.7\n", "text/html", "x.html", Format.PDF),
        (b"junk before %PDF-1.4", "", None, Format.PDF),
        (JATS, "text/xml", "x.xml", Format.JATS),
        (b"# Title\n\ntext", "text/plain", "x.md", Format.MARKDOWN),
        (b"# Title\n\ntext", "text/markdown; charset=utf-8", None, Format.MARKDOWN),
        (b"just words", "text/plain", None, Format.TEXT),
        (b"just words", "application/octet-stream", "x.log", Format.TEXT),
        ("wörter über zeit".encode("utf-16"), "", "x.txt", Format.TEXT),
        ("words over time and more".encode("utf-16-le"), "", "x.txt", Format.TEXT),
        ("日本語の文です。".encode("shift_jis"), "text/plain", "x.txt", Format.TEXT),
        (b"a fragment", "text/html", None, Format.HTML),
    ],
)
def test_the_format_of_bytes(body: bytes, media_type: str, filename: str | None, kind: Format) -> None:
    assert detect(Fetched(body, media_type, filename=filename)) is kind


@pytest.mark.parametrize(
    ("body", "filename", "state", "why"),
    [
        (b"", "x.txt", FetchState.EMPTY, "empty"),
        (b" \n\t ", "x.txt", FetchState.EMPTY, "white space"),
        (b"\x89PNG\r\n\x1a\n", "x.pdf", FetchState.UNSUPPORTED_TYPE, r"PNG image, though its name ends in \.pdf"),
        (b"\xff\xd8\xff\xe0", None, FetchState.UNSUPPORTED_TYPE, "JPEG"),
        (zipped("[Content_Types].xml", "xl/workbook.xml"), "x.xlsx", FetchState.UNSUPPORTED_TYPE, "spreadsheet"),
        (zipped("a.txt"), "x.zip", FetchState.UNSUPPORTED_TYPE, "zip archive"),
        (DOCX[:60], "x.docx", FetchState.BROKEN, "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "x.doc", FetchState.UNSUPPORTED_TYPE, "old Office"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "x.docx",
            FetchState.ENCRYPTED,
            "password",
        ),
        (b'{"a": 1}', "x.json", FetchState.UNSUPPORTED_TYPE, "JSON"),
        (b"a,b\n1,2", "x.csv", FetchState.UNSUPPORTED_TYPE, "CSV"),
        (b"<?xml version='1.0'?><rss></rss>", "x.xml", FetchState.UNSUPPORTED_TYPE, "another kind than JATS"),
        (b"not a pdf", "x.pdf", FetchState.BROKEN, "called a PDF"),
        (bytes(range(256)) * 40, "x.bin", FetchState.UNSUPPORTED_TYPE, "neither text"),
    ],
)
def test_what_cannot_be_read_is_named(body: bytes, filename: str | None, state: FetchState, why: str) -> None:
    with pytest.raises(UnreadableSource, match=why) as caught:
        detect(Fetched(body, "application/octet-stream", filename=filename))
    assert caught.value.state is state
    assert filename is None or filename in str(caught.value)


@pytest.mark.parametrize("piece", [b" ", b"\n", b"<!-- -->", b"<!--", b"<?xml ?>", b"<article ", b"<p "])
def test_a_monotonous_start_is_decided_at_once(piece: bytes) -> None:
    """Patterns with nested repeats would look at exponentially many ways to read these."""
    with contextlib.suppress(UnreadableSource):
        assert detect(Fetched(piece * 3000 + b"x", "text/plain")) in Format
