"""The references of a report: listed entries, footnotes, link definitions and keyed entries of the front matter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from core.audit.blocks import Definition
from core.audit.entry import read_entry
from core.audit.front_matter import KeyedEntry
from core.audit.reference_list import Piece
from core.audit.report_model import Reference, ReferenceKind, Span
from core.audit.short_forms import with_short_forms
from core.errors import SourceError
from core.text.same_page import other_addresses, work_doi
from core.text.urls import canonical_url, doi_of

_ARCHIVED = re.compile(r"^https?://web\.archive\.org/web/\d{4,14}[a-z_]*/(https?:/?/?.+)$", re.IGNORECASE)
_TELLING = 3


def build_references(
    text: str, pieces: Sequence[Piece], definitions: Sequence[Definition], keyed: Sequence[KeyedEntry]
) -> tuple[Reference, ...]:
    """All references in the order of the text; ids count from 0."""
    references = [*_listed(text, pieces), *(_defined(text, item) for item in definitions)]
    references += [_keyed(text, item) for item in keyed]
    references = _with_addresses(references)
    references.sort(key=lambda reference: reference.start)
    references = with_short_forms(references)
    return tuple(replace(reference, id=at) for at, reference in enumerate(references))


def _with_addresses(references: Sequence[Reference]) -> list[Reference]:
    """An entry ``[1] Title`` and a definition ``[1]: address`` are one reference, when the entry itself has no
    address. With two addresses they stay two, and a marker ``[1]`` fits both."""
    listed = Counter(reference.number for reference in references if reference.number is not None)
    defined = {
        int(reference.key): reference
        for reference in references
        if reference.kind is ReferenceKind.LINK_DEFINITION
        and reference.key
        and reference.key.isdecimal()
        and len(reference.key) < 5
    }
    dropped: set[int] = set()
    joined: list[Reference] = []
    for reference in references:
        also = (
            defined.get(reference.number)
            if reference.number is not None and listed[reference.number] == 1 and not reference.url
            else None
        )
        if also is not None:
            dropped.add(also.start)
            reference = replace(reference, url=also.url, also=(*reference.also, Span(also.start, also.end)))
        joined.append(reference)
    return [
        reference
        for reference in joined
        if reference.kind is not ReferenceKind.LINK_DEFINITION or reference.start not in dropped
    ]


def with_self(references: Sequence[Reference], title: str | None, own: Collection[str]) -> tuple[Reference, ...]:
    """The references with ``is_report`` set where one has an address of the report, or its title and no address.

    ``own``: the keys of the report's addresses (``keys_of``).
    """
    words = _folded(title)
    return tuple(
        replace(reference, is_report=True)
        if not keys_of(reference.url, reference.doi).isdisjoint(own)
        or (words and not reference.url and _folded(reference.title) == words)
        else reference
        for reference in references
    )


def keys_of(url: str | None, doi: str | None = None) -> frozenset[str]:
    """The keys by which an address or a DOI equals another one."""
    keys = set(address_keys(url)) if url else set()
    name = doi or (doi_of(url) if url else None)
    return frozenset(keys | ({f"doi:{work_doi(name.lower())}"} if name else set()))


def address_keys(url: str) -> list[str]:
    """The canonical form, and after it looser forms. They differ only in parts that never tell two pages apart in a
    report: http or https, ``www.``, a final slash, an archive's copy, a redirect before it, a version for phones."""
    archived = _ARCHIVED.match(url)
    keys: list[str] = []
    own = archived.group(1) if archived else url
    for address in dict.fromkeys((url, own, *other_addresses(own))):
        exact = canonical(address)
        if exact and exact.lower().startswith(("http://", "https://")):
            keys += [exact, _loose(exact)]
        elif address != url:
            keys.append(address)
    return list(dict.fromkeys(keys))


