"""The grounding of an answer: the share of its sentences that the cited passages support. Every sentence is a claim.
Bullets repeat the text, so they are checked and marked, but not counted beside it, and a sentence that the text
repeats counts once. A sentence that states nothing (an announcement, a question) is not counted; a sentence without
a citation is unsupported. A sentence that is word for word a whole sentence of a cited passage is supported; the
verifier judges all others. Score = supported / (supported + unsupported): the faithfulness of RAGAS (Es et al.,
EACL 2024) with a local judge in place of a language model. At the end the confidence of an answer: a score from 0
to 100, and a level."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.answer.draft import Draft, DraftClaim, Evidence, readable, without_markers
from core.labels import CragClass, Label
from core.records import AnswerCitation, AnswerSentence

VERBATIM = "Word for word in the cited passage."
UNCITED = "It cites no passage, so nothing supports it."
_NOT_THERE = "It cites no passage that is there."
_BEFORE = 200
"""Characters before a sentence that are looked at for its beginning."""
_STARTS_AFTER = re.compile(
    r"(?:\A|[.!?:;\u2026\u3002\uff01\uff1f|\u2022\n][\"'\u201d\u2019)\]*_]*\s*+[\"'\u201c\u2018(*_#>-]*+\s*+)\Z"
)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of the judge for a claim: ``support`` in [0, 1], ``why`` as a sentence."""

    label: Label
    support: float
    supported: bool
    why: str = ""


