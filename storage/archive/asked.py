"""Questions, answers and calls of language models in a zip: written as they stand, refused unless they could have been
written by the workbench. Ids are kept; those of passages are of another database and are found again by their places.
An answer that cites a source which is not in the zip, or words that do not stand in it, is kept but no longer counts as
grounded."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from core.errors import StorageError
from core.labels import AnswerState, CallState
from core.records import Answer, AnswerCitation, Document, LlmCall, Question
from storage.archive.format import ANSWERS, CALLS, QUESTIONS, aware
from storage.archive.judged import passage_at
from storage.archive.read import ArchiveReader
from storage.store import SqliteProjectStore
from storage.tables.answers import insert_answer, packed_answer, stopped_answer
from storage.tables.checks import MAX_COUNT, check_answer, check_call, check_question
from storage.tables.llm_calls import insert_call
from storage.tables.questions import insert_question
from storage.tables.record_codec import ANSWER, LLM_CALL, QUESTION, pack

_EXPORTED = "The project was exported before {} had ended."
_LOST = "It cites words that are not in the project any more, so it does not count as grounded."
_TEXTS_AT_HAND = 64
_EVERY = 2**31


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions, answers and calls of language models of a project or a zip, each by id."""

    questions: Sequence[Question] = ()
    answers: Sequence[Answer] = ()
    calls: Sequence[LlmCall] = ()

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.questions or self.answers or self.calls)


def asked_of(store: SqliteProjectStore) -> Asked:
    """Those of a project. Answers and calls that are under way count as ended: the zip cannot learn how they end."""
    answers = [
        stopped_answer(answer, _EXPORTED.format("this answer")) if answer.state is AnswerState.WRITING else answer
        for answer in reversed(store.answers(limit=_EVERY))
    ]
    questions = sorted(store.questions(), key=lambda question: question.id)
    return Asked(questions, answers, store.settled_calls(_EXPORTED.format("this call")))


def read_asked(reader: ArchiveReader, documents: Sequence[Document]) -> Asked:
    """Those of a zip, checked. Raises HostileArchive: something could not have been written by the workbench."""
    sources = _Sources(reader, documents)
    try:
        questions = [_question(question) for question in reader.questions()]
        answers = [sources.answer(answer) for answer in reader.answers()]
        calls = [_call(call) for call in reader.calls()]
    except StorageError as error:
        raise reader.hostile(f"a question, answer or call in it cannot be: {error}") from error
    ids: tuple[tuple[str, list[int]], ...] = (
        ("a question", [question.id for question in questions]),
        ("an answer", [answer.id for answer in answers]),
        ("a call of a language model", [call.id for call in calls]),
    )
    for what, numbers in ids:
        if len(set(numbers)) < len(numbers) or not all(0 < number < MAX_COUNT for number in numbers):
            raise reader.hostile(f"the id of {what} is impossible or occurs twice")
    return Asked(questions, answers, calls)


def restore_asked(connection: sqlite3.Connection, asked: Asked) -> None:
    """Store them under the ids of the zip."""
    for question in asked.questions:
        insert_question(connection, *pack(QUESTION, question), keep_id=True)
    for answer in asked.answers:
        cited = tuple(_placed(connection, citation) for citation in answer.citations)
        insert_answer(connection, *packed_answer(replace(answer, citations=cited)), keep_id=True)
    for call in asked.calls:
        insert_call(connection, *pack(LLM_CALL, call), keep_id=True)


def _question(question: Question) -> Question:
    check_question(question)
    return replace(question, created=_time(question.created), changed=_time(question.changed))


def _call(call: LlmCall) -> LlmCall:
    check_call(call)
    if call.state is CallState.STARTED:
        raise StorageError(f"call {call.id} has not ended")
    return replace(call, at=_time(call.at))


def _time(moment: datetime) -> datetime:
    return aware(moment) or moment


def _placed(connection: sqlite3.Connection, citation: AnswerCitation) -> AnswerCitation:
    """The citation with the passage of this database, 0 where there is none."""
    passage_id = passage_at(connection, citation.document_id, (citation.start, citation.end))
    return replace(citation, passage_id=passage_id or 0)


class _Sources:
    """The documents of a zip, to check against them what answers cite."""

    def __init__(self, reader: ArchiveReader, documents: Sequence[Document]) -> None:
        self._reader = reader
        self._documents = {document.id: document for document in documents}
        self._text: Callable[[str], str] = lru_cache(_TEXTS_AT_HAND)(
            lambda document_id: reader.text(self._documents[document_id])
        )

    def answer(self, answer: Answer) -> Answer:
        check_answer(answer)
        if answer.state in (AnswerState.WRITING, AnswerState.INTERRUPTED):
            raise StorageError(f"answer {answer.id} has not ended")
        answer = replace(answer, at=_time(answer.at))
        if all(map(self._stands, answer.citations)):
            return answer
        notes = answer.notes if _LOST in answer.notes else (*answer.notes, _LOST)
        return replace(answer, grounded=False, notes=notes)

    def _stands(self, citation: AnswerCitation) -> bool:
        """Whether the excerpt, but for ellipses and space, is made of the cited words of the document."""
        if citation.document_id not in self._documents:
            return False
        text = self._text(citation.document_id)
        if citation.end > len(text):
            raise self._reader.hostile(f"a citation lies outside the text of document {citation.document_id}")
        cited = _squeezed(text[citation.start : citation.end])
        pieces = citation.excerpt.replace("...", "…").split("…")
        return all(_squeezed(piece) in cited for piece in pieces)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def asked_lines(asked: Asked) -> Iterable[tuple[str, Iterable[bytes]]]:
    yield QUESTIONS, (QUESTION.dump_json(question) for question in asked.questions)
    yield ANSWERS, (ANSWER.dump_json(answer) for answer in asked.answers)
    yield CALLS, (LLM_CALL.dump_json(call) for call in asked.calls)
