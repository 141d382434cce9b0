"""URLs: one canonical form to compare by, URLs out of pasted text, DOIs, arXiv ids, registrable domains.

A canonical URL is a key, not an address: fetch the URL as it was given and compare by ``canonical_url``
(the canonical form of an arXiv PDF, for instance, is its abstract page).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

from core.errors import SourceError

# Names that are only ever used to follow readers around. Names that may choose the content on some
# site (id, ref, source, cid, session, page, lang, q ...) are deliberately absent. After the lists of
# Firefox query stripping and ClearURLs.
_TRACKING_NAMES: frozenset[str] = frozenset(
    """__hsfp __hssc __hstc __s __twitter_impression _ga _gl _hsenc _hsmi _openstat at_campaign at_medium cmpid
    dclid epik fb_action_ids fb_action_types fb_ref fb_source fbclid gad_campaignid gad_source gbraid gclid gclsrc
    guccounter guce_referrer guce_referrer_sig hsctatracking igsh igshid li_fat_id mc_cid mc_eid mkt_tok ml_subscriber
    ml_subscriber_hash msclkid ns_campaign ns_mchannel ns_source oly_anon_id oly_enc_id pk_campaign pk_cid pk_content
    pk_keyword pk_kwd pk_medium pk_source rb_clickid ref_src ref_url s_cid smid srsltid trk trkcampaign ttclid twclid
    vero_conv vero_id wbraid wickedid wt_mc xtor yclid ysclid""".split()  # noqa: SIM905
)
_TRACKING_PREFIXES = ("utm_", "mtm_", "hsa_", "itm_", "piwik_", "matomo_")
_SESSION_PATH = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)
_DOI_HOSTS = frozenset({"doi.org", "dx.doi.org", "www.doi.org"})
# bioRxiv and medRxiv, Research Square, ChemRxiv, Preprints.org, OSF, arXiv, Authorea, TechRxiv, figshare; F1000.
_VERSIONED = re.compile(
    r"(10\.(?:1101|64898|21203|26434|20944|312(?:19|22|31|34|35)|48550|22541|36227|6084)/\S*?\w)[/._-]?v\d{1,2}(?:\.\D\S*)?"
    r"|(10\.(?:12688|3310|12703)/[a-z\d]+\.\d+)\.\d{1,2}"
)
_ARXIV_HOSTS = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org", "browse.arxiv.org"})
_DOI_FORM = r"10\.\d{4,9}(?:\.\d+)*/"
SICI = r"<\d{1,5}:[^\s<>]{0,40}>(?=\d)"
"""The part of an old DOI in angle brackets (``14:1<3::AID-SDR140>3.0.CO;2-K``)."""
_DOI = re.compile(rf"{_DOI_FORM}(?:{SICI}|[^\s?#&\"<>])+")
_WHOLE_DOI = re.compile(rf"{_DOI_FORM}\S.*")
_DOI_TAIL = re.compile(
    r"(?:/(?:full|abstract|pdf|epdf|meta|html|fulltext|references|figures|summary|pdfft|full/html|full/pdf))+$"
    r"|(?:\.full)?\.(?:pdf|html?|xml)$|\.full(?:-text)?$",
    re.IGNORECASE,
)
_ARXIV_ID = r"(?:\d{4}\.\d{4,5}|[a-z][a-z\-]*(?:\.[A-Z]{2})?/\d{7})"
_ARXIV_PATH = re.compile(rf"^/(?:abs|pdf|html|format|ps|src|e-print)/({_ARXIV_ID})(v\d+)?(?:\.pdf)?/?$")
_ARXIV_DOI = re.compile(rf"^10\.48550/arxiv\.({_ARXIV_ID})(v\d+)?$", re.IGNORECASE)
# What a URL in running text is made of: no blanks, quotes or full-width punctuation, up to the ``](`` of a
# Markdown link or to the comma before the next URL.
_REST = rf"(?:{SICI}|(?!\]\(|\]\[|[,;]\w{{2,6}}://)[^\s<>\"`{{}}|\\^。，；、！？「」【】])+"
_FOUND = re.compile(
    rf"(?P<scheme>https?|(?<![\w+.\-])[a-z]{{2,10}})://{_REST}"
    rf"|(?<![\w/@.\-])www\.{_REST}"
    rf"|\bdoi:[ ]?(?P<doi>{_DOI_FORM}(?:{SICI}|[^\s<>\"])+)|^[ \t]*(?P<bare>{_DOI_FORM}(?:{SICI}|[^\s<>\"])+)[ \t\r]*$"
    rf"|\barxiv:[ ]?(?P<arxiv>{_ARXIV_ID}(?:v\d+)?)",
    re.IGNORECASE | re.MULTILINE,
)
_TRAILING = ".,;:!?'*_~\u2019\u201d\u00bb\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u3001"
_BRACKETS = {")": "(", "]": "[", "\uff09": "\uff08", "\u300d": "\u300c", "\u3011": "\u3010"}


_NOWHERE = SplitResult("", "", "", "", "")


def url_parts(url: str) -> SplitResult:
    """The parts of an address that is not ours, with a readable host and port; all empty where it is no valid URL
    (``http://[your-server]/path``), which ``urlsplit`` answers with an error. No other module names ``urlsplit``."""
    try:
        parts = urlsplit(url)
        _ = parts.hostname, parts.port  # read only when asked for, and then it may raise
    except ValueError:
        return _NOWHERE
    return parts


def joined_url(base: str, link: str) -> str:
    """``link`` as it is meant on the page ``base``.

    Raises:
        SourceError: no valid URL comes of it.
    """
    try:
        return urljoin(base, link.strip())
    except ValueError as error:
        raise SourceError(f"{_shown(link)} is not a valid URL: {error}.") from error


def fetchable_url(url: str) -> str:
    """The URL to ask for: trimmed, host as ASCII lower case, without user name, password and fragment.

    Raises:
        SourceError: not an absolute http or https URL with a valid host and port.
    """
    text = url.strip()
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise SourceError(f"{_shown(text)} is not a valid URL: {error}. Check its host and port.") from error
    scheme = parts.scheme.lower()
    if scheme not in ("http", "https"):
        raise SourceError(f"{_shown(text)} cannot be fetched: only http:// and https:// URLs are.")
    if not host:
        raise SourceError(f"{_shown(text)} names no host. Give a full URL such as https://example.org/page.")
    if any(ord(letter) < 0x20 or ord(letter) == 0x7F for letter in text):
        raise SourceError(f"{_shown(text)} has control characters in it. Copy the URL again.")
    netloc = ascii_host(host)
    if port is not None and port != {"http": 80, "https": 443}[scheme]:
        netloc = f"{netloc}:{port}"
    return urlunsplit((scheme, netloc, parts.path or "/", parts.query, ""))


def canonical_url(url: str) -> str:
    """The form two spellings of one address share; a key to compare by, not an address to fetch.

    Scheme and host are lower case, the host ASCII (IDNA); default ports, user names, fragments, tracking
    parameters and ``;jsessionid`` go; dot segments and percent-encoding are normalised and parameters
    sorted (w3lib). A trailing slash stays as it is, because ``/a`` and ``/a/`` may be two pages; only the
    empty path becomes ``/``. http and https stay apart. Every spelling of a DOI link becomes
    ``https://doi.org/<doi in lower case>``; every arXiv link, arXiv's own DOIs included, becomes
    ``https://arxiv.org/abs/<id>`` with its version if one was given.

    Raises:
        SourceError: not an http or https URL.
    """
    from w3lib.url import canonicalize_url

    plain = fetchable_url(url)
    arxiv = arxiv_id_of(plain, version=True)
    if arxiv:
        return f"https://arxiv.org/abs/{arxiv}"
    parts = url_parts(plain)
    doi = doi_of(plain) if parts.hostname in _DOI_HOSTS else None
    if doi:
        return f"https://doi.org/{quote(doi, safe='/:;()._-+', errors='replace')}"
    kept = "&".join(pair for pair in parts.query.split("&") if pair and not _tracks(pair))
    path = _SESSION_PATH.sub("", parts.path)
    try:
        return str(canonicalize_url(urlunsplit((parts.scheme, parts.netloc, path, kept, ""))))
    except ValueError as error:
        raise SourceError(f"{_shown(url)} is not a valid URL: {error}.") from error


def canonical_or_none(url: str | None) -> str | None:
    """The canonical form of what a text gives as an address; None where it is none."""
    try:
        return canonical_url(url) if url else None
    except SourceError:
        return None


def parse_urls(text: str) -> list[str]:
    """The URLs in pasted text or a file's text, as written, in order, each once by its canonical form.

    Reads one URL a line, prose, Markdown links and HTML attributes; also ``www.`` names, ``doi:`` and
    ``arXiv:`` ids, and a bare DOI alone on its line. URLs of other schemes (``ftp://``) are returned too,
    so that adding them fails by name instead of dropping them silently.
    """
    found: dict[str, str] = {}
    for match in _FOUND.finditer(text):
        url = _as_url(match)
        if url:
            found.setdefault(canonical_or_none(url) or url, url)
    return list(found.values())


def doi_of(url: str) -> str | None:
    """The DOI that a URL carries, lower case: a resolver link, or one inside a publisher's address."""
    parts = url_parts(url.strip())
    host = (parts.hostname or "").lower()
    if host in _DOI_HOSTS:
        whole = _WHOLE_DOI.fullmatch(unquote(parts.path).strip("/ "))
        return whole.group().lower() if whole else None
    match = _DOI.search(unquote(url)) if any(parts) else None
    return _DOI_TAIL.sub("", _trimmed(match.group())).rstrip("/").lower() if match else None


def work_of(doi: str) -> str:
    """``doi`` without the version that preprint servers write at its end: the name of the work in all its versions."""
    match = _VERSIONED.fullmatch(doi.lower())
    return next(name for name in match.groups() if name) if match else doi


def arxiv_id_of(url: str, *, version: bool = False) -> str | None:
    """The arXiv id that a URL names (``2101.00001``, ``math.GT/0309136``); with ``version`` the ``v2`` too."""
    parts = url_parts(url.strip())
    host = (parts.hostname or "").lower()
    match: re.Match[str] | None = None
    if host in _ARXIV_HOSTS:
        match = _ARXIV_PATH.match(unquote(parts.path))
    elif host in _DOI_HOSTS:
        match = _ARXIV_DOI.match(unquote(parts.path).strip("/"))
    if match is None:
        return None
    return match.group(1) + ((match.group(2) or "").lower() if version else "")


def site_of(url: str) -> str:
    """The registrable domain (``bbc.co.uk``) by the Public Suffix List snapshot that tldextract carries;
    the host itself where there is none (an address, ``localhost``). Never goes to the network.

    Raises:
        SourceError: not an http or https URL.
    """
    host = url_parts(fetchable_url(url)).hostname or ""
    return registrable(host)[0] or host


@lru_cache(maxsize=1)
def _suffixes() -> Any:
    """The Public Suffix List as tldextract reads it, once a process: it takes 60 ms."""
    import tldextract

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def registrable(host: str) -> tuple[str, str]:
    """(registrable domain, public suffix) of a host, each empty where there is none. Never goes to the network."""
    parts = _suffixes()(host)
    return parts.top_domain_under_public_suffix, parts.suffix


def ascii_host(host: str) -> str:
    """A host name as it goes into a look-up: lower case, IDNA (UTS 46), no final dot; IPv6 in brackets.

    Raises:
        SourceError: no valid host name.
    """
    import idna

    if ":" in host:
        return f"[{host.lower()}]"
    host = host.rstrip(".").lower()
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode("ascii").rstrip(".")
    except idna.IDNAError as error:
        raise SourceError(f"{_shown(host)} is not a valid host name: {error}. Check its spelling.") from error


def _tracks(pair: str) -> bool:
    name = unquote(pair.partition("=")[0]).lower()
    return name in _TRACKING_NAMES or name.startswith(_TRACKING_PREFIXES)


def _as_url(match: re.Match[str]) -> str:
    doi, arxiv = match.group("doi") or match.group("bare"), match.group("arxiv")
    if doi:
        return f"https://doi.org/{_trimmed(doi)}"
    if arxiv:
        return f"https://arxiv.org/abs/{arxiv}"
    url = _trimmed(match.group().replace("&amp;", "&"))
    return url if match.group("scheme") else f"https://{url}"


def _trimmed(url: str) -> str:
    """Without the punctuation of the sentence around it; a closing bracket stays if it was opened inside."""
    while url:
        last = url[-1]
        opening = _BRACKETS.get(last)
        if last in _TRAILING or (opening and url.count(last) > url.count(opening)):
            url = url[:-1]
        else:
            break
    return url


def _shown(url: str) -> str:
    return repr(url if len(url) <= 200 else url[:200] + "…")
