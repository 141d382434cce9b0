"""The job that asks a language model for its opinion on one citation or claim, or for quotes of one source."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import JobError
from core.llm.budget import LanguageModel
from core.opinion.material import of_claim, of_finding
from core.opinion.opinion import form_opinion, keep_opinion
from core.opinion.quotes import find_quotes
from core.ports.context import JobContext
from core.ports.store import Progress
from core.records import Completion, Job, Prompt


def run_opinion(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Form the opinion (or find the quotes) of the payload, and store it. A failed or stopped job stores nothing.

    Raises:
        JobCancelled: the user asked to stop.
        LlmError: the language model did not answer as asked.
        ReportError, ClaimError, DocumentNotFound: the subject of the opinion is gone.
    """
    store, model = context.store, LanguageModel(context)
    progress(0, 1, "Looking for what bears on the claim")
    if (finding := job.payload.get("finding")) is not None:
        row = store.finding(int(str(finding)))
        material = of_finding(store, context.engines, context.settings, row)
    elif (claim := job.payload.get("claim")) is not None:
        material = of_claim(store, store.claim(int(str(claim))))
    elif job.payload.get("document") is not None:
        return find_quotes(context, job.payload, progress)
    else:
        raise JobError("The job names neither a citation nor a claim nor a source.")

    def write(prompt: Prompt) -> Completion:
        return model.write(prompt, lambda _: progress(0, 1, "Asking the language model"))

    opinion = form_opinion(write, material, context.clock())
    keep_opinion(store, opinion)
    progress(1, 1, "Done")
    return {"item": opinion.item, "label": opinion.label.value, "agrees": opinion.agrees, "cost_usd": opinion.cost_usd}
