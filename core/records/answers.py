"""Grounded answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from core.labels import AnswerMode, AnswerState, Label

MAX_GUIDANCE = 4000
"""Longest guidance for a model about a domain, in characters."""


@dataclass(frozen=True, slots=True)
class AnswerCitation:
    """``marker`` is the number in the text (from 1). ``start``/``end``: the excerpt in the stored text of the document;
    ``relevance`` in [0, 1]."""

    marker: int
    document_id: str
    passage_id: int
    title: str
    excerpt: str
    start: int
    end: int
    relevance: float
    url: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One claim of the answer as checked against the passages it cites. ``start``/``end`` in ``Answer.text`` (or in
    bullet ``bullet``, from 0). ``label`` None: not checked, because it claims nothing. ``supported`` decides."""

    start: int
    end: int
    markers: tuple[int, ...]
    label: Label | None
    support: float
    supported: bool
    why: str = ""
    bullet: int | None = None


@dataclass(frozen=True, slots=True)
class InjectionFlag:
    """A place in a source that addresses a model instead of a reader. ``where``: text, hidden, alt, metadata…"""

    where: str
    quote: str
    rule: str
    document_id: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, also while it is being written (``state`` writing, ``text`` grows). ``confidence`` 0-100 with its
    level high, medium or low. ``grounding_score`` in [0, 1], None when nothing was to be checked; ``grounded``: it
    reaches the threshold (in strict mode: every sentence is supported). ``gathered`` is what the retrieval made, in
    words and numbers, for the page (JSON). ``missing`` says why there is no answer."""

    id: int
    version: int
    at: datetime
    question: str
    state: AnswerState
    mode: AnswerMode
    domain: str
    text: str = ""
    bullets: tuple[str, ...] = ()
    citations: tuple[AnswerCitation, ...] = ()
    sentences: tuple[AnswerSentence, ...] = ()
    confidence: int = 0
    confidence_level: str = "low"
    grounding_score: float | None = None
    grounded: bool = False
    strict: bool = False
    model: str = ""
    cost_usd: float | None = None
    missing: str = ""
    notes: tuple[str, ...] = ()
    flags: tuple[InjectionFlag, ...] = ()
    gathered: Mapping[str, object] = field(default_factory=dict)
    fingerprint: Mapping[str, object] = field(default_factory=dict)
