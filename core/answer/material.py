"""The material of an answer: passages found and refined, with the judge and the scorer of sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.acquire.injection import flags, flags_at_intake
from core.acquire.reference_entries import reference_spans
from core.answer.answers import filters_of, queries_of
from core.answer.check import PassageCheck
from core.answer.draft import Draft, Evidence, evidence_of
from core.answer.evidence import gather
from core.answer.relevance import Relevance, content_stems, narrowed
from core.answer.render import gathered_json
from core.labels import AnswerMode, CragAction, CragClass
from core.ports.context import JobContext
from core.ports.store import Progress
from core.records import Document, Gathered, InjectionFlag, Job, SearchRequest, SearchResult, Strip
from core.retrieve.crag import content_quality
from core.retrieve.search import run_search
from core.text.languages import different_languages
from core.text.terms import names_by_a_letter
from core.verify.without_injections import without_flagged
from core.web.search import WebSearches

NO_SOURCES = "This project has no sources yet, so there is nothing to answer from. Add sources, then ask again."
NO_WORDS = (
    "The question has no word that could be looked for: only words like \u201cis\u201d and \u201cthe\u201d, or signs. "
    "Name what it is about."
)
ONE_LETTER = (
    "The question names what it is about by a single letter. That can be looked for by meaning only, and there is no "
    "model to search by meaning with. Add a word about it, such as \u201clanguage\u201d or \u201cvitamin\u201d."
)
NOTHING_FOUND = (
    "Nothing that was found bears on this question. Ask in other words, loosen the filters, or add sources that speak "
    "about it."
)


class NothingToAnswer(Exception):
    """Nothing to answer from; the message tells the user what to do."""

    def __init__(self, message: str, gathered: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.gathered = gathered or {}


@dataclass(frozen=True)
class Material:
    """The material of an answer: ``evidence`` best first, numbered from 1; ``documents`` by id. ``thin``: no passage
    says enough to be used, so the best were used all the same."""

    gathered: Gathered
    evidence: tuple[Evidence, ...]
    documents: dict[str, Document]
    relevance: Relevance
    check: PassageCheck
    flags: tuple[InjectionFlag, ...]
    notes: tuple[str, ...]
    thin: bool = False

    @property
    def off_topic(self) -> bool:
        """The judgement of the search results: True if they do not answer the question. Where corrective retrieval is
        off, the gate judges."""
        final = self.gathered.final
        return final.judgement.verdict is CragClass.INCORRECT if final.judgement else not final.gate.passed

    @property
    def comparable(self) -> bool:
        """The test whether figures of different sources may be compared. Those of stubs, and of passages about
        something else, seldom measure the same."""
        return not self.thin and not self.off_topic

    @cached_property
    def in_reading_order(self) -> list[Evidence]:
        """The evidence for a model: passages of a document together and in its order, numbered anew. Equal evidence
        makes an equal prompt, which the API can take from its cache."""
        lined = sorted(self.evidence, key=lambda evidence: (evidence.document_id, evidence.start))
        return [replace(passage, number=number) for number, passage in enumerate(lined, start=1)]

    @property
    def whole(self) -> list[Evidence]:
        """The evidence with all sentences of its passages."""
        return [replace(evidence, parts=()) for evidence in self.evidence]

    def by_marker(self, draft: Draft) -> dict[int, Evidence]:
        """The evidence of each marker of a draft, without sentences that address a model: they are no evidence."""
        if draft.mode is AnswerMode.GENERATED:
            return {evidence.number: self._without_flagged(evidence) for evidence in self.in_reading_order}
        by_place = {(evidence.document_id, evidence.passage_id, evidence.start): evidence for evidence in self.evidence}
        by_marker = {}
        for citation in draft.citations:
            key = next(
                place
                for place, flag in by_place.items()
                if place[:2] == (citation.document_id, citation.passage_id) and flag.start <= citation.start < flag.end
            )  # fmt: skip
            by_marker[citation.marker] = self._without_flagged(by_place[key])
        return by_marker

    def _without_flagged(self, passage: Evidence) -> Evidence:
        if not any(flag.document_id == passage.document_id for flag in self.flags):
            return passage
        return replace(passage, text=without_flagged(passage.text))


def gather_material(context: JobContext, job: Job, question: str, progress: Progress) -> Material:
    """The material for a question: search, correct and refine. Raises NothingToAnswer (there is nothing to answer from)
    or JobCancelled (the user asked to stop)."""
    store = context.store
    web = WebSearches(context)
    if store.coverage("")[1] == 0 and web.why_off():
        raise NothingToAnswer(NO_SOURCES)
    if not content_stems(question):
        if not names_by_a_letter(question):
            raise NothingToAnswer(NO_WORDS)
        if context.engines.encoder_or_reason()[0] is None:
            raise NothingToAnswer(ONE_LETTER)
    request = SearchRequest(
        queries_of(question, job.payload), filters_of(job.payload), k=context.settings.answering.passages,
        depth=context.settings.retrieval.depth,
    )  # fmt: skip

    def search(attempt: SearchRequest) -> SearchResult:
        return run_search(attempt, store, context.engines, context.settings.retrieval, context.clock)

    gathered = gather(
        question, request, store=store, engines=context.engines, settings=context.settings, search=search,
        progress=progress, web=web, context=context,
    )  # fmt: skip
    encoder, reason = context.engines.encoder_or_reason()
    relevance = Relevance(encoder, reason)
    return _material(context, question, _narrowed(context, question, gathered, relevance), relevance)


def _narrowed(context: JobContext, question: str, gathered: Gathered, relevance: Relevance) -> Gathered:
    """The evidence refined once more, strip by strip, where an encoder is there and refinement is on."""
    if relevance.note or gathered.action in (CragAction.OFF, CragAction.NOTHING_FOUND):
        return gathered
    ids = dict.fromkeys(strip.passage_id for strip in gathered.refinement.strips)
    own = {passage.passage.id: passage for passage in gathered.final.result.passages}
    verdict = gathered.final.judgement.verdict if gathered.final.judgement else None
    corrected = gathered.action is CragAction.COMBINED_WITH_WEB and verdict is CragClass.INCORRECT
    if not corrected and gathered.action is not CragAction.REPLACED_BY_WEB:
        ids = dict.fromkeys((*own, *ids))
    top = max((passage.score for passage in own.values()), default=0.0)
    stored = context.store.passages(list(ids))
    passages = [(stored[key], own[key].score / top if key in own and top > 0 else 0.5) for key in ids if key in stored]
    settings = context.settings.crag
    refinement = narrowed(
        question, passages, relevance, least=settings.strip_relevance, budget=settings.token_budget,
        own={passage.passage.document_id for passage in own.values()},
    )  # fmt: skip
    return replace(gathered, refinement=refinement) if refinement.strips and not relevance.note else gathered


def _material(context: JobContext, question: str, gathered: Gathered, relevance: Relevance) -> Material:
    store = context.store
    strips, notes = _rich_enough(context, question, gathered)
    thin = bool(notes)
    documents = store.documents_by_id(list(dict.fromkeys(strip.document_id for strip in strips)))
    passages = store.passages([strip.passage_id for strip in strips if strip.passage_id])
    scores = {passage.passage.id: max(0.0, passage.score) for passage in gathered.final.result.passages}
    evidence = evidence_of(
        strips,
        {key: (passage.start, passage.end, passage.text) for key, passage in passages.items()},
        {
            key: (document.title, document.canonical_url, document.near_duplicate_of)
            for key, document in documents.items()
        },
        context.settings.answering.passages,
        scores,
        {key: document.grade_in_force for key, document in documents.items()},
    )
    if not evidence:
        raise NothingToAnswer(NOTHING_FOUND, gathered_json(gathered))
    evidence = [replace(passage, listed=_listed(passage, documents[passage.document_id])) for passage in evidence]
    flagged = _flags(evidence, documents)
    if flagged:
        names = ", ".join(dict.fromkeys(documents[flag.document_id].title for flag in flagged))
        notes.append(f"Text that addresses a language model stands in: {names}. It was treated as text, not followed.")
    notes += _waiting([documents[key] for key in dict.fromkeys(passage.document_id for passage in evidence)])
    warnings = _languages(question, evidence, documents)
    return Material(
        gathered, tuple(evidence), documents, relevance,
        PassageCheck(context.engines, context.settings.verification, documents), flagged,
        (*gathered.notes, *notes, *warnings, *([relevance.note] if relevance.note else [])), thin,
    )  # fmt: skip


def _listed(passage: Evidence, document: Document) -> tuple[tuple[int, int], ...]:
    return tuple(reference_spans(passage.text, passage.start, document.headings, document.language))


def _flags(evidence: Sequence[Evidence], documents: Mapping[str, Document]) -> tuple[InjectionFlag, ...]:
    """The places that address a model: in the passages, and anywhere in their sources at intake."""
    places: dict[tuple[str, str], InjectionFlag] = {}
    for passage in evidence:
        here = (replace(flag, document_id=passage.document_id) for flag in flags(passage.text))
        for flag in (*here, *flags_at_intake(documents[passage.document_id])):
            places.setdefault((flag.document_id, flag.quote[:60]), flag)
    return tuple(places.values())


def _rich_enough(context: JobContext, question: str, gathered: Gathered) -> tuple[list[Strip], list[str]]:
    """The strips of passages with enough content; all strips, and a note, when no passage has enough."""
    strips = list(gathered.refinement.strips)
    texts = {
        key: passage.text for key, passage in context.store.passages([strip.passage_id for strip in strips]).items()
    }
    threshold = context.settings.retrieval.quality_threshold
    enough = [
        strip for strip in strips if content_quality(texts.get(strip.passage_id, strip.text), question) >= threshold
    ]
    if enough or not strips:
        return enough, []
    return strips, ["Every passage that was found is short or says little; the best of them were used all the same."]


def _waiting(documents: Sequence[Document]) -> list[str]:
    """A note on the pages that were fetched for answers and that nobody has accepted."""
    pages = [
        f"{document.title} ({document.canonical_url}, {document.id})" for document in documents if not document.accepted
    ]
    if not pages:
        return []
    return [
        "Not accepted as sources, only fetched from the web for answers: " + "; ".join(pages) + ". Claims, audits and "
        "other answers do without them until you accept them (Sources, or `workbench source ID --accept`)."
    ]


def _languages(question: str, evidence: Sequence[Evidence], documents: Mapping[str, Document]) -> list[str]:
    for passage in evidence:
        pair = different_languages(question, question, passage.text, documents[passage.document_id].language)
        if pair is None:
            return []
    return ["The question and the sources that were found are in different languages; much may have been missed."]
