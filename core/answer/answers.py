"""Grounded answers of one open project: asking, watching, keeping, and turning one into a report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from core.answer.domains import AUTO, DomainChoice, Template, choose_domain, domain_names, template
from core.answer.render import report_of
from core.audit.reports import Auditing
from core.errors import AnswerError, QueryError
from core.evaluate.triad import Triad
from core.labels import AnswerMode, AnswerState, Grade, JobKind, JobState, QueryKind
from core.ports.engines import Engines
from core.ports.store import Clock, ProjectStore
from core.records import MAX_GUIDANCE, Answer, Filters, Job, Query, Variant
from core.retrieve.request import MAX_QUERIES, MAX_QUERY_CHARS
from core.settings.values import Settings
from core.text.jsonable import jsonable

SILENT_S = 60.0
"""A worker that was not heard of for so long is dead: three times the time after which another one takes its job."""
INTERRUPTED = "It was interrupted: nothing writes it any more."
TEMPLATES = "answer_templates"
"""The memo with the guidance that a project has set, by domain."""


class Asking:
    """Answers of one project."""

    def __init__(
        self, store: ProjectStore, engines: Engines, settings: Settings, clock: Clock, schedule: Callable[..., Job]
    ) -> None:
        self._store = store
        self._engines = engines
        self._settings = settings
        self._clock = clock
        self._schedule = schedule

    # ------------------------------------------------------------ asking

    def ask(
        self,
        question: str,
        *,
        variants: Sequence[Variant] = (),
        filters: Filters = Filters(),
        strict: bool | None = None,
        domain: str | None = None,
        mode: AnswerMode | None = None,
        guidance: str = "",
    ) -> tuple[Answer, Job]:
        """Ask a question: the answer is kept at once, empty and being written, and a job fills it.

        Args:
            variants: further queries to search with (those that are on); the question itself always runs.
            strict: every sentence must be supported; None: as the settings say.
            domain: ``auto`` or a domain's name; None: as the settings say.
            mode: EXTRACTIVE: without a language model; GENERATED: with one or not at all; None: with one where that
                is possible, else extractive, and then the answer says why.
            guidance: what the model is told in place of the domain's guidance, for this question.

        Raises:
            QueryError: the question is empty or too long.
            AnswerError: the domain is not known, or the guidance is too long.
        """
        asked = _checked(question)
        wanted = domain or self._settings.answering.domain
        chosen = choose_domain(asked) if wanted == AUTO else DomainChoice(template(wanted).name, "Chosen by hand.")
        if len(guidance) > MAX_GUIDANCE:
            raise AnswerError(f"The guidance has {len(guidance):,} characters; at most {MAX_GUIDANCE:,} are used.")
        be_strict = self._settings.answering.strict if strict is None else strict
        answer = self._store.add_answer(
            Answer(
                id=0, version=0, at=self._clock(), question=asked, state=AnswerState.WRITING,
                mode=mode or AnswerMode.EXTRACTIVE, domain=chosen.name, strict=be_strict,
                fingerprint={"domain_why": chosen.why},
            )
        )  # fmt: skip
        payload = {
            "answer": answer.id,
            "variants": [{"text": variant.text, "kind": variant.kind.value} for variant in variants if variant.on],
            "filters": jsonable(filters),
            "mode": mode.value if mode else "",
            "guidance": guidance.strip(),
        }
        return answer, self._schedule(JobKind.ASK, payload)

    def job_of(self, answer_id: int) -> Job | None:
        """The newest job that writes this answer."""
        jobs = self._store.jobs(kinds=[JobKind.ASK], limit=500)
        return next((job for job in jobs if job.payload.get("answer") == answer_id), None)

    def cancel(self, answer_id: int) -> None:
        """Stop writing an answer; what is there of it stays. One that is finished is left alone (AnswerError when it
        is gone)."""
        answer, job = self._store.answer(answer_id), self.job_of(answer_id)
        if answer.state is not AnswerState.WRITING:
            return
        if job is not None and job.state.active:
            self._store.cancel_job(job.id)
        self._settled(answer)

    # ------------------------------------------------------------ kept answers

    def answers(self, *, limit: int = 200) -> list[Answer]:
        """Newest first."""
        return [self._settled(answer) for answer in self._store.answers(limit=limit)]

    def answer(self, answer_id: int) -> Answer:
        """One answer (AnswerError)."""
        return self._settled(self._store.answer(answer_id))

    def delete(self, answer_id: int) -> None:
        """Remove an answer; one that is being written is stopped."""
        job = self.job_of(answer_id)
        if job is not None and job.state.active:
            self._store.cancel_job(job.id)
        self._store.delete_answer(answer_id)

    def triads(self) -> list[tuple[Answer, Triad]]:
        """Finished answers with their context relevance, groundedness and answer relevance, newest first."""
        done = [answer for answer in self.answers() if answer.state is AnswerState.DONE and answer.text]
        return [(one, triad_of(one)) for one in done]

    def as_report(self, answer_id: int) -> Job:
        """Make a report of an answer, with numbered references and their addresses, and ask for its audit.

        Raises:
            AnswerError: it is gone, still being written, or has no text.
        """
        answer = self.answer(answer_id)
        if answer.state is AnswerState.WRITING:
            raise AnswerError("This answer is still being written. Wait until it is done, then make a report of it.")
        if not answer.text.strip() or not answer.citations:
            raise AnswerError("This answer has no text with citations, so there is nothing to make a report of.")
        wanted = list(dict.fromkeys(citation.document_id for citation in answer.citations))
        text = report_of(answer, self._store.documents_by_id(wanted))
        auditing = Auditing(self._store, self._engines, self._settings, self._clock, self._schedule)
        words = re.findall(r"\w+", answer.question)[:8]
        name = f"answer-{answer.id}-{'-'.join(words).lower()[:60] or 'question'}.md"
        return auditing.add(name, text.encode("utf-8", "replace"), "text/markdown")[1]

    # ------------------------------------------------------------ templates

    def domain_of(self, question: str) -> DomainChoice:
        """The domain that would be chosen for a question, and why."""
        return choose_domain(question)

    def templates(self) -> list[Template]:
        """Every domain with the guidance that holds in this project."""
        overrides = template_overrides(self._store)
        return [template(name, overrides) for name in domain_names()]

    def set_guidance(self, domain: str, guidance: str | None) -> Template:
        """Replace the guidance of a domain in this project; None or nothing brings ours back.

        Raises:
            AnswerError: there is no such domain, or the guidance is too long.
        """
        template(domain)
        text = (guidance or "").strip()
        if len(text) > MAX_GUIDANCE:
            raise AnswerError(f"The guidance has {len(text):,} characters; at most {MAX_GUIDANCE:,} are used.")
        overrides = template_overrides(self._store)
        overrides.pop(domain, None)
        if text:
            overrides[domain] = text
        self._store.set_memo(TEMPLATES, json.dumps(overrides, ensure_ascii=False))
        return template(domain, overrides)

    # ------------------------------------------------------------ inner parts

    def _settled(self, answer: Answer) -> Answer:
        """An answer whose job ended without finishing it (its process died, it was stopped before it began) says so.

        One without a live job is told as interrupted and kept as it is: the next worker may take its job up again.
        """
        if answer.state is not AnswerState.WRITING:
            return answer
        job = self.job_of(answer.id)
        if job is None or job.state.active:
            alive = (job.heartbeat or self._clock()) if job is not None else answer.at
            if (self._clock() - alive).total_seconds() <= SILENT_S:
                return answer
            return replace(answer, state=AnswerState.CANCELLED, missing=f"{INTERRUPTED} Ask again.")
        fresh = self._store.answer(answer.id)  # the job may have ended between the two looks
        if fresh.state is not AnswerState.WRITING:
            return fresh
        stopped = job.state is JobState.CANCELLED
        state = AnswerState.CANCELLED if stopped else AnswerState.FAILED
        told = "It was stopped before it was finished." if stopped else job.error or "It was not finished. Ask again."
        return self._store.put_answer(replace(fresh, state=state, missing=told))


def was_interrupted(answer: Answer) -> bool:
    """Whether an answer that was being written has lost the process that wrote it."""
    return answer.state is AnswerState.CANCELLED and answer.missing.startswith(INTERRUPTED)


def _checked(question: str) -> str:
    asked = question.replace("\x00", "").strip()
    if not asked:
        raise QueryError("The question is empty. Type a question or a few words.")
    if len(asked) > MAX_QUERY_CHARS:
        raise QueryError(
            f"The question has {len(asked):,} characters; at most {MAX_QUERY_CHARS:,} can be asked at once. "
            f"Shorten it: it begins {asked[:60]!r}."
        )
    return asked


def template_overrides(store: ProjectStore) -> dict[str, str]:
    """Guidance that the project has set, by domain."""
    kept = store.memo(TEMPLATES)
    return {str(name): str(text) for name, text in json.loads(kept).items()} if kept else {}


def triad_of(answer: Answer) -> Triad:
    """The triad as it was measured when the answer was made."""
    held = answer.gathered.get("triad")
    values: Mapping[str, Any] = held if isinstance(held, Mapping) else {}
    return Triad(*(values.get(name) for name in ("context_relevance", "groundedness", "answer_relevance")))


def queries_of(question: str, payload: Mapping[str, Any]) -> tuple[Query, ...]:
    """The question and its variants as queries, as a job carries them."""
    variants = [Query(str(one["text"]), QueryKind(one["kind"])) for one in payload.get("variants") or ()]
    held = {variant.text.strip(): variant for variant in reversed([Query(question), *variants]) if variant.text.strip()}
    listed = list(held.values())[::-1]
    return tuple(replace(one, text=one.text[:MAX_QUERY_CHARS]) for one in listed[:MAX_QUERIES])


def filters_of(payload: Mapping[str, Any]) -> Filters:
    """The filters of a job."""
    held: Mapping[str, Any] = payload.get("filters") or {}

    def day(name: str) -> date | None:
        return date.fromisoformat(held[name]) if held.get(name) else None

    def words(name: str) -> tuple[str, ...]:
        return tuple(map(str, held.get(name) or ()))

    grade = Grade(held["min_grade"]) if held.get("min_grade") else None
    return Filters(
        grade, words("documents"), day("published_from"), day("published_to"), words("languages"), words("tags")
    )
