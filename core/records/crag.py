"""Trust in the passages of a search, and the measures taken where it is low."""

from dataclasses import dataclass

from core.labels import CragAction, CragClass
from core.records.search import SearchResult
from core.records.web import WebResult


@dataclass(frozen=True, slots=True)
class CragSignals:
    """Each in [0, 1], None when it could not be had: ``rerank`` (calibrated rerank score of the best passages),
    ``coverage`` (share of the question's terms found as whole words), ``agreement`` (of the top documents)."""

    rerank: float | None
    coverage: float | None
    agreement: float | None


@dataclass(frozen=True, slots=True)
class CragJudgement:
    """``confidence`` in [0, 1]: the signals' weighted mean over those that are there; ``weights`` as used, sum 1."""

    verdict: CragClass
    confidence: float
    signals: CragSignals
    weights: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of a passage kept by refinement; ``start``/``end`` are offsets into the stored text of the document.
    ``relevance`` in [0, 1]; ``tokens`` about a quarter of its characters."""

    passage_id: int
    document_id: str
    start: int
    end: int
    text: str
    relevance: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Refinement:
    """Strips, best first, within the budget; ``dropped`` were not relevant enough, ``over_budget`` did not fit."""

    strips: tuple[Strip, ...]
    tokens: int
    dropped: int = 0
    over_budget: int = 0


@dataclass(frozen=True, slots=True)
class Gate:
    """The confidence gate: ``top`` score and ``gap`` to the next, each in [0, 1]; ``passed`` at ``threshold``."""

    top: float
    gap: float
    confidence: float
    threshold: float
    passed: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """One retrieval with what was made of it. ``broadened`` says in words what was widened, "" for the first."""

    result: SearchResult
    gate: Gate
    judgement: CragJudgement | None
    broadened: str = ""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The evidence that an answer may rest on. ``attempts``: one or two. ``strips`` are the refined evidence, best
    first (of the project and of web pages alike when those were stored). ``web`` is None when the web was not asked;
    ``web_note`` says what became of it. Nothing found is lost: with no web the passages stay."""

    question: str
    attempts: tuple[Attempt, ...]
    action: CragAction
    refinement: Refinement
    web: WebResult | None = None
    web_note: str = ""
    notes: tuple[str, ...] = ()

    @property
    def final(self) -> Attempt:
        """The attempt that counts."""
        return self.attempts[-1]
