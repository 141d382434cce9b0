"""A page that a browser saved as one file is read as a page."""

from __future__ import annotations

import base64
import quopri

import pytest

from core.acquire.read_source import read
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction, Fetched

WORDS = "The council planted four hundred lime trees on Mill Lane – for €40 each. " * 3
PAGE = f"<html><head><title>Trees</title></head><body><article><p>{WORDS}</p></article></body></html>"


def saved(
    parts: str, head: str = "From: <Saved by Blink>\nSnapshot-Content-Location: https://a.example/trees\n"
) -> bytes:
    mime = (
        'Subject: Trees\nMIME-Version: 1.0\nContent-Type: multipart/related;\n\ttype="text/html";\n\tboundary="--B"\n'
    )
    return f"{head}{mime}\n{parts}----B--\n".encode()


def part(
    html: str, *, encoding: str = "quoted-printable", charset: str = "utf-8", place: str = "https://a.example/trees"
) -> str:
    body = html.encode(charset)
    packed = quopri.encodestring(body) if encoding == "quoted-printable" else base64.encodebytes(body)
    return (
        f"----B\nContent-Type: text/html; charset={charset}\nContent-Transfer-Encoding: {encoding}\n"
        f"Content-Location: {place}\n\n{packed.decode()}\n"
    )


def read_file(body: bytes, name: str = "page.mhtml") -> Extraction:
    return read(Fetched(body, "", filename=name), max_bytes=10**7, max_text_chars=10**7)


@pytest.mark.parametrize(
    "body",
    [
        saved(part(PAGE)),
        saved(part(PAGE)).replace(b"\n", b"\r\n"),
        saved(part(PAGE, encoding="base64")),
        saved(part(PAGE, charset="cp1252")),
        saved(part("<html><body><p>A frame.</p></body></html>", place="https://ads.example/frame") + part(PAGE)),
        saved(part(PAGE), head="From: \"Saved by Internet Explorer 11\"\nDate: Mon, 1 Jan 2024 10:00:00 +0100\n"),
    ],
)  # fmt: skip
def test_the_page_is_read(body: bytes) -> None:
    page = read_file(body)
    assert page.text == " ".join(WORDS.split())
    assert (page.title, page.media_type) == ("Trees", "text/html")


def test_a_file_without_a_page_is_refused_by_name() -> None:
    picture = "----B\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0=\n"
    with pytest.raises(UnreadableSource, match=r"p\.mht .*MHTML") as caught:
        read_file(saved(picture), "p.mht")
    assert caught.value.state is FetchState.UNSUPPORTED_TYPE


@pytest.mark.parametrize(
    "text", ["From: Ann\nSubject: Trees\n\nWe planted limes.", "Content-Type: multipart/related is a header."]
)
def test_text_that_looks_a_little_like_it_stays_text(text: str) -> None:
    assert read_file(text.encode(), "a.txt").text == text
