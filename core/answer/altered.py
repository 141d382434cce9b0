"""What a claim says otherwise than the passage it cites, by its words alone.

Two rules beside the judge, which overlooks a name in the place of another one when all other words agree. A name, an
acronym or a code of the claim must be in the cited passages or their titles; and where a claim repeats a sentence
nearly word for word, no name, figure or denial may stand where the sentence has another one or none. Spellings,
inflections, acronyms of what is written out, and the reverse, are tolerated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.text.sentences import sentence_spans

NEARLY = 0.8
"""Share of equal words (Ratcliff/Obershelp) from which on a claim repeats a sentence."""
_LEAST = 6
"""Words of a claim that can repeat a sentence."""
_MOST_WORDS = 120
_WORD = re.compile(r"\w+(?:[-.,'\u2019/]\w+)*")
_CODE = re.compile(r"(?=.*[A-Za-z])(?=.*\d)|.*[A-Z].*[A-Z]")
_DENIALS = frozenset("not no never none neither nor without cannot n't hardly lack lacks lacked fails failed".split())  # noqa: SIM905
_COMMON = frozenset(
    """I January February March April May June July August September October November December Monday Tuesday Wednesday
    Thursday Friday Saturday Sunday""".split()  # noqa: SIM905
)
_PREFIX = 4


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    first: bool
    """Whether it opens a sentence, or follows a colon or an opening quote."""

    @property
    def key(self) -> str:
        return self.text.casefold().removesuffix("'s").removesuffix("\u2019s")

    @property
    def named(self) -> bool:
        """Whether it is written as a name, an acronym or a code."""
        if _CODE.match(self.text):
            return True
        return self.text[0].isupper() and not self.first and self.text not in _COMMON and len(self.text) > 1

    @property
    def figure(self) -> bool:
        return self.text[0].isdigit()


def altered(claim: str, passages: Sequence[str], titles: Sequence[str] = ()) -> str:
    """In a sentence: what the claim says otherwise; "" when the words show nothing."""
    return _missing(claim, [*passages, *titles]) or _replaced(claim, passages)


def _missing(claim: str, texts: Sequence[str]) -> str:
    tokens = _tokens(claim)
    held = [token for text in texts for token in _tokens(text)]
    keys = {part for one in held for part in (one.key, *re.split(r"[-/.,]", one.key))}
    stems = {key[:_PREFIX] for key in keys if len(key) >= _PREFIX}
    initials = "".join(one.text[0].casefold() for one in held)
    for place, token in enumerate(tokens):
        if token.named and not _is_held(token.key, keys, stems, initials) and not _spelled_out(tokens, place, keys):
            return f"\u201c{token.text}\u201d is not in the cited passage."
    return ""


def _is_held(key: str, keys: set[str], stems: set[str], initials: str) -> bool:
    parts = [part for part in re.split(r"[-/.,]", key) if part]
    if key in keys or (parts and all(part in keys or part[:_PREFIX] in stems for part in parts)):
        return True
    singular = key.removesuffix("s")
    return singular in keys or f"{key}s" in keys or (len(key) <= 6 and len(singular) > 1 and singular in initials)


def _spelled_out(tokens: Sequence[_Token], place: int, keys: set[str]) -> bool:
    """Whether the name is one of several in a row whose initials stand there as an acronym."""
    start = end = place
    while start and tokens[start - 1].named:
        start -= 1
    while end + 1 < len(tokens) and tokens[end + 1].named:
        end += 1
    return end > start and "".join(token.text[0] for token in tokens[start : end + 1]).casefold() in keys


def _replaced(claim: str, passages: Sequence[str]) -> str:
    ours = _tokens(claim)[:_MOST_WORDS]
    if len(ours) < _LEAST:
        return ""
    found: list[str] = []
    for passage in passages:
        for start, end in sentence_spans(passage):
            theirs = _tokens(passage[start:end])[:_MOST_WORDS]
            matcher = SequenceMatcher(None, [our.key for our in ours], [their.key for their in theirs], autojunk=False)
            if matcher.real_quick_ratio() < NEARLY or matcher.quick_ratio() < NEARLY or matcher.ratio() < NEARLY:
                continue
            codes = matcher.get_opcodes()
            found.append(next(filter(None, (_told(ours[a:b], theirs[c:d], code) for code, a, b, c, d in codes)), ""))
    return found[0] if found and all(found) else ""


def _told(ours: Sequence[_Token], theirs: Sequence[_Token], operation: str) -> str:
    if operation == "equal":
        return ""
    if {our.key for our in ours} & _DENIALS != {their.key for their in theirs} & _DENIALS:
        return f"The cited passage {'denies it' if _denies(theirs) else 'does not deny it'}: {_quoted(ours, theirs)}."
    swapped = operation == "replace" and _marked(ours) and (_marked(theirs) or len(ours) == len(theirs))
    return f"It says {_quoted(ours, theirs)}." if swapped and not _alike(ours, theirs) else ""


def _denies(tokens: Sequence[_Token]) -> bool:
    return bool({token.key for token in tokens} & _DENIALS)


def _marked(tokens: Sequence[_Token]) -> bool:
    return any(token.named or token.figure for token in tokens)


def _alike(ours: Sequence[_Token], theirs: Sequence[_Token]) -> bool:
    """Whether every marked word of ours is there, as an inflection, an acronym or the reverse."""
    keys = {their.key for their in theirs}
    stems = {key[:_PREFIX] for key in keys if len(key) >= _PREFIX}
    initials = "".join(their.text[0].casefold() for their in theirs)
    marked = [our for our in ours if our.named or our.figure]
    return all(
        one.key in keys or (one.named and _is_held(one.key, keys, stems, initials)) or _rounded(one, theirs)
        for one in marked
    )


def _rounded(one: _Token, theirs: Sequence[_Token]) -> bool:
    """Figures are compared by the checks of numbers; here only such count that nothing there resembles."""
    return one.figure and any(other.figure for other in theirs)


def _quoted(ours: Sequence[_Token], theirs: Sequence[_Token]) -> str:
    said, held = (" ".join(one.text for one in side) or "\u2026" for side in (ours, theirs))
    return f"\u201c{said}\u201d where the cited passage has \u201c{held}\u201d"


def _tokens(text: str) -> list[_Token]:
    found = []
    for match in _WORD.finditer(text):
        before = text[: match.start()].rstrip(" \t\n")
        first = not before or before[-1] in ".!?:;\u2026\u201c\"'(\u2018*#\n" or text[: match.start()].endswith("\n")
        found.append(_Token(match.group(), first))
    return found
