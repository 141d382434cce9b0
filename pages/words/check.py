"""Words for people about the check of what a project stores."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.labels import JobState
from core.records import Job
from core.text.words import count_words, when_words

ABOUT_CHECK = (
    "Every text, passage, file, report, claim, answer and decision is compared with the hash that was kept with it, so "
    "that a fault of the disk is seen."
)
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class CheckWords:
    """A sentence about the newest check; its faults as sentences, and what to do about them."""

    words: str
    faults: Sequence[str] = ()
    advice: str = ""


def check_words(job: Job | None, now: datetime) -> CheckWords:
    """The sentence about the newest check, its faults, and what to do about them."""
    if job is None:
        return CheckWords("It was not checked yet.")
    if job.state.active:
        return CheckWords("It is being checked.")
    when = when_words(job.finished, now)
    if job.state is JobState.CANCELLED:
        return CheckWords(f"The last check was stopped {when}, before everything was looked at.")
    if job.state is not JobState.DONE:
        return CheckWords(f"The last check could not be finished ({when}).", [job.error or ""], "Check again.")
    count = int(str(job.result.get("count", 0)))
    if not count:
        return CheckWords(f"Everything is as it was stored. Checked {when}.")
    kept = job.result.get("faults")
    faults = [str(line) for line in kept][:_SHOWN] if isinstance(kept, (list, tuple)) else []
    if count > len(faults):
        faults.append(f"And {count - len(faults):,} more; `workbench check` lists them all.")
    advice = f"What is stored is damaged in {count_words(count, 'place')}. Each line below says what to do."
    return CheckWords(f"Checked {when}.", faults, advice)
