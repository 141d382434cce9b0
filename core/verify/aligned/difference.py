"""What differs between a claim and a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.records import Parse, Span


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference, with a line for people: what the claim says, and what the source says instead."""

    why: str
    claim: tuple[Span, ...]
    sentence: tuple[Span, ...]


def difference(says: str, source: str, claim: Sequence[Span], sentence: Sequence[Span]) -> Difference:
    """A difference worded as "The claim says “…”; the source says “…”."."""
    return Difference(f"The claim says “{says}”; the source says “{source}”.", tuple(claim), tuple(sentence))


def between(parse: Parse, places: Sequence[int]) -> tuple[str, Span]:
    """The words from the first to the last of some places, and their span in the text."""
    first, last = min(places), max(places)
    words = parse[first : last + 1]
    text = "".join(
        word.text + " " * (after is not None and after.start > word.end)
        for word, after in zip(words, [*words[1:], None], strict=True)
    )
    return text, (parse[first].start, parse[last].end)


def compared(claim: Parse, mine: Sequence[int], sentence: Parse, theirs: Sequence[int]) -> Difference:
    """The difference between two stretches of words."""
    says, here = between(claim, mine)
    source, there = between(sentence, theirs)
    return difference(says, source, [here], [there])
