"""Trust in the passages of a search, and the measures taken where it is low. Web searches: the hits, and the outcome of
each provider."""

from dataclasses import dataclass
from datetime import date, datetime

from core.labels import CragAction, CragClass, ProviderState
from core.records.search import SearchResult


@dataclass(frozen=True, slots=True)
class WebHit:
    """One result. ``url`` as the provider gave it, ``canonical_url`` is what hits are told apart by. ``rank`` from 1 in
    the provider's list; ``providers`` names all that brought it, best rank first. ``queries`` index those asked.
    ``document_id``: the stored document of this address, None when it is not in the project."""

    url: str
    canonical_url: str
    title: str
    snippet: str
    provider: str
    rank: int
    providers: tuple[str, ...] = ()
    queries: tuple[int, ...] = ()
    authors: tuple[str, ...] = ()
    published: date | None = None
    doi: str | None = None
    document_id: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of a page in an archive: its address there (the page as it was, without the archive's frame) and when it
    was taken."""

    url: str
    taken: datetime


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """One provider as a person sees it. ``reason`` says why it cannot be asked and how to enable it, "" when it can.
    ``key_name`` is the environment variable (and the name in keys.toml) of its key, None when it needs none;
    ``key_required``: without the key it cannot be asked at all. ``about`` is one sentence."""

    name: str
    title: str
    about: str
    key_name: str | None
    key_required: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ProviderOutcome:
    """The answer of one provider to one query. ``message`` is a sentence for people when it did not answer."""

    provider: str
    query: str
    state: ProviderState
    hits: int = 0
    message: str = ""
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class WebResult:
    """Merged hits, best first (RRF over the providers' and queries' lists), and what became of every provider.
    ``failed`` is True when none of the asked providers answered: then no hit does not mean that there is nothing.
    ``notes`` are sentences about what was asked otherwise than wished, or left out."""

    hits: tuple[WebHit, ...]
    outcomes: tuple[ProviderOutcome, ...]
    notes: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """True when nobody answered (ok or empty), nor said anything before failing."""
        answered = (ProviderState.OK, ProviderState.EMPTY)
        return not self.hits and not any(outcome.state in answered for outcome in self.outcomes)


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
