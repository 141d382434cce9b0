"""The combinations of stages that are compared with one another."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.records import StageSwitches

_NONE = StageSwitches(lexical=False, dense=False, late_interaction=False, mmr=False)


@dataclass(frozen=True, slots=True)
class Combination:
    """A way to search. Without words and meaning, word by word looks at every passage."""

    key: str
    name: str
    stages: StageSwitches

    @property
    def needs_encoder(self) -> bool:
        """True when it finds nothing without a model."""
        return self.stages.dense or self.stages.late_interaction


COMBINATIONS: dict[str, Combination] = {
    combination.key: combination
    for combination in (
        Combination("words", "Words", replace(_NONE, lexical=True)),
        Combination("meaning", "Meaning", replace(_NONE, dense=True)),
        Combination("word_by_word", "Word by word, every passage", replace(_NONE, late_interaction=True)),
        Combination("words_meaning", "Words and meaning", replace(_NONE, lexical=True, dense=True)),
        Combination("three", "Words, meaning, word by word", StageSwitches(mmr=False)),
        Combination("variety", "These three, with variety", StageSwitches()),
        Combination("close_reading", "These three, variety, close reading", StageSwitches(rerank=True)),
    )
}
"""In the order of the pipeline; ``variety`` is what a search does unless told otherwise."""

USUAL = "variety"
