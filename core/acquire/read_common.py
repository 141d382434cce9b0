"""Metadata that every reader looks for: language, dates, DOI, people's names, references."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date

from core.records import Heading

_PDF = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
_YEAR = re.compile(r"(\d{4})\W*")
_EAST_ASIAN = re.compile(
    r"(\d{4})\s*[\u5e74\ub144](?:\s*(\d{1,2})\s*[\u6708\uc6d4](?:\s*(\d{1,2})\s*[\u65e5\uc77c])?)?"
)
_NUMERIC = re.compile(r"(?<!\d)(\d{1,2})([./-]| )(\d{1,2})\2(\d{4})(?!\d)")
_MONTHS = 12
_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_EARLIEST, _LATEST = 1000, 2100


_REFERENCE = re.compile(r"&#(?:[xX]0*([0-9a-fA-F]{1,6})|0*([0-9]{1,7}))(?![0-9a-zA-Z]);?")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def fit_for_trees(markup: str) -> str:
    """HTML with a blank for each character that XML knows not, also for one that is written as ``&#11;``. libxml2 reads
    them from HTML, and lxml refuses to write them when a tree is changed."""

    def reference(match: re.Match[str]) -> str:
        code = int(match[1], 16) if match[1] else int(match[2])
        return " " if code > 0x10FFFF or _NOT_IN_XML.match(chr(code)) else match[0]

    return _REFERENCE.sub(reference, _NOT_IN_XML.sub(" ", markup))


def parse_date(value: str | None) -> date | None:
    """The date in ``value``; a missing month or day counts as 1. None when there is no plausible date, or two.

    Reads ISO 8601 and its prefixes, PDF dates (``D:20240131...``), dates of figures where day and month cannot be
    exchanged (with full stops the day comes first), Chinese, Japanese and Korean ones, and what ``dateutil``
    understands. A year of two digits is no year.
    """
    if not value or not (value := unicodedata.normalize("NFKC", value).strip()[:100]):
        return None
    match = _PDF.match(value) or _EAST_ASIAN.search(value) or _ISO.match(value)
    if match:
        return make_date(match[1], match[2], match[3])
    if match := _YEAR.fullmatch(value):
        return make_date(match[1])
    if match := _NUMERIC.search(value):
        first, second, is_sure = int(match[1]), int(match[3]), match[2] == "."
        if not (is_sure or first > _MONTHS or second > _MONTHS or first == second):
            return None
        day, month = (second, first) if second > _MONTHS else (first, second)
        return make_date(match[4], str(month), str(day))
    if not re.search(r"\d{4}", value):
        return None
    from dateutil import parser  # type: ignore[import-untyped,unused-ignore]

    try:
        first, second = (parser.parse(value, default=parser.parse(default)) for default in ("1999-01-01", "2001-01-01"))
    except Exception:  # dateutil promises ParserError, and raises what its parts raise
        return None
    if first.year != second.year:  # the year came from the default
        return None
    return make_date(str(first.year), str(first.month), str(first.day))


def is_unsure(day: date, text: str) -> bool:
    """Whether ``text`` gives ``day`` only in a form that is another day where day and month are exchanged."""
    if max(day.day, day.month) > _MONTHS or day.day == day.month:
        return False
    y, m, d = day.year, day.month, day.day
    numeric = rf"(?<!\d)0?(?:{d}([/-])0?{m}\1|{m}([/-])0?{d}\2){y}(?!\d)"
    forms = (
        rf"(?<!\d){y}[-/.]?0?{m}[-/.]?0?{d}(?!\d)",
        rf"(?<!\d)0?{d}\.\s?0?{m}\.\s?{y}",
        rf"\b{_MONTH_NAMES[m - 1]}\w*\W+(?:\d\d?\w*\W+)?{y}",
    )
    sure = "|".join(forms)
    return re.search(numeric, text) is not None and re.search(sure, text, re.IGNORECASE) is None


def make_date(year: str | None, month: str | None = None, day: str | None = None) -> date | None:
    """A date from its parts; None when they are no plausible date."""
    try:
        parsed = date(int(year or 0), int(month or 1), int(day or 1))
    except ValueError:
        return None
    return parsed if _EARLIEST <= parsed.year <= _LATEST else None


MIN_LANGUAGE_CHARS = 60
"""Shorter texts are not asked for their language."""

_SAMPLE = 20_000
_REFERENCE_HEADING = re.compile(
    r"(?:\d+\.?\s*)?(?:references?(?: cited| list)?|bibliography|works cited|literature(?: cited)?|sources|citations|"
    r"literatur(?:verzeichnis)?|r[eé]f[eé]rences|bibliographie|referencias|bibliograf[ií]a)\s*:?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?:\[\d{1,4}\]|\d{1,4}\.)\s", re.MULTILINE)
_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE)
_OWN_DOI = re.compile(
    r"(?:^|[\s|\u00b7\u2022])(?:doi\s*+[:.]?+\s*+|https?://(?:dx\.)?doi\.org/)10\.\d{4,9}/\S+\s*(?:$|[|\u00b7\u2022])",
    re.IGNORECASE,
)
_DOI_WITHIN = 6000
_LINK = re.compile(r"https?://[^\s<>\"'\])}]+")


def language_of(text: str, declared: str | None = None) -> str | None:
    """ISO 639-1 code of the text's language; the ``declared`` one for texts too short to tell."""
    code = (declared or "").strip().lower().replace("_", "-").split("-")[0]
    fallback = code if re.fullmatch(r"[a-z]{2,3}", code) else None
    sample = text[:_SAMPLE]
    if sum(map(str.isalpha, sample)) < MIN_LANGUAGE_CHARS:
        return fallback
    import py3langid

    language = str(py3langid.classify(sample)[0])
    return fallback if language == "zxx" else language  # zxx: no language, a table of figures


