"""Windows of a source with the probabilities that a model gave them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from core.ports.store import Entailer
from core.records import Judgement
from core.verify.checks.rounding import as_the_evidence_writes
from core.verify.windows import Window


@dataclass(frozen=True, slots=True)
class Judged:
    """A window with the probabilities that the model gave it."""

    window: Window
    judgement: Judgement


def judgement(window: Window, probabilities: Sequence[float]) -> Judgement:
    """A window with its probabilities, in the order supports, contradicts, neutral."""
    supports, contradicts, neutral = (float(probability) for probability in probabilities)
    spans = window.spans if len(window.spans) > 1 else ()
    return Judgement(window.start, window.end, window.text, supports, contradicts, neutral, spans)


def judge_windows(
    claim: str, windows: Sequence[Window], entailer: Entailer, defined: Mapping[str, str] = MappingProxyType({})
) -> list[Judged]:
    """The model's probabilities for ``claim`` beside each window. Figures, and abbreviations that the source has
    ``defined``, are written as the window has them."""
    if not windows:
        return []
    answers = entailer.judge([as_pair(claim, window.text, defined) for window in windows])
    return [Judged(window, judgement(window, row)) for window, row in zip(windows, answers.tolist(), strict=True)]


def as_pair(claim: str, evidence: str, defined: Mapping[str, str]) -> tuple[str, str]:
    """The claim, written as the evidence has it, and the evidence."""
    return as_the_evidence_writes(claim, evidence, defined), evidence
