"""Whether the passages that an answer cites support what it says (SPEC 5).

Every sentence is a claim. One that states nothing (an announcement, a question) is not counted; one that cites nothing
is unsupported. A sentence that is word for word a whole sentence of a passage it cites is supported by it; every other
one is judged by the product's own verifier. Score = supported / (supported + unsupported): the faithfulness of RAGAS
(Es et al., EACL 2024) with a local judge in place of a language model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.answer.draft import Draft, DraftClaim, Evidence
from core.answer.markers import readable, without_markers
from core.labels import Label
from core.records import AnswerSentence

VERBATIM = "Word for word in the cited passage."
UNCITED = "It cites no passage, so nothing supports it."
_NOT_THERE = "It cites no passage that is there."
_STARTS_AFTER = re.compile(
    r"(?:\A|[.!?:;\u2026\u3002\uff01\uff1f|\u2022\n][\"'\u201d\u2019)\]*_]*\s*[\"'\u201c\u2018(*_#>-]*\s*)\Z"
)


@dataclass(frozen=True, slots=True)
class Checked:
    """What the judge says of a claim: ``support`` in [0, 1], ``why`` in a sentence."""

    label: Label
    support: float
    supported: bool
    why: str = ""


Check = Callable[[str, Sequence[Evidence], str], Checked]
"""(claim, the passages it cites, the text in front of it) → what they say."""
Worthy = Callable[[str], tuple[bool, str]]
"""Sentence → whether it states something that can be checked, and why (not)."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """``score`` in [0, 1], None when nothing was to be checked. ``grounded``: it reaches the threshold, in strict mode
    every claim is supported; an answer without a claim is not grounded."""

    sentences: tuple[AnswerSentence, ...]
    score: float | None
    grounded: bool

    @property
    def unsupported(self) -> tuple[AnswerSentence, ...]:
        """The sentences to be marked."""
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
    """Check every claim of a draft against the passages it cites; the text counts, and so do the bullets.

    Args:
        evidence: what each marker leads to.
        verbatim: take sentences that stand in a cited passage as they are for supported without asking the judge.
        pulse: told before each claim (done, total); may raise JobCancelled.
    """
    known: dict[tuple[str, tuple[int, ...]], AnswerSentence] = {}
    sentences: list[AnswerSentence] = []
    for place, claim in enumerate(draft.claims):
        pulse(place, len(draft.claims))
        words = without_markers(draft.claim_text(claim))
        key = (words.casefold(), claim.markers)
        if key not in known:
            cited = [evidence[marker] for marker in claim.markers if marker in evidence]
            context = _context(draft, claim)
            known[key] = _judged(claim, words, cited, context, check, worthy, verbatim)
        same = known[key]
        sentences.append(
            AnswerSentence(
                claim.start, claim.end, claim.markers, same.label, same.support, same.supported, same.why, claim.bullet
            )
        )
    counted = [sentence for sentence in sentences if sentence.label is not None]
    score = sum(one.supported for one in counted) / len(counted) if counted else None
    grounded = score is not None and (score == 1.0 if strict else score >= threshold)
    return Grounding(tuple(sentences), score, grounded)


def _judged(
    claim: DraftClaim,
    words: str,
    cited: Sequence[Evidence],
    context: str,
    check: Check,
    worthy: Worthy,
    verbatim: bool,
) -> AnswerSentence:
    def told(label: Label | None, support: float, supported: bool, why: str) -> AnswerSentence:
        return AnswerSentence(claim.start, claim.end, claim.markers, label, support, supported, why, claim.bullet)

    if verbatim and any(is_verbatim(words, evidence.text) for evidence in cited):
        return told(Label.SUPPORTS, 1.0, True, VERBATIM)
    if not cited:
        states, reason = worthy(words)
        if not states and not claim.markers:
            return told(None, 0.0, True, f"Not checked: {reason}.")
        return told(Label.NEUTRAL, 0.0, False, _NOT_THERE if claim.markers else UNCITED)
    found = check(words, cited, context)
    return told(found.label, round(found.support, 4), found.supported, found.why)


def is_verbatim(claim: str, passage: str) -> bool:
    """Whether a claim is one or several whole sentences (or a whole line) of a passage, white space and the source's
    own reference marks aside."""
    wanted, held = readable(claim), readable(passage)
    if len(wanted) < 2:
        return False
    at = held.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _ends(held, end) and (_STARTS_AFTER.search(held[:at]) or _line_start(wanted, passage)):
            return True
        at = held.find(wanted, at + 1)
    return False


def _ends(held: str, end: int) -> bool:
    return end == len(held) or (
        held[end - 1] in ".!?\u2026\u3002\uff01\uff1f\"'\u201d\u2019)" and not held[end].isalnum()
    )


def _line_start(wanted: str, passage: str) -> bool:
    """Whether the words begin a line of the passage: after a heading nothing ends with a full stop."""
    return any(
        readable(passage[match.end() :]).startswith(wanted) for match in re.finditer(r"\n[ \t>*#\u2022-]*", passage)
    )


def _context(draft: Draft, claim: DraftClaim) -> str:
    """The words in front of a claim: what its pronoun may point to."""
    text = draft.text if claim.bullet is None else draft.bullets[claim.bullet]
    return without_markers(text[: claim.start])[-400:]
