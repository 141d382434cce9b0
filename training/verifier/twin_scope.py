"""Scope of a negation, with and without, and figures that change places."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from training.verifier.twin_change import OPPOSITE, OTHER, Change, aims

_WITHOUT = re.compile(r"\bwithout\b(?! (?:\w+ing|the need|success|notice|warning|charge|trial|consent)\b)")
_WITH = re.compile(
    r"\b(patients|people|women|men|children|adults|subjects|individuals|participants|cases|mothers|infants|those|"
    r"tumou?rs|cells|mice|plants|animals|streets|families|households|schools|lesions) with (?=\w)",
    re.IGNORECASE,
)
_NOT_ALL = re.compile(r"(?<!but )(?<!if )\b[Nn]ot all (?=(?:of )?(?:the )?(?:[\w-]+ ){0,3}?\w+s\b)")
_EVIDENCE = re.compile(r"\b(?:no|little) evidence (that|for|of)\b")
_BUT_NOT = re.compile(r"\b((?:[\w-]+ ){0,2}[\w-]+),? but not ((?:[\w-]+ ){0,3}?[\w-]+)(?=[.,;)]|\Z)")
_VAGUE = re.compile(r"\b(?:all|some|most|many|both|any|elsewhere|always|necessarily|only|exclusively|entirely)\b")
_LINK = frozenset(
    "in of with for by at on to from among during after before and or the a an".split()  # noqa: SIM905
)
_FIGURE = re.compile(r"(?<![\w.,/+±<>=≥≤-])\d+(?:\.\d+)?(?: ?%)?(?![\w/-]|[.,]\d)")
_UNIT = re.compile(r" ?(%|[A-Za-zµ/]+)")
_LIST = re.compile(r"\bCI\b|\brange|\bconfidence|[Pp] ?[=<>]|±|\bbetween\b|\d ?(?:to|and|or|-|–|—) ?\d|\bSD\b")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"


def with_without(sentence: str) -> Iterator[Change]:
    """Without as with, and the other way round behind people and things that have something."""
    if aims(sentence) or ("with " in sentence and "without" in sentence):
        return
    for match in _WITHOUT.finditer(sentence):
        yield Change(f"{sentence[: match.start()]}with{sentence[match.end() :]}", "without", OTHER, "with")
    found = list(_WITH.finditer(sentence))
    if len(found) == 1:
        at = found[0].end(1)
        yield Change(f"{sentence[:at]} without{sentence[at + 5 :]}", "without", OTHER, "without")


def not_all(sentence: str) -> Iterator[Change]:
    """Not all as none or all."""
    found = _NOT_ALL.search(sentence)
    if found:
        for word in ("no ", "all "):
            rest = sentence[found.end() :].removeprefix("of the ").removeprefix("the ") if word == "no " else (
                sentence[found.end() :])  # fmt: skip
            said = word.capitalize() if found.start() == 0 else word
            yield Change(f"{sentence[: found.start()]}{said}{rest}", "not_all", OTHER, word.strip())


def no_evidence(sentence: str) -> Iterator[Change]:
    """No evidence as clear evidence."""
    found = _EVIDENCE.search(sentence)
    if found and not aims(sentence) and len(re.findall(r"\b(?:no|not)\b", sentence)) == 1:
        text = f"{sentence[: found.start()]}clear evidence {found[1]}{sentence[found.end() :]}"
        yield Change(text, "no_evidence", OPPOSITE, "clear")


def but_not(sentence: str) -> Iterator[Change]:
    """A but not B as B but not A, where both are of the same make (a preposition and a word, or two words)."""
    for match in _BUT_NOT.finditer(sentence):
        other = match[2].split()
        one = match[1].split()[-len(other) :]
        same_link = one[0] == other[0] and one[0] in _LINK
        if len(one) != len(other) or not (same_link or (len(one) == 1 and one[0].islower() == other[0].islower())):
            continue
        if _VAGUE.search(match.group()):
            continue
        head = sentence[: match.end(1)].removesuffix(" ".join(one))
        if head == sentence[: match.end(1)] or one[-1] in _LINK or other[-1].endswith("ly"):
            continue
        middle = sentence[match.end(1) : match.start(2)]
        yield Change(f"{head}{match[2]}{middle}{' '.join(one)}{sentence[match.end() :]}", "but_not", OPPOSITE)


def figures_exchanged(sentence: str) -> Iterator[Change]:
    """Two different figures of the same unit in each other's place: each belongs to its own group."""
    if _LIST.search(sentence) or aims(sentence):
        return
    found = [m for m in _FIGURE.finditer(sentence) if not _date(sentence, m)]
    for one, other in itertools.pairwise(found):
        if one.group() == other.group() or _unit(sentence, one) != _unit(sentence, other):
            continue
        if other.start() - one.end() < 6 or "(" in sentence[one.end() : other.start()].replace("(", "", 1):
            continue
        text = (
            f"{sentence[: one.start()]}{other.group()}{sentence[one.end() : other.start()]}{one.group()}"
            f"{sentence[other.end() :]}"
        )
        yield Change(text, "figures", OTHER)


def _unit(sentence: str, match: re.Match[str]) -> str:
    if match.group().endswith("%"):
        return "%"
    found = _UNIT.match(sentence[match.end() :])
    return found[1] if found else ""


def _date(sentence: str, match: re.Match[str]) -> bool:
    """Whether the figure is a year, a day of a month, part of a name ("Cars 2"), or a number of a list."""
    if re.fullmatch(r"(?:1[5-9]|20)\d\d", match.group()):
        return True
    around = sentence[max(0, match.start() - 11) : match.end() + 11]
    named = re.search(r"(?:\A|\s)[A-Z][A-Za-z]* \Z", sentence[: match.start()])
    return bool(named or re.search(rf"\b(?:{_MONTHS})\b", around)) or sentence[match.start() - 1 : match.start()] == "["


_FROM_TO = re.compile(
    r"\bfrom ([$£€]?\d[\d.,]*(?: ?%| percent| per cent)?(?: ?± ?[\d.]+)?) to "
    r"([$£€]?\d[\d.,]*(?: ?%| percent| per cent)?(?: ?± ?[\d.]+)?)(?=[ ,;)]|\.?\Z)"
    r"|\bfrom ([A-Za-z-]+) to ([A-Za-z-]+)(?=[.,;)]|\Z| (?:by|in|at|during|over|after|when)\b)"
)
_RISES = re.compile(r"\b(?:rose|rises?|fell|falls?|increas\w+|decreas\w+|declin\w+|grew|went|dropped|reduc\w+|"
                    r"improv\w+|chang\w+|mov\w+|transfer\w*|promot\w+|renamed|shift\w*)\b")  # fmt: skip


def from_to(sentence: str) -> Iterator[Change]:
    """From A to B as from B to A, of what moves or changes."""
    found = _FROM_TO.search(sentence)
    if found is None or not _RISES.search(sentence) or re.search(r"\brang(?:e|es|ed|ing)\b", sentence):
        return
    one, other = (found[1], found[2].rstrip(".,")) if found[1] else (found[3], found[4])
    end = found.start(2) + len(other) if found[1] else found.end(4)
    if other.endswith("%") and not one.endswith("%"):
        other, end = other.rstrip(" %"), end - (len(other) - len(other.rstrip(" %")))
    if one != other and not re.fullmatch(r"(?:1[5-9]|20)\d\d|the|an?|his|her|its|one|baseline|birth", one):
        at = found.start(1) if found[1] else found.start(3)
        yield Change(f"{sentence[:at]}{other} to {one}{sentence[end:]}", "from_to", OTHER)