def count_references(text: str, headings: Sequence[Heading]) -> int:
    """Number of entries under the last heading that is called References or the like; 0 without such a heading."""
    for at in range(len(headings) - 1, -1, -1):
        heading = headings[at]
        if _REFERENCE_HEADING.fullmatch(heading.text.strip()):
            following = next((h.start for h in headings[at + 1 :] if h.level <= heading.level), len(text))
            entries = text[heading.end : following]
            numbered = len(_NUMBERED.findall(entries))
            return numbered or sum(1 for line in entries.split("\n") if len(line.strip()) > 20)
    return 0


def find_doi(text: str | None) -> str | None:
    """First DOI in ``text``, lower case, without a trailing full stop or bracket."""
    match = _DOI.search(text or "")
    if not match:
        return None
    doi = match[1].rstrip(".,;:'\u201d\u2019")
    while doi.endswith(")") and doi.count("(") < doi.count(")"):
        doi = doi[:-1]
    return doi.lower()


def own_doi(text: str) -> str | None:
    """The DOI that a text gives as its own, near its start: marked as one, not in the middle of a sentence or list."""
    for line in text[:_DOI_WITHIN].split("\n"):
        if (match := _OWN_DOI.search(line)) and not _NUMBERED.match(line):
            return find_doi(match[0])
    return None


def links_in(text: str) -> tuple[str, ...]:
    """Web addresses written out in ``text``, each once, in order."""
    return unique(match.rstrip(".,;:") for match in _LINK.findall(text))


def unique(items: Iterable[str], limit: int = 5000) -> tuple[str, ...]:
    """``items`` without repeats and blanks, in order, at most ``limit``."""
    return tuple(dict.fromkeys(item for item in items if item))[:limit]


def names(value: str | Iterable[str] | None) -> tuple[str, ...]:
    """People named in a metadata field, at most 200 characters each and 500 people."""
    parts = re.split(r"[;\n]| and | & ", value) if isinstance(value, str) else list(value or ())
    if isinstance(value, str) and len(parts) == 1 and value.count(",") >= 2:
        parts = value.split(",")
    people = (" ".join(part.split()).strip(" ,") for part in parts)
    return unique((person for person in people if 1 < len(person) <= 200 and any(map(str.isalpha, person))), 500)