Check = Callable[[str, Sequence[Evidence], str], Checked]
"""(claim, its cited passages, the text in front of it) → result."""
Worthy = Callable[[str], tuple[bool, str]]
"""Sentence → True when it states something that can be checked, with the reason."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """The grounding of a draft. ``score`` is in [0, 1], or None without a claim. ``grounded`` is True when the score
    reaches the threshold; in strict mode, when every claim is supported, those of bullets too."""

    sentences: tuple[AnswerSentence, ...]
    score: float | None
    grounded: bool

    @property
    def unsupported(self) -> tuple[AnswerSentence, ...]:
        return tuple(sentence for sentence in self.sentences if not sentence.supported)


def ground(
    draft: Draft,
    evidence: Mapping[int, Evidence],
    check: Check,
    worthy: Worthy,
    *,
    threshold: float,
    strict: bool = False,
    verbatim: bool = True,
    pulse: Callable[[int, int], None] = lambda done, total: None,
) -> Grounding:
    """The grounding of a draft: each claim of its text and bullets is checked against its cited passages.

    Args:
        evidence: the passage of each marker.
        verbatim: True: a sentence that is word for word in a cited passage is supported without the judge.
        pulse: called before each claim with (done, total); may raise JobCancelled.
    """
    judged: dict[tuple[str, tuple[int, ...]], AnswerSentence] = {}
    counted: dict[str, AnswerSentence] = {}
    sentences: list[AnswerSentence] = []
    for place, claim in enumerate(draft.claims):
        pulse(place, len(draft.claims))
        words = without_markers(draft.claim_text(claim))
        key = (words.casefold(), claim.markers)
        if key not in judged:
            cited = [evidence[marker] for marker in claim.markers if marker in evidence]
            context = _context(draft, claim)
            judged[key] = _judged(claim, words, cited, context, check, worthy, verbatim)
        same = judged[key]
        sentences.append(
            AnswerSentence(
                claim.start, claim.end, claim.markers, same.label, same.support, same.supported, same.why, claim.bullet
            )
        )
        if claim.bullet is None and same.label is not None:
            known = counted.get(words.casefold())
            counted[words.casefold()] = known if known is not None and not known.supported else sentences[-1]
    checked = [sentence for sentence in sentences if sentence.label is not None]
    score = sum(sentence.supported for sentence in counted.values()) / len(counted) if counted else None
    enough = all(sentence.supported for sentence in checked) if strict else (score or 0.0) >= threshold
    grounded = score is not None and enough
    return Grounding(tuple(sentences), score, grounded)


def _judged(
    claim: DraftClaim, words: str, cited: Sequence[Evidence], context: str, check: Check, worthy: Worthy, verbatim: bool
) -> AnswerSentence:
    def sentence(label: Label | None, support: float, supported: bool, why: str) -> AnswerSentence:
        return AnswerSentence(claim.start, claim.end, claim.markers, label, support, supported, why, claim.bullet)

    if verbatim and any(is_verbatim(words, evidence.text) for evidence in cited):
        return sentence(Label.SUPPORTS, 1.0, True, VERBATIM)
    if not cited:
        states, reason = worthy(words)
        if not states and not claim.markers:
            return sentence(None, 0.0, True, f"Not checked: {reason}.")
        return sentence(Label.NEUTRAL, 0.0, False, _NOT_THERE if claim.markers else UNCITED)
    result = check(words, cited, context)
    return sentence(result.label, round(result.support, 4), result.supported, result.why)


def is_verbatim(claim: str, passage: str) -> bool:
    """True when a claim is one or several whole sentences (or a whole line) of a passage, white space and the source's
    own reference marks aside."""
    wanted, text = readable(claim), readable(passage)
    if len(wanted) < 2:
        return False
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _ends(text, end) and (_STARTS_AFTER.search(text[max(0, at - _BEFORE) : at]) or _line_start(wanted, passage)):
            return True
        at = text.find(wanted, at + 1)
    return False


def _ends(text: str, end: int) -> bool:
    return end == len(text) or (
        text[end - 1] in ".!?\u2026\u3002\uff01\uff1f\"'\u201d\u2019)" and not text[end].isalnum()
    )


def _line_start(wanted: str, passage: str) -> bool:
    """True when the words begin a line of the passage; a heading before them ends without a full stop."""
    return any(
        readable(passage[match.end() :]).startswith(wanted) for match in re.finditer(r"\n[ \t>*#\u2022-]*", passage)
    )


def _context(draft: Draft, claim: DraftClaim) -> str:
    """The words in front of a claim, to which its pronouns may refer."""
    text = draft.text if claim.bullet is None else draft.bullets[claim.bullet]
    return without_markers(text[: claim.start])[-400:]


HIGH, MEDIUM = 70, 40
"""Least scores of the levels high and medium."""
SOURCES = 3
"""Number of sources that is enough for full confidence."""


def confidence(
    citations: Sequence[AnswerCitation],
    grounding: float | None,
    *,
    grounded: bool,
    retrieval: float,
    verdict: CragClass | None = None,
    disputed: bool = False,
    quoted: bool = False,
    lacks_amount: bool = False,
) -> tuple[int, str]:
    """The (score, level) of an answer.

    ``100 · (0.4 · grounding + 0.3 · retrieval + 0.2 · relevance + 0.1 · sources)`` where ``grounding`` is the share of
    supported sentences, ``retrieval`` the confidence in the search results (CRAG), ``relevance`` the mean relevance of
    the five most relevant citations, and ``sources`` the number of cited documents over three, at most 1; each in [0,
    1]. The weights are a choice, not a measurement.

    An answer of ``quoted`` sentences is supported by itself, which does not tell how well it answers. There
    ``grounding`` counts at most as much as ``relevance``.

    Three limits hold: 0 without a citation; at most 39 (low) for an answer that is not grounded, or whose search
    results were judged incorrect; at most 69 (medium) where sources disagree, in their sentences or in their figures
    for the same quantity, or where the question asks how much and the answer ``lacks_amount``.
    """
    if not citations:
        return 0, "low"
    best = sorted((citation.relevance for citation in citations), reverse=True)[:5]
    relevance = sum(best) / len(best)
    sources = min(1.0, len({citation.document_id for citation in citations}) / SOURCES)
    carried = min(grounding or 0.0, relevance) if quoted else grounding or 0.0
    score = 100 * (0.4 * carried + 0.3 * retrieval + 0.2 * relevance + 0.1 * sources)
    if disputed or lacks_amount:
        score = min(score, HIGH - 1)
    if not grounded or verdict is CragClass.INCORRECT:
        score = min(score, MEDIUM - 1)
    whole = round(max(0.0, min(100.0, score)))
    return whole, level(whole)


def level(score: int) -> str:
    """The level of a score: high, medium or low."""
    return "high" if score >= HIGH else "medium" if score >= MEDIUM else "low"
