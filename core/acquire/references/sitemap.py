"""Sitemaps (sitemaps.org, protocol 0.9): one file of addresses, or of further sitemaps; plain, gzip, or a text list.

The XML is read without any document type: no entity is ever expanded, and nothing outside is loaded.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from core.errors import SourceError

MAX_BYTES = 50_000_000
"""Unpacked; the protocol's own limit."""
MOST_ADDRESSES = 50_000
"""In one file; the protocol's own limit."""
_LISTED = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one file lists: addresses of pages, or of further sitemaps. ``over``: addresses past the limit."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    over: int = 0


def read_sitemap(body: bytes) -> Sitemap:
    """What a sitemap lists.

    Raises:
        SourceError: it is none, too large, or made to do harm; the message says which.
    """
    body = unpacked(body)
    start = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        raise SourceError("The sitemap is empty.")
    if not start.startswith(b"<"):
        return _text_list(body)
    from lxml import etree

    if b"<!DOCTYPE" in body[:65536].upper() or b"<!ENTITY" in body[:65536].upper():
        raise SourceError("The sitemap declares a document type, which no sitemap needs; it is not read.")
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, recover=False, remove_comments=True
    )
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        raise SourceError(f"The sitemap is not valid XML ({error.msg}).") from error
    if root.getroottree().docinfo.doctype:
        raise SourceError("The sitemap declares a document type, which no sitemap needs; it is not read.")
    kind = etree.QName(root).localname.lower()
    if kind not in ("urlset", "sitemapindex"):
        raise SourceError(
            f"This is no sitemap: its outermost element is <{kind[:40]}>, not <urlset> or <sitemapindex>."
        )
    found = list(dict.fromkeys(_addresses(root)))
    kept = tuple(found[:MOST_ADDRESSES])
    over = len(found) - len(kept)
    return Sitemap(sitemaps=kept, over=over) if kind == "sitemapindex" else Sitemap(pages=kept, over=over)


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


def _addresses(root: object) -> list[str]:
    from lxml import etree

    found: list[str] = []
    for entry in root:  # type: ignore[attr-defined]
        for part in entry:
            if isinstance(part.tag, str) and etree.QName(part).localname.lower() == "loc" and part.text:
                found.append(part.text.strip())
                break
    return [url for url in found if url]


def _text_list(body: bytes) -> Sitemap:
    lines = [line.strip() for line in body.decode("utf-8", "replace").splitlines()]
    found = list(dict.fromkeys(line for line in lines if line.lower().startswith(("http://", "https://"))))
    if not found:
        raise SourceError("This is no sitemap: it is neither XML nor a list of web addresses.")
    return Sitemap(pages=tuple(found[:MOST_ADDRESSES]), over=max(0, len(found) - MOST_ADDRESSES))
