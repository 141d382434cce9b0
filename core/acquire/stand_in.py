"""Pages that stand in for the one that was asked for: not found with status 200, consent, challenge, login, paywall.

Only short pages count, and only where next to nothing is left beside the words of the notice: an article about cookies
or about broken links is an article. The words stand in ``stand_in.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.errors import UnreadableSource
from core.labels import FetchState

_RULES = Path(__file__).with_name("stand_in.toml")
_SHORT = 150
_WALL = 600
"""Words. Notices of consent are long."""
_FEW = 12
_TEASER = 60
"""Words before a paywall that are no article yet; an abstract has more."""
_FORM = 40
"""Words beside a form to log in; so short a page is read sentence by sentence, too."""
_WHOLE, _TOLD = 8, 15
"""Words of a whole sentence; words of such sentences that make a short page an article whatever its heading says."""
_FIGURE = re.compile(r"(?<![\w.])(?!4(?:04|10)\b)\d")
_LOGIN = "a form to log in"
_SENTENCES = re.compile(r"(?<=[.!?])\s+")
_LONG_HEADING = 120
_BEFORE = re.compile(r"(?:\W{0,5}\b(?:sorry|oops|whoops|uh[ -]oh|error|http|status|4(?:04|10))\b)*\W*", re.IGNORECASE)
_DASHES = re.compile(r"\s[|\u2013\u2014\u00b7:-]\s")
_STRAIGHT = str.maketrans("\u2018\u2019", "''")


@dataclass(frozen=True, slots=True)
class _Notice:
    """A kind of notice: at most ``longest`` words, at most ``few`` of them (or a ``share``) beside it."""

    rule: str
    shows: str
    longest: int
    few: int
    share: float = 0.0
    state: FetchState = FetchState.BLOCKED


_NOTICES = (
    _Notice("server", "a fault of its server", _SHORT, 2 * _FEW, state=FetchState.SERVER_ERROR),
    _Notice("region", "a notice that it is not shown in this country", _SHORT, 2 * _FEW),
    _Notice("consent", "a notice about cookies and consent", _WALL, _FEW, 0.3),
    _Notice("challenge", "a check whether its reader is a person", _SHORT, _FEW, 0.6),
    _Notice("login", _LOGIN, _SHORT, 2 * _FEW),
    _Notice("paywall", "a paywall", _SHORT, _TEASER),
)


@dataclass(frozen=True, slots=True)
class StandIn:
    """The state of the source, and what its page shows in place of the article."""

    state: FetchState
    shows: str = ""

    def error(self, name: str) -> UnreadableSource:
        """The failure to raise for the page."""
        if self.state is FetchState.NOT_FOUND:
            why = "says that there is no such page, though it was sent as one. Check the address."
        else:
            why = f"shows {self.shows} and no article. Open it in a browser, save it as PDF or paste its text."
        return UnreadableSource(self.state, f"{name} {why}")


def stand_in(blocks: Sequence[str], headings: Iterable[str], *, asks_password: bool = False) -> StandIn | None:
    """The notice that a page consists of, None for an article.

    Args:
        blocks: the text of the page, a paragraph each.
        headings: its title and its first headings.
        asks_password: it has a field for one.
    """
    blocks = [block.translate(_STRAIGHT) for block in blocks]
    words = sum(len(block.split()) for block in blocks)
    titles = [part for head in headings if len(head) <= _LONG_HEADING for part in (head, *_DASHES.split(head))]
    if words <= _SHORT and _is_missing(blocks, titles, words):
        return StandIn(FetchState.NOT_FOUND)
    for notice in _NOTICES:
        if words <= notice.longest and _is_notice(notice, blocks, titles, words):
            return StandIn(notice.state, notice.shows)
    return StandIn(FetchState.BLOCKED, _LOGIN) if asks_password and words <= _FORM else None


def _is_missing(blocks: Sequence[str], titles: Sequence[str], words: int) -> bool:
    if _tells(blocks) >= _TOLD:
        return False
    sentences = [sentence for block in blocks for sentence in _SENTENCES.split(block)] if words <= _FORM else []
    said = any(map(_rules()["not_found"].search, blocks))
    return said or any(map(_says_not_found, (*titles, *sentences)))


def _tells(blocks: Sequence[str]) -> int:
    """Words in the sentences that tell something: whole ones that speak neither to their reader nor of pages and links,
    unless they have a figure that is no code of an error."""
    sentences = (sentence for block in blocks for sentence in _SENTENCES.split(block))
    whole = (
        sentence for sentence in sentences if len(sentence.split()) >= _WHOLE and sentence.rstrip()[-1] in ".!?\"'"
    )
    rules = _rules()
    return sum(
        len(sentence.split())
        for sentence in whole
        if not rules["to_reader"].search(sentence)
        and (_FIGURE.search(sentence) or not rules["of_pages"].search(sentence))
    )


def _is_notice(notice: _Notice, blocks: Sequence[str], titles: Sequence[str], words: int) -> bool:
    rule = _rules()[notice.rule]
    own = [block for block in blocks if rule.search(block)]
    left = words - sum(len(block.split()) for block in own)
    says_so = bool(own) or (notice.rule == "challenge" and any(map(rule.search, titles)))
    return says_so and left <= max(notice.few, notice.share * words)


def _says_not_found(title: str) -> bool:
    start = _BEFORE.match(title)
    rest = title[start.end() if start else 0 :].translate(_STRAIGHT).rstrip(" .!?:)")
    if rest.lower() in ("", "error", "page", "gone"):
        return re.search(r"\b4(?:04|10)\b", title) is not None
    return _rules()["not_found_heading"].fullmatch(rest) is not None


@lru_cache(maxsize=1)
def _rules() -> dict[str, re.Pattern[str]]:
    data = tomllib.loads(_RULES.read_text(encoding="utf-8"))
    rules = {}
    for name, patterns in data.items():
        if isinstance(patterns, list):
            whole = "|".join(patterns).replace("THING", data["thing"]).replace("MISSING", data["missing"])
            rules[name] = re.compile(whole, re.IGNORECASE)
    rules["paywall"] = re.compile(f"{rules['paywall'].pattern}|{rules['login'].pattern}", re.IGNORECASE)
    return rules
