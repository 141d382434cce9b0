"""Text in a source that addresses a language model instead of a reader.

A flag is a hint for people and changes nothing else: no verdict, no grade, no request. What keeps such text harmless is
that passages reach a model only as delimited data. The rules stand in ``injection_rules.toml``; they find what is
written plainly (Greshake et al., "Not what you've signed up for", AISec 2023), also where people do not see it, and no
rule finds everything.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.records import Document, InjectionFlag

TEXT, INVISIBLE_CHARACTERS = "text", "zero-width"
"""Two of the places: what people read, and characters that they do not see in it."""
WARNING = "Addresses a model"
"""Beginning of the warnings of a document that come from flags."""
MOST_FLAGS = 20
_PROSE = ("alt", "title", "metadata")
"""Places beside the text that are written for readers."""
_QUOTE = 160
_WARNINGS = 5
_MOST_CHARS = 2_000_000
"""Characters read of one place; books are shorter."""
_FLAG_WARNING = re.compile(rf"{WARNING} \(([\w -]+)\): “(.*)”\. It is kept", re.DOTALL)
_RULES = Path(__file__).with_name("injection_rules.toml")

_TAGS = re.compile("[\U000e0020-\U000e007e]{8,}")
"""Unicode tags spell ASCII that no font shows; flags of regions are emoji with six of them at most."""
_ZERO_WIDTH = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_ZERO_WIDTH_RUN = re.compile(f"[{_ZERO_WIDTH}]{{16,}}")
"""A message in bits; what scripts and line breaks need never comes in such runs."""
_ANY_HIDDEN = re.compile(f"[{_ZERO_WIDTH}\U000e0020-\U000e007f]")
_LOOK_ALIKE = str.maketrans("аеорсухіјѕһԁԛԝοαι", "aeopcyxijshdqwoai")
_UNSEEN: dict[int, str | None] = {
    **dict.fromkeys((173, 6158, 65279, 917631, *range(8203, 8208), *range(8234, 8239))),
    **dict.fromkeys(range(8288, 8298)),
    **{0xE0000 + code: chr(code) for code in range(0x20, 0x7F)},
}
_REPORTED = re.compile(
    r"(?:such\s+as|like|e\.g\.|for\s+(?:example|instance)|phrases?|attacks?|prompts?|strings?|says?|wrote|text|called|"
    r"injections?|commands?|instructions?|example|sentences?|words?)[\s,:(]*[\"'“‘«`]\s*\Z",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"[^\n]{0,200}?[\"'”’»`]")


_BLANKS = re.compile(r"\s{2,}")


def _blank(run: re.Match[str]) -> str:
    """What a run of white space says to a rule: a new paragraph, a new line, or a gap. The rules try every way to part
    a run, which takes the cube of its length."""
    return "\n\n"[: run[0].count("\n")] or " "


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    pattern: re.Pattern[str]
    where: str

    def applies(self, where: str) -> bool:
        """True when it is made for this kind of place."""
        return where != TEXT and (self.where == "unseen" or where not in _PROSE) if self.where != "any" else True


def flags(text: str, where: str = TEXT) -> tuple[InjectionFlag, ...]:
    """Every place of ``text`` that addresses a model, in order, at most 20. Of places that overlap the first counts.

    Args:
        where: the kind of place that the text stands in. In ``text``, which people see, what is quoted as an example
            ("attacks such as 'ignore all …'") is left out; anywhere else more counts as an address.
    """
    text = _BLANKS.sub(_blank, text[:_MOST_CHARS])
    hits = list(_hits(_readable(text), where))
    if where == TEXT and _ANY_HIDDEN.search(text):
        seen = {quote for _, _, quote in _hits(unicodedata.normalize("NFKC", text), TEXT)}
        hidden = [hit for hit in hits if hit[2] not in seen]
        flagged = [_flag(INVISIBLE_CHARACTERS if hit in hidden else TEXT, hit) for hit in hits]
    else:
        hidden = hits if where != TEXT else []
        flagged = [_flag(where, hit) for hit in hits]
    if not hidden:
        flagged += _only_hidden(text)
    return tuple(flagged[:MOST_FLAGS])


def warnings_of(flags: Sequence[InjectionFlag]) -> tuple[str, ...]:
    """Flags as warnings of a document: at most five, and a sixth that counts the rest."""
    warnings = [f"{WARNING} ({flag.where}): “{flag.quote}”. It is kept as text and never followed." for flag in flags]
    warnings = list(dict.fromkeys(warnings))
    if len(warnings) <= _WARNINGS:
        return tuple(warnings)
    return (*warnings[:_WARNINGS], f"{WARNING} in {len(warnings) - _WARNINGS} more places.")


def addresses_a_model(document: Document) -> bool:
    """True when a stored document was flagged when it was taken in."""
    return any(warning.startswith(WARNING) for warning in document.warnings)


def flags_at_intake(document: Document) -> tuple[InjectionFlag, ...]:
    """The flags that a stored document got when it was read, as far as its warnings name them."""
    matches = (_FLAG_WARNING.match(warning) for warning in document.warnings)
    return tuple(InjectionFlag(match[1], match[2], "at intake", document.id) for match in matches if match)


def flags_of(places: Iterable[tuple[str, str]]) -> tuple[InjectionFlag, ...]:
    """The flags of several places, given as (where, text). Equal words give one flag, at a hidden place if there is
    one."""
    by_words: dict[str, InjectionFlag] = {}
    for where, text in places:
        for flag in flags(text, where):
            key = "".join(flag.quote.split()).lower()
            if key not in by_words or by_words[key].where == TEXT:
                by_words[key] = flag
            if len(by_words) >= MOST_FLAGS:
                return tuple(by_words.values())
    return tuple(by_words.values())


def _hits(text: str, where: str) -> Iterator[tuple[int, str, str]]:
    """(start, rule, quote) in order; of overlapping matches the first."""
    matches = [
        (match.start(), match.end(), rule.name)
        for rule in _rules()
        if rule.applies(where)
        for match in rule.pattern.finditer(text)
        if where != TEXT or not _reported(text, match.start(), match.end())
    ]
    reached = -1
    for start, end, name in sorted(matches):
        if start >= reached:
            yield start, name, _quote(text, start, end)
            reached = end


def _reported(text: str, start: int, end: int) -> bool:
    """True when a match stands in quotation marks behind a word that reports it."""
    lead = text[max(0, start - 60) : start]
    return _REPORTED.search(lead) is not None and _CLOSING.match(text, end) is not None


def _quote(text: str, start: int, end: int) -> str:
    """Whole words from the one in which a match begins, with an ellipsis where the text goes on."""
    while start and text[start : start + 1].isalnum() and text[start - 1].isalnum() and end - start < 2 * _QUOTE:
        start -= 1
    line = " ".join(text[start : max(end, start + 2 * _QUOTE)].split())
    if len(line) <= _QUOTE:
        return line
    words = line[:_QUOTE].rsplit(" ", 1)[0]
    return (words if 2 * len(words) > _QUOTE else line[: _QUOTE - 1]).rstrip(" ,;:") + "…"


def _only_hidden(text: str) -> list[InjectionFlag]:
    tags = _TAGS.search(text)
    if tags:
        quote = _quote(tags[0].translate(_UNSEEN), 0, _QUOTE)
        return [InjectionFlag(INVISIBLE_CHARACTERS, quote, "hidden-characters")]
    run = _ZERO_WIDTH_RUN.search(text)
    if run:
        quote = f"{len(run[0])} characters that are not seen, one after another"
        return [InjectionFlag(INVISIBLE_CHARACTERS, quote, "hidden-characters")]
    return []


def _flag(where: str, hit: tuple[int, str, str]) -> InjectionFlag:
    return InjectionFlag(where, hit[2], hit[1])


def _readable(text: str) -> str:
    """The text without characters that are not seen, look-alike letters unified."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text.translate(_UNSEEN) if _ANY_HIDDEN.search(text) else text)
    return _latin(plain)


_LATIN = re.compile("[a-zA-Z]")
_MIXED = re.compile(r"[a-z][аеорсухіјѕһԁԛԝοαι]|[аеорсухіјѕһԁԛԝοαι][a-z]", re.IGNORECASE)


def _latin(text: str) -> str:
    """Cyrillic and Greek letters that look Latin as such, where they are mixed with Latin ones in a word."""
    if not _MIXED.search(text):
        return text
    return re.sub(r"\w+", lambda word: word[0].translate(_LOOK_ALIKE) if _LATIN.search(word[0]) else word[0], text)


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    listed = tomllib.loads(_RULES.read_text(encoding="utf-8"))["rule"]
    options = re.IGNORECASE | re.MULTILINE
    return tuple(_Rule(rule["name"], re.compile(rule["pattern"], options), rule["where"]) for rule in listed)
