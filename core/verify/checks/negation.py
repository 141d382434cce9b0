"""Negation: the claim denies what the evidence says, or says what the evidence denies.

Only sentences of the evidence that share words with the claim are looked at. A failure needs one side to deny and
the other to hold no denial and no hint of one; what is worded as an opposite ("is dead" for "is not alive") is left
to the model.
"""

from __future__ import annotations

import re
from itertools import pairwise

from core.text.sentences import sentence_spans
from core.verify.checks.null_result import null_result
from core.verify.checks.outcomes import CheckResult, Span, failed, not_applicable, passed
from core.verify.checks.polarity import Denial, denials, hints, in_other_words
from core.verify.checks.relevant import coverage, relevant_spans
from core.verify.checks.text import content_stems, cut

NAME = "negation"
_SHARED = 0.6
_WHOLE = 0.5
_BEFORE = 60
_COMPARED = re.compile(r"\b(?:same|than)\b")


def check(claim: str, evidence: str) -> CheckResult:
    """Compare what ``claim`` and ``evidence`` deny."""
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
    for denial in theirs:
        around = content_stems(evidence[max(0, denial.start - _BEFORE) : denial.reach])
        if denied & set(denial.scope) or len(denied & around) >= max(1, _WHOLE * len(denied)):
            why = f"Both sides deny: “{_phrase(claim, mine[0])}” and “{_phrase(evidence, denial)}”."
            return passed(NAME, why, shown, ((denial.start, denial.end),))
    if len(mine) > 1 and len(mine) % 2 == 0 and _one_clause(claim, mine):
        return passed(NAME, "The claim denies twice, which may affirm; this check does not decide it.", shown)
    if _COMPARED.search(claim, mine[0].start, mine[0].reach):
        return passed(NAME, "The claim denies that two things are alike; this check does not decide it.", shown)
    scope = mine[0].scope
    affirmed = _affirmed(evidence, theirs, spans)
    if scope and sum(stem in affirmed for stem in scope) >= _WHOLE * len(scope):
        why = f"The claim says “{_phrase(claim, mine[0])}”; the evidence affirms it."
        return failed(NAME, why, shown, tuple(spans[:1]))
    for a, b in spans:
        hint = _hint(evidence, a, b, denied)
        if hint is not None:
            why = f"The claim denies; “{hint.group()}” in the evidence may say the same. This check does not decide it."
            return passed(NAME, why, shown, (hint.span(),))
    if theirs:
        why = "Both sides deny something; whether it is the same, this check does not decide."
        return passed(NAME, why, shown, ((theirs[0].start, theirs[0].end),))
    why = f"The claim says “{_phrase(claim, mine[0])}”; the evidence denies nothing."
    spoken = any(denied & content_stems(evidence[a:b]) for a, b in spans) or coverage(claim, evidence) >= _WHOLE
    return failed(NAME, why, shown, tuple(spans[:1]), veto=bool(scope) and spoken)


def _hint(evidence: str, start: int, end: int, denied: set[str]) -> re.Match[str] | None:
    """A word that may deny in other words, beside what the claim denies; anywhere where the evidence lacks that."""
    lacking = not denied & content_stems(evidence[start:end])
    at = start
    while (hint := hints(evidence, at, end)) is not None:
        near = evidence[max(start, hint.start() - _BEFORE) : min(end, hint.end() + _BEFORE)]
        named = hint.group()[0].isupper() and hint.start() > start
        if not named and (lacking or denied & content_stems(near)):
            return hint
        at = hint.end()
    return None


def _one_clause(claim: str, mine: list[Denial]) -> bool:
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
    """Stems that the sentences hold outside of denials."""
    found: set[str] = set()
    for a, b in spans:
        at = a
        for denial in sorted((d for d in theirs if a <= d.start < b), key=lambda d: d.start):
            found |= content_stems(evidence[at : denial.start])
            at = max(at, denial.reach)
        found |= content_stems(evidence[at:b])
    return frozenset(found)


def _phrase(text: str, denial: Denial) -> str:
    """The denying word and what follows, cut to be read in one line."""
    words = cut(text, denial.start, denial.reach).split()
    return " ".join(words[:6])
