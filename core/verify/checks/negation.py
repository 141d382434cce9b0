"""Negation: the claim denies what the evidence says, or says what the evidence denies.

Only sentences of the evidence that share words with the claim are looked at. A failure needs one side to deny and
the other to hold no denial and no hint of one; what is worded as an opposite ("is dead" for "is not alive") is left
to the model.
"""

from __future__ import annotations

import re
from itertools import pairwise

from core.text.sentences import sentence_spans
from core.verify.checks.outcomes import CheckResult, Span, failed, not_applicable, passed
from core.verify.checks.polarity import Denial, denials, hints, in_other_words
from core.verify.checks.text import content_stems, coverage, cut, flat, relevant_spans

NAME = "negation"
_SHARED = 0.6
_WHOLE = 0.5
_BEFORE = 60
_NULL = re.compile(
    r"\b(?:(?:could|can|did|was|were|is|are)(?: not|n't) (?:be )?(?:statistically |significantly |reliably )?"
    r"(?:distinguish\w*|different|differ)(?: significantly)?"
    r"(?: from (?:zero|nothing|nil|chance|each other|one another))?"
    r"|(?:was|were|is|are)(?: not|n't) (?:statistically )?significant(?:ly different)?"
    r"|no (?:statistically )?(?:significant|measurable|detectable|discernible|noticeable|appreciable|clear) "
    r"(?:\w+ )?(?:difference|effect|change|increase|decrease|reduction|benefit|association|correlation|impact|gain)s?"
    r"|indistinguishable from (?:zero|nothing|chance)|within the margin of error|close to zero)\b",
    re.IGNORECASE,
)
_EQUAL = re.compile(
    r"\b(?:just as|equally|as (?!well\b|soon\b|long\b|far\b|much as\b|of\b)\w+ (?:\w+ ){0,4}as\b|to the same (?:extent|"
    r"degree)|(?:the )?same (?:effect|benefit|cooling|amount|rate)|alike)\b",
    re.IGNORECASE,
)
"""Words by which a claim says that two things have one effect."""
_ALIKE = re.compile(
    r"\b(?:similar\w*|comparabl\w*|equivalen\w*|unchanged|unaffected|the same|alike|equal(?!ly)|no \w*er)\b", re.I
)
"""Words by which a claim itself says that there is no difference."""
_ZERO = re.compile(r"zero|nothing|nil|effect|benefit|reduction|gain", re.IGNORECASE)
_LEAST_SHARED = 2
"""Content words, at least, that the claim shares with the sentence that denies."""
_CLEARLY = 0.5
"""Share of the claim's content words that the sentence has, where the claim does not compare."""
_COMPARED = re.compile(r"\b(?:same|than)\b")


def check(claim: str, evidence: str) -> CheckResult:
    """The result for the denials of ``claim`` and ``evidence``."""
    mine = [denial for denial in denials(claim) if not denial.attribute]
    about = next((claim[a:b] for a, b in sentence_spans(claim) if mine and a <= mine[0].start < b), claim)
    shown_null = null_result(claim, evidence)
    if shown_null is not None:
        why = f"The claim states an effect; the evidence says “{shown_null[1]}”."
        return failed(NAME, why, (), (shown_null[0],))
    spans = relevant_spans(about, evidence)
    theirs = [denial for a, b in spans for denial in denials(evidence, a, b)]
    if mine:
        return _denied_by_claim(claim, evidence, mine, theirs, spans)
    if not theirs:
        return not_applicable(NAME, "Neither side denies anything.")
    return _denied_by_evidence(claim, evidence, theirs, spans)


def _denied_by_claim(
    claim: str, evidence: str, mine: list[Denial], theirs: list[Denial], spans: list[Span]
) -> CheckResult:
    shown = tuple((d.start, d.end) for d in mine)
    denied = {stem for denial in mine for stem in denial.scope}
    same = next((denial for denial in theirs if _denies(evidence, denial, denied)), None)
    if same is not None:
        why = f"Both sides deny: “{_phrase(claim, mine[0])}” and “{_phrase(evidence, same)}”."
        return passed(NAME, why, shown, ((same.start, same.end),))
    if len(mine) > 1 and len(mine) % 2 == 0 and _same_clause(claim, mine):
        return passed(NAME, "The claim denies twice, which may affirm; this check does not decide it.", shown)
    if _COMPARED.search(claim, mine[0].start, mine[0].reach):
        return passed(NAME, "The claim denies that two things are alike; this check does not decide it.", shown)
    scope = mine[0].scope
    affirmed = _affirmed(evidence, theirs, spans)
    if scope and sum(stem in affirmed for stem in scope) >= _WHOLE * len(scope):
        why = f"The claim says “{_phrase(claim, mine[0])}”; the evidence affirms it."
        return failed(NAME, why, shown, tuple(spans[:1]))
    return _not_denied(claim, evidence, mine, theirs, spans)