def _loose(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.lower().removeprefix("www.")
    path = unquote(parts.path).rstrip("/")
    return f"{host}{path}" + (f"?{parts.query}" if parts.query else "")


def canonical(url: str | None) -> str | None:
    """The canonical form of an address; the address itself when it has none."""
    if not url:
        return None
    try:
        return canonical_url(url)
    except SourceError:
        return url


def same_title(title: str | None, other: str | None) -> bool:
    """True when two titles have the same words, at least ``_TELLING`` of them: many works share shorter titles."""
    words = _folded(title)
    return len(words.split()) >= _TELLING and words == _folded(other)


def _folded(words: str | None) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in (words or "").casefold()).split())


def _listed(text: str, pieces: Sequence[Piece]) -> list[Reference]:
    listed: list[tuple[int, Reference]] = []
    for piece in pieces:
        raw = text[piece.start : piece.end]
        entry = read_entry(raw)
        kind = ReferenceKind.UNNUMBERED if piece.number is None else ReferenceKind.NUMBERED
        kind = ReferenceKind.KEYED if piece.key else kind
        label = str(piece.number) if piece.number is not None else _name(entry.authors, entry.year, entry.title)
        listed.append((piece.group, Reference(
            0, kind, piece.key or label, piece.start, piece.end, raw, number=piece.number, key=piece.key,
            url=entry.url, doi=entry.doi,
            title=entry.title, authors=entry.authors, year=entry.year,
        )))  # fmt: skip
    return _joined(listed)


def _name(authors: Sequence[str], year: str | None, title: str | None) -> str:
    who = f"{authors[0]} et al." if len(authors) > 2 else " & ".join(authors)
    return " ".join(part for part in (who, year) if part) or (title or "")[:60]


def _joined(listed: Sequence[tuple[int, Reference]]) -> list[Reference]:
    """Join a second list that repeats the numbers of the first and gives only what the first lacks (addresses)."""
    groups: dict[int, dict[int, Reference]] = {}
    for group, reference in listed:
        if reference.number is not None:
            groups.setdefault(group, {}).setdefault(reference.number, reference)
    merged: dict[int, Reference] = {}
    dropped: set[int] = set()
    ordered = sorted(groups)
    for first, second in pairwise(ordered):
        a, b = groups[first], groups[second]
        if not _complementary(a, b):
            continue
        for number in a.keys() & b.keys():
            plain, address = (a[number], b[number]) if b[number].url else (b[number], a[number])
            also = Span(b[number].start, b[number].end)
            merged[a[number].start] = replace(
                a[number], url=address.url, doi=address.doi or plain.doi, title=plain.title, authors=plain.authors,
                year=plain.year, also=(also,),
            )  # fmt: skip
            dropped.add(b[number].start)
    return [merged.get(ref.start, ref) for _, ref in listed if ref.start not in dropped]


def _complementary(a: dict[int, Reference], b: dict[int, Reference]) -> bool:
    common = a.keys() & b.keys()
    if not common or 2 * len(common) < min(len(a), len(b)):
        return False
    only_b = all(b[n].url and not a[n].url for n in common)
    only_a = all(a[n].url and not b[n].url for n in common)
    return only_a or only_b


def _defined(text: str, item: Definition) -> Reference:
    raw = text[item.start : item.end]
    if item.note:
        entry = read_entry(raw)
        return Reference(
            0, ReferenceKind.FOOTNOTE, f"^{item.key}", item.start, item.end, raw, key=item.key, url=entry.url,
            doi=entry.doi, title=entry.title, authors=entry.authors, year=entry.year,
        )  # fmt: skip
    target = raw[raw.index("]:") + 2 :].strip().split(None, 1)
    url = target[0].removeprefix("<").removesuffix(">") if target else None
    title = target[1].strip(" \"'()") if len(target) > 1 else None
    return Reference(
        0, ReferenceKind.LINK_DEFINITION, item.key, item.start, item.end, raw, key=item.key, url=url, title=title
    )


def _keyed(text: str, item: KeyedEntry) -> Reference:
    return Reference(
        0, ReferenceKind.KEYED, f"@{item.key}", item.start, item.end, text[item.start : item.end], key=item.key,
        url=item.url, doi=item.doi, title=item.title, authors=item.authors, year=item.year,
    )  # fmt: skip
