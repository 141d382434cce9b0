"""The sentence of a source that comes nearest to saying a claim, and what differs there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.ports.parsing import Parser
from core.records import CheckResult, Outcome
from core.text.languages import is_english
from core.verify.aligned.align import Alignment, align
from core.verify.aligned.compare import differences
from core.verify.aligned.difference import Difference

NAME = "side_by_side"
AS_NEAR = 0.05
"""A sentence that has nearly as many words of the claim, and none of the differences, clears the nearest one."""
_LEAST = 0.5
"""Share of the claim's content words that a sentence must have, so that a difference is one about the same matter."""


@dataclass(frozen=True)
class Laid:
    """A sentence laid beside the claim; ``unit`` is its number in the source."""

    unit: int
    pair: Alignment

    @cached_property
    def differences(self) -> dict[str, Difference]:
        """What differs, by the comparison that found it."""
        return differences(self.pair)


class SideBySide:
    """A claim beside the chosen sentences of a source, parsed once and only when asked."""

    def __init__(self, claim: str, sentences: Sequence[tuple[int, str]], parser: Parser | None) -> None:
        """``sentences`` are numbers of units with their texts, the nearest first."""
        self._claim, self._sentences, self._parser = claim, sentences, parser

    @cached_property
    def laid(self) -> list[Laid]:
        """The sentences that share content words with the claim, the one with most of them first. Empty without a
        parser, and for texts that are not English."""
        near = " ".join(text for _, text in self._sentences[:3])
        if self._parser is None or not is_english(f"{self._claim} {near}"):
            return []
        claim = self._parser.parse(self._claim)
        rows = [Laid(unit, align(claim, self._parser.parse(text))) for unit, text in self._sentences]
        return sorted((row for row in rows if row.pair.pairs), key=lambda row: -row.pair.share)

    def check(self) -> CheckResult | None:
        """The difference in the nearest sentence, as a check that vetoes; passed without one; None without a parser."""
        if not self.laid:
            return None
        nearest = self.laid[0]
        clear = max((row.pair.share for row in self.laid if not row.differences), default=0.0)
        if nearest.pair.share < _LEAST or not nearest.differences or clear + AS_NEAR >= nearest.pair.share:
            return CheckResult(NAME, Outcome.PASSED, "Word beside word, the claim and its nearest sentence agree.")
        first = next(iter(nearest.differences.values()))
        return CheckResult(NAME, Outcome.FAILED, first.why, first.claim, (), veto=True)
