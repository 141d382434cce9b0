"""The job that makes variants of questions, also with a language model."""

from collections.abc import Callable, Mapping

from pydantic import TypeAdapter

from core.expand.compose import batch, giving_up
from core.expand.expander import Expander
from core.labels import QueryKind
from core.llm.budget import LanguageModel
from core.ports.context import JobContext, ids_of
from core.ports.store import Progress, ProjectStore
from core.records import Expansion, Job
from core.text.jsonable import adapter, squeeze, unsqueeze

_EXPANSIONS: TypeAdapter[list[tuple[str, Expansion]]] = adapter(list[tuple[str, Expansion]])
EXPANDED_MEMO = "expanded:{}"
"""The memo that holds what a job made, by the id of the job."""
KEPT_EVERY = 5
"""Questions after which what was made is kept: after a crash or a stop no more than these are asked and paid again."""


def run_expand(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Expand every question of the payload with its kinds. A model that fails leaves a note with the question and stops
    nothing. What a run before a crash had made is taken from there. Raises JobCancelled (the user asked to stop; what
    was made so far stays) or QueryError (there is no question, or there are over 200)."""
    questions = [str(question) for question in ids_of(job, "questions")]
    kinds = {QueryKind(str(kind)) for kind in ids_of(job, "kinds")}
    encoder = context.engines.encoder_or_reason()[0] if QueryKind.FEEDBACK in kinds else None
    expander = Expander(context.store, context.settings, encoder, giving_up(LanguageModel(context).write))
    expansions = expansions_so_far(context.store, job.id)
    try:
        batch(
            questions,
            _keeping(expansions, lambda question: expander.expand(question, kinds), context, job.id),
            progress,
        )
    finally:
        _keep(context.store, job.id, expansions)
    return {
        "questions": len(questions),
        "variants": sum(
            max(0, len(expansions[question].variants) - 1) for question in questions if question in expansions
        ),
        "notes": sum(bool(expansions[question].notes) for question in questions if question in expansions),
    }


def expansions_so_far(store: ProjectStore, job_id: int) -> dict[str, Expansion]:
    """What a job has made, by the question as it was given."""
    memo = store.memo(EXPANDED_MEMO.format(job_id))
    return dict(_EXPANSIONS.validate_python(unsqueeze(memo))) if memo else {}


def _keeping(
    expansions: dict[str, Expansion], expand: Callable[[str], Expansion], context: JobContext, job_id: int
) -> Callable[[str], Expansion]:
    def expanded(question: str) -> Expansion:
        if question not in expansions:
            expansions[question] = expand(question)
            if len(expansions) % KEPT_EVERY == 0:
                _keep(context.store, job_id, expansions)
        return expansions[question]

    return expanded


def _keep(store: ProjectStore, job_id: int, expansions: Mapping[str, Expansion]) -> None:
    plain = _EXPANSIONS.dump_python(list(expansions.items()), mode="json")
    store.set_memo(EXPANDED_MEMO.format(job_id), squeeze(plain))
