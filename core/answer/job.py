"""The job that answers a question: gather evidence, write, check every sentence, and store the answer as it grows."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from core.answer.amount import amount_asked
from core.answer.answers import template_overrides
from core.answer.check import figures, split, worthy
from core.answer.domains import Template, template
from core.answer.draft import Draft, without_markers
from core.answer.extractive import extractive
from core.answer.generated import generated, generated_natively
from core.answer.grounding import Grounding, confidence, ground
from core.answer.material import Material, NothingToAnswer, gather_material
from core.answer.prompts import Reply, answer_prompt, partial_answer, reply_of_text
from core.answer.render import gathered_json
from core.answer.sentences import candidates
from core.audit.audit_page import refresh_audit_page
from core.errors import AnswerError, JobCancelled, LlmError, WorkbenchError
from core.evaluate.measures import triad
from core.labels import AnswerMode, AnswerState, CragClass
from core.llm.budget import LanguageModel
from core.llm.reply_json import structured_reply
from core.ports.asking import OnText
from core.ports.context import JobContext
from core.ports.store import Progress, ProjectStore
from core.records import Answer, Completion, Job, Prompt
from core.text.jsonable import jsonable

EVERY_S = 0.25
Write = Callable[[Prompt, OnText | None], Completion]


class Writing:
    """An answer that is being written. ``answer`` is its present state, which ``put`` and ``end`` store."""

    def __init__(self, store: ProjectStore, answer: Answer) -> None:
        self._store = store
        self.answer = answer
        self._put_at = 0.0

    def change(self, **fields: Any) -> None:
        """Change fields; nothing is stored yet."""
        self.answer = replace(self.answer, **fields)

    def note(self, text: str) -> None:
        self.answer = replace(self.answer, notes=(*self.answer.notes, text))

    def put(self) -> None:
        """Store the present state (AnswerError when the answer was deleted meanwhile)."""
        self._put_at = time.monotonic()
        self.answer = self._store.put_answer(self.answer)

    def end(self, state: AnswerState, **fields: Any) -> None:
        self.answer = replace(self.answer, state=state, **fields)
        self.put()

    def stream(
        self, write: Write, shown: Callable[[str], str], pulse: Callable[[], None]
    ) -> Callable[[Prompt], Completion]:
        """A function that asks the model, stores its words as they come and adds up the cost. ``shown``: the text
        for the user in the reply so far. ``pulse``: called with every piece; may raise JobCancelled, which ends the
        call."""

        def ask(prompt: Prompt) -> Completion:
            pieces: list[str] = []

            def on_text(piece: str) -> None:
                pulse()
                if piece:
                    pieces.append(piece)
                    if time.monotonic() - self._put_at >= EVERY_S:
                        self.change(text=shown("".join(pieces)))
                        self.put()

            try:
                completion = write(prompt, on_text)
            except BaseException as error:
                self._paid(getattr(error, "completion", None))
                raise
            self._paid(completion)
            return completion

        return ask

    def _paid(self, completion: Completion | None) -> None:
        if completion is None:
            return
        before = self.answer.cost_usd
        costs = [cost for cost in (before, completion.cost_usd) if cost is not None]
        self.change(model=completion.model, cost_usd=sum(costs) if costs else None)


NO_AMOUNT = (
    "The question asks how much, and no sentence of this answer gives an amount of that kind. The sources may not say "
    "it."
)
OFF_TOPIC = (
    "What was found was judged not to answer the question. The sentences stand in their sources word for word; whether "
    "they answer is for you to see, and they do not count as grounded."
)
STEPS = 4
"""Number of steps: searching, writing, checking, done."""


def run_ask(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Write the answer ``payload["answer"]``. Its state tells how the job ended.

    Raises:
        JobCancelled: the user asked to stop (the text so far stays), or the answer was deleted meanwhile.
        LlmError: a language model was required and did not answer.
    """
    number = int(str(job.payload["answer"]))
    try:
        return _run(context, job, progress, number)
    except AnswerError as error:
        if _exists(context, number):
            raise
        raise JobCancelled("The answer was deleted while it was being written.") from error


def _exists(context: JobContext, number: int) -> bool:
    try:
        context.store.answer(number)
    except AnswerError:
        return False
    return True


def _run(context: JobContext, job: Job, progress: Progress, number: int) -> Mapping[str, object]:
    answer = context.store.answer(number)
    if answer.state is not AnswerState.WRITING:
        return {"answer": answer.id, "state": answer.state.value}
    writing = Writing(context.store, replace(answer, text="", bullets=(), notes=()))
    try:
        _answer(context, job, progress, writing)
    except JobCancelled:
        with suppress(AnswerError):  # whoever deletes an answer stops its job: there is nothing left to write to
            writing.end(AnswerState.CANCELLED, missing="It was stopped before it was finished.")
        raise
    except WorkbenchError as error:
        writing.end(AnswerState.FAILED, missing=str(error))
        raise
    except Exception as error:
        writing.end(AnswerState.FAILED, missing=f"{type(error).__name__}: {error}. Details are in the log.")
        raise
    return {"answer": answer.id, "state": writing.answer.state.value, "confidence": writing.answer.confidence}


