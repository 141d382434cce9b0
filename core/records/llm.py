"""Prompts to a language model, its replies with their cost, and its second opinions about citations and claims."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.labels import CallState, Label, LlmTask


@dataclass(frozen=True, slots=True)
class PromptDocument:
    """One text handed over as delimited data, never as instructions. ``key`` names it for the caller: a citation of
    the model is mapped back by it."""

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request. ``system`` and ``documents`` are the stable part that is marked for prompt caching; ``user`` is what
    changes. ``max_tokens`` of the reply, at least 1. ``cite``: ask for the API's native document citations."""

    task: LlmTask
    system: str
    user: str
    documents: tuple[PromptDocument, ...] = ()
    max_tokens: int = 1024
    cite: bool = False


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one call as the API counts them. ``input`` are those neither read from nor written to the cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def total(self) -> int:
        """All tokens."""
        return self.input + self.output + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class NativeCitation:
    """A range of a prompt's document that the API says stands behind a range of the reply (characters, half-open)."""

    key: str
    start: int
    end: int
    quote: str
    reply_start: int
    reply_end: int


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole reply. ``first_token_ms`` and ``total_ms`` are milliseconds; ``cost_usd`` follows the price list, None
    when the model is not in it. ``truncated``: the reply ended at ``max_tokens``."""

    text: str
    model: str
    usage: TokenUsage
    cost_usd: float | None
    first_token_ms: float | None
    total_ms: float
    truncated: bool = False
    citations: tuple[NativeCitation, ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """The most that a call would cost. ``input_tokens`` is our own count, meant to be rather too high."""

    model: str
    input_tokens: int
    max_output_tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class LlmCall:
    """One call as kept in the project, whatever became of it. Nothing of the prompt or reply is kept here."""

    id: int
    at: datetime
    task: LlmTask
    model: str
    state: CallState
    usage: TokenUsage = TokenUsage()
    cost_usd: float | None = None
    first_token_ms: float | None = None
    total_ms: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class LlmSpending:
    """A project's use of language models. ``budget_usd`` 0 means that nothing may be spent. ``reserved_usd`` of calls
    under way counts as spent until they end. ``by_task``: calls and money by task."""

    calls: int
    failed: int
    usage: TokenUsage
    spent_usd: float
    reserved_usd: float
    budget_usd: float
    by_task: Mapping[str, tuple[int, float]]


@dataclass(frozen=True, slots=True)
class LlmStatus:
    """Readiness for calls. ``reason`` says why none would be made and what to do, else ""; ``goes_out`` says in one
    sentence what leaves the machine when a call is made; ``models`` by task."""

    on: bool
    reason: str
    goes_out: str
    models: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OpinionQuote:
    """Words of a stored text: ``start``/``end`` are their range in the text of ``document_id``."""

    document_id: str
    start: int
    end: int
    quote: str
    stance: Label
    why: str = ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A second opinion. ``item`` is "finding:ID" or "claim:ID"; ``verdict`` the judge's verdict at that time, None
    where it took no side; ``agrees`` whether both say the same, None where they cannot be compared. ``confidence`` is
    the model's own, 0-100, and not calibrated. Every quote stands in its source; ``dropped`` counts those that did
    not. ``basis`` names what was judged: when it differs from now, the opinion is about something else."""

    item: str
    at: datetime
    model: str
    label: Label
    confidence: int
    why: str
    verdict: Label | None
    agrees: bool | None
    quotes: tuple[OpinionQuote, ...] = ()
    dropped: int = 0
    notes: tuple[str, ...] = ()
    cost_usd: float | None = None
    basis: str = ""
