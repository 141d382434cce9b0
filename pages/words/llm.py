"""Words about language models, their price and their second opinions: pure functions."""

import re

from core.labels import JobState, Label
from core.records import Estimate, Job, LlmSpending, Opinion

_NAME_IN_FILE = re.compile(r" \((?:llm|web|models)\.[a-z_]+\)")

AGREES = {True: ("Agrees with the judge", "green"), False: ("Disagrees with the judge", "orange")}
"""The agreement of an opinion with the verdict: words and colour."""
_LABELS = {
    Label.SUPPORTS: "the sources support it",
    Label.CONTRADICTS: "the sources speak against it",
    Label.NEUTRAL: "the sources neither say it nor deny it",
}
_STANCES = {Label.SUPPORTS: "for it", Label.CONTRADICTS: "against it", Label.NEUTRAL: "on it"}


def page_words(reason: str) -> str:
    """The reason why something is off, in the words of a page: without the name that the setting has in its file, which
    helps those who edit the file or read it on the command line."""
    return _NAME_IN_FILE.sub("", reason)


def money_words(usd: float | None) -> str:
    """``$1.20``, ``$0.0031``, ``less than $0.0001``; a price that is not known says so."""
    if usd is None:
        return "a price that is not known"
    if usd <= 0:
        return "$0"
    if usd < 0.0001:
        return "less than $0.0001"
    return f"${usd:.4f}" if usd < 0.1 else f"${usd:,.2f}"


def estimate_words(estimate: Estimate) -> str:
    """The most that a call costs, before it is made."""
    tokens = f"about {estimate.input_tokens:,} tokens in, up to {estimate.max_output_tokens:,} out"
    if estimate.cost_usd is None:
        return f"The price of {estimate.model} is not in the price list ({tokens})."
    return f"At most {money_words(estimate.cost_usd)} with {estimate.model} ({tokens})."


def price_label(estimate: Estimate | None) -> str:
    """The price as part of a button: ``at most $0.0031``."""
    if estimate is None or estimate.cost_usd is None:
        return "price not known"
    return f"at most {money_words(estimate.cost_usd)}"


def budget_words(spending: LlmSpending) -> str:
    """The part of its budget that this project has spent."""
    spent = spending.spent_usd + spending.reserved_usd
    return f"{money_words(spent)} of {money_words(spending.budget_usd)} spent in this project."


def agreement(opinion: Opinion) -> tuple[str, str]:
    """The agreement of an opinion with the judge, and its colour; where the judge took no side, that the two cannot be
    compared."""
    if opinion.agrees is None:
        return "The judge takes no side", "gray"
    return AGREES[opinion.agrees]


def opinion_words(opinion: Opinion) -> str:
    return f"{opinion.model} says: {_LABELS[opinion.label]} (its own confidence: {opinion.confidence} of 100)."


def stance_words(stance: Label) -> str:
    """The side that a quote takes on the claim."""
    return _STANCES[stance]


def about_words(opinion: Opinion, *, current: bool) -> str:
    """The words below an opinion: it decides nothing, its cost, and whether something changed since."""
    parts = ["An opinion decides nothing: the verdict is the judge's, and yours."]
    if opinion.cost_usd is not None:
        parts.append(f"It cost {money_words(opinion.cost_usd)}.")
    if not current:
        parts.insert(0, "The claim, its source or the verdict was changed since; ask again to see what holds now.")
    parts.extend(opinion.notes)
    return " ".join(parts)


def job_line(job: Job | None) -> tuple[str, bool]:
    """The state of a job that has brought no opinion yet, and whether it failed."""
    if job is None:
        return "", False
    if job.state.active:
        return "A language model is being asked.", False
    if job.state is JobState.CANCELLED:
        return "Asking was stopped; there is no opinion.", False
    return f"There is no opinion: {job.error or 'the job ended without one.'}", True