def _not_denied(claim: str, evidence: str, mine: list[Denial], theirs: list[Denial], spans: list[Span]) -> CheckResult:
    """The result for a denial of the claim that the evidence neither repeats nor affirms in the same words."""
    shown = tuple((d.start, d.end) for d in mine)
    denied = {stem for denial in mine for stem in denial.scope}
    hint = next((hint for a, b in spans if (hint := _hint(evidence, a, b, denied)) is not None), None)
    if hint is not None:
        why = f"The claim denies; “{hint.group()}” in the evidence may say the same. This check does not decide it."
        return passed(NAME, why, shown, (hint.span(),))
    if theirs:
        why = "Both sides deny something; whether it is the same, this check does not decide."
        return passed(NAME, why, shown, ((theirs[0].start, theirs[0].end),))
    why = f"The claim says “{_phrase(claim, mine[0])}”; the evidence denies nothing."
    spoken = any(denied & content_stems(evidence[a:b]) for a, b in spans) or coverage(claim, evidence) >= _WHOLE
    return failed(NAME, why, shown, tuple(spans[:1]), veto=bool(mine[0].scope) and spoken)


def _denies(evidence: str, denial: Denial, denied: set[str]) -> bool:
    """True when a denial of the evidence is about the stems ``denied`` by the claim."""
    around = content_stems(evidence[max(0, denial.start - _BEFORE) : denial.reach])
    return bool(denied & set(denial.scope)) or len(denied & around) >= max(1, _WHOLE * len(denied))


def _hint(evidence: str, start: int, end: int, denied: set[str]) -> re.Match[str] | None:
    """A word that may deny in other words, beside the denied words of the claim; anywhere where these are missing."""
    lacking = not denied & content_stems(evidence[start:end])
    at = start
    while (hint := hints(evidence, at, end)) is not None:
        near = evidence[max(start, hint.start() - _BEFORE) : min(end, hint.end() + _BEFORE)]
        named = hint.group()[0].isupper() and hint.start() > start
        if not named and (lacking or denied & content_stems(near)):
            return hint
        at = hint.end()
    return None


def _same_clause(claim: str, mine: list[Denial]) -> bool:
    return all(second.start <= first.reach for first, second in pairwise(mine))


def _denied_by_evidence(claim: str, evidence: str, theirs: list[Denial], spans: list[Span]) -> CheckResult:
    stems = content_stems(claim)
    if not in_other_words(claim) and hints(claim, 0, len(claim)) is None:
        affirmed = _affirmed(evidence, theirs, spans)
        for denial in theirs:
            shared = [stem for stem in denial.scope if stem in stems]
            if not denial.scope or denial.scope[0] not in stems or denial.scope[0] in affirmed:
                continue
            around = content_stems(evidence[max(0, denial.start - 80) : denial.start])
            rest = stems - set(shared)
            if len(shared) >= _SHARED * len(denial.scope) and len(rest & around) >= min(1, len(rest)):
                why = f"The evidence says “{_phrase(evidence, denial)}”; the claim affirms it."
                return failed(NAME, why, (), ((denial.start, denial.reach),))
    return passed(NAME, "What the evidence denies is not what the claim says.")


def _affirmed(evidence: str, theirs: list[Denial], spans: list[Span]) -> frozenset[str]:
    """The stems of the sentences outside of denials."""
    affirmed: set[str] = set()
    for a, b in spans:
        at = a
        for denial in sorted((d for d in theirs if a <= d.start < b), key=lambda d: d.start):
            affirmed |= content_stems(evidence[at : denial.start])
            at = max(at, denial.reach)
        affirmed |= content_stems(evidence[at:b])
    return frozenset(affirmed)


def _phrase(text: str, denial: Denial) -> str:
    """The denying word and the words behind it, six at most."""
    words = cut(text, denial.start, denial.reach).split()
    return " ".join(words[:6])


def null_result(claim: str, evidence: str) -> tuple[Span, str] | None:
    """The place in ``evidence`` that says that the effect of ``claim`` could not be shown, with its words: "a
    difference that could not be distinguished from zero". None without such a place, or where the claim itself denies
    or hedges.

    The sentence must have a content word of the claim that no other sentence of the evidence has ("at night"), and
    half of the claim's words, or two where the claim puts two effects on a level ("just as strongly at night").
    """
    even = flat(evidence)
    if _NULL.search(even) is None or in_other_words(claim) or _NULL.search(flat(claim)):
        return None
    equal = _EQUAL.search(flat(claim)) is not None
    if not equal and (hints(claim, 0, len(claim)) is not None or _ALIKE.search(claim)):
        return None
    wanted = content_stems(claim)
    spans = sentence_spans(evidence)
    for a, b in spans:
        denial = _NULL.search(even, a, b)
        if denial is None or (equal and _ZERO.search(denial.group()) is None):
            continue  # "did not differ" says that two things are alike
        shared = wanted & content_stems(evidence[a:b])
        other = frozenset().union(*(content_stems(evidence[c:d]) for c, d in spans if (c, d) != (a, b)))
        enough = len(shared) >= _LEAST_SHARED and (equal or len(shared) >= _CLEARLY * len(wanted))
        if enough and (shared - other or len(spans) == 1):
            return denial.span(), " ".join(evidence[denial.start() : denial.end()].split())
    return None
