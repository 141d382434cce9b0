"""The service of answers of one open project: ask, follow, read and delete answers, and make a report of one."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from core.answer.domains import AUTO, DomainChoice, Template, choose_domain, domain_names, template
from core.answer.render import report_of
from core.audit.reports import Audits
from core.errors import AnswerError, QueryError
from core.evaluate.measures import Triad
from core.labels import AnswerMode, AnswerState, Grade, JobKind, JobState, QueryKind
from core.ports.context import ProjectContext
from core.ports.store import ProjectStore
from core.records import MAX_GUIDANCE, Answer, Filters, Job, Query, Variant
from core.retrieve.request import MAX_QUERIES, MAX_QUERY_CHARS
from core.text.jsonable import jsonable

SILENT_S = 60.0
"""Silence of a worker that counts as dead: three times the time after which another worker takes its job."""
_INTERRUPTED = "It was interrupted: nothing writes it any more. Ask again."
TEMPLATES = "answer_templates"
"""The memo with the project's own guidance by domain."""


class Answers:
    """Answers of one project."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store

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
        """Ask a question. An empty answer is stored at once, and a job writes it.

        Args:
            variants: further queries to search with (those that are on); the question itself always runs.
            strict: True: every sentence must be supported; None: as in the settings.
            domain: ``auto`` or the name of a domain; None: as in the settings.
            mode: EXTRACTIVE: without a language model; GENERATED: with a language model or not at all; None: with a
                language model where that is possible, else extractive, and the answer says why.
            guidance: guidance for the model in place of the domain's, for this question.

        Raises:
            QueryError: the question is empty or too long.
            AnswerError: the domain is not known, or the guidance is too long.
        """
        text = _checked(question)
        wanted = domain or self._context.settings.answering.domain
        chosen = choose_domain(text) if wanted == AUTO else DomainChoice(template(wanted).name, "Chosen by hand.")
        if len(guidance) > MAX_GUIDANCE:
            raise AnswerError(f"The guidance has {len(guidance):,} characters; at most {MAX_GUIDANCE:,} are used.")
        be_strict = self._context.settings.answering.strict if strict is None else strict
        answer = self._store.add_answer(
            Answer(
                id=0, version=0, at=self._context.clock(), question=text, state=AnswerState.WRITING,
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
        return answer, self._context.schedule(JobKind.ASK, payload)

    def job_of(self, answer_id: int) -> Job | None:
        """The newest job that writes this answer."""
        jobs = self._store.jobs(kinds=[JobKind.ASK], limit=500)
        return next((job for job in jobs if job.payload.get("answer") == answer_id), None)

    def cancel(self, answer_id: int) -> None:
        """Stop the writing of an answer; its text so far stays. A finished answer is left alone (AnswerError when it is
        gone)."""
        answer, job = self._store.answer(answer_id), self.job_of(answer_id)
        if answer.state is not AnswerState.WRITING:
            return
        if job is not None and job.state.active:
            self._store.cancel_job(job.id)
        self._settled(answer)

    def all(self, *, limit: int = 200) -> list[Answer]:
        """The answers, newest first."""
        return [self._settled(answer) for answer in self._store.answers(limit=limit)]

    def get(self, answer_id: int) -> Answer:
        """An answer by its id (AnswerError)."""
        return self._settled(self._store.answer(answer_id))

    def delete(self, answer_id: int) -> None:
        """Remove an answer; the writing of it is stopped."""
        job = self.job_of(answer_id)
        if job is not None and job.state.active:
            self._store.cancel_job(job.id)
        self._store.delete_answer(answer_id)

    def triads(self) -> list[tuple[Answer, Triad]]:
        """Finished answers with their context relevance, groundedness and answer relevance, newest first."""
        done = [answer for answer in self.all() if answer.state is AnswerState.DONE and answer.text]
        return [(answer, triad_of(answer)) for answer in done]

    def as_report(self, answer_id: int) -> Job:
        """Make a report of an answer, with numbered references and their addresses, and ask for its audit. Raises
        AnswerError: it is gone, still being written, or has no text."""
        answer = self.get(answer_id)
        if answer.state is AnswerState.WRITING:
            raise AnswerError("This answer is still being written. Wait until it is done, then make a report of it.")
        if not answer.text.strip() or not answer.citations:
            raise AnswerError("This answer has no text with citations, so there is nothing to make a report of.")
        wanted = list(dict.fromkeys(citation.document_id for citation in answer.citations))
        text = report_of(answer, self._store.documents_by_id(wanted))
        auditing = Audits(self._context)
        words = re.findall(r"\w+", answer.question)[:8]
        name = f"answer-{answer.id}-{'-'.join(words).lower()[:60] or 'question'}.md"
        return auditing.add(name, text.encode("utf-8", "replace"), "text/markdown")[1]

    def domain_of(self, question: str) -> DomainChoice:
        """The domain that would be chosen for a question, and why."""
        return choose_domain(question)

    def templates(self) -> list[Template]:
        """Every domain with the guidance that holds in this project."""
        overrides = template_overrides(self._store)
        return [template(name, overrides) for name in domain_names()]

    def set_guidance(self, domain: str, guidance: str | None) -> Template:
        """Replace the guidance of a domain in this project; None or "" restores the built-in guidance. Raises
        AnswerError: there is no such domain, or the guidance is too long."""
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

    def _settled(self, answer: Answer) -> Answer:
        """The answer, marked as ended when its job ended without finishing it: the process died, or the job was
        stopped. An answer without a live job is only shown as interrupted, not stored: the next worker may take its job
        up again."""
        if answer.state is not AnswerState.WRITING:
            return answer
        job = self.job_of(answer.id)
        if job is None or job.state.active:
            alive = (job.heartbeat or self._context.clock()) if job is not None else answer.at
            # A sign of life from the future is none: the clock was set back since, and it could be from any time.
            if abs((self._context.clock() - alive).total_seconds()) <= SILENT_S:
                return answer
            return replace(answer, state=AnswerState.INTERRUPTED, missing=_INTERRUPTED)
        fresh = self._store.answer(answer.id)  # the job may have ended between the two looks
        if fresh.state is not AnswerState.WRITING:
            return fresh
        stopped = job.state is JobState.CANCELLED
        state = AnswerState.CANCELLED if stopped else AnswerState.FAILED
        reason = "It was stopped before it was finished." if stopped else job.error or "It was not finished. Ask again."
        return self._store.put_answer(replace(fresh, state=state, missing=reason))


def _checked(question: str) -> str:
    text = question.replace("\x00", "").strip()
    if not text:
        raise QueryError("The question is empty. Type a question or a few words.")
    if len(text) > MAX_QUERY_CHARS:
        raise QueryError(
            f"The question has {len(text):,} characters; at most {MAX_QUERY_CHARS:,} can be asked at once. "
            f"Shorten it: it begins {text[:60]!r}."
        )
    return text


def template_overrides(store: ProjectStore) -> dict[str, str]:
    """The project's own guidance by domain."""
    memo = store.memo(TEMPLATES)
    return {str(name): str(text) for name, text in json.loads(memo).items()} if memo else {}


