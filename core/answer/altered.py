"""Words of a claim that differ from the passage it cites: names, figures and denials. The judge overlooks a name in the
place of another one when all other words agree, so two rules stand beside it. A name, an acronym or a code of the claim
must be in the cited passages or their titles. Where a claim repeats a sentence nearly word for word, no name, figure or
denial may stand in the place of another one or of none. Spellings, inflections and acronyms of written-out names are
tolerated."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.text.sentences import sentence_spans

NEARLY = 0.8
"""Least share of equal words (Ratcliff/Obershelp) of a claim that repeats a sentence."""
_LEAST = 6
"""Least words of a claim that can repeat a sentence."""
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
    """True for a word that opens a sentence, or follows a colon or an opening quote."""

    @property
    def key(self) -> str:
        return self.text.casefold().removesuffix("'s").removesuffix("\u2019s")

    @property
    def named(self) -> bool:
        """True for a word written as a name, an acronym or a code."""
        if _CODE.match(self.text):
            return True
        return self.text[0].isupper() and not self.first and self.text not in _COMMON and len(self.text) > 1

    @property
    def figure(self) -> bool:
        return self.text[0].isdigit()


def altered(claim: str, passages: Sequence[str], titles: Sequence[str] = ()) -> str:
    """A sentence on the first difference between the claim and its passages, or ""."""
    return _missing(claim, [*passages, *titles]) or _replaced(claim, passages)


def _missing(claim: str, texts: Sequence[str]) -> str:
    tokens = _tokens(claim)
    theirs = [token for text in texts for token in _tokens(text)]
    keys = {part for their in theirs for part in (their.key, *re.split(r"[-/.,]", their.key))}
    stems = {key[:_PREFIX] for key in keys if len(key) >= _PREFIX}
    initials = "".join(their.text[0].casefold() for their in theirs)
    for place, token in enumerate(tokens):
        if token.named and not _is_in(token.key, keys, stems, initials) and not _spelled_out(tokens, place, keys):
            return f"\u201c{token.text}\u201d is not in the cited passage."
    return ""


def _is_in(key: str, keys: set[str], stems: set[str], initials: str) -> bool:
    parts = [part for part in re.split(r"[-/.,]", key) if part]
    if key in keys or (parts and all(part in keys or part[:_PREFIX] in stems for part in parts)):
        return True
    singular = key.removesuffix("s")
    return singular in keys or f"{key}s" in keys or (len(key) <= 6 and len(singular) > 1 and singular in initials)


def _spelled_out(tokens: Sequence[_Token], place: int, keys: set[str]) -> bool:
    """True when the name is part of a run of names whose initials stand in the passage as an acronym."""
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
    reasons: list[str] = []
    for passage in passages:
        for start, end in sentence_spans(passage):
            theirs = _tokens(passage[start:end])[:_MOST_WORDS]
            matcher = SequenceMatcher(None, [our.key for our in ours], [their.key for their in theirs], autojunk=False)
            if matcher.real_quick_ratio() < NEARLY or matcher.quick_ratio() < NEARLY or matcher.ratio() < NEARLY:
                continue
            codes = matcher.get_opcodes()
            reasons.append(
                next(filter(None, (_difference(ours[a:b], theirs[c:d], code) for code, a, b, c, d in codes)), "")
            )
    return reasons[0] if reasons and all(reasons) else ""


def _difference(ours: Sequence[_Token], theirs: Sequence[_Token], operation: str) -> str:
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
    """True when every name and figure of ours is in theirs, as an inflection, an acronym or the reverse."""
    keys = {their.key for their in theirs}
    stems = {key[:_PREFIX] for key in keys if len(key) >= _PREFIX}
    initials = "".join(their.text[0].casefold() for their in theirs)
    marked = [our for our in ours if our.named or our.figure]
    return all(
        token.key in keys or (token.named and _is_in(token.key, keys, stems, initials)) or _rounded(token, theirs)
        for token in marked
    )


def _rounded(token: _Token, theirs: Sequence[_Token]) -> bool:
    """True for a figure beside any figure of theirs: the check of numbers compares figures."""
    return token.figure and any(other.figure for other in theirs)


def _quoted(ours: Sequence[_Token], theirs: Sequence[_Token]) -> str:
    mine, shown = (" ".join(token.text for token in side) or "\u2026" for side in (ours, theirs))
    return f"\u201c{mine}\u201d where the cited passage has \u201c{shown}\u201d"


def _tokens(text: str) -> list[_Token]:
    tokens = []
    for match in _WORD.finditer(text):
        before = text[: match.start()].rstrip(" \t\n")
        first = not before or before[-1] in ".!?:;\u2026\u201c\"'(\u2018*#\n" or text[: match.start()].endswith("\n")
        tokens.append(_Token(match.group(), first))
    return tokens
