"""Saved questions with their variants."""

import sqlite3
from dataclasses import replace

from core.errors import AnswerError
from core.records import Question
from storage.database.codec import Row, key_or_none, moment, to_stamp
from storage.tables.base import Part, insert, require_version
from storage.tables.checks import check_question
from storage.tables.record_codec import QUESTION, pack, unpack

_COLUMNS = "id, version, created, changed, body"


class Questions(Part):
    """The questions of one project. Nothing here changes an answer of the search, so the generation stays."""

    def save_question(self, question: Question) -> Question:
        """Keep a new question (``id`` 0) or the next version of one; id, version and times are given here. Raises
        AnswerError (the question was deleted meanwhile) or RowMoved (it has another version than the caller saw)."""
        check_question(question)
        now = self._clock()
        question, body = pack(QUESTION, replace(question, changed=now))
        with self._db.write() as connection:
            if not question.id:
                return _read_one(connection, insert_question(connection, replace(question, created=now), body))
            stored = _read_one(connection, question.id)
            require_version("Question", question.id, stored.version, question.version)
            connection.execute(
                "UPDATE questions SET version = ?, changed = ?, body = ? WHERE id = ?",
                (stored.version + 1, to_stamp(now), body, question.id),
            )
            return _read_one(connection, question.id)

    def questions(self) -> list[Question]:
        with self._db.read() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM questions ORDER BY changed DESC, id DESC").fetchall()
        return [_question_from(row) for row in rows]

    def question(self, question_id: int) -> Question:
        with self._db.read() as connection:
            return _read_one(connection, question_id)

    def delete_question(self, question_id: int) -> None:
        """Remove a question; one that is not there any more is no error."""
        with self._db.write() as connection:
            connection.execute("DELETE FROM questions WHERE id = ?", (key_or_none(question_id),))


def insert_question(connection: sqlite3.Connection, question: Question, body: str, *, keep_id: bool = False) -> int:
    """Store a new question as version 1; returns its id, which is its own with ``keep_id``."""
    number = question.id if keep_id else None
    created, changed = to_stamp(question.created), to_stamp(question.changed)
    return insert(connection, "questions", id=number, version=1, created=created, changed=changed, body=body)


def _read_one(connection: sqlite3.Connection, number: int) -> Question:
    row = connection.execute(f"SELECT {_COLUMNS} FROM questions WHERE id = ?", (key_or_none(number),)).fetchone()
    if row is None:
        raise AnswerError(f"There is no saved question {number} in this project. It may have been deleted; reload.")
    return _question_from(row)


def _question_from(row: Row) -> Question:
    number, version, created, changed, body = row
    question = unpack(QUESTION, body, f"Question {number}")
    return replace(question, id=number, version=version, created=moment(created), changed=moment(changed))
