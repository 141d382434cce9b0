"""Words for the next step with a report."""

from __future__ import annotations

from core.text.words import count_words
from core.workbench.first_steps import NextStep, Step


def step_line(step: NextStep) -> str:
    """Where the report stands and what comes next, one or two sentences; "" where there is nothing to say."""
    if step.step is Step.SOURCES:
        return _sources_line(step)
    if step.step is Step.WAIT and step.undecided:
        return f"Its citations are being checked. {step.undecided:,} of them can be reviewed already."
    if step.step is Step.WAIT and step.lacking:
        return "Its citations are being checked. You can add sources meanwhile."
    if step.step is Step.REVIEW:
        needing = f"{count_words(step.undecided, 'citation')} {'needs' if step.undecided == 1 else 'need'} a person"
        return f"{needing}: read the words on both sides and decide, one key each."
    return "Nothing waits for a person. The outcome is ready to be shown." if step.step is Step.OVERVIEW else ""


def _sources_line(step: NextStep) -> str:
    rows = count_words(len(step.lacking), "citation")
    line = f"To check {rows}, the {count_words(step.sources, 'source')} cited there must be here."
    left = step.sources - step.reachable
    if not step.reachable:
        return f"{line} The report gives no address for them, so add the files that you have."
    if left:
        return f"{line} Of {left:,} the report gives no address; add those by hand."
    return line


def fetch_label(step: NextStep) -> str:
    """The button that fetches what is cited."""
    return f"Fetch {count_words(step.reachable, 'cited source')}"
