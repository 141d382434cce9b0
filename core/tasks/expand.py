"""The job that makes variants of questions, also with a language model."""

from __future__ import annotations

from collections.abc import Mapping

from core.evaluate.judged import squeeze
from core.expand.compose import batch, giving_up
from core.expander import Expander
from core.jobs import JobContext
from core.labels import QueryKind
from core.llm import LlmUsing
from core.model import Job
from core.ports import Progress
from core.retrieve.serialize import to_plain

EXPANDED_MEMO = "expanded:{}"
"""The memo that holds what a job made, by the id of the job."""


def run_expand(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Expand every question of the payload with its kinds. A model that fails leaves a note with the question and
    stops nothing; nothing is kept of a job that was stopped.

    Raises:
        JobCancelled: the user asked to stop.
        QueryError: there is no question, or there are over 200.
    """
    questions, kinds = _words(job, "questions"), {QueryKind(kind) for kind in _words(job, "kinds")}
    encoder = context.engines.encoder_or_reason()[0] if QueryKind.FEEDBACK in kinds else None
    expander = Expander(context.store, context.settings, encoder, giving_up(LlmUsing.of(context).write))
    made = batch(questions, lambda question: expander.expand(question, kinds), progress)
    context.store.set_memo(EXPANDED_MEMO.format(job.id), squeeze(to_plain(made)))
    return {
        "questions": len(made),
        "variants": sum(max(0, len(one.variants) - 1) for one in made),
        "notes": sum(bool(one.notes) for one in made),
    }


def _words(job: Job, name: str) -> list[str]:
    values = job.payload.get(name)
    return [str(value) for value in values] if isinstance(values, (list, tuple)) else []
