"""Lines of the overview: who decided, what the machine alone says, what the states mean. Pure functions over records;
text is returned as plain text, never as markup."""

from core.audit.outcome import Counts
from core.audit.wording import STATUS, brief_words
from core.records import AuditSummary
from core.text.words import count_words


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
