"""Currencies by sign, code and name, from the tables of Unicode (babel): "A$5", "AUD 5", "5 Australian dollars".

The kind of an amount is the currency's English name in the singular ("Australian dollar"), or the last word of it where
the text says no more ("$5", "5 dollars"): such a word fits every currency of that name.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SIGN = re.compile(r"(?:(?P<code>[A-Z]{3})|(?P<land>[A-Za-z.]{0,4})(?P<sign>[$\u00a3\u20ac\u00a5\u20a0-\u20bf]))[ ]?\Z")
_NAME = re.compile(r"[ -]?([^\W\d_][\w.]*)(?:[ ]([^\W\d_]+))?(?:[ ]([^\W\d_]+))?")
_LANDS = {"A": "AU", "C": "CA", "CAN": "CA", "S": "SG", "NT": "TW", "R": "BR", "U.S.": "US", "MEX": "MX", "J": "JM"}
"""Letters in front of a sign that are no code of a country."""
_SIGNS = {"$": "dollar", "\u00a3": "British pound", "\u00a5": "yen"}
_LOOK = 8
_OTHER_NAMES = {
    "sterling": "British pound", "pounds sterling": "British pound", "pound": "pound", "pounds": "pound",
    "us dollar": "US dollar", "u.s. dollars": "US dollar", "u.s. dollar": "US dollar", "cents": "cent", "cent": "cent",
    "american dollars": "US dollar", "reais": "Brazilian real",
    "renminbi": "Chinese yuan", "kroner": "krone", "kronor": "krona",
}  # fmt: skip
_NO_MONEY = frozenset({"ALL", "TOP", "GEL", "CUP", "MAD", "SOS", "BAM"})
"""Codes that are words in capitals."""
_COMMON = frozenset(
    """real reals won lats rand sol lek leks som soms sum bond bonds unit units gold mark marks dram drams value day
    pula kip kips account lev inti""".split()  # noqa: SIM905
)
"""Last words of names that mean something else alone."""
_WON = re.compile(r"[ -]?won(?! \w)")


def currency_at(text: str, at: int) -> tuple[str, int]:
    """The currency that begins at ``at`` (after a space or hyphen) and its end; "" without one."""
    if won := _WON.match(text, at):  # "5 won the cup" is no money
        return "won", won.end()
    match = _NAME.match(text, at)
    if match is None:
        return "", at
    for group in (3, 2, 1):
        if match[group] is not None:
            end = match.end(group)
            name = text[match.start(1) : end]
            kind = _codes().get(name) or _names().get(name.lower().rstrip("."))
            if kind:
                return kind, end
    return "", at


def sign_before(text: str, at: int) -> tuple[str, int]:
    """The currency whose sign or code ends at ``at`` and its start; "" without one."""
    start = max(0, at - _LOOK)
    match = _SIGN.search(text, start, at)
    if match is None or (match.start() > 0 and text[match.start() - 1].isalnum()):
        return "", at
    if match["code"]:
        kind = _codes().get(match["code"], "")
        return (kind, match.start()) if kind else ("", at)
    kind = _signs().get(match["sign"], _SIGNS.get(match["sign"], ""))
    land = match["land"].upper()
    if land and match["sign"] in "$\u00a3\u00a5":
        of_land = _of_land(_LANDS.get(land, land))
        return (of_land, match.start()) if of_land else (kind.rpartition(" ")[2], match.start("sign"))
    return kind, match.start("sign")


def same_money(first: str, second: str) -> bool:
    """True when two kinds may be one currency: "dollar" and "Australian dollar"."""
    longer, shorter = sorted((first, second), key=len, reverse=True)
    return first == second or (shorter != "" and longer.endswith(f" {shorter}"))


def is_currency(kind: str) -> bool:
    """True for the kind of an amount of money."""
    return kind in _kinds()


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    from babel import Locale

    names = Locale("en").currencies
    return {code: _kind(name) for code, name in names.items() if code not in _NO_MONEY and name[-1:].isalpha()}


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    from babel.numbers import get_currency_name

    named: dict[str, str] = {}
    for code, kind in _codes().items():
        plural = get_currency_name(code, count=2, locale="en")
        for name in (kind, plural):
            last = name.rpartition(" ")[2].lower()
            if last not in _COMMON:
                named[last] = kind.rpartition(" ")[2].lower() if kind != "euro" else kind
            named[name.lower()] = kind
    return {**named, **_OTHER_NAMES}


@lru_cache(maxsize=1)
def _kinds() -> frozenset[str]:
    return frozenset(_codes().values()) | frozenset(_names().values()) | frozenset(_SIGNS.values())


@lru_cache(maxsize=1)
def _signs() -> dict[str, str]:
    from babel import Locale

    symbols = Locale("en").currency_symbols
    codes = _codes()
    signs = {sign: codes[code] for code, sign in symbols.items() if code in codes and len(sign) == 1}
    return {**signs, **_SIGNS}


@lru_cache(maxsize=64)
def _of_land(land: str) -> str:
    from babel.numbers import get_territory_currencies

    if not re.fullmatch("[A-Z]{2}", land):
        return ""
    codes = get_territory_currencies(land)
    return _codes().get(codes[-1], "") if codes else ""


def _kind(name: str) -> str:
    """A name as it stands within a sentence: "Australian dollar", "Swiss franc", "euro"."""
    head, _, last = name.rpartition(" ")
    return f"{head} {last.lower()}" if head else name.lower()
