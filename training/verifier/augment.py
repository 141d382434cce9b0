"""Seeded errors: claims made false by rule from pairs that support them.

Every rule changes one place, keeps the sentence grammatical, and is deterministic for a given seed. Whether the
result is false is decided here by plain comparison of strings and values, not by the checks of ``core.verify``, so that
the checks can be measured on it. Names are found with ``core.verify.checks.mentions``: a name that it does not see is
not swapped.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.text.terms import STOP_WORDS
from core.verify.checks.mentions import mentions
from core.verify.checks.names import is_nation
from training.verifier.augment_words import (
    DIRECTION_SWAPS,
    MONTH_NAMES,
    NUMBER_WORDS,
    STRONGER,
    THIRD_PERSON,
    UNIT_SWAPS,
    VERBS,
)

KINDS = ("number", "date", "negation", "entity", "quantifier", "quote")
_NUMBER = re.compile(
    r"(?<![\w.,/-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,/-])|(?<![\w.,/-])\d+(?:\.\d+)?(?![\w/-]|[.,]\d)"
)
_YEAR = re.compile(r"(?<![\w.,/$£€-])(1[5-9]\d\d|20\d\d)(?![\w/%-]|[.,]\d)")
_WORD_NUMBER = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b(?!-)")
_AMONG = re.compile(rf"\b(?:{'|'.join(MONTH_NAMES)})\b(?= \d)|(?<=\d )(?:{'|'.join(MONTH_NAMES)})\b")
_DATE_LEAD = re.compile(r"\b(?:before|after|by|until|prior to|no later than)[ ](?:\w+[ ])?\Z", re.IGNORECASE)
_MORE_LEAD = re.compile(r"\b(?:over|more than|at least|exceeding|above|no (?:less|fewer) than)[ $£€]*\Z", re.IGNORECASE)
_LESS_LEAD = re.compile(r"\b(?:under|less than|fewer than|at most|below|up to|no more than)[ $£€]*\Z", re.IGNORECASE)
_TIME = re.compile(r"[ -](?:years?|months?|weeks?|days?|hours?|decades?|minutes?)\b", re.IGNORECASE)
_AUX = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|does|do|did|(?:has|have|had)(?= (?:been|"
    r"\w+ed)\b))\b(?! not|n't| only)"
)
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_CLEAR = 0.25
_SLIGHT = (0.06, 0.15)


@dataclass(frozen=True, slots=True)
class SeededError:
    """An altered claim. ``start``/``end`` is the altered place in ``claim``; ``was`` stood there before.

    ``kind`` is one of ``KINDS``, ``rule`` says which rule of the kind.
    """

    kind: str
    rule: str
    claim: str
    start: int
    end: int
    was: str


Edit = tuple[int, int, str, str]
"""Start and end in the claim, new text, name of the rule."""


def seeded_errors(claim: str, evidence: str, *, seed: int, pool: Sequence[str] = ()) -> list[SeededError]:
    """One error of each kind that the pair allows, drawn with ``seed``; never the unchanged claim.

    ``pool`` holds names from other documents; a name is swapped with one of them that the evidence lacks, or, where
    the pool offers none, with another name of the evidence.
    """
    found = []
    for kind in KINDS:
        error = seeded_error(claim, evidence, kind, seed=seed, pool=pool)
        if error is not None:
            found.append(error)
    return found


def seeded_error(
    claim: str, evidence: str, kind: str, *, seed: int, pool: Sequence[str] = (), rule: str | None = None
) -> SeededError | None:
    """One error of ``kind`` (and ``rule``, where given), or None where the pair does not allow one.

    Raises:
        ValueError: ``kind`` is none of ``KINDS``.
    """
    if kind not in _RULES:
        raise ValueError(f"unknown kind of error {kind!r}; known kinds: {', '.join(KINDS)}")
    rng = random.Random(f"{seed}\x00{kind}\x00{claim}")
    edits = [edit for edit in _RULES[kind](claim, evidence, rng, pool) if rule in (None, edit[3])]
    edits = [edit for edit in edits if claim[edit[0] : edit[1]] != edit[2]]
    if not edits:
        return None
    rules = sorted({edit[3] for edit in edits})  # draw the rule first: the common ones would crowd out the others
    drawn = rng.choice(rules)
    start, end, new, name = rng.choice([edit for edit in edits if edit[3] == drawn])
    return SeededError(kind, name, claim[:start] + new + claim[end:], start, start + len(new), claim[start:end])


def with_quote(claim: str, evidence: str, *, seed: int, size: int = 7) -> str | None:
    """A claim that also quotes ``size`` words of the evidence, unchanged; None where the evidence has no such run."""
    rng = random.Random(f"{seed}\x00quote\x00{claim}")
    runs = [m for m in re.finditer(r"\w[\w',-]*(?: \w[\w',-]*)+", evidence) if len(m.group().split()) >= size]
    if not runs:
        return None
    tokens = rng.choice(runs).group().split()
    at = rng.randrange(len(tokens) - size + 1)
    return f"{claim.rstrip(' .')}: “{' '.join(tokens[at : at + size]).rstrip(',')}”."


def _numbers(claim: str, evidence: str, rng: random.Random, pool: Sequence[str]) -> Iterator[Edit]:
    there = [float(m.group().replace(",", "")) for m in _NUMBER.finditer(evidence)]
    for match in _NUMBER.finditer(claim):
        written = match.group()
        dated = _YEAR.fullmatch(claim, *match.span()) or _AMONG.search(
            claim[max(0, match.start() - 10) : match.end() + 10]
        )
        if (
            dated
            or _TIME.match(claim, match.end())
            or match.group() not in evidence
            or _in_quotes(claim, match.start())
        ):
            continue
        new = _other_number(written, there, rng, _bound(claim, match.start()), slight=False)
        if new:
            yield (*match.span(), new, "value")
        near = _other_number(written, there, rng, _bound(claim, match.start()), slight=True)
        if near and "." in written:
            yield (*match.span(), near, "rounding")
        yield from _unit(claim, match)
        yield from _directions(claim, match)
    for match in _WORD_NUMBER.finditer(claim):
        if _TIME.match(claim, match.end()) or not re.search(rf"\b{match.group()}\b", evidence):
            continue
        others = [word for word in NUMBER_WORDS if word != match.group() and not re.search(rf"\b{word}\b", evidence)]
        yield (*match.span(), rng.choice(others), "value")


def _bound(claim: str, start: int) -> int:
    """+1 after "more than", -1 after "less than": only that way is the claim made false."""
    lead = claim[max(0, start - 24) : start]
    return 1 if _MORE_LEAD.search(lead) else -1 if _LESS_LEAD.search(lead) else 0


def _other_number(written: str, there: list[float], rng: random.Random, bound: int, *, slight: bool) -> str | None:
    value = float(written.replace(",", ""))
    places = len(written.partition(".")[2])
    low, high = _SLIGHT if slight else (_CLEAR, 1.0)
    for _ in range(20):
        share = rng.uniform(low, high) * (bound or rng.choice((1, -1)))
        new = round(value * (1 + share), places) if value else float(rng.randint(3, 9))
        if not places and written.rstrip("0") != written and len(written) > 1:  # keep round numbers round
            step = 10 ** (len(written) - len(written.rstrip("0")))
            new = round(new / step) * step
        clear = 0.05 if slight else _CLEAR * 0.8
        if new <= 0 or abs(new - value) < clear * value or abs(new - value) < 10.0**-places:
            continue
        if bound and any((other - new) * bound > 0 for other in there):
            continue  # another number of the evidence would make the bound true
        if all(abs(new - other) > 0.05 * max(abs(other), 1) for other in there):
            return f"{new:,.{places}f}" if "," in written else f"{new:.{places}f}"
    return None


def _unit(claim: str, match: re.Match[str]) -> Iterator[Edit]:
    for unit, other in UNIT_SWAPS.items():
        if unit in "$£€":
            if claim[match.start() - 1 : match.start()] == unit:
                yield match.start() - 1, match.start(), other, "unit"
        else:
            found = re.compile(rf"[ -]?{re.escape(unit)}(?!\w)").match(claim, match.end())
            if found:
                gap = "" if other.startswith(" ") else claim[match.end() : found.end() - len(unit)]
                yield match.end(), found.end(), gap + other, "unit"
                return


def _directions(claim: str, match: re.Match[str]) -> Iterator[Edit]:
    for word, other in DIRECTION_SWAPS.items():
        for found in re.finditer(rf"(?<![\w-]){word}(?![\w-]|s? to \Z)(?=[^.;,]{{0,24}}\Z)", claim[: match.start()]):
            yield (*found.span(), other, "direction")


def _dates(claim: str, evidence: str, rng: random.Random, pool: Sequence[str]) -> Iterator[Edit]:
    for match in _YEAR.finditer(claim):
        if (
            match.group() not in evidence
            or _DATE_LEAD.search(claim[: match.start()])
            or _in_quotes(claim, match.start())
        ):
            continue
        year = int(match.group())
        others = [year + by for by in (*range(-15, -1), *range(2, 16)) if not _near_year(year + by, evidence)]
        if others:
            yield (*match.span(), str(rng.choice(others)), "year")
    for match in _AMONG.finditer(claim):
        others = [m for m in MONTH_NAMES if m != match.group() and m not in evidence]
        if match.group() in evidence and others and not _in_quotes(claim, match.start()):
            yield (*match.span(), rng.choice(others), "month")
    for match in re.finditer(rf"{_NUMBER.pattern}|{_WORD_NUMBER.pattern}", claim):
        unit = _TIME.match(claim, match.end())
        if not unit or not re.search(rf"(?<!\w){re.escape(match.group())}[ -]{unit.group()[1:].rstrip('s')}", evidence):
            continue
        if match.group().isdigit():
            new = _other_number(match.group(), [int(n) for n in re.findall(r"\d+", evidence)], rng, 0, slight=False)
            if new:
                yield (*match.span(), new, "duration")
        elif match.group() in NUMBER_WORDS:
            others = [w for w in NUMBER_WORDS if not re.search(rf"\b{w}\b", evidence)]
            yield (*match.span(), rng.choice(others), "duration")


def _near_year(year: int, evidence: str) -> bool:
    """Whether the evidence has the year, or an interval or decade around it."""
    years = sorted(int(m) for m in re.findall(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", evidence))
    return (
        year in years
        or f"{year // 10}0s" in evidence
        or bool(years and re.search(r"\bsince\b", evidence) and year > years[0])
    )


def _negations(claim: str, evidence: str, rng: random.Random, pool: Sequence[str]) -> Iterator[Edit]:
    denied = re.search(r"\b(is|are|was|were|can|could|will|would|should|has|have|had)( not)\b(?! only)", claim)
    if denied:
        yield denied.start(2), denied.end(2), "", "removed"
    without = re.search(r"\bwithout\b(?! \w+ing)", claim)
    if without:
        yield (*without.span(), "with", "removed")
    if re.search(r"\b(?:not|no|never|without|neither|nor|none|lacks?|fail\w*)\b|n't", claim, re.IGNORECASE):
        return
    auxiliary = _AUX.search(claim)
    if auxiliary and not _in_quotes(claim, auxiliary.start()):
        yield auxiliary.end(), auxiliary.end(), " not", "inserted"
        return
    verb = re.search(rf"(?<=[a-z)] )(?:{'|'.join(VERBS)})\b(?! by\b)", claim)
    if verb and not _in_quotes(claim, verb.start()):
        does = "does not" if verb.group() in THIRD_PERSON else "did not"
        yield (*verb.span(), f"{does} {VERBS[verb.group()]}", "inserted")


def _entities(claim: str, evidence: str, rng: random.Random, pool: Sequence[str]) -> Iterator[Edit]:
    mine = [m for m in mentions(claim, evidence) if m.sure and claim[m.start : m.end] in evidence]
    lower = evidence.lower()
    for mention in mine:
        name = claim[mention.start : mention.end]
        if _in_quotes(claim, mention.start):
            continue
        outside = [n for n in pool if _alike(name, n) and not any(w in lower for w in n.lower().split() if len(w) > 2)]
        if outside:
            yield mention.start, mention.end, rng.choice(outside), "pool"
        inside = {evidence[m.start : m.end] for m in mentions(evidence, claim)}
        inside = {n for n in inside if _alike(name, n) and n not in claim and "\n" not in n and name not in n}
        if inside:
            yield mention.start, mention.end, rng.choice(sorted(inside)), "document"


def _alike(name: str, other: str) -> bool:
    """Same number of words, both acronyms or not, both countries or not."""
    if name == other or len(name.split()) != len(other.split()) or name in other or other in name:
        return False
    return (
        name.isupper() == other.isupper()
        and is_nation(name.lower()) == is_nation(other.lower())
        and (name.lower().endswith(("an", "ish", "ese")) == other.lower().endswith(("an", "ish", "ese")))
    )


def _quantifiers(claim: str, evidence: str, rng: random.Random, pool: Sequence[str]) -> Iterator[Edit]:
    taken: list[tuple[int, int]] = []
    for weak in sorted(STRONGER, key=len, reverse=True):
        for match in re.finditer(rf"(?<![\w-])(?<!the )(?<!The ){weak}\b(?! \d|-)", claim, re.IGNORECASE):
            if any(a < match.end() and match.start() < b for a, b in taken) or _in_quotes(claim, match.start()):
                continue
            taken.append(match.span())
            new = rng.choice(STRONGER[weak])
            if weak in ("most", "some") and not re.match(r" (?:\w+ )?\w+s\b", claim[match.end() :]):
                continue  # "most important": no quantity
            if not re.search(rf"\b{new.split()[0]}\b", evidence, re.IGNORECASE):
                yield (*match.span(), new.capitalize() if match.group()[0].isupper() else new, "strengthened")


def _quotes(claim: str, evidence: str, rng: random.Random, pool: Sequence[str]) -> Iterator[Edit]:
    words = sorted({w for w in re.findall(r"\b[a-z]{4,}\b", evidence) if w not in STOP_WORDS})
    for quote in _QUOTED.finditer(claim):
        if quote[1].strip(" .,") not in evidence or len(quote[1].split()) < 3:
            continue
        for word in re.finditer(r"\b[a-z]{4,}\b", quote[1]):
            others = [w for w in words if w[-2:] == word.group()[-2:] and w not in quote[1]] or [
                w for w in words if w[-1:] == word.group()[-1:] and w not in quote[1]
            ]
            if word.group() not in STOP_WORDS and others:
                at = quote.start(1) + word.start()
                yield at, at + len(word.group()), rng.choice(others), "word"


def _in_quotes(claim: str, at: int) -> bool:
    return any(m.start() < at < m.end() for m in _QUOTED.finditer(claim))


_RULES: dict[str, Callable[[str, str, random.Random, Sequence[str]], Iterator[Edit]]] = {
    "number": _numbers,
    "date": _dates,
    "negation": _negations,
    "entity": _entities,
    "quantifier": _quantifiers,
    "quote": _quotes,
}
