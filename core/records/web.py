"""Web searches: the hits, and the outcome of each provider."""

from dataclasses import dataclass
from datetime import date, datetime

from core.labels import ProviderState


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
