"""Reading foreign JSON: whatever stands where something else was promised becomes nothing, never an error."""

import html
import re
from collections.abc import Iterator
from datetime import date
from email.utils import parsedate_to_datetime

LONGEST_TITLE = 500
LONGEST_SNIPPET = 1000
LONGEST_URL = 2000
MOST_AUTHORS = 100
_TAG = re.compile(r"<[^<>]{0,1000}>")
# Characters of control, and marks that change the direction of what follows: a terminal or a page could be lied to.
_CONTROLS = re.compile("[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?!\d)")
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")


def get(value: object, *path: str) -> object:
    """The value at the end of a path of names; None where there is no such path."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def entries(value: object) -> Iterator[dict[str, object]]:
    """The objects of a list; whatever else stands in it is passed over."""
    yield from (entry for entry in value if isinstance(entry, dict)) if isinstance(value, list) else ()


def words(value: object, most: int = LONGEST_TITLE) -> str:
    """Text on one line without mark-up; "" for what is no text. A list gives its first entry (Crossref's titles)."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub("", value[: most * 4])).encode("utf-8", "replace").decode("utf-8")
    line = " ".join(_CONTROLS.sub("", text).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def address(value: object) -> str:
    """A web address as it was given; "" for what is none or is too long to be one."""
    text = value.strip() if isinstance(value, str) else ""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= LONGEST_URL else ""


def doi(value: object) -> str | None:
    """A DOI in lower case, without the address of a resolver before it."""
    match = _DOI.search(value[:500]) if isinstance(value, str) else None
    return match.group().lower() if match else None


def names(values: Iterator[object]) -> tuple[str, ...]:
    """Names of people, each once, at most a hundred."""
    people: dict[str, None] = {}
    for value in values:
        name = words(value, 200)
        if name:
            people.setdefault(name)
        if len(people) == MOST_AUTHORS:
            break
    return tuple(people)


def day(value: object) -> date | None:
    """A date: ISO 8601 and its prefixes (a missing month or day counts as 1), RFC 5322, or as people write it
    ("Mar 3, 2021"). None for words like "2 days ago", for their day is not known."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    text = value.strip()[:60] if isinstance(value, str) else ""
    match = _ISO.match(text)
    if match:
        return date_of(match[1], match[2], match[3])
    if not re.search(r"\b\d{4}\b", text):
        return None
    try:
        return parsedate_to_datetime(text).date()
    except ValueError:
        pass
    from dateutil import parser  # type: ignore[import-untyped,unused-ignore]

    try:
        parsed = parser.parse(text)
    except Exception:  # dateutil promises ParserError, and raises what its parts raise
        return None
    return date_of(parsed.year, parsed.month, parsed.day)


def date_of(year: object, month: object = None, day: object = None) -> date | None:
    """A date of its parts; None when they are no plausible one."""
    try:
        built = date(int(str(year)), int(str(month or 1)), int(str(day or 1)))
    except ValueError:
        return None
    return built if 1000 <= built.year <= 2100 else None
