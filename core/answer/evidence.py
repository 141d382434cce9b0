"""What an answer may rest on: search, gate, one broader try, CRAG, refinement, and the web where that is not enough
(SPEC 4).

Nothing found is ever lost: without the web, or with an empty answer of it, the passages stay, and ``web_note`` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.answer.evidence_web import WebFound, ask_web
from core.errors import ModelError
from core.labels import CragAction, CragClass, QueryKind
from core.ports.context import JobContext
from core.ports.engines import Engines
from core.ports.store import JointEncoder, Progress, ProjectStore
from core.records import (
    Attempt,
    CragJudgement,
    Filters,
    Gathered,
    Passage,
    Query,
    Refinement,
    ScoredPassage,
    SearchRequest,
    SearchResult,
    Variant,
    Vector,
)
from core.retrieve import crag
from core.retrieve.background import NO_BACKGROUND, Background, background, sampled
from core.retrieve.confidence import gate
from core.retrieve.refine import nearness, refine, whole
from core.retrieve.request import MAX_QUERIES
from core.settings.values import Settings
from core.web.search import WebSearching

Search = Callable[[SearchRequest], SearchResult]
Expand = Callable[[str], Sequence[Variant]]
MAX_DEPTH = 1000
_DEEPER = 3


def gather(
    question: str,
    request: SearchRequest,
    *,
    store: ProjectStore,
    engines: Engines,
    settings: Settings,
    search: Search,
    progress: Progress,
    web: WebSearching | None = None,
    expand: Expand | None = None,
    context: JobContext | None = None,
) -> Gathered:
    """Search for a question, judge what was found, and correct it.

    Args:
        request: the first attempt; its queries hold the question.
        search: carries a request out (and counts it).
        progress: told what is going on; what it raises (JobCancelled) ends everything, what was stored stays.
        web: None where the web may not be asked.
        expand: variants of the question for the second attempt, none that costs money; by default those by rules and
            by feedback.
        context: what bringing pages in needs; by default made of the other arguments.

    Raises:
        QueryError: the question cannot be searched.
        JobCancelled: the user asked to stop.
    """
    gathering = _Gathering(question, request, store, engines, settings, progress)

    def tried(asked: SearchRequest, said: str = "") -> Attempt:
        result = search(asked)
        return Attempt(result, gate(result, question, settings.crag.gate, gathering.background), None, said)

    progress(0, None, "Searching")
    first = tried(request)
    if not settings.crag.enabled:
        return gathering.as_found(first)
    attempts = [first]
    if not first.gate.passed:
        progress(0, None, "Searching once more, broader")
        wider, said = _broadened(question, request, expand or gathering.variants)
        attempts.append(tried(wider, said))
    progress(0, None, "Judging what was found")
    judgement = gathering.judged(attempts[-1].result)
    attempts[-1] = replace(attempts[-1], judgement=judgement)
    return gathering.corrected(attempts, judgement, search, web, context)


def _broadened(question: str, request: SearchRequest, expand: Expand) -> tuple[SearchRequest, str]:
    """A wider request: more queries, deeper, with lower filters; and what that is, in words. What was chosen by name
    (documents, tags) and dates stay as they are."""
    known = {query.text.strip().casefold() for query in request.queries}
    fresh = [one for one in expand(question) if one.on and one.text.strip().casefold() not in known]
    room = max(0, MAX_QUERIES - len(request.queries))
    queries = (*request.queries, *(Query(one.text, one.kind) for one in fresh[:room]))
    depth = min(MAX_DEPTH, max(request.depth, request.depth * _DEEPER))
    filters = replace(request.filters, min_grade=None, languages=())
    more = len(queries) - len(request.queries)
    said = [f"{more} more {'query' if more == 1 else 'queries'}"] if more else []
    if depth > request.depth:
        said.append(f"{depth} candidates of each index in place of {request.depth}")
    if filters != request.filters:
        said.append("any grade and language")
    return replace(request, queries=queries, depth=depth, filters=filters), ", ".join(said) or "the same once more"


@dataclass(frozen=True)
class _Gathering:
    question: str
    request: SearchRequest
    store: ProjectStore
    engines: Engines
    settings: Settings
    progress: Progress

    def variants(self, question: str) -> Sequence[Variant]:
        """Further queries that need no language model."""
        from core.expand.expander import Expander

        kinds = (QueryKind.TRANSFORM, QueryKind.FEEDBACK)
        return Expander(self.store, self.settings, self.engines.encoder_or_reason()[0]).expand(question, kinds).variants

    @cached_property
    def _encoder(self) -> JointEncoder | None:
        """The encoder where calibrations hold for it; None where there is another one or none."""
        encoder, _ = self.engines.encoder_or_reason()
        return encoder if encoder is not None and encoder.fingerprint.startswith(crag.ENCODERS) else None

    @cached_property
    def _asked(self) -> Vector | None:
        """The question's vector."""
        if self._encoder is None:
            return None
        try:
            vector: Vector = self._encoder.encode_queries([self.question])[0]
        except ModelError:  # a model is read at its first text
            return None
        return vector

    @cached_property
    def background(self) -> Background:
        """What cosines are worth in this project."""
        if self._asked is None:
            return NO_BACKGROUND
        return background(self._asked, self._vectors(sampled(self.store.passage_ids(Filters()))))

    def _vectors(self, passage_ids: Sequence[int]) -> Mapping[int, Vector]:
        return self.store.vectors(passage_ids, self._encoder.fingerprint) if self._encoder and passage_ids else {}

    def judged(self, result: SearchResult) -> CragJudgement:
        """The class of a result; calibrations hold for the models that they were fitted for only."""
        found = result.passages
        vectors = self._vectors([one.passage.id for one in found])
        logits = self._logits(found) if found else None
        return crag.judge(crag.signals(self.question, found, vectors, logits, self.background), self.settings.crag)

    def _logits(self, found: Sequence[ScoredPassage]) -> Sequence[float] | None:
        """The cross-encoder's scores of the first passages, made now where it has not spoken; None without it."""
        try:
            reranker = self.engines.reranker()
            if not reranker.fingerprint.startswith(crag.RERANKERS):
                return None
            said = crag.spoken(found)
            return said or [float(score) for score in reranker.score(self.question, crag.texts_to_rerank(found))]
        except ModelError:  # the other signals take its weight
            return None

    def _refined(self, passages: Sequence[Passage], *, all_kept: bool = False) -> Refinement:
        near = nearness(self._asked, self._vectors([passage.id for passage in passages]), self.background)
        return refine(self.question, passages, near, self.settings.crag, all_kept=all_kept)

    def as_found(self, only: Attempt) -> Gathered:
        """Everything as it came: corrective retrieval is switched off."""
        found = [passage.passage for passage in only.result.passages]
        action = CragAction.OFF if found else CragAction.NOTHING_FOUND
        refinement = whole(found, self.settings.crag.token_budget)
        return Gathered(self.question, (only,), action, refinement, notes=only.result.notes)

    def corrected(
        self,
        attempts: Sequence[Attempt],
        judgement: CragJudgement,
        search: Search,
        web: WebSearching | None,
        context: JobContext | None,
    ) -> Gathered:
        """Refine what is good; ask the web where it is not, and combine or replace."""
        own = [passage.passage for passage in attempts[-1].result.passages]
        notes = tuple(dict.fromkeys(note for attempt in attempts for note in attempt.result.notes))
        done = Gathered(self.question, tuple(attempts), CragAction.REFINED, Refinement((), 0), notes=notes)
        if judgement.verdict is CragClass.CORRECT:
            return replace(done, refinement=self._kept(own))
        found = self._of_web(search, web, context)
        done = replace(done, web=found.web, web_note=found.note)
        if found.passages:
            replaced = judgement.verdict is CragClass.INCORRECT
            refined = self._refined(found.passages if replaced else [*own, *found.passages])
            if refined.strips:
                action = CragAction.REPLACED_BY_WEB if replaced or not own else CragAction.COMBINED_WITH_WEB
                return replace(done, action=action, refinement=refined)
            done = replace(done, web_note=f"{found.note} Nothing in them bears on the question.".strip())
        if not own:
            return replace(done, action=CragAction.NOTHING_FOUND)
        everything = judgement.verdict is CragClass.INCORRECT
        return replace(done, action=CragAction.KEPT_WITHOUT_WEB, refinement=self._kept(own, everything=everything))

    def _kept(self, own: Sequence[Passage], *, everything: bool = False) -> Refinement:
        """What bears on the question; all of it where by our measure nothing does, for nothing found is lost."""
        refined = self._refined(own, all_kept=everything)
        return refined if refined.strips else self._refined(own, all_kept=True)

    def _of_web(self, search: Search, web: WebSearching | None, context: JobContext | None) -> WebFound:
        if web is None:
            return WebFound(note="The web was not asked.")
        if not self.settings.crag.use_web:
            return WebFound(
                note="The web was not asked: asking it where the sources do not suffice is switched off (crag.use_web)."
            )
        inside = replace(self.request, filters=Filters())

        def within(documents: Sequence[str]) -> SearchResult:
            return search(replace(inside, filters=Filters(documents=tuple(documents))))

        return ask_web(
            self.question, web, within, store=self.store, engines=self.engines, settings=self.settings,
            progress=self.progress, context=context,
        )  # fmt: skip
