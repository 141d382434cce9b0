"""Results of verification: of a check, of a window of sentences, of a whole source. Spans are code points, half-open
``(start, end)``: of a check into the texts that were given to it, of a judgement into the stored text of its
document."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite

from core.labels import Label

Span = tuple[int, int]
"""Half-open ``(start, end)`` in code points."""


class Outcome(StrEnum):
    """The outcome of a check. ``NOT_APPLICABLE``: the claim holds nothing that this check looks at. ``BROKEN``: the
    check itself failed on these words, so nothing is known; it vetoes."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not_applicable"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Outcome of one check.

    Attributes:
        name: the check, as stored and exported: ``quotes``, ``numbers``, ``dates``, ``negation``, ``quantifiers``,
            ``entities``, ``side_by_side``, ``speaker``.
        outcome: passed, failed or not applicable.
        explanation: one line for people; says what differs, with the words of both sides.
        claim_spans: the parts of the claim that decided, in order.
        evidence_spans: the parts of the evidence that decided, in order; empty where something is missing there.
        veto: whether this result is sure enough to overrule a model that says ``supports``. Only a failed check
            can veto; a failed check without veto is shown to people and decides nothing.
    """

    name: str
    outcome: Outcome
    explanation: str
    claim_spans: tuple[Span, ...] = ()
    evidence_spans: tuple[Span, ...] = ()
    veto: bool = False

    def __post_init__(self) -> None:
        if self.veto and self.outcome not in (Outcome.FAILED, Outcome.BROKEN):
            raise ValueError(f"check {self.name!r} cannot veto: its outcome is {self.outcome.value}, not failed")
        if "\n" in self.explanation:
            raise ValueError(f"the explanation of check {self.name!r} must be one line")


@dataclass(frozen=True, slots=True)
class Combination:
    """Weights of a logistic regression that makes one probability of support out of what a model says and how much of
    the claim the evidence has (``core.verify.combine``). ``bias`` is the constant; ``support`` weighs the log odds of
    the model's support, ``words`` and ``names`` the shares of the claim's content words and of its figures and names in
    the evidence. Raises ValueError: a weight is negative or no number: more support or more words must never lower the
    result."""

    bias: float
    support: float
    words: float
    names: float

    def __post_init__(self) -> None:
        weights = (self.support, self.words, self.names)
        if not all(isfinite(value) for value in (self.bias, *weights)) or min(weights) < 0:
            raise ValueError(f"weights of a combination must be finite and at least 0: {self}")


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence of a source that may bear on a claim: ``document_text[start:end] == text``. ``score`` is the fused
    score of its ranking (larger is better; comparable inside one ranking only); ``ranks`` maps the name of each ranker
    that saw it to its rank there, from 1."""

    start: int
    end: int
    text: str
    score: float
    ranks: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Calibrated probabilities that a window of sentences supports, contradicts, or is neutral to a claim. ``text`` is
    what was judged; ``start``/``end`` the span that it covers in the document (``spans`` its parts, when it was put
    together of sentences that do not follow one another). The three probabilities sum to 1."""

    start: int
    end: int
    text: str
    supports: float
    contradicts: float
    neutral: float
    spans: tuple[Span, ...] = ()

    @property
    def label(self) -> Label:
        best = max(self.supports, self.contradicts, self.neutral)
        if best == self.neutral:
            return Label.NEUTRAL
        return Label.SUPPORTS if best == self.supports else Label.CONTRADICTS


@dataclass(frozen=True, slots=True)
class SourceVerdict:
    """The verdict of one source on one claim.

    ``supports`` and ``contradicts`` are calibrated probabilities over the whole source, 0 to 1. ``label`` is what
    they say under the thresholds of the settings *after* the checks: when a check vetoes, it is not ``supports`` and
    ``vetoed`` is True. ``best`` is the window that decided (for ``neutral`` the one nearest to the claim; None only
    when the source has no text); ``against`` the strongest window of the other opinion, if there is one.
    ``rationale`` is the deciding sentence in the document; ``passage_id`` the stored passage that holds it.
    ``checks`` compare the claim with ``best``. ``sentences`` of the source were ranked, ``judged`` windows judged.
    ``fingerprint`` names the models and settings. ``partial`` is the part of the claim (span in the claim) that the
    source does support, when it supports a part only.
    """

    document_id: str
    label: Label
    supports: float
    contradicts: float
    best: Judgement | None = None
    against: Judgement | None = None
    rationale: Span | None = None
    passage_id: int | None = None
    checks: tuple[CheckResult, ...] = ()
    vetoed: bool = False
    sentences: int = 0
    judged: int = 0
    fingerprint: str = ""
    partial: Span | None = None
    notes: tuple[str, ...] = ()
