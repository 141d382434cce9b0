"""Independent sources: clusters by union and find, with a reason for every merge. Two sources are merged when they
stand on one site (registrable domain), have one publisher, share most of their text (MinHash), when one cites or quotes
the other, or when both cite or quote the same third source. Hosts that carry the works of many (``independence.toml``)
merge nothing. Citing counts only where it is a good part of what a source cites: two surveys with a hundred references
each are not one because they share a few."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.errors import SourceError
from core.records import Cluster, Document
from core.text.urls import canonical_or_none, site_of, url_parts

FILE = Path(__file__).with_name("independence.toml")
ALIKE = 0.5
"""Least share of common 5-word shingles of texts that are one. Unrelated texts have a share near 0."""
CITED_SHARE = 0.2
"""Least share of the smaller list of cited pages at which shared citations count."""
_SHOWN = 70
_QUOTED = re.compile(
    r"\u201c([^\u201c\u201d]{40,1000})\u201d|\"([^\"\n]{40,1000})\"|\u00ab([^\u00ab\u00bb]{40,1000})\u00bb"
)
_WORDS = re.compile(r"[^\W_]+")
_SHORTEST = 8
_LONGEST_TEXT = 2_000_000
_MOST = 500
_SHOWN_QUOTE = 80


@dataclass(frozen=True, slots=True)
class Source:
    """A source for clustering: the document, and its text for quotations ("" leaves quotations out)."""

    document: Document
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Traits:
    id: str
    title: str
    site: str
    publisher: str
    own: frozenset[str]
    cited: frozenset[str]
    quotes: Mapping[str, str]
    squeezed: str
    signature: bytes
    copy_of: str | None


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    return {name: frozenset(values) for name, values in tomllib.loads(FILE.read_text("utf-8")).items()}


def independent_clusters(sources: Sequence[Source]) -> tuple[Cluster, ...]:
    """Clusters in the order of their first source; inside each, sources in the order given. Never raises."""
    traits = [_traits(source) for source in sources]
    parent = list(range(len(traits)))
    reasons: dict[int, list[str]] = {}

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for later in range(len(traits)):
        for earlier in range(later):
            a, b = root(earlier), root(later)
            reason = _reason(traits[earlier], traits[later]) if a != b else ""
            if reason:
                parent[max(a, b)] = min(a, b)
                reasons.setdefault(min(a, b), []).extend([*reasons.pop(max(a, b), []), reason])
    members: dict[int, list[str]] = {}
    for at, trait in enumerate(traits):
        members.setdefault(root(at), []).append(trait.id)
    return tuple(Cluster(tuple(ids), tuple(reasons.get(top, ()))) for top, ids in sorted(members.items()))


def _reason(a: _Traits, b: _Traits) -> str:
    """A line on why two sources are not independent, or ""."""
    return next((line for line in _reasons(a, b) if line), "")


def _reasons(a: _Traits, b: _Traits) -> Iterator[str]:
    pair = f"{_short(a.title)} and {_short(b.title)}"
    if a.copy_of == b.id or b.copy_of == a.id or (a.copy_of and a.copy_of == b.copy_of):
        yield f"{pair} are near-duplicates"
    share = _similarity(a.signature, b.signature)
    if share >= ALIKE:
        yield f"{pair} share about {share:.0%} of their text"
    if a.site and a.site == b.site:
        yield f"{pair} are both from {a.site}"
    if a.publisher and a.publisher == b.publisher:
        yield f"{pair} are both published by {a.publisher}"
    yield from _uses(a, b, pair)
    yield from _uses(b, a, pair)
    shared = sorted((a.cited & b.cited) - a.own - b.own)
    if shared and _weighty(len(shared), min(len(a.cited), len(b.cited))):
        yield f"{pair} both cite {_short(shared[0])}"


def _uses(citing: _Traits, cited: _Traits, pair: str) -> Iterator[str]:
    """The reasons why ``citing`` rests on ``cited``: it cites it, or quotes the same words."""
    if citing.cited & cited.own and _weighty(len(citing.cited & cited.own), len(citing.cited)):
        yield f"{_short(citing.title)} cites {_short(cited.title)}"
    quote = next((shown for words, shown in citing.quotes.items() if words in cited.squeezed), "")
    if quote and citing.quotes.keys() & cited.quotes.keys():
        yield f"{pair} quote the same words: \u201c{quote}\u201d"
    elif quote:
        yield f"{_short(citing.title)} quotes words of {_short(cited.title)}: \u201c{quote}\u201d"


def _weighty(shared: int, cited: int) -> bool:
    return shared >= CITED_SHARE * cited


def _similarity(a: bytes, b: bytes) -> float:
    """The share of equal minima of two MinHash signatures (32-bit words, made by ``core.acquire.dedup``)."""
    if not a or len(a) != len(b) or len(a) % 4:
        return 0.0
    words = len(a) // 4
    return sum(a[4 * at : 4 * at + 4] == b[4 * at : 4 * at + 4] for at in range(words)) / words


def _traits(source: Source) -> _Traits:
    document = source.document
    addresses = [url for url in (document.canonical_url, *document.urls) if url]
    own = frozenset(filter(None, map(_key, addresses)))
    if document.doi:
        own |= frozenset(filter(None, [_key(f"https://doi.org/{document.doi}")]))
    site = next((name for name in map(_site, addresses) if name), "")
    return _Traits(
        id=document.id,
        title=document.title or document.id,
        site=site,
        publisher=_publisher(document.publisher),
        own=own,
        cited=frozenset(_cited(document, site)),
        quotes=_long_quotations(source.text),
        squeezed=_squeezed(source.text),
        signature=document.signature,
        copy_of=document.near_duplicate_of,
    )


def _cited(document: Document, site: str) -> Iterator[str]:
    """The pages of others that a document links to, without page furniture and bare front pages."""
    furniture = _lists()["furniture"]
    for link in document.links:
        key = _key(link)
        if key and url_parts(key).path not in ("", "/") and _domain(key) not in furniture and _domain(key) != site:
            yield key


@lru_cache(maxsize=20_000)
def _key(url: str) -> str:
    """The canonical form of an address, equal for http and https; "" for no address."""
    return (canonical_or_none(url) or "").replace("http://", "https://", 1)


def _domain(url: str) -> str:
    try:
        return site_of(url)
    except SourceError:
        return ""


def _site(url: str) -> str:
    """The site of an address: its registrable domain, or the host of a blog; "" on a host of many."""
    domain = _domain(url)
    host = (url_parts(url).hostname or "") if domain else ""
    if domain in _lists()["own_subdomain"]:
        return host if host not in (domain, f"www.{domain}") else ""
    return "" if domain in _lists()["hosts_of_many"] else domain


_LEGAL = re.compile(
    r"\b(?:the|inc|incorporated|ltd|limited|llc|plc|gmbh|ag|corp|corporation|co|company|group|publishing|publishers?|press"
    r"|media|news|online|magazine)\b|[^\w\s]",
    re.IGNORECASE,
)


def _publisher(name: str | None) -> str:
    plain = " ".join(_LEGAL.sub(" ", name or "").casefold().split()) or " ".join((name or "").casefold().split())
    return "" if plain in _lists()["publishers_of_many"] else plain


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "\u2026"


def _squeezed(text: str) -> str:
    """The words of ``text`` in small letters, one space between them and at both ends."""
    return f" {' '.join(_WORDS.findall(text[:_LONGEST_TEXT].casefold()))} "


def _long_quotations(text: str) -> dict[str, str]:
    """The quotations of at least eight words, at most 500: from their squeezed form to the words that are shown."""
    quotations: dict[str, str] = {}
    for match in _QUOTED.finditer(text[:_LONGEST_TEXT]):
        words = next(filter(None, match.groups()))
        key = _squeezed(words)
        if key.count(" ") > _SHORTEST:
            shown = " ".join(words.split())
            quotations.setdefault(key, shown if len(shown) <= _SHOWN_QUOTE else shown[: _SHOWN_QUOTE - 1] + "\u2026")
        if len(quotations) >= _MOST:
            break
    return quotations
