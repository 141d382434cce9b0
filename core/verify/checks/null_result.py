"""A difference or an effect that the evidence says could not be shown: "a difference that could not be distinguished
from zero", "no significant effect". A claim that states the effect there affirms what the evidence denies."""

from __future__ import annotations

import re

from core.text.sentences import sentence_spans
from core.verify.checks.outcomes import Span
from core.verify.checks.polarity import hints, in_other_words
from core.verify.checks.text import content_stems, flat

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
_ABOUT = 2
"""Content words, at least, that the claim shares with the sentence that denies."""
_CLEARLY = 0.5
"""Share of the claim's content words that the sentence has, where the claim does not compare."""


def null_result(claim: str, evidence: str) -> tuple[Span, str] | None:
    """The place in ``evidence`` where the effect of ``claim`` is said to be none, and its words; None where there is
    no such place, or where the claim itself denies or hedges.

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
        found = _NULL.search(even, a, b)
        if found is None or (equal and _ZERO.search(found.group()) is None):
            continue  # "did not differ" says that two things are alike
        shared = wanted & content_stems(evidence[a:b])
        other = frozenset().union(*(content_stems(evidence[c:d]) for c, d in spans if (c, d) != (a, b)))
        enough = len(shared) >= _ABOUT and (equal or len(shared) >= _CLEARLY * len(wanted))
        if enough and (shared - other or len(spans) == 1):
            return found.span(), " ".join(evidence[found.start() : found.end()].split())
    return None
