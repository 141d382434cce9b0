"""Second opinions of a language model about a citation or a claim, beside the judge's verdict."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.labels import Label


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
    """A second opinion. ``item`` is "finding:ID" or "claim:ID"; ``verdict`` what the judge said when it was asked, None
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
