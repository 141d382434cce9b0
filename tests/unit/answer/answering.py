"""Small evidence for tests of answers, and scorers that look at words only."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer.check import split
from core.answer.draft import Evidence
from core.answer.relevance import Relevance

SPLIT = split
WORDS = Relevance(None)


def evidence(*texts: str, start: int = 0, kept: Sequence[tuple[int, int]] = ()) -> list[Evidence]:
    """One passage of a document of its own for each text; ``kept`` are offsets into each of them."""
    return [
        Evidence(
            number, 100 + number, f"doc{number}", f"Source {number}", start, start + len(text), text, 0.8,
            f"https://source{number}.example/", tuple((start + a, start + b) for a, b in kept), None, 1.0,
        )
        for number, text in enumerate(texts, start=1)
    ]  # fmt: skip


def never(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """A judge that finds no contradiction."""
    return [0.0] * len(pairs)
