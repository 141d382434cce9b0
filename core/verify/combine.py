"""One probability of support from the model and from the words that claim and evidence share.

A logistic regression on features of a claim and its evidence, none of which can lower the result as it grows: the
support of the model over the windows (as log odds), the share of the claim's content words that the evidence has, the
share of its figures and names, and, after a closer look, what the larger model says of single sentences. Models of
this size overlook that a word of the claim stands nowhere; people who check a citation do not. The weights are fitted
by ``training/verifier/combine.py`` (small model alone, ``verifier.json``) and ``training/verifier/deciding.py`` (both,
``judge.json``); other models speak for themselves.
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
    has; ``names``: share of its figures and names; ``close``: most support that the larger model gives one sentence;
    ``against``: most contradiction. All 0 to 1; a share of nothing is 1; None: the larger model was not asked."""

    support: float
    words: float
    names: float
    close: float | None = None
    against: float | None = None

    def row(self) -> tuple[float, float, float, float, float]:
        """The values that are weighed, in the order of ``Combination``: probabilities as log odds, shares as they
        are."""
        return _log_odds(self.support), self.words, self.names, _log_odds(self.close), -_log_odds(self.against)


def _log_odds(probability: float | None) -> float:
    if probability is None:
        return 0.0
    sure = min(max(probability, _LEAST), 1 - _LEAST)
    return log(sure / (1 - sure))


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
    weights = (combination.support, combination.words, combination.names, combination.close, combination.silent)
    total = combination.bias + sum(weight * value for weight, value in zip(weights, given.row(), strict=True))
    supports = 1 / (1 + exp(-total))
    if supports > given.support:
        contradicts *= (1 - supports) / max(1 - given.support, 1e-9)
    return supports, min(contradicts, 1 - supports)


def support_note(given: Features, supports: float) -> str:
    """A sentence for the user: the parts of the support."""
    judge = "the model alone says" if given.close is None else "the larger model gives the nearest sentence"
    alone = given.support if given.close is None else given.close
    return (
        f"Support {supports:.2f}: {judge} {alone:.2f}; the evidence has {given.words:.0%} of the claim's words and "
        f"{given.names:.0%} of its figures and names."
    )


def _marked(word: Word, place: int) -> bool:
    """A word with a digit, or in capitals where no claim begins."""
    return any(map(str.isdigit, word.text)) or (place > 0 and word.text[0].isupper())


def _bare(word: Word) -> str:
    return word.key.removesuffix("'s")
