"""The parts of an entry of a reference list: address, DOI, authors, year, title."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from core.audit.links import links, plain
from core.audit.names import YEAR_WORDS
from core.text.urls import SICI, doi_of, parse_urls

_LABEL = re.compile(
    r"\s*(?:[-*+\u2022]\s+)?(?:\*\*)?(?:\\?\[\^?[^\]\s]{1,60}\]:?|\(?(?:\d{1,4}|[ivxl]{1,7})[.)\uff0e\u3001](?=\s)|\d{1,4}\s*\||\^\d{1,4}\^?"
    r"|[\u3010\uff3b]\d{1,4}[\u3011\uff3d]"
    r"|[\u00b9\u00b2\u00b3\u2070-\u2079]+|<sup>\[?\d{1,4}\]?</sup>)?(?:\*\*)?\.?\s*"
)
_DOI = re.compile(rf"10\.\d{{4,9}}(?:\.\d+)*/(?:[ ](?=[\w.()\-]*\d))?(?:{SICI}|[^\s\"<>\]\[])+")
_REGISTRANT = re.compile(r"https?://(?:dx\.|www\.)?doi\.org/10\.\d{4,9}(?:\.\d+)*/?", re.IGNORECASE)
"""A resolver's address cut off where no DOI can end: a line break of the page left a blank behind it."""
_PAREN_YEAR = re.compile(
    rf"[(\[\uff08](?P<year>(?:1[6-9]|20)\d\d[a-z]?\b|{YEAR_WORDS}(?!\w))[^()\[\]]{{0,25}}[)\]\uff09]", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\w/.:\-\u2013])(?P<year>(?:1[6-9]|20)\d\d[a-z]?)(?![\w/]|[-\u2013]\d)")
_URL = re.compile(r"https?://\S+|\bdoi:\s*\S+|\b10\.\d{4,9}/\S+", re.IGNORECASE)
_INITIALS = r"(?:[^\W\d_a-z]\.?[ \t\-\u2010]?){1,4}"
_PARTICLES = frozenset(
    "van von de der den del della di da dos das du la le ten ter el al bin ibn zu zur af av of".split()  # noqa: SIM905
)
_SUFFIX = re.compile(r"[ ,]+(?:Jr|Sr|II|III|IV)\.?$")
_QUOTED = re.compile(r"[\"\u201c](?P<title>[^\"\u201c\u201d]{6,300})[\"\u201d]")
_ITALIC = re.compile(r"(?<![*\w])\*(?P<title>[^*\n]{6,300})\*(?![*\w])")
_ACCESSED = re.compile(r",? (?:accessed|retrieved|abgerufen|visited)\b.*", re.IGNORECASE)


_BACK = re.compile(
    r"\[[^\[\]\n]{0,20}\]\([^\s()]*#_?(?:cite_?ref|fn_?ref|ftn_?ref|edn_?ref|ref_|back)[^\s()]*\)", re.IGNORECASE
)
"""A link from an entry back to the place that cites it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The parts of an entry that could be read; None or empty where not."""

    url: str | None
    doi: str | None
    title: str | None
    authors: tuple[str, ...]
    year: str | None


def read_entry(raw: str) -> Entry:
    """Read one entry, its label included, as it stands in the report."""
    body = raw[label_end(raw) :]
    url = _url(body)
    doi = _doi(body, url)
    if doi and url and _REGISTRANT.fullmatch(url):
        url = f"https://doi.org/{doi}"
    words = html.unescape(plain(body))
    bare = _URL.sub(" ", words)
    year, year_at = _year(bare)
    authors = tuple(_authors(bare[:year_at] if year_at >= 0 else bare))
    return Entry(url, doi, _title(body, words, bare), authors, year)


def label_end(raw: str) -> int:
    """Where the entry begins behind its number or key."""
    match = _LABEL.match(raw)
    return match.end() if match else 0


def _url(body: str) -> str | None:
    body = _BACK.sub(" ", body)
    for link in links(body):
        if not link.image and link.target.lower().startswith(("http://", "https://")):
            return link.target
    urls = parse_urls(body.replace("\\", "")) if "://" in body or "www." in body or "10." in body else []
    return next((url for url in urls if url.lower().startswith("http")), None)


def _doi(body: str, url: str | None) -> str | None:
    match = _DOI.search(body)
    if match:
        return match.group().replace(" ", "").rstrip(".,;:)*_").lower()
    return doi_of(url) if url else None


def _year(bare: str) -> tuple[str | None, int]:
    """The year and where the text before it ends."""
    match = _PAREN_YEAR.search(bare)
    if match:
        return match["year"].lower(), match.start()
    years = list(_YEAR.finditer(bare))
    if not years:
        return None, -1
    return years[-1]["year"] if len(years) > 1 and years[0].start() > 120 else years[0]["year"], years[0].start()


