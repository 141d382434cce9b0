"""The query lab of one project: variants of a question, what each brings, and which of them help."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from core import records
from core.errors import JobNotFound, QueryError
from core.expand.compose import MAX_BATCH
from core.expand.expander import Expander, prompts
from core.expand.job import expansions_so_far
from core.expand.question import checked_question, one_line
from core.lab.figures import Figures, compare
from core.lab.judged import LabJudgements
from core.labels import JobKind, QueryKind
from core.llm.budget import LanguageModel
from core.ports.context import ProjectContext, ids_of
from core.retrieve.search import search_project


class QueryLab:
    """Questions of a project and their variants. Every method is safe to call from any thread."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store
        self._judged = LabJudgements(context)

    def expand(self, question: str, kinds: Collection[QueryKind]) -> records.Expansion:
        """The question with those variants that need no language model, at once (QueryError: empty, or too long)."""
        encoder = self._context.engines.encoder_or_reason()[0] if QueryKind.FEEDBACK in kinds else None
        return Expander(self._store, self._context.settings, encoder).expand(question, kinds)

    def start_expand(self, questions: Sequence[str], kinds: Collection[QueryKind]) -> records.Job:
        """Ask for the variants of one or many questions, also those that a language model makes; the worker does it.
        Empty lines are left out. Raises QueryError: there is no question, over 200 are given, or one of them is too
        long."""
        if len(questions) > MAX_BATCH:
            raise QueryError(f"{len(questions):,} questions were given; at most {MAX_BATCH} are expanded together.")
        given = [checked_question(question) for question in questions if one_line(question)]
        if not given:
            raise QueryError("No question was given. Type at least one.")
        return self._context.schedule(
            JobKind.EXPAND, {"questions": given, "kinds": sorted(kind.value for kind in kinds)}
        )

    def expanded(self, job_id: int) -> list[records.Expansion]:
        """The expansions that such a job made, in the order of its questions; of a job that is not done, or was
        stopped, those made so far (JobNotFound)."""
        job = self._store.job(job_id)
        if job.kind is not JobKind.EXPAND:
            raise JobNotFound(f"Job {job_id} of this project expanded no question.")
        expansions = expansions_so_far(self._store, job_id)
        return [expansions[str(key)] for key in ids_of(job, "questions") if key in expansions]

    def estimate(self, questions: Sequence[str], kinds: Collection[QueryKind]) -> records.Estimate | None:
        """The most that ``start_expand`` would cost; None when it would ask no language model, or none is switched on.
        QueryError: a question is too long."""
        using = LanguageModel(self._context)
        distinct = dict.fromkeys(checked_question(question) for question in questions if one_line(question))
        wanted = [prompt for text in distinct for prompt in prompts(text, kinds, self._context.settings.expansion)]
        if not wanted or not using.status().on:
            return None
        each = [using.estimate(prompt) for prompt in wanted]
        costs = [estimate.cost_usd for estimate in each]
        return records.Estimate(
            model=each[0].model,
            input_tokens=sum(estimate.input_tokens for estimate in each),
            max_output_tokens=sum(estimate.max_output_tokens for estimate in each),
            cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        )

    def run(self, expansion: records.Expansion, request: records.SearchRequest) -> records.ExpandedSearch:
        """Search with all variants that are on, joined, and say what each brings that no earlier one brought. What a
        variant brings are the ``request.k`` passages that it finds best by itself. In the joined list each passage
        stands once: it counts at its best place in each variant's own list, and the lists are joined by RRF. Of
        variants with the same text one runs. Raises QueryError: no variant is on, one of them cannot be searched, or
        there are over 20."""
        on = [variant for variant in expansion.variants if variant.on and one_line(variant.text)]
        if not on:
            raise QueryError("No variant is switched on. Switch on at least one, or the question itself.")
        result = search_project(
            self._context, replace(request, queries=tuple(records.Query(variant.text, variant.kind) for variant in on))
        )
        return records.ExpandedSearch(expansion, result, tuple(self._yields(on, result)))

    def _yields(self, on: Sequence[records.Variant], result: records.SearchResult) -> list[records.VariantYield]:
        at = {query.text: place for place, query in enumerate(result.request.queries)}
        brought = {hit.passage_id for hits in result.by_query for hit in hits}
        passages = self._store.passages(sorted(brought))
        seen: set[int] = set()
        documents: set[str] = set()
        yields = []
        for variant in on:
            place = at[variant.text.replace("\x00", "").strip()]
            ids = [hit.passage_id for hit in result.by_query[place] if hit.passage_id in passages]
            new = [passage_id for passage_id in ids if passage_id not in seen]
            fresh = dict.fromkeys(passages[passage_id].document_id for passage_id in new)
            sources = tuple(document for document in fresh if document not in documents)
            yields.append(records.VariantYield(variant.key, len(ids), tuple(new), sources))
            seen.update(new)
            documents.update(sources)
        return yields

    def compare(
        self,
        expansion: records.Expansion,
        stages: Sequence[records.StageSwitches],
        filters: records.Filters = records.Filters(),
    ) -> list[Figures]:
        """nDCG@10 and recall@5 on what is judged for this question: for each combination of stages all variants that
        are on together (``variant`` is ""), and each of them by itself. Where the project uses an engine of late
        interaction beside our own, combinations with that stage are measured with both. Empty while nothing relevant is
        judged. Nothing of it counts as a search of the project."""
        places = self._judged.places(expansion.question)
        return compare(
            expansion, stages, filters, places, self._store, self._context.engines, self._context.settings.retrieval
        )

    def judge(self, question: str, passage_id: int, grade: int | None) -> None:
        """Say how well a passage answers a question: 0 not at all, to 3; None takes it back. Raises QueryError: another
        grade, or the passage is no longer there."""
        self._judged.judge(question, passage_id, grade)

    def judgements(self, question: str) -> dict[int, int]:
        """Grades by passage: of the judged passages of this question, of golden questions and of people's decisions
        with the same words."""
        return self._judged.grades(question)

    def save(self, question: records.Question) -> records.Question:
        """Keep a question with its variants (RowMoved: somebody else changed it; QueryError: it cannot be searched)."""
        return self._store.save_question(replace(question, text=checked_question(question.text)))

    def questions(self) -> list[records.Question]:
        """Saved questions, the newest change first."""
        return self._store.questions()

    def question(self, question_id: int) -> records.Question:
        """One of them (AnswerError)."""
        return self._store.question(question_id)

    def delete(self, question_id: int) -> None:
        self._store.delete_question(question_id)
