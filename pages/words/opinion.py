"""Words about second opinions: pure functions."""

from __future__ import annotations

from core.labels import JobState, Label
from core.records import Job, Opinion
from pages.words.llm import money_words

AGREES = {True: ("Agrees with the judge", "green"), False: ("Disagrees with the judge", "orange")}
"""How an opinion stands to the verdict: words and colour."""
_LABELS = {
    Label.SUPPORTS: "the sources support it",
    Label.CONTRADICTS: "the sources speak against it",
    Label.NEUTRAL: "the sources neither say it nor deny it",
}
_STANCES = {Label.SUPPORTS: "for it", Label.CONTRADICTS: "against it", Label.NEUTRAL: "on it"}


def agreement(opinion: Opinion) -> tuple[str, str]:
    """Whether it agrees, and the colour of that; where the judge took no side, that it cannot be compared."""
    if opinion.agrees is None:
        return "The judge takes no side", "gray"
    return AGREES[opinion.agrees]


def opinion_words(opinion: Opinion) -> str:
    """What the model says, in one line."""
    return f"{opinion.model} says: {_LABELS[opinion.label]} (its own confidence: {opinion.confidence} of 100)."


def stance_words(stance: Label) -> str:
    """What a quote does to the claim."""
    return _STANCES[stance]


def about_words(opinion: Opinion, *, current: bool) -> str:
    """What to make of it: what it cost, whether it is still about what stands here, and that it decides nothing."""
    parts = ["An opinion decides nothing: the verdict is the judge's, and yours."]
    if opinion.cost_usd is not None:
        parts.append(f"It cost {money_words(opinion.cost_usd)}.")
    if not current:
        parts.insert(0, "The claim, its source or the verdict was changed since; ask again to see what holds now.")
    parts.extend(opinion.notes)
    return " ".join(parts)


def job_line(job: Job | None) -> tuple[str, bool]:
    """What became of a wish for an opinion that has brought none (yet), and whether it failed."""
    if job is None:
        return "", False
    if job.state.active:
        return "A language model is being asked.", False
    if job.state is JobState.CANCELLED:
        return "Asking was stopped; there is no opinion.", False
    return f"There is no opinion: {job.error or 'the job ended without one.'}", True
