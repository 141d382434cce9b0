"""Dates as sources write them."""

from __future__ import annotations

import re
from datetime import date

_PDF = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_ISO = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)")
_EARLIEST, _LATEST = 1000, 2100


def parse_date(value: str | None) -> date | None:
    """The date in ``value``; a missing month or day counts as 1. None when there is no plausible date.

    Reads ISO 8601 and its prefixes, PDF dates (``D:20240131...``), and what ``dateutil`` understands.
    """
    if not value or not (value := value.strip()[:100]):
        return None
    match = _PDF.match(value) or _ISO.match(value)
    if match:
        return make_date(match[1], match[2], match[3])
    if not re.search(r"\d{4}", value):
        return None
    from dateutil import parser  # type: ignore[import-untyped,unused-ignore]

    try:
        first, second = (parser.parse(value, default=parser.parse(default)) for default in ("1999-01-01", "2001-01-01"))
    except (ValueError, OverflowError):
        return None
    if first.year != second.year:  # the year came from the default
        return None
    return make_date(str(first.year), str(first.month), str(first.day))


def make_date(year: str | None, month: str | None = None, day: str | None = None) -> date | None:
    """A date from its parts; None when they are no plausible date."""
    try:
        made = date(int(year or 0), int(month or 1), int(day or 1))
    except ValueError:
        return None
    return made if _EARLIEST <= made.year <= _LATEST else None
