"""What an answer is made from: passages found and refined, with the judge and the reader of sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.acquire.injection import flags, flags_at_intake
from core.acquire.reference_entries import reference_spans
from core.answer.answers import filters_of, queries_of
from core.answer.check import PassageCheck
from core.answer.context import narrowed
from core.answer.draft import Draft, Evidence, evidence_of
from core.answer.evidence import gather
from core.answer.relevance import Relevance, content_stems
from core.answer.render import gathered_json
from core.labels import AnswerMode, CragAction
from core.ports.context import JobContext
from core.ports.store import Progress
from core.records import Document, Gathered, InjectionFlag, Job, SearchRequest, SearchResult, Strip
from core.retrieve.quality import content_quality
from core.retrieve.search import run_search
from core.text.languages import different_languages
from core.text.terms import names_by_a_letter
from core.verify.without_injections import without_flagged
from core.web.search import WebSearching

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


class Nothing(Exception):
    """There is nothing to answer from; the message says what to do."""

    def __init__(self, told: str, gathered: Mapping[str, object] | None = None) -> None:
        super().__init__(told)
        self.gathered = gathered or {}


@dataclass(frozen=True)
class Material:
    """``evidence`` best first, numbered from 1; ``documents`` by id."""

    gathered: Gathered
    evidence: tuple[Evidence, ...]
    documents: dict[str, Document]
    relevance: Relevance
    check: PassageCheck
    flags: tuple[InjectionFlag, ...]
    notes: tuple[str, ...]

    @cached_property
    def in_reading_order(self) -> list[Evidence]:
        """For a model: passages of a document together and in its order, whatever the question, numbered anew; equal
        evidence makes an equal prompt, which the API can take from its cache."""
        lined = sorted(self.evidence, key=lambda evidence: (evidence.document_id, evidence.start))
        return [replace(one, number=number) for number, one in enumerate(lined, start=1)]

    @property
    def whole(self) -> list[Evidence]:
        """The passages with every sentence of theirs."""
        return [replace(evidence, kept=()) for evidence in self.evidence]

    def by_marker(self, draft: Draft) -> dict[int, Evidence]:
        """What each marker of a draft leads to, without sentences that address a model: they are no evidence."""
        if draft.mode is AnswerMode.GENERATED:
            return {evidence.number: self._without_flagged(evidence) for evidence in self.in_reading_order}
        held = {(evidence.document_id, evidence.passage_id, evidence.start): evidence for evidence in self.evidence}
        found = {}
        for citation in draft.citations:
            key = next(
                place
                for place, flag in held.items()
                if place[:2] == (citation.document_id, citation.passage_id) and flag.start <= citation.start < flag.end
            )  # fmt: skip
            found[citation.marker] = self._without_flagged(held[key])
        return found

    def _without_flagged(self, one: Evidence) -> Evidence:
        if not any(flag.document_id == one.document_id for flag in self.flags):
            return one
        return replace(one, text=without_flagged(one.text))


def gather_material(context: JobContext, job: Job, question: str, progress: Progress) -> Material:
    """Search, correct and refine for a question.

    Raises:
        Nothing: there is nothing to answer from.
        JobCancelled: the user asked to stop.
    """
    store = context.store
    web = WebSearching.of(context)
    if store.coverage("")[1] == 0 and web.why_off():
        raise Nothing(NO_SOURCES)
    if not content_stems(question):
        if not names_by_a_letter(question):
            raise Nothing(NO_WORDS)
        if context.engines.encoder_or_reason()[0] is None:
            raise Nothing(ONE_LETTER)
    request = SearchRequest(
        queries_of(question, job.payload), filters_of(job.payload), k=context.settings.answering.passages,
        depth=context.settings.retrieval.depth,
    )  # fmt: skip

    def search(asked: SearchRequest) -> SearchResult:
        return run_search(asked, store, context.engines, context.settings.retrieval, context.clock)

    gathered = gather(
        question, request, store=store, engines=context.engines, settings=context.settings, search=search,
        progress=progress, web=web, context=context,
    )  # fmt: skip
    encoder, reason = context.engines.encoder_or_reason()
    relevance = Relevance(encoder, reason)
    return _material(context, question, _narrowed(context, question, gathered, relevance), relevance)


def _narrowed(context: JobContext, question: str, gathered: Gathered, relevance: Relevance) -> Gathered:
    """Refined once more, each strip read for itself, where an encoder is there and refinement is on."""
    if relevance.note or gathered.action in (CragAction.OFF, CragAction.NOTHING_FOUND):
        return gathered
    ids = dict.fromkeys(strip.passage_id for strip in gathered.refinement.strips)
    own = {passage.passage.id: passage for passage in gathered.final.result.passages}
    if gathered.action is not CragAction.REPLACED_BY_WEB:
        ids = dict.fromkeys((*own, *ids))
    top = max((one.score for one in own.values()), default=0.0)
    stored = context.store.passages(list(ids))
    passages = [(stored[key], own[key].score / top if key in own and top > 0 else 0.5) for key in ids if key in stored]
    settings = context.settings.crag
    made = narrowed(question, passages, relevance, least=settings.strip_relevance, budget=settings.token_budget)
    return replace(gathered, refinement=made) if made.strips and not relevance.note else gathered


def _material(context: JobContext, question: str, gathered: Gathered, relevance: Relevance) -> Material:
    store = context.store
    strips, notes = _enough_said(context, question, gathered)
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
        {key: document.grade_override or document.grade for key, document in documents.items()},
    )
    if not evidence:
        raise Nothing(NOTHING_FOUND, gathered_json(gathered))
    evidence = [replace(one, listed=_listed(one, documents[one.document_id])) for one in evidence]
    found = _flags(evidence, documents)
    if found:
        names = ", ".join(dict.fromkeys(documents[flag.document_id].title for flag in found))
        notes.append(f"Text that addresses a language model stands in: {names}. It was treated as text, not followed.")
    told = _languages(question, evidence, documents)
    return Material(
        gathered, tuple(evidence), documents, relevance,
        PassageCheck(context.engines, context.settings.verification, documents), found,
        (*gathered.notes, *notes, *told, *([relevance.note] if relevance.note else [])),
    )  # fmt: skip


def _listed(one: Evidence, document: Document) -> tuple[tuple[int, int], ...]:
    return tuple(reference_spans(one.text, one.start, document.headings, document.language))


def _flags(evidence: Sequence[Evidence], documents: Mapping[str, Document]) -> tuple[InjectionFlag, ...]:
    """Places that address a model: in the passages, and anywhere in their sources as these were read."""
    held: dict[tuple[str, str], InjectionFlag] = {}
    for one in evidence:
        here = (replace(flag, document_id=one.document_id) for flag in flags(one.text))
        for flag in (*here, *flags_at_intake(documents[one.document_id])):
            held.setdefault((flag.document_id, flag.quote[:60]), flag)
    return tuple(held.values())


def _enough_said(context: JobContext, question: str, gathered: Gathered) -> tuple[list[Strip], list[str]]:
    """Strips of passages that say enough (SPEC 2); all of them, and a note, when none does."""
    strips = list(gathered.refinement.strips)
    texts = {
        key: passage.text for key, passage in context.store.passages([strip.passage_id for strip in strips]).items()
    }
    threshold = context.settings.retrieval.quality_threshold
    kept = [
        strip for strip in strips if content_quality(texts.get(strip.passage_id, strip.text), question) >= threshold
    ]
    if kept or not strips:
        return kept, []
    return strips, ["Every passage that was found is short or says little; the best of them were used all the same."]


def _languages(question: str, evidence: Sequence[Evidence], documents: Mapping[str, Document]) -> list[str]:
    for one in evidence:
        pair = different_languages(question, question, one.text, documents[one.document_id].language)
        if pair is None:
            return []
    return ["The question and the sources that were found are in different languages; much may have been missed."]
