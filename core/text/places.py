"""Names of countries and large cities, as far as the names of time zones have them."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import available_timezones

_MORE = (
    "germany france spain italy china india usa us uk england scotland wales europe asia africa america"
    " australia canada"
    " russia ukraine austria switzerland netherlands belgium sweden norway denmark finland greece korea"
    " vietnam thailand"
    " indonesia pakistan argentina peru colombia kenya nigeria ethiopia ghana california texas washington"
    " munich hamburg"
    " frankfurt cologne barcelona milan geneva boston seattle philadelphia beijing mumbai delhi osaka kyoto"
)


def is_place(name: str) -> bool:
    """True for the name of a country or a large city."""
    return name.casefold().replace("_", " ") in _places()


@lru_cache(maxsize=1)
def _places() -> frozenset[str]:
    parts = {part.casefold().replace("_", " ") for zone in available_timezones() for part in zone.split("/")}
    return frozenset(parts | set(_MORE.split()))
