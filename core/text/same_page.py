"""Keys by which two addresses of one page are known as such: archives, redirects, AMP, mobile hosts, video links.

The first key is the canonical form; those behind it are looser, so whoever looks a page up tries them in order. They
leave out only what does not tell two pages of a site apart.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote

from core.text.urls import canonical_or_none, url_parts

_ARCHIVED = re.compile(r"https?://web\.archive\.org/web/\d{4,14}[a-z_]*/(https?:/?/?.+)", re.IGNORECASE)
_AMP_CACHE = re.compile(
    r"https?://(?:(?:www\.)?google\.[a-z.]{2,6}/amp|[\w-]+\.cdn\.ampproject\.org/[a-z])/(s/)?([^/?#]+\.[a-z]{2,}.*)",
    re.IGNORECASE,
)
_REDIRECTS = re.compile(
    r"/(?:url|scholar_url|l|l\.php|link|linkfilter|redirect|redir|safety/go|away|away\.php|goto|go|out|exit|leave)/?",
    re.IGNORECASE,
)
_REDIRECTING_HOST = re.compile(r"(?:lm?|out|away|click)\.|(?:[\w-]+\.)*safelinks\.protection\.outlook\.com\Z")
_MOST_WRAPPERS = 3
_HOST = re.compile(r"\A(?:www|m|mobile|amp|touch)\.(?=[^.]+\.)|(?<=\.)m\.(?=[^.]+\.)")
_TELLING = r"[^/]*(?:\d|-[^/]*-)[^/]*"
"""The last part of the path of an article: a number, or several words."""
_AMP = (
    (re.compile(r"\.amp(?=\.html\Z|\Z)", re.IGNORECASE), ""),
    (re.compile(rf"(?<=/)({_TELLING})/amp\Z", re.IGNORECASE), r"\1"),
    (re.compile(rf"\A/amp(?=/(?:[^/]+/)*{_TELLING}\Z)", re.IGNORECASE), ""),
)
_ADDED = frozenset({"amp", "outputtype", "usqp", "ref", "src", "cmp", "feature", "si", "sh", "share", "partner"})
"""Parameters that say where a reader came from, or how the page is to look."""
_ONE_NAME = tuple(
    (re.compile(pattern, re.IGNORECASE), name)
    for pattern, name in (
        (r"youtube(?:-nocookie)?\.com/(?:watch\?(?:.*&)?v=|embed/|shorts/|live/|v/)([\w-]{11})(?![\w-]).*", "youtube"),
        (r"youtu\.be/([\w-]{11})(?![\w-]).*", "youtube"),
        (r"(?:ncbi\.nlm\.nih\.gov/pubmed|pubmed\.ncbi\.nlm\.nih\.gov|pubmed\.gov)/(\d+)\b.*", "pubmed"),
        (
            r"(?:(?:ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov)/articles|europepmc\.org/articles?/pmc)/(PMC\d+)\b.*",
            "pmc",
        ),
        (r"(?:twitter|x)\.com/\w+/status/(\d+)\b.*", "x"),
        (r"(?:(?:old|new|np)\.)?reddit\.com/r/\w+/comments/(\w+)(?:/[^/]*)?", "reddit"),
        (r"redd\.it/(\w+)", "reddit"),
        (r"openreview\.net/(?:pdf|forum)\?id=([\w-]+)\b.*", "openreview"),
    )
)


def address_keys(url: str) -> list[str]:
    """The canonical form of an address, and looser keys behind it; the same for what it leads to."""
    keys: list[str] = []
    for address in _addresses(url):
        if exact := canonical_or_none(address):
            keys += [exact, *_loose(exact)]
    return list(dict.fromkeys(keys))


def _addresses(url: str) -> list[str]:
    """An address, and those that it wraps, from the outside in."""
    addresses = [url.strip()]
    while len(addresses) <= _MOST_WRAPPERS and (inner := _wrapped(addresses[-1])):
        addresses.append(inner)
    return addresses


def _wrapped(url: str) -> str | None:
    """The address that an archive, an AMP cache or a redirect of a search engine or network carries."""
    if archived := _ARCHIVED.fullmatch(url):
        return archived[1]
    if cached := _AMP_CACHE.fullmatch(url):
        return f"http{'s' if cached[1] else ''}://{cached[2]}"
    parts = url_parts(url)
    if not (_REDIRECTS.fullmatch(parts.path) or _REDIRECTING_HOST.match((parts.hostname or "").lower())):
        return None
    values = (value for _, value in parse_qsl(parts.query))
    return next((value for value in values if re.match(r"https?://[^/\s]+\.", value)), None)


def _loose(url: str) -> list[str]:
    """Keys without scheme, ``www.`` and final slash; then without what AMP and mobile pages add."""
    parts = url_parts(url)
    host, path = parts.netloc.lower(), unquote(parts.path).rstrip("/")
    query = f"?{parts.query}" if parts.query else ""
    plain = f"{host.removeprefix('www.')}{path}"
    short_host = _HOST.sub("", host)
    for pattern, replacement in _AMP:
        path = pattern.sub(replacement, path)
    kept = "&".join(pair for pair in parts.query.split("&") if pair and pair.partition("=")[0].lower() not in _ADDED)
    page = f"{short_host}{path.rstrip('/')}" + (f"?{kept}" if kept else "")
    named = next((f"{name}:{match[1]}" for form, name in _ONE_NAME if (match := form.fullmatch(page))), page)
    return [plain + query, page, named]
