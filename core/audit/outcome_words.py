"""The outcome of citations in words, signs and colours: the same on every page and in every file for people.

Every outcome has a sign and words, so that none is told by its colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.audit.outcome import Holding
from core.audit.summary import FAILING, VERIFIED, WAITING
from core.audit.wording import SHADES, Display
from core.records import HeatSentence

WRONG = "wrong"
"""Shade of a sentence with a citation that does not hold."""
NO_SOURCE = "nosource"
"""Shade of a sentence with a citation whose source is not here."""

HOLDINGS: dict[Holding, Display] = {
    Holding.HOLDS: Display("✓", "check_circle", "green", "hold", "The cited source says what the report says."),
    Holding.UNSHOWN: Display(
        "✓",
        "travel_explore",
        "blue",
        "accepted without the source here",
        "A person accepted it; nothing here shows what the source says.",
    ),
    Holding.FAILS: Display(
        "✗", "cancel", "red", "do not hold", "The source says something else, or the citation leads to nothing."
    ),
    Holding.OPEN: Display("!", "flag", "orange", "need a look", "The machine cannot decide; a person has to look."),
    Holding.MISSING: Display("?", "link_off", "blue", "source missing", "No text of the cited source is here."),
    Holding.WAITING: Display(
        "…", "hourglass_empty", "gray", "not checked yet", "They are checked as soon as possible."
    ),
}
"""Every outcome: sign, icon, colour, words that follow a number, meaning."""

SINGULAR: dict[Holding, str] = {
    Holding.HOLDS: "holds",
    Holding.UNSHOWN: "accepted without the source here",
    Holding.FAILS: "does not hold",
    Holding.OPEN: "needs a look",
    Holding.MISSING: "source missing",
    Holding.WAITING: "not checked yet",
}
"""The words of an outcome after a one."""

REPORT_SHADES: dict[str, tuple[str, str]] = {
    VERIFIED: ("✓", "Cited, and it holds"),
    WRONG: ("✗", "Cited, and it does not hold"),
    FAILING: ("!", "Cited, and it needs a look"),
    NO_SOURCE: ("?", "Cited; the text of its source is not here"),
    WAITING: SHADES[WAITING],
    "uncited": SHADES["uncited"],
    "plain": SHADES["plain"],
}
"""Sign and meaning of each shade of the coloured report, the same on every page and in files."""


def holding_words(holding: Holding, number: int) -> str:
    """The words of an outcome after a number."""
    return SINGULAR[holding] if number == 1 else HOLDINGS[holding].word


def by_outcome(heat: Sequence[HeatSentence], holdings: Mapping[int, Holding]) -> list[HeatSentence]:
    """The stretches of a report in the shades of the outcome of their citations."""
    return [_reshaded(sentence, holdings) for sentence in heat]


def _reshaded(sentence: HeatSentence, holdings: Mapping[int, Holding]) -> HeatSentence:
    outcomes = [holdings[key] for key in sentence.findings if key in holdings]
    if not outcomes or sentence.shade not in (VERIFIED, FAILING, WAITING):
        return sentence
    if Holding.FAILS in outcomes:
        shade = WRONG
    elif Holding.OPEN in outcomes:
        shade = FAILING
    elif {Holding.MISSING, Holding.UNSHOWN} & set(outcomes):
        shade = NO_SOURCE
    else:
        shade = WAITING if Holding.WAITING in outcomes else VERIFIED
    return replace(sentence, shade=shade)