def triad_of(answer: Answer) -> Triad:
    stored = answer.gathered.get("triad")
    values: Mapping[str, Any] = stored if isinstance(stored, Mapping) else {}
    return Triad(*(values.get(name) for name in ("context_relevance", "groundedness", "answer_relevance")))


def queries_of(question: str, payload: Mapping[str, Any]) -> tuple[Query, ...]:
    """The question and its variants as queries, from the payload of a job."""
    variants = [Query(str(variant["text"]), QueryKind(variant["kind"])) for variant in payload.get("variants") or ()]
    by_text = {
        variant.text.strip(): variant for variant in reversed([Query(question), *variants]) if variant.text.strip()
    }
    listed = list(by_text.values())[::-1]
    return tuple(replace(query, text=query.text[:MAX_QUERY_CHARS]) for query in listed[:MAX_QUERIES])


def filters_of(payload: Mapping[str, Any]) -> Filters:
    """The filters in the payload of a job."""
    stored: Mapping[str, Any] = payload.get("filters") or {}

    def day(name: str) -> date | None:
        return date.fromisoformat(stored[name]) if stored.get(name) else None

    def words(name: str) -> tuple[str, ...]:
        return tuple(map(str, stored.get(name) or ()))

    grade = Grade(stored["min_grade"]) if stored.get("min_grade") else None
    return Filters(
        grade, words("documents"), day("published_from"), day("published_to"), words("languages"), words("tags")
    )
