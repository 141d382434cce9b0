"""Files made to harm a reader: each gets a named state and a message, and the next file is read as if nothing was."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import pypdf
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from core.acquire.worker_pool import WorkerExtractor
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Fetched
from core.settings.values import Parsing

GOOD = Fetched(b"A good file\n\nIt has a sentence.", "text/plain", filename="good.txt")


@pytest.fixture(scope="module")
def extractor() -> Iterator[WorkerExtractor]:
    with WorkerExtractor(Parsing(timeout_s=60), workers=1) as made:
        yield made


def pdf(text: str | None = "Words on a page.", *, picture: bool = False) -> bytes:
    target = io.BytesIO()
    page = canvas.Canvas(target)
    if text:
        page.drawString(72, 700, text)
    if picture:
        page.drawImage(ImageReader(Image.new("RGB", (200, 200), "grey")), 72, 300)
    page.showPage()
    page.save()
    return target.getvalue()


def encrypted_pdf() -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf()))
    writer.encrypt("secret", algorithm="RC4-128")
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def docx(document: bytes, name: str = "word/document.xml", members: int = 0) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(name, document)
        for number in range(members):
            archive.writestr(f"word/part{number}.bin", b"")
    return target.getvalue()


def xml(subset: str, body: str) -> bytes:
    head = f'<?xml version="1.0"?><!DOCTYPE article [{subset}]><article article-type="x">'
    return f"{head}<body><p>{body}</p></body></article>".encode()


LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
ATTRIBUTES = " ".join(f'a{n}="x"' for n in range(200_000))

CASES: dict[str, tuple[bytes, str, FetchState, str]] = {
    "empty file": (b"", "e.txt", FetchState.EMPTY, "0 bytes"),
    "0-byte PDF": (b"", "e.pdf", FetchState.EMPTY, "0 bytes"),
    "white space": (b" \n" * 1000, "w.txt", FetchState.EMPTY, "white space"),
    "PDF cut to its head": (pdf()[:40], "t.pdf", FetchState.BROKEN, "damaged PDF"),
    "encrypted PDF": (encrypted_pdf(), "c.pdf", FetchState.ENCRYPTED, "password"),
    "PDF of a picture": (pdf(None, picture=True), "i.pdf", FetchState.IMAGE_ONLY, "OCR"),
    "PDF with a blank page": (pdf(None), "b.pdf", FetchState.EMPTY, "blank"),
    "PDF of junk": (b"%PDF-1.7\n" + bytes(range(256)) * 50, "j.pdf", FetchState.BROKEN, "damaged PDF"),
    "zip bomb": (docx(b"\0" * (300 << 20)), "bomb.docx", FetchState.TOO_LARGE, "zip bomb"),
    "zip of very many parts": (docx(b"<x/>", members=10_001), "many.docx", FetchState.TOO_LARGE, "parts"),
    "DOCX without a document": (docx(b"<x/>", "word/other.xml"), "n.docx", FetchState.BROKEN, "damaged DOCX"),
    "DOCX cut in half": (docx(b"<x/>" * 1000)[:150], "h.docx", FetchState.BROKEN, "damaged"),
    "200k attributes": (f"<html><body><p {ATTRIBUTES}>x".encode(), "a.html", FetchState.TOO_LARGE, "attributes"),
    "100k nested divs": (b"<html><body>" + b"<div>" * 100_000 + b"deep", "d.html", FetchState.NO_TEXT, "body text"),
    "billion laughs": (xml('<!ENTITY a0 "lol">' + LAUGHS, "&a9;"), "l.xml", FetchState.BROKEN, "entities"),
    "external entity": (xml('<!ENTITY x SYSTEM "file:///etc/passwd">', "&x;"), "x.xml", FetchState.BROKEN, "entities"),
    "picture named PDF": (b"\x89PNG\r\n\x1a\n" + b"0" * 99, "p.pdf", FetchState.UNSUPPORTED_TYPE, "PNG"),
    "binary junk": (bytes(range(256)) * 99, "j.bin", FetchState.UNSUPPORTED_TYPE, "neither text"),
    "random bytes named HTML": (
        bytes(n * n % 251 for n in range(5000)),
        "r.html",
        FetchState.UNSUPPORTED_TYPE,
        "neither",
    ),
    "script shell": (
        b"<html><body><div id=app></div><script>x</script>",
        "s.html",
        FetchState.NEEDS_JAVASCRIPT,
        "scripts",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_hostile_file_gets_a_state_and_a_message_and_the_next_is_read(extractor: WorkerExtractor, case: str) -> None:
    body, filename, state, words = CASES[case]
    with pytest.raises(UnreadableSource, match=words) as caught:
        extractor.extract(Fetched(body, "application/octet-stream", filename=filename))
    assert caught.value.state is state
    assert filename in str(caught.value)
    assert extractor.extract(GOOD).title == "A good file"


@pytest.mark.parametrize("size", range(50, len(pdf()), 151))
def test_a_truncated_pdf_is_read_or_named(extractor: WorkerExtractor, size: int) -> None:
    found = state_or_text(extractor, Fetched(pdf()[:size], "application/pdf", filename="t.pdf"))
    assert found in (FetchState.BROKEN, FetchState.EMPTY) or "Words" in found


def state_or_text(extractor: WorkerExtractor, fetched: Fetched) -> str:
    try:
        return extractor.extract(fetched).text
    except UnreadableSource as error:
        return error.state


def test_utf_16_and_lone_surrogates_become_clean_text(extractor: WorkerExtractor) -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"):
        body = "Grüße über Zeiten hinweg, lang genug".encode(encoding)
        assert extractor.extract(Fetched(body, "", filename="u.txt")).text == "Grüße über Zeiten hinweg, lang genug"
    lone = extractor.extract(
        Fetched(b"\xff\xfe" + "a\ud800b".encode("utf-16-le", "surrogatepass"), "", filename="s.txt")
    )
    assert lone.text == "a\ufffdb"
    escaped = extractor.extract(Fetched(b"<html><body><p>x &#xD800; y &#0; z</p></body></html>", "text/html"))
    escaped.text.encode("utf-8")
    assert "\x00" not in escaped.text


def test_nulls_and_controls_do_not_reach_the_text(extractor: WorkerExtractor) -> None:
    assert extractor.extract(Fetched(b"a\x00b" + b" word" * 100 + b"\x07", "text/plain")).text.startswith("ab word")


def test_a_page_that_names_an_entity_of_html_is_not_refused(extractor: WorkerExtractor) -> None:
    body = b'<?xml version="1.0"?><article article-type="x"><body><p>a&nbsp;b &alpha; &amp; &lt;c</p></body></article>'
    assert extractor.extract(Fetched(body, "text/xml", filename="n.xml")).text == "a b \u03b1 & <c"
