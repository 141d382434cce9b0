"""Words and numbers of the overview: the outcome of a report's citations after the machine and the people. Pure
functions over records. Text is returned as plain text, never as markup; every outcome has a sign and words, so that
none is told by its colour alone."""

from core.audit.outcome import Counts, Holding
from core.audit.summary import FAILING, VERIFIED, WAITING
from core.audit.wording import SHADES, STATUS, Display, brief_words
from core.records import AuditSummary
from core.text.words import count_words

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
    Holding.MISSING: Display("?", "link_off", "blue", "lack their source", "No text of the cited source is here."),
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
"""Sign and meaning of each shade of the coloured report, the same on every page."""


def holding_words(holding: Holding, number: int) -> str:
    return SINGULAR[holding] if number == 1 else HOLDINGS[holding].word


def people_line(counts: Counts) -> str:
    """The share of the outcome that people decided, one or two sentences."""
    if not counts.decided + counts.changed + counts.disputed:
        return "These are the findings of the machine; no person has decided on any of them yet."
    line = f"People have decided on {counts.decided:,} of {count_words(counts.total, 'citation')}"
    if counts.overruled:
        line += f", {counts.overruled:,} against the machine"
    parts = [f"{line}; the rest are findings of the machine."]
    if counts.disputed:
        parts.append(f"On {counts.disputed:,} they disagree.")
    if counts.changed:
        parts.append(f"{counts.changed:,} changed after the decision and need another look.")
    return " ".join(parts)


def machine_line(summary: AuditSummary) -> str:
    """The counts of the audit, whatever people decided."""
    return f"The machine alone: {brief_words(summary)}."


def meaning_lines(threshold: float) -> list[tuple[str, str]]:
    """The meaning of the states of the audit: sign and word, then one line each. ``threshold`` is the support from
    which on a citation passes, 0 to 1."""
    support = f" The machine puts its chance above {100 * threshold:.0f} %, and every number, quote and name agrees."
    lines = [(f"{words.sign} {words.word}", words.help) for status, words in STATUS.items() if status is not None]
    return [(word, line + support if index == 0 else line) for index, (word, line) in enumerate(lines)]
