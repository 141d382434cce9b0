"""The evidence of an answer, by corrective retrieval (CRAG, Yan et al. 2024). The steps: search; a gate, and one
broader search where it fails; a judgement of the results; refinement to strips; the web where the results are not good
enough. No result is lost: without the web, or without results of it, the passages stay, and ``web_note`` says so."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core import records
from core.answer.evidence_web import WebFound, ask_web
from core.errors import ModelError
from core.labels import CragAction, CragClass, QueryKind
from core.ports.context import JobContext
from core.ports.engines import Engines
from core.ports.store import JointEncoder, Progress, ProjectStore
from core.retrieve import crag
from core.retrieve.crag import NO_BACKGROUND, Background, background, gate, sampled
from core.retrieve.refine import nearness, refine, whole, within
from core.retrieve.request import MAX_QUERIES
from core.settings.values import Settings
from core.web.search import WebSearches

Search = Callable[[records.SearchRequest], records.SearchResult]
Expand = Callable[[str], Sequence[records.Variant]]
MAX_DEPTH = 1000
_DEEPER = 3


def gather(
    question: str,
    request: records.SearchRequest,
    *,
    store: ProjectStore,
    engines: Engines,
    settings: Settings,
    search: Search,
    progress: Progress,
    web: WebSearches | None = None,
    expand: Expand | None = None,
    context: JobContext | None = None,
) -> records.Gathered:
    """The evidence for a question: search, judge the results, and correct them.

    Args:
        request: the request of the first search; the question is among its queries.
        search: runs a request (and counts it).
        progress: receives each step. JobCancelled that it raises ends the job; stored pages stay.
        web: the search of the web; None where the web may not be used.
        expand: variants of the question for the broader search, without cost; by default those by rules and by
            feedback.
        context: the context for fetching pages; by default made of the other arguments.

    Raises:
        QueryError: the question cannot be searched.
        JobCancelled: the user asked to stop.
    """
    gathering = _Gathering(question, request, store, engines, settings, progress)

    def tried(attempt_request: records.SearchRequest, broadened: str = "") -> records.Attempt:
        result = search(attempt_request)
        return records.Attempt(
            result, gate(result, question, settings.crag.gate, gathering.background), None, broadened
        )

    progress(0, None, "Searching")
    first = tried(request)
    if not settings.crag.enabled:
        return gathering.as_found(first)
    attempts = [first]
    if not first.gate.passed:
        progress(0, None, "Searching once more, broader")
        wider, broadened = _broadened(question, request, expand or gathering.variants)
        attempts.append(tried(wider, broadened))
    progress(0, None, "Judging what was found")
    judgement = gathering.judged(attempts[-1].result)
    attempts[-1] = replace(attempts[-1], judgement=judgement)
    return gathering.corrected(attempts, judgement, search, web, context)


def _broadened(question: str, request: records.SearchRequest, expand: Expand) -> tuple[records.SearchRequest, str]:
    """A broader request (more queries, deeper, without filters of grade and language), and its changes in words. Chosen
    documents, tags and dates stay."""
    texts = {query.text.strip().casefold() for query in request.queries}
    fresh = [variant for variant in expand(question) if variant.on and variant.text.strip().casefold() not in texts]
    room = max(0, MAX_QUERIES - len(request.queries))
    queries = (*request.queries, *(records.Query(variant.text, variant.kind) for variant in fresh[:room]))
    depth = min(MAX_DEPTH, max(request.depth, request.depth * _DEEPER))
    filters = replace(request.filters, min_grade=None, languages=())
    more = len(queries) - len(request.queries)
    changes = [f"{more} more {'query' if more == 1 else 'queries'}"] if more else []
    if depth > request.depth:
        changes.append(f"{depth} candidates of each index in place of {request.depth}")
    if filters != request.filters:
        changes.append("any grade and language")
    return replace(request, queries=queries, depth=depth, filters=filters), ", ".join(changes) or "the same once more"


@dataclass(frozen=True)
class _Gathering:
    question: str
    request: records.SearchRequest
    store: ProjectStore
    engines: Engines
    settings: Settings
    progress: Progress

    def variants(self, question: str) -> Sequence[records.Variant]:
        """Variants of the question that need no language model."""
        from core.expand.expander import Expander

        kinds = (QueryKind.TRANSFORM, QueryKind.FEEDBACK)
        return Expander(self.store, self.settings, self.engines.encoder_or_reason()[0]).expand(question, kinds).variants

    @cached_property
    def _encoder(self) -> JointEncoder | None:
        """The encoder, or None where there is none or the calibrations are for another one."""
        encoder, _ = self.engines.encoder_or_reason()
        return encoder if encoder is not None and encoder.fingerprint.startswith(crag.ENCODERS) else None

    @cached_property
    def _question_vector(self) -> records.Vector | None:
        """The vector of the question, or None without an encoder."""
        if self._encoder is None:
            return None
        try:
            vector: records.Vector = self._encoder.encode_queries([self.question])[0]
        except ModelError:  # a model is read at its first text
            return None
        return vector

    @cached_property
    def background(self) -> Background:
        """The distribution of cosines between the question and a sample of the project's passages."""
        if self._question_vector is None:
            return NO_BACKGROUND
        return background(self._question_vector, self._vectors(sampled(self.store.passage_ids(records.Filters()))))

    def _vectors(self, passage_ids: Sequence[int]) -> Mapping[int, records.Vector]:
        return self.store.vectors(passage_ids, self._encoder.fingerprint) if self._encoder and passage_ids else {}

    def judged(self, result: records.SearchResult) -> records.CragJudgement:
        """The judgement of a result. Calibrations hold only for the models that they were fitted for."""
        passages = result.passages
        vectors = self._vectors([passage.passage.id for passage in passages])
        logits = self._logits(passages) if passages else None
        return crag.judge(crag.signals(self.question, passages, vectors, logits, self.background), self.settings.crag)

    def _logits(self, passages: Sequence[records.ScoredPassage]) -> Sequence[float] | None:
        """The cross-encoder's scores of the first passages, computed here where the search did not; None without it."""
        try:
            reranker = self.engines.reranker()
            if not reranker.fingerprint.startswith(crag.RERANKERS):
                return None
            scores = crag.spoken(passages)
            return scores or [float(score) for score in reranker.score(self.question, crag.texts_to_rerank(passages))]
        except ModelError:  # the other signals take its weight
            return None

    def _refined(
        self, passages: Sequence[records.Passage], *, all_kept: bool = False, own: Collection[str] = ()
    ) -> records.Refinement:
        near = nearness(self._question_vector, self._vectors([passage.id for passage in passages]), self.background)
        return refine(self.question, passages, near, self.settings.crag, all_kept=all_kept, own=own)

    def as_found(self, only: records.Attempt) -> records.Gathered:
        """The results as they are, where corrective retrieval is switched off."""
        passages = [passage.passage for passage in only.result.passages]
        action = CragAction.OFF if passages else CragAction.NOTHING_FOUND
        refinement = whole(passages, self.settings.crag.token_budget)
        return records.Gathered(self.question, (only,), action, refinement, notes=only.result.notes)

    def corrected(
        self,
        attempts: Sequence[records.Attempt],
        judgement: records.CragJudgement,
        search: Search,
        web: WebSearches | None,
        context: JobContext | None,
    ) -> records.Gathered:
        """The refined results where they are good; else the results combined with the web. Of results that are bad as a
        whole, the web replaces those that are worse than all it brings."""
        own = [passage.passage for passage in attempts[-1].result.passages]
        notes = tuple(dict.fromkeys(note for attempt in attempts for note in attempt.result.notes))
        done = records.Gathered(
            self.question, tuple(attempts), CragAction.REFINED, records.Refinement((), 0), notes=notes
        )
        if judgement.verdict is CragClass.CORRECT:
            return replace(done, refinement=self._refined_or_all(own))
        of_web = self._of_web(search, web, context)
        done = replace(done, web=of_web.web, web_note=of_web.note)
        if of_web.passages:
            web_ids = {passage.document_id for passage in of_web.passages}
            own_ids = {passage.document_id for passage in own} - web_ids
            refined = self._refined([*own, *of_web.passages], own=own_ids)
            if judgement.verdict is CragClass.INCORRECT:
                refined = self._without_worse(refined, web_ids)
            brought = [strip.document_id in web_ids for strip in refined.strips]
            if any(brought):
                action = CragAction.REPLACED_BY_WEB if all(brought) else CragAction.COMBINED_WITH_WEB
                return replace(done, action=action, refinement=refined)
            done = replace(done, web_note=f"{of_web.note} Nothing in them bears on the question.".strip())
        if not own:
            return replace(done, action=CragAction.NOTHING_FOUND)
        everything = judgement.verdict is CragClass.INCORRECT
        return replace(
            done, action=CragAction.KEPT_WITHOUT_WEB, refinement=self._refined_or_all(own, everything=everything)
        )

    def _without_worse(self, refined: records.Refinement, web: Collection[str]) -> records.Refinement:
        """The strips without those of the project that bear less on the question than every strip of the web pages
        ``web``, and whose source is graded no better than any of these pages."""
        coming = [strip for strip in refined.strips if strip.document_id in web]
        if not coming:
            return refined
        documents = self.store.documents_by_id([strip.document_id for strip in refined.strips])
        grades = {key: document.grade_in_force for key, document in documents.items()}
        least = min(strip.relevance for strip in coming)
        worst = max(grades[strip.document_id].value for strip in coming)  # "E" is larger than "A"
        kept = [
            strip for strip in refined.strips
            if strip.document_id in web or strip.relevance >= least or grades[strip.document_id].value < worst
        ]  # fmt: skip
        own = grades.keys() - set(web)
        return within(kept, self.settings.crag.token_budget, refined.dropped + len(refined.strips) - len(kept), own)

    def _refined_or_all(self, own: Sequence[records.Passage], *, everything: bool = False) -> records.Refinement:
        """The strips that bear on the question; all strips where none does by our measure."""
        refined = self._refined(own, all_kept=everything)
        return refined if refined.strips else self._refined(own, all_kept=True)

    def _of_web(self, search: Search, web: WebSearches | None, context: JobContext | None) -> WebFound:
        if web is None:
            return WebFound(note="The web was not asked.")
        if not self.settings.crag.use_web:
            return WebFound(
                note="The web was not asked: asking it where the sources do not suffice is switched off (crag.use_web)."
            )
        inside = replace(self.request, filters=records.Filters())

        def within(documents: Sequence[str]) -> records.SearchResult:
            return search(replace(inside, filters=records.Filters(documents=tuple(documents))))

        return ask_web(
            self.question, web, within, store=self.store, engines=self.engines, settings=self.settings,
            progress=self.progress, context=context,
        )  # fmt: skip
