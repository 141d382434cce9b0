"""Quantifiers: "all", "none" or "most" in the claim, where the evidence says less.

Vetoes where the evidence writes the weaker word itself, or where a claim of "all", "every", "always", "only" stands
against evidence with no such word; only there the second is sure enough that the evidence speaks of single cases.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.verify.checks.numerals import SMALL
from core.verify.checks.outcomes import CheckResult, Span, failed, not_applicable, passed
from core.verify.checks.text import cut, flat, relevant_spans, stems

NAME = "quantifiers"
_WORDS = {
    "none": r"none(?! other)|no one|nobody|not (?:a single|one|any)|never|zero|not all|no(?= [a-z]+s\b)",
    "few": r"(?:a )?(?:small )?minority|few(?!er)|hardly any|rarely|seldom|a handful|little",
    "some": r"some(?! \d)|several|certain|a (?:number|few|couple|fraction|variety|portion) of|sometimes|"
    "occasionally|various|"
    r"at least one|one of|parts? of|partly|partially|may|might|could|can",
    "many": r"many|numerous|much|lots? of|often|frequently|commonly|a great deal",
    "most": r"most(?= (?:of|[a-z]+s\b))|majority|mostly|mainly|largely|usually|generally|typically|primarily|"
    "predominantly|"
    r"(?:nearly|almost|virtually|practically) (?:all|every|always|entirely|exclusively)",
    "all": r"(?<!at )(?<!after )(?<!above )(?<!us )(?<!them )(?!(?<=\bin )all(?:[ ]?(?:[,.;:)]|\d|\Z)))"
    r"all(?![ -](?:told|but|right|times?|ages|kinds|sorts|star|around|over|"
    r"in all|the other|three|four|five|six)\b)|every(?:one|body|thing)?|each|always|entire(?:ly)?|whole|wholly|"
    "completely|fully|throughout|"
    r"universal(?:ly)?|both|any(?:one|thing|body)?|invariably|without exception|whenever|constantly",
    "only": r"only|solely|exclusively|sole|just|nothing but|alone|no other|unique(?:ly)?",
}
_PATTERN = re.compile(
    r"\b(?:" + "|".join(f"(?P<{name}>{words})" for name, words in reversed(_WORDS.items())) + r")\b", re.IGNORECASE
)
_NEARLY = re.compile(r"\b(?:nearly|almost|virtually|practically|not)[ ]\Z", re.IGNORECASE)
_STRENGTH = {"few": 1, "some": 2, "many": 3, "most": 4, "all": 5, "none": 5, "only": 5}
_CLAIMED = re.compile(
    r"all|every(?:one|body|thing)?|always|invariably|without exception|most|(?:the )?majority|none|no one|nobody|"
    r"only|solely|"
    r"exclusively|sole|nothing but",
    re.IGNORECASE,
)
"""The words of a claim that are compared. Weaker and vaguer words count in the evidence alone."""
_SHARE = re.compile(r"\b\d+(?:\.\d+)?[ ]?(?:%|per ?cent)", re.IGNORECASE)
_LOOSE = re.compile(
    r"any(?:one|thing|body)?|both|each|entire|whole|throughout|fully|just|alone|unique|no|not (?:a single|one|any)",
    re.IGNORECASE,
)
_REACH = 60
_BEST = 0.8
_POPULATION = re.compile(
    r"\b(?:residents|citizens|population|inhabitants|voters|households|the public|electorate|"
    r"(?:people|everyone|everybody) (?:of|in) [A-Z]\w+)\b"
)
_SAMPLE = re.compile(
    r"\b(?:(?:people|those|residents|everyone|persons|tenants) (?:that |whom? )?(?:we|they|I) (?:have |had )?"
    r"(?:talked to|talked with|spoke to|spoke with|asked|interviewed|surveyed|polled|met|questioned)"
    r"|(?:people|those|residents|tenants) (?:asked|surveyed|interviewed|polled|questioned|who (?:answered|replied))"
    r"|respondents|interviewees|of (?:our|the) sample)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:asked|survey\w*|interview\w*|poll\w*|questioned|respon\w+|participants?|sample\w*|talked|spoke\w*|answer\w*)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantifier:
    """A quantifying word: its ``kind`` (key of the strengths), place, and stems of the content words behind it."""

    kind: str
    start: int
    end: int
    nouns: tuple[str, ...]


def quantifiers(text: str, start: int = 0, end: int | None = None) -> list[Quantifier]:
    """The quantifiers of ``text[start:end]`` in order."""
    even = flat(text)
    end = len(even) if end is None else end
    result = []
    for match in _PATTERN.finditer(even, start, end):
        kind = match.lastgroup or ""
        if match.group() == "May":
            continue
        if kind in ("all", "none") and _NEARLY.search(even, max(0, match.start() - 12), match.start()):
            kind = "most" if kind == "all" else "few"
        result.append(Quantifier(kind, *match.span(), _nouns(even, match.end(), end)))
    return result


def _nouns(text: str, at: int, end: int) -> tuple[str, ...]:
    tail = text[at : min(end, at + _REACH)]
    return stems(tail)[:3]


def check(claim: str, evidence: str) -> CheckResult:
    """The result for the strong quantifiers of ``claim``, compared with the sentences about the same thing."""
    claimed = [q for q in quantifiers(claim) if _claimed(claim, q)]
    if not claimed:
        return not_applicable(NAME, "The claim does not say all, most, none or only.")
    there = [q for a, b in relevant_spans(claim, evidence) for q in quantifiers(evidence, a, b)]
    best = relevant_spans(claim, evidence, share=_BEST)
    results = [_compare(claim, quantifier, evidence, there, best) for quantifier in claimed]
    return next((r for r in results if r.veto), next((r for r in results if r.outcome == "failed"), results[0]))


def _claimed(claim: str, quantifier: Quantifier) -> bool:
    """True when the word claims a quantity: not in a title ("All the King's Men"), not denied, not before a number."""
    if _STRENGTH[quantifier.kind] <= _STRENGTH["many"] or not _CLAIMED.fullmatch(
        claim, quantifier.start, quantifier.end
    ):
        return False
    word, after = claim[quantifier.start : quantifier.end], claim[quantifier.end :]
    titled = word[0].isupper() and (quantifier.start > 0 or re.match(r" (?:the |of )*[A-Z]", after) is not None)
    denied = re.search(r"(?:\bnot|n't)(?: \w+)?\s\Z", claim[: quantifier.start]) is not None
    counted = (
        quantifier.kind == "only"
        and re.match(rf" (?:\w+ )?(?:for |by |in )?(?:[$£€]|\d|{'|'.join(SMALL)}\b)", after) is not None
    )
    return not (titled or denied or counted)


def _compare(claim: str, claimed: Quantifier, evidence: str, there: list[Quantifier], best: list[Span]) -> CheckResult:
    span: tuple[Span, ...] = ((claimed.start, claimed.end),)
    word = cut(claim, claimed.start, claimed.end)
    strong = [
        q for q in there if _holds(claimed, q) and (set(q.nouns) & set(claimed.nouns) or _beside(evidence, q, best))
    ]
    if strong:
        sample = _SAMPLE.search(evidence, strong[0].end, min(len(evidence), strong[0].end + _REACH))
        population = _POPULATION.search(claim, claimed.end)
        if sample is not None and population is not None and not _ASKED.search(claim):
            why = f"The claim speaks of “{population.group()}”, the evidence only of “{sample.group()}”."
            return failed(NAME, why, (*span, population.span()), (sample.span(),))
        theirs = cut(evidence, strong[0].start, strong[0].end)
        return passed(NAME, f"“{word}” in the claim, “{theirs}” in the evidence.", span, _spans(strong[:1]))
    weak = [q for q in there if _STRENGTH[q.kind] < _STRENGTH[claimed.kind] and set(q.nouns) & set(claimed.nouns)]
    if weak:
        theirs = cut(evidence, weak[0].start, weak[0].end)
        return failed(NAME, f"The claim says “{word}”, the evidence only “{theirs}”.", span, _spans(weak))
    share = _SHARE.search(evidence) if claimed.kind == "most" else None
    if share is not None:
        return passed(NAME, f"“{word}” in the claim, “{share.group()}” in the evidence.", span, (share.span(),))
    return failed(
        NAME, f"The claim says “{word}”; the evidence does not say so.", span, veto=claimed.kind in ("all", "none")
    )


def _beside(evidence: str, quantifier: Quantifier, best: list[Span]) -> bool:
    """True when a quantifier of other nouns may still answer: it stands in the sentences most like the claim, and is no
    name ("All Saints") and no word that mostly goes with one noun ("both", "any")."""
    word = evidence[quantifier.start : quantifier.end]
    opens = any(a == quantifier.start for a, _ in best)
    named = word[0].isupper() and not opens
    return not named and _LOOSE.fullmatch(word) is None and any(a <= quantifier.start < b for a, b in best)


def _holds(claimed: Quantifier, candidate: Quantifier) -> bool:
    if claimed.kind == "most":
        return candidate.kind in ("most", "all") or (
            candidate.kind == "many" and bool(set(candidate.nouns) & set(claimed.nouns))
        )
    if claimed.kind == "none":
        return candidate.kind == "none"
    return candidate.kind == claimed.kind or (claimed.kind == "all" and candidate.kind == "none")


def _spans(result: list[Quantifier]) -> tuple[Span, ...]:
    return tuple((q.start, q.end) for q in result)
