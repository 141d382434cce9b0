"""Lists of references (BibTeX, RIS, EndNote, PubMed, CSL-JSON, sitemaps, pasted DOIs and arXiv ids) as addresses to
fetch."""

from __future__ import annotations

from core.acquire.references.collect import MAX_BYTES, Gathering, Reference, References, Unusable, of_text
from core.errors import SourceError

__all__ = ["ENDINGS", "Reference", "References", "Unusable", "of_text", "read_references"]

ENDINGS = ("bib", "bibtex", "ris", "json", "csljson", "enw", "nbib", "xml", "gz", "txt")
"""Endings of the files that are read here, without the dot."""


def read_references(name: str, body: bytes) -> References:
    """The references in a file, whose kind is seen by its name and its first characters.

    Raises:
        SourceError: it cannot be read as any of these kinds, or is too large.
    """
    from core.acquire.references import formats, sitemap, tagged

    ending = name.lower().rpartition(".")[2]
    if body[:2] == b"\x1f\x8b" or ending in ("xml", "gz") or body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        return _of_sitemap(sitemap.read_sitemap(body))
    if len(body) > MAX_BYTES:
        raise SourceError(
            f"{name[:80]} has {len(body) / 1_000_000:.0f} MB; at most {MAX_BYTES // 1_000_000} MB of references are "
            "read at once. Split it."
        )
    text = body.decode("utf-8-sig", "replace") if not body.startswith((b"\xff\xfe", b"\xfe\xff")) else _utf16(body)
    if not text.strip():
        raise SourceError(f"{name[:80]} is empty.")
    start = text.lstrip()
    if ending in ("bib", "bibtex") or start.startswith("@"):
        references = formats.of_bibtex(text)
    elif ending == "ris" or start.startswith("TY  -"):
        references = formats.of_ris(text)
    elif ending in ("json", "csljson") or start[:1] in "[{":
        references = formats.of_csl(text)
    elif ending == "enw" or start.startswith("%0 "):
        references = tagged.of_tagged(text, tagged.ENDNOTE)
    elif ending == "nbib" or tagged.PUBMED.match(start):
        references = tagged.of_tagged(text, tagged.PUBMED)
    else:
        references = of_text(text)
    if not references.usable and not references.unusable:
        raise SourceError(
            f"{name[:80]} holds no reference. BibTeX, RIS, EndNote, PubMed, CSL-JSON, a sitemap, or lines of DOIs are "
            "read."
        )
    return references


def _of_sitemap(listed: object) -> References:
    from core.acquire.references.sitemap import Sitemap

    assert isinstance(listed, Sitemap)
    gathering = Gathering()
    for url in listed.pages:
        gathering.add((url,), where=url)
    for url in listed.sitemaps:
        gathering.refuse(url, "it is a further sitemap: add it by its address")
    if listed.over:
        gathering.refuse(f"{listed.over} more", "a sitemap may not list so many")
    return gathering.done()


def _utf16(body: bytes) -> str:
    return body.decode("utf-16", "replace")
