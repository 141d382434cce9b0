"""Other addresses of one page: behind a redirect, its version for phones, and names by the id of a work.

The same page may be cited by any of them. They are compared beside the canonical form and are never fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

_REDIRECTS = frozenset(
    [
        "url",
        "l",
        "l.php",
        "lm.php",
        "redirect",
        "redir",
        "away.php",
        "out",
        "link",
        "goto",
        "exit",
        "linkfilter",
        "safelink",
        "r",
    ]
)
"""The last part of the path of a page that only leads on to the address in its query."""
_REDIRECT_HOSTS = (
    ".safelinks.protection.outlook.com",
    "urldefense.com",
    "out.reddit.com",
    "href.li",
    "slack-redir.net",
)
_AMP_CACHE = re.compile(
    r"https?://[\w.-]+\.cdn\.ampproject\.org/(?:c|v|wp)/(s/)?(.+)|https?://(?:www\.)?google\.\w+/amp/(s/)?(.+)"
)
_AMP_PATH = re.compile(r"(?<=\w)/amp/?\Z|\A/amp(?=/\w)|\.amp(?=\Z|\.html?\Z)")
_AMP_QUERY = frozenset({("amp", "1"), ("amp", ""), ("amp", "true"), ("outputtype", "amp")})
_PHONE_HOST = re.compile(r"\A(?:www\.)?(?:m|mobile|amp)\.(?=[\w-]+\.\w)|(?<=\A\w\w)\.m(?=\.)")
_WORKS = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"(?:\w+\.)?youtube(?:-nocookie)?\.com/(?:watch\?(?:\S*&)?v=|embed/|shorts/|live/|v/)([\w-]{11})", "youtube"),
        (r"youtu\.be/([\w-]{11})", "youtube"),
        (r"(?:www\.ncbi\.nlm\.nih\.gov/pubmed|pubmed\.ncbi\.nlm\.nih\.gov)/(\d+)", "pubmed"),
        (
            r"(?:www\.ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov|europepmc\.org)/articles?/(?:PMC/?)?(?:PMC)?(\d+)",
            "pmc",
        ),
        (r"(?:mobile\.)?(?:twitter|x)\.com/\w+/status/(\d+)", "status"),
    )
)
_VERSION = re.compile(r"(?<=\d)[/._-]?v\d{1,2}\Z", re.IGNORECASE)


def other_addresses(url: str) -> Iterator[str]:
    """Addresses of the page that ``url`` names, other than it; a work with an id as ``youtube:dQw4w9WgXcQ``."""
    address = _unwrapped(url)
    if address != url:
        yield address
    plain = _for_all_screens(address)
    if plain != address:
        yield plain
    bare = re.sub(r"\Ahttps?://", "", plain)
    for pattern, name in _WORKS:
        match = pattern.match(bare)
        if match:
            yield f"{name}:{match[1]}"


def work_doi(doi: str) -> str:
    """The DOI of a preprint without its version (``10.1101/2020.01.02.123456v1``)."""
    return _VERSION.sub("", doi)


def _unwrapped(url: str) -> str:
    """The address that a redirect leads to, as far as its own address tells."""
    for _ in range(3):
        cached = _AMP_CACHE.fullmatch(url)
        if cached:
            secure, rest = (cached[1], cached[2]) if cached[2] else (cached[3], cached[4])
            url = f"http{'s' if secure else ''}://{rest}"
            continue
        parts = _split(url)
        if parts is None:
            return url
        host, last = parts.netloc.lower(), parts.path.rstrip("/").rpartition("/")[2].lower()
        inner = [value for _, value in parse_qsl(parts.query) if value.startswith(("http://", "https://"))]
        if len(inner) != 1 or not (last in _REDIRECTS or host.endswith(_REDIRECT_HOSTS)):
            return url
        url = inner[0]
    return url


def _for_all_screens(url: str) -> str:
    """The address without what marks a page for phones or AMP."""
    parts = _split(url)
    if parts is None:
        return url
    query = parse_qsl(parts.query, keep_blank_values=True)
    kept = [pair for pair in query if (pair[0].lower(), pair[1].lower()) not in _AMP_QUERY]
    shown = parts.query if len(kept) == len(query) else urlencode(kept)
    host = _PHONE_HOST.sub("", parts.netloc.lower())
    path = _AMP_PATH.sub("", parts.path)
    same = host == parts.netloc.lower() and path == parts.path and shown == parts.query
    return url if same else urlunsplit((parts.scheme, host, path, shown, ""))


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None