def _answer(context: JobContext, job: Job, progress: Progress, writing: Writing) -> None:
    progress(0, STEPS, "Searching")
    try:
        material = gather_material(context, job, writing.answer.question, progress)
    except NothingToAnswer as reason:
        writing.end(AnswerState.DONE, missing=str(reason), gathered=reason.gathered)
        return
    progress(1, STEPS, "Writing")
    writing.change(notes=material.notes, flags=material.flags)
    draft = _draft(context, job, progress, writing, material)
    if draft.missing:
        writing.end(
            AnswerState.DONE, mode=draft.mode, text="", missing=draft.missing,
            notes=(*writing.answer.notes, *draft.notes), gathered=gathered_json(material.gathered),
            fingerprint=_fingerprint(context, writing, material, draft),
        )  # fmt: skip
        return
    writing.change(
        mode=draft.mode, text=draft.text, bullets=draft.bullets, citations=draft.citations,
        notes=(*writing.answer.notes, *draft.notes),
    )  # fmt: skip
    writing.put()
    progress(2, STEPS, "Checking every sentence")
    _check(context, progress, writing, material, draft)
    refresh_audit_page(context.store, context.engines.encoder_fingerprint(), context.clock(), whole=True)
    progress(STEPS, STEPS, "Done")


def _draft(context: JobContext, job: Job, progress: Progress, writing: Writing, material: Material) -> Draft:
    """The draft by a language model where one is wanted and answers; else an extractive draft, with the reason."""
    mode = str(job.payload.get("mode") or "")
    if mode != AnswerMode.EXTRACTIVE:
        llm = LanguageModel(context)
        status = llm.status()
        try:
            if mode == AnswerMode.GENERATED or status.on:
                return _generated(context, job, progress, writing, material, llm)
            writing.note(f"No language model was asked. {status.reason}")
        except LlmError as error:
            if mode == AnswerMode.GENERATED:
                raise
            writing.change(text="", mode=AnswerMode.EXTRACTIVE)
            writing.note(f"The language model did not answer, so the sources' own sentences are shown: {error}")
    return extractive(
        writing.answer.question, material.evidence, split, material.relevance,
        None if material.off_topic else material.check.contradicts,
        threshold=context.settings.verification.contradiction, unwanted=[flag.quote for flag in material.flags],
        figures=figures if material.comparable else None,
    )  # fmt: skip


def _generated(
    context: JobContext, job: Job, progress: Progress, writing: Writing, material: Material, llm: LanguageModel
) -> Draft:
    native = context.settings.llm.native_citations
    evidence = material.in_reading_order
    prompt = answer_prompt(writing.answer.question, evidence, _template(context, job, writing.answer), native=native)
    writing.change(mode=AnswerMode.GENERATED)
    shown = _plain_text if native else partial_answer
    stream = writing.stream(llm.write, shown, lambda: progress(1, STEPS, "Writing"))
    if native:
        completion = stream(prompt)
        if completion.truncated:
            writing.note("The reply of the language model was cut off at its greatest length.")
        return generated_natively(completion, evidence)
    reply: Reply = structured_reply(stream, prompt, Reply)[0]
    return generated(reply, evidence)


def _plain_text(reply: str) -> str:
    return reply_of_text(reply).answer


def _template(context: JobContext, job: Job, answer: Answer) -> Template:
    chosen = template(answer.domain, template_overrides(context.store))
    guidance = str(job.payload.get("guidance") or "")
    return replace(chosen, guidance=guidance, edited=True) if guidance else chosen


def _check(context: JobContext, progress: Progress, writing: Writing, material: Material, draft: Draft) -> None:
    settings = context.settings.answering
    by_number = material.by_marker(draft)

    def pulse(done: int, total: int) -> None:
        progress(2, STEPS, f"Checking sentence {done + 1} of {total}")

    grounding = ground(
        draft, by_number, material.check, worthy,
        threshold=settings.grounding, strict=writing.answer.strict, pulse=pulse,
    )  # fmt: skip
    final = material.gathered.final
    retrieval = final.judgement.confidence if final.judgement else final.gate.confidence
    amount = amount_asked(writing.answer.question, figures)
    lacks_amount = amount is not None and not any(
        amount.is_in(without_markers(draft.claim_text(claim))) for claim in draft.claims
    )
    if lacks_amount and draft.claims:
        writing.note(NO_AMOUNT)
    score, level = confidence(
        draft.citations, grounding.score, grounded=grounding.grounded, retrieval=retrieval,
        verdict=CragClass.INCORRECT if material.off_topic else None, disputed=bool(draft.disputed),
        quoted=draft.mode is AnswerMode.EXTRACTIVE, lacks_amount=lacks_amount,
    )  # fmt: skip
    grounded = grounding.grounded
    if draft.mode is AnswerMode.EXTRACTIVE and material.off_topic:  # quotations are supported by themselves
        grounded = False
        writing.note(OFF_TOPIC)
    writing.end(
        AnswerState.DONE, sentences=grounding.sentences, grounding_score=grounding.score, grounded=grounded,
        confidence=score, confidence_level=level,
        gathered={**gathered_json(material.gathered), "triad": _triad(writing, material, draft, grounding)},
        fingerprint=_fingerprint(context, writing, material, draft),
    )  # fmt: skip


def _triad(writing: Writing, material: Material, draft: Draft, grounding: Grounding) -> dict[str, object]:
    question = writing.answer.question
    context = [candidate.relevance for candidate in candidates(question, material.whole, split, material.relevance)]
    claims = [(draft.claim_text(claim), 1.0) for claim in draft.claims if claim.bullet is None]
    checked = [sentence for sentence in grounding.sentences if sentence.label is not None and sentence.bullet is None]
    values = jsonable(
        triad(context, [sentence.supported for sentence in checked], material.relevance(question, claims))
    )
    assert isinstance(values, dict)
    return values


def _fingerprint(context: JobContext, writing: Writing, material: Material, draft: Draft) -> dict[str, object]:
    return {
        **writing.answer.fingerprint,
        "search": jsonable(material.gathered.final.result.fingerprint),
        "judge": material.check.fingerprint,
        "settings": context.settings.fingerprint(),
        "mode": draft.mode.value,
        "model": writing.answer.model,
    }
