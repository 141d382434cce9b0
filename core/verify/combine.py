"""One probability of support from the model and from the words that claim and evidence share.

A logistic regression on three features of a claim and its evidence, none of which can lower the result as it grows:
the support of the model over the windows (as log odds), the share of the claim's content words that the evidence has,
and the share of its figures and names. A model of this size overlooks that a word of the claim stands nowhere; people
who check a citation do not. The weights are fitted on training documents by ``training/verifier/combine.py`` and
belong to the weights of one model (``verifier.json``); other models speak for themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

from core.records import Combination
from core.verify.checks.text import Word, content_stems, words

_LEAST = 0.01
"""Bound of a support, from below and (as one minus it) from above: log odds of a sure model say no more."""


@dataclass(frozen=True, slots=True)
class Features:
    """``support``: mean probability of the model; ``words``: share of the claim's content words that the evidence
    has; ``names``: share of its figures and names. All 0 to 1; a share of nothing is 1."""

    support: float
    words: float
    names: float

    def row(self) -> tuple[float, float, float]:
        """The values that are weighed: log odds of the support, and the two shares."""
        sure = min(max(self.support, _LEAST), 1 - _LEAST)
        return log(sure / (1 - sure)), self.words, self.names


def features(claim: str, evidence: str, title: str, support: float) -> Features:
    """Features of a claim beside its evidence. The title of the source counts for figures and names: a page rarely
    repeats its subject."""
    wanted = content_stems(claim)
    share = len(wanted & content_stems(evidence)) / len(wanted) if wanted else 1.0
    marked = {_bare(word) for place, word in enumerate(words(claim)) if _marked(word, place)}
    there = {_bare(word) for word in words(f"{title}: {evidence}")}
    return Features(support, share, len(marked & there) / len(marked) if marked else 1.0)


def combined(combination: Combination, given: Features, contradicts: float) -> tuple[float, float]:
    """Probabilities (supports, contradicts); what is left of 1 is neutral.

    Support that is lost goes to neutral, for a missing word is no contradiction; support that is gained is taken from
    both others in their proportion.
    """
    total = combination.bias + sum(
        weight * value
        for weight, value in zip((combination.support, combination.words, combination.names), given.row(), strict=True)
    )
    supports = 1 / (1 + exp(-total))
    if supports > given.support:
        contradicts *= (1 - supports) / max(1 - given.support, 1e-9)
    return supports, min(contradicts, 1 - supports)


def support_note(given: Features, supports: float) -> str:
    """A sentence for the user: the parts of the support."""
    return (
        f"Support {supports:.2f}: the model alone says {given.support:.2f}; the evidence has {given.words:.0%} of the "
        f"claim's words and {given.names:.0%} of its figures and names."
    )


def _marked(word: Word, place: int) -> bool:
    """A word with a digit, or in capitals where no claim begins."""
    return any(map(str.isdigit, word.text)) or (place > 0 and word.text[0].isupper())


def _bare(word: Word) -> str:
    return word.key.removesuffix("'s")
