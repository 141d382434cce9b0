"""Answers, also while they are being written."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import replace

from core.errors import AnswerError, StorageError
from core.labels import AnswerState
from core.records import Answer
from storage.database.codec import Row, key_or_none, moment, to_stamp
from storage.tables.base import Part, insert
from storage.tables.checks import check_answer
from storage.tables.record_codec import ANSWER, pack, unpack

_COLUMNS = "id, version, at, body"


class Answers(Part):
    """The answers of one project. Nothing here changes an answer of the search, so the generation stays."""

    def add_answer(self, answer: Answer) -> Answer:
        answer, body = packed_answer(replace(answer, at=self._clock()))
        with self._db.write() as connection:
            return _read_one(connection, insert_answer(connection, answer, body))

    def put_answer(self, answer: Answer) -> Answer:
        answer, body = packed_answer(answer)
        with self._db.write(durable=answer.state is not AnswerState.WRITING) as connection:
            stored = connection.execute(
                "SELECT version, at FROM answers WHERE id = ?", (key_or_none(answer.id),)
            ).fetchone()
            if stored is None:
                raise _unknown(answer.id)
            version, at = stored
            connection.execute(
                "UPDATE answers SET version = ?, state = ?, body = ? WHERE id = ?",
                (version + 1, answer.state.value, body, answer.id),
            )
        return replace(answer, version=version + 1, at=moment(at))

    def answers(self, *, limit: int = 200) -> list[Answer]:
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM answers ORDER BY id DESC LIMIT ?", (max(0, min(limit, 2**62)),)
            ).fetchall()
        return [answer_from(row) for row in rows]

    def answer(self, answer_id: int) -> Answer:
        with self._db.read() as connection:
            return _read_one(connection, answer_id)

    def delete_answer(self, answer_id: int) -> None:
        """Remove an answer; one that is not there any more is no error."""
        with self._db.write() as connection:
            connection.execute("DELETE FROM answers WHERE id = ?", (key_or_none(answer_id),))


def packed_answer(answer: Answer) -> tuple[Answer, str]:
    """The answer as it will be read again, and its JSON (StorageError)."""
    answer = replace(answer, gathered=_plain(answer.gathered), fingerprint=_plain(answer.fingerprint))
    check_answer(answer)
    return pack(ANSWER, answer)


def insert_answer(connection: sqlite3.Connection, answer: Answer, body: str, *, keep_id: bool = False) -> int:
    """Store a new answer as version 1; returns its id, which is its own with ``keep_id``."""
    number, at, state = answer.id if keep_id else None, to_stamp(answer.at), answer.state.value
    return insert(connection, "answers", id=number, version=1, at=at, state=state, body=body)


def stop_answers(connection: sqlite3.Connection, why: str) -> None:
    """Answers that another copy of the project is still writing are not written here."""
    writing = connection.execute(
        f"SELECT {_COLUMNS} FROM answers WHERE state = ?", (AnswerState.WRITING.value,)
    ).fetchall()
    for answer in map(answer_from, writing):
        stopped, body = packed_answer(stopped_answer(answer, why))
        connection.execute(
            "UPDATE answers SET state = ?, body = ? WHERE id = ?", (stopped.state.value, body, answer.id)
        )


def stopped_answer(answer: Answer, why: str) -> Answer:
    """The answer as it stands, if nobody writes it any further."""
    return replace(answer, state=AnswerState.CANCELLED, missing=answer.missing or why)


def answer_from(row: Row) -> Answer:
    """An answer from ``id, version, at, body``."""
    number, version, at, body = row
    return replace(unpack(ANSWER, body, f"Answer {number}"), id=number, version=version, at=moment(at))


def _read_one(connection: sqlite3.Connection, number: int) -> Answer:
    row = connection.execute(f"SELECT {_COLUMNS} FROM answers WHERE id = ?", (key_or_none(number),)).fetchone()
    if row is None:
        raise _unknown(number)
    return answer_from(row)


def _plain(value: Mapping[str, object]) -> Mapping[str, object]:
    """As JSON gives it back: tuples as lists, keys as texts, lone surrogates as question marks."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        plain: Mapping[str, object] = json.loads(text.encode("utf-8", "replace"))
    except (TypeError, ValueError, RecursionError) as error:
        raise StorageError(f"What an answer rests on cannot be kept as JSON ({error}). Nothing was stored.") from error
    return plain


def _unknown(number: int) -> AnswerError:
    return AnswerError(f"There is no answer {number} in this project. It may have been deleted; reload the list.")
