"""Sitemaps (sitemaps.org, protocol 0.9): one file of addresses, or of further sitemaps; plain, gzip, or a text list.

The XML is read without any document type: no entity is ever expanded, and nothing outside is loaded.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from core.errors import SourceError

MAX_BYTES = 50_000_000
"""Unpacked; the protocol's own limit."""
MOST_ADDRESSES = 50_000
"""In one file; the protocol's own limit."""
MOST_ELEMENTS = 600_000
_DOCUMENT_TYPE = "The sitemap declares a document type, which no sitemap needs; it is not read."
_LISTED = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The addresses in one file, of pages or of further sitemaps. ``over`` counts addresses past the limit."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    over: int = 0


def read_sitemap(body: bytes) -> Sitemap:
    """The addresses that a sitemap lists.

    Raises:
        SourceError: it is none, too large, or made to do harm; the message says which.
    """
    body = unpacked(body)
    start = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        raise SourceError("The sitemap is empty.")
    if not start.startswith(b"<"):
        return _text_list(body)
    if b"<!DOCTYPE" in body[:65536].upper():
        raise SourceError(_DOCUMENT_TYPE)
    kind, addresses = _read_xml(body)
    listed = list(dict.fromkeys(addresses))
    taken = tuple(listed[:MOST_ADDRESSES])
    over = len(listed) - len(taken)
    return Sitemap(sitemaps=taken, over=over) if kind == "sitemapindex" else Sitemap(pages=taken, over=over)


def listed_in_robots(text: str) -> list[str]:
    """The sitemaps that a robots.txt names, each once."""
    return list(dict.fromkeys(_LISTED.findall(text)))


def unpacked(body: bytes) -> bytes:
    """The bytes, unpacked if they are gzip (SourceError: broken, or larger than a sitemap may be)."""
    if body[:2] == b"\x1f\x8b":
        inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            plain = inflater.decompress(body, MAX_BYTES + 1)
        except zlib.error as error:
            raise SourceError(f"The packed sitemap is broken ({error}).") from error
        if len(plain) <= MAX_BYTES and not inflater.eof:
            raise SourceError("The packed sitemap breaks off in the middle.")
        body = plain
    if len(body) > MAX_BYTES:
        raise SourceError(
            f"The sitemap has more than {MAX_BYTES // 1_000_000} MB, which none may have; it is not read."
        )
    return body


def _read_xml(body: bytes) -> tuple[str, list[str]]:
    """The outermost element's name and the addresses, read piece by piece, so that no tree of all of it is built."""
    from lxml import etree

    options = {"resolve_entities": False, "load_dtd": False, "no_network": True, "huge_tree": False}
    addresses: list[str] = []
    kind, depth, elements, entry_done = "", 0, 0, False
    try:
        for event, element in etree.iterparse(BytesIO(body), events=("start", "end"), remove_comments=True, **options):
            name = element.tag.rpartition("}")[2].lower()  # QName refuses a name with an undeclared prefix
            if event == "start":
                depth += 1
                elements += 1
                entry_done = entry_done and depth > 2
                if depth == 1:
                    kind = _checked_root(element, name)
                if elements > MOST_ELEMENTS:
                    raise SourceError("The sitemap has far more parts than one can have; it is not read.")
                continue
            if depth == 3 and name == "loc" and not entry_done and (text := (element.text or "").strip()):
                addresses.append(text)
                entry_done = True
            depth -= 1
            if depth == 1:
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise SourceError(f"The sitemap is not valid XML ({error.msg}).") from error
    return kind, addresses


def _checked_root(element: Any, name: str) -> str:
    if element.getroottree().docinfo.doctype:
        raise SourceError(_DOCUMENT_TYPE)
    if name not in ("urlset", "sitemapindex"):
        raise SourceError(
            f"This is no sitemap: its outermost element is <{name[:40]}>, not <urlset> or <sitemapindex>."
        )
    return name


def _text_list(body: bytes) -> Sitemap:
    lines = [line.strip() for line in body.decode("utf-8", "replace").splitlines()]
    addresses = list(dict.fromkeys(line for line in lines if line.lower().startswith(("http://", "https://"))))
    if not addresses:
        raise SourceError("This is no sitemap: it is neither XML nor a list of web addresses.")
    return Sitemap(pages=tuple(addresses[:MOST_ADDRESSES]), over=max(0, len(addresses) - MOST_ADDRESSES))
