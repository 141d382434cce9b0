"""Where an entry of a list of references begins, and which lines are entries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.audit.names import YEAR_WORDS
from core.text.letter_numbers import LETTERS

START = re.compile(
    r"[ \t>]*(?:[-*+\u2022][ \t]+)?(?:\*\*|<sup>|\^)?(?:\\?\[\^?(?P<square>\d{1,4})\\?\]"
    r"|(?P<dotted>\d{1,4})[.)](?=[ \t])"
    r"|(?<=<sup>)(?P<tagged>\d{1,4})(?=</sup>)|\((?P<round>\d{1,4})\)|(?P<raised>[\u00b9\u00b2\u00b3\u2070-\u2079]+)"
    r"|[\u3010\uff3b](?P<wide>\d{1,4})[\u3011\uff3d]"
    r"|\\?\[(?P<key>(?=[^\[\]\n]*[\d+])[^\W\d_][^\[\]\s@]{0,30}(?:[ ][^\[\]\s@]{1,20}){0,3}?"
    rf"|(?![xX]\\?\])(?:{LETTERS.pattern}))\\?\])"
    r"(?:\*\*|</sup>|\^)?[:.]?[ \t]*(?=\S)"
)
ADDRESS = re.compile(r"https?://|\bwww\.|\bdoi:|\b10\.\d{4,9}/", re.IGNORECASE)
_YEAR = re.compile(rf"(?<!\d)(?:1[6-9]|20)\d\d[a-z]?(?!\d)|[(\[]{YEAR_WORDS}[)\]]", re.IGNORECASE)
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789")
_NAME = r"[^\W\d_][\w'\u2019\-]*(?: [^\W\d_][\w'\u2019\-]*){0,3}"
_SURNAME_FIRST = rf"[\s>*_\\]*+(?:{_NAME}, (?:[^\W\d_a-z]\.[ \-]?){{1,4}})"
_AUTHOR = re.compile(
    rf"{_SURNAME_FIRST}|[\s>*_\\]*+(?:{_NAME} [^\W\d_a-z]{{1,3}}[,.]|(?:[^\W\d_a-z]\.[ \-]?){{1,4}}{_NAME}[,.]"
    r"|[\"\u201c\u00ab\u2014\u2013]|-{3}|[^\n.]{2,120}?[.,]? [(\[](?:1[6-9]|20)\d\d)"
)
_LINK = r"(?:\[[^\[\]\n]{0,200}\]\(<?https?://[^\s()]*(?:\([^\s()]*\)[^\s()]*)*>?\)|<?(?:https?://|www\.)[^\s<>]+>?|\b(?:doi:\s?)?10\.\d{4,9}/\S+)"
_ONLY_ADDRESS = re.compile(rf"[\s>*_\-]*{_LINK}[\s.,;\\]*")
_ENDS_IN_ADDRESS = re.compile(
    rf"{_LINK}[\s.,;\\)\]*_]*(?:[(\[,\u2013-]?\s*(?:accessed|retrieved|abgerufen|visited|last|published|archived|\d{{4}})[^\n]{{0,80}})?[\s.)\\]*\Z",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"[\s>]*(?:[a-z(&]|(?:Retrieved|Accessed|Available|Archived|Abgerufen|In:|DOI|URL)\b)")
_TAG = re.compile(r"<(?P<close>/)?(?P<name>[a-zA-Z][a-zA-Z0-9]{0,10})(?P<more>\s[^<>]{0,500})?/?>")
_LINE = re.compile(r"[^\r\n]*\S[^\r\n]*")
_VALUE = re.compile(r"\b(?:start|value)\s*=\s*[\"']?(\d{1,4})")
_LONGEST = 800


def number_of(mark: re.Match[str] | None) -> int | None:
    """The number that a mark gives its entry."""
    if mark is None or mark["key"]:
        return None
    digits = mark["square"] or mark["dotted"] or mark["tagged"] or mark["round"] or mark["wide"]
    return int(digits or mark["raised"].translate(_RAISED))


def is_dated(line: str) -> bool:
    """True for a line with a year, an address, or an author's name in the form that lists have."""
    return bool(_YEAR.search(line) or ADDRESS.search(line) or re.match(_SURNAME_FIRST, line))


def is_entry(line: str) -> bool:
    """True for a line that reads as an entry and not as a sentence: it ends in its address, or begins with its author
    and has a year."""
    if len(line) <= _LONGEST and _ends_in_address(line):
        return True
    return bool(_AUTHOR.match(line) and (_YEAR.search(line) or ADDRESS.search(line)))


def begins_entry(line: str, before: str, after: str) -> bool:
    """True when ``line`` begins an entry, ``before`` being the entry so far and ``after`` the line that follows.

    A line break may also stand inside an entry; so what is before must be whole (it has its address, or its year),
    and the line must have an author in front, or an address of its own.
    """
    if _ONLY_ADDRESS.fullmatch(line):
        return bool(_ONLY_ADDRESS.fullmatch(before))
    if _CONTINUES.match(line):
        return False
    if _AUTHOR.match(line) and _YEAR.search(line) and _YEAR.search(before):
        return True
    own = ADDRESS.search(line) or _ONLY_ADDRESS.fullmatch(after) or _AUTHOR.match(line)
    return bool(own and _ends_in_address(before))


def _ends_in_address(words: str) -> bool:
    return bool(_ENDS_IN_ADDRESS.search(words[-_LONGEST:]))


def lines_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Lines with something in them, without the blanks around them and the backslash of a line break."""
    for line in _LINE.finditer(text, start, end):
        words = line.group()
        last = line.start() + len(words.rstrip(" \t\\"))
        begin = line.start() + len(words) - len(words.lstrip())
        if begin < last:
            yield begin, last


def without_tags(text: str) -> tuple[str, dict[int, int | None]]:
    """``text`` with HTML tags as blanks, and items, rows and line breaks of HTML as lines of their own; and for each
    item of an HTML list where it begins, with its number in an ordered one. Offsets stay."""
    if "<" not in text:
        return text, {}
    pieces: list[str] = []
    items: dict[int, int | None] = {}
    lists: list[int | None] = []
    at = 0
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if name in ("sup", "sub"):
            continue
        if name in ("ol", "ul"):
            _enter(lists, tag, name)
        elif name == "li" and not tag["close"]:
            items[tag.end()] = _next(lists, tag)
        line = name in ("li", "tr", "br", "p", "summary", "details", "div") or name[0] == "h"
        pieces += [text[at : tag.start()], ("\n" if line else " ") + " " * (tag.end() - tag.start() - 1)]
        at = tag.end()
    return "".join([*pieces, text[at:]]), items


def _enter(lists: list[int | None], tag: re.Match[str], name: str) -> None:
    if not tag["close"]:
        start = _VALUE.search(tag["more"] or "")
        lists.append((int(start[1]) if start else 1) if name == "ol" else None)
    elif lists:
        lists.pop()


def _next(lists: list[int | None], tag: re.Match[str]) -> int | None:
    number = lists[-1] if lists else None
    if number is None:
        return None
    value = _VALUE.search(tag["more"] or "")
    number = int(value[1]) if value else number
    lists[-1] = number + 1
    return number