def _authors(head: str) -> list[str]:
    """Surnames (or one organisation) at the head of an entry."""
    head = " ".join(head.split()).strip(" .,(;")
    if not head or head[0] in "\"\u201c'":
        return []
    for read in (_surname_comma_initials, _surname_initials, _initials_surname):
        names = read(head)
        if names:
            return names
    return _full_names(head)


_SCI = re.compile(rf"(?P<name>[^\W\d_][^,;&]{{0,40}}?),\s+{_INITIALS}(?=[,;&.\s]|$)")
_VANCOUVER = re.compile(
    r"(?P<name>[^\W\d_][^,;]{0,40}?)\s+(?P<initials>[^\W\d_a-z\-]{1,2}(?:-?[^\W\d_a-z]){0,3})(?=[,.;]|$| et al)"
)
_INITIALS_FIRST = re.compile(
    r"(?:[^\W\d_a-z]\.[ \-]?){1,4}(?P<name>[^\W\d_][\w'\u2019\-]+(?: [^\W\d_a-z][\w'\u2019\-]+)?)"
)


def _surname_comma_initials(head: str) -> list[str]:
    """``Varga, I., Okonjo, T., & Halvorsen, R.`` (APA)."""
    names: list[str] = []
    at = 0
    while match := _SCI.match(head, at):
        names.append(_SUFFIX.sub("", match["name"].strip()))
        at = match.end()
        joint = re.match(r"[\s,;.]*(?:&|and\b|und\b)?[\s,]*", head[at:])
        at += joint.end() if joint else 0
    return names


def _surname_initials(head: str) -> list[str]:
    """``Chuong EB, Elde NC, Feschotte C.`` (Vancouver)."""
    names: list[str] = []
    at = 0
    while match := _VANCOUVER.match(head, at):
        names.append(match["name"].strip())
        at = match.end()
        if head[at : at + 1] != ",":
            break
        at += 1
        while head[at : at + 1] == " ":
            at += 1
    return names


def _initials_surname(head: str) -> list[str]:
    """``M. Solano, A. B. Quist and C. Rowe`` (IEEE)."""
    names: list[str] = []
    at = 0
    while match := _INITIALS_FIRST.match(head, at):
        names.append(match["name"])
        at = match.end()
        joint = re.match(r"[\s,;]*(?:&|and\b)?[\s,]*", head[at:])
        at += joint.end() if joint else 0
    return names


def _full_names(head: str) -> list[str]:
    """``Max Goebel, Tamir Hassan, and Giorgio Orsi. Title`` or an organisation."""
    first = re.split(r"\.\s|\.$|[:*\"\u201c]| - | \u2013 |\s\(", head, maxsplit=1)[0].strip(" ,")
    if not first or len(first) > 300:
        return []
    people = [name.strip() for name in re.split(r",\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+", first) if name.strip()]
    if len(people) > 1 and all(2 <= len(name.split()) <= 4 and name[0].isupper() for name in people):
        return [surname_of(name) for name in people]
    return [first] if len(first) <= 120 else []


def surname_of(name: str) -> str:
    """The last word of a full name, with the particles before it."""
    words = name.split()
    at = len(words) - 1
    while at > 1 and words[at - 1].lower() in _PARTICLES:
        at -= 1
    return " ".join(words[at:])


def _title(body: str, words: str, bare: str) -> str | None:
    quoted = _QUOTED.search(words)
    if quoted:
        return quoted["title"].strip(" .,")
    after_year = _PAREN_YEAR.search(bare)
    if after_year and after_year.start() < 300:
        rest = bare[after_year.end() :].lstrip(" .,:")
        title = re.split(r"(?<=[^\W\d_]{2})[.?!](?:\s|$)|\. ", rest, maxsplit=1)[0].strip()
        if len(title) > 5 and not title.lower().startswith(("doi", "pmid")):
            return title[:300]
    italic = _ITALIC.search(body)
    if italic:
        return plain(italic["title"]).strip(" .,")
    dashed = re.match(r"\s*https?://\S+\s+[-\u2013\u2014]\s+(?P<title>.+)", body, re.DOTALL)
    if dashed:
        return plain(dashed["title"])[:300]
    accessed = _ACCESSED.sub("", bare).strip(" .,-")
    if accessed != bare.strip(" .,-") and accessed:
        return accessed[:300]
    pieces = [piece.strip() for piece in re.split(r"(?<=\S)\.\s+", bare) if piece.strip()]
    if len(pieces) > 1 and len(pieces[1]) > 5:
        return pieces[1][:300]
    return pieces[0].strip(" .,-[]()|")[:300] or None if pieces else None
