"""Calls of language models and their money: reserved before a call, spent after it."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from core.errors import BudgetReached, StorageError
from core.labels import CallState
from core.records import LlmCall
from storage.database.codec import Row, key_or_none, moment, to_stamp
from storage.tables.base import Part, insert
from storage.tables.checks import check_call, check_money
from storage.tables.record_codec import LLM_CALL, pack, unpack

LOST_AFTER = timedelta(hours=1)
"""A call that began longer ago and never ended was lost with its process; its reservation counts as spent. So does one
from further in the future: the clock was set back since."""
_ROUNDING = 1e-9
"""US dollars: sums of many small floats may be off by less."""
_COLUMNS = "id, at, body"


class LlmCalls(Part):
    """The calls of one project. Nothing here changes an answer of the search, so the generation stays."""

    def begin_call(self, call: LlmCall, *, reserve_usd: float, budget_usd: float) -> LlmCall:
        """Record that a call begins (``id`` and ``at`` are given here) and reserve its greatest cost. The check and the
        record are one BEGIN IMMEDIATE transaction: two processes cannot both spend the last cent. Raises BudgetReached
        (spent, reserved and this together exceed the budget; nothing was recorded) or StorageError (an amount is
        negative or no finite number)."""
        check_money(reserve_usd)
        check_money(budget_usd)
        check_call(call)
        now = self._clock()
        call, body = pack(LLM_CALL, replace(call, at=now, state=CallState.STARTED))
        with self._db.write() as connection:
            spent, reserved = _spent(connection, now)
            if spent + reserved + reserve_usd > budget_usd + _ROUNDING:
                raise BudgetReached(
                    f"This call could cost up to ${reserve_usd:.4f}. Of this project's budget of ${budget_usd:.2f}, "
                    f"${spent:.4f} are spent and ${reserved:.4f} are reserved for calls under way. Nothing was sent. "
                    "Raise llm.budget_usd in the settings to go on."
                )
            return replace(call, id=insert_call(connection, call, body, reserved=reserve_usd))

    def end_call(self, call: LlmCall) -> None:
        check_call(call)
        if call.state is CallState.STARTED:
            raise StorageError(f"Call {call.id} has not ended. Say how it ended.")
        call, body = pack(LLM_CALL, call)
        with self._db.write() as connection:
            done = connection.execute(
                "UPDATE llm_calls SET state = ?, cost = ?, reserved = 0, body = ? WHERE id = ?",
                (call.state.value, call.cost_usd or 0.0, body, key_or_none(call.id)),
            ).rowcount
        if not done:
            raise StorageError(f"There is no call {call.id} in this project, so its end cannot be written down.")

    def calls(self, *, limit: int = 10_000) -> Sequence[LlmCall]:
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM llm_calls ORDER BY id DESC LIMIT ?", (max(0, min(limit, 2**62)),)
            ).fetchall()
        return [_call_from(row) for row in rows]

    def spent(self) -> tuple[float, float]:
        with self._db.read() as connection:
            return _spent(connection, self._clock())

    def settled_calls(self, why: str) -> list[LlmCall]:
        """All calls, oldest first, as another copy of the project takes them over: it cannot learn how a call under
        way ends, so that one has failed there and cost what was reserved."""
        with self._db.read() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS}, reserved FROM llm_calls ORDER BY id").fetchall()
        return [_settled(_call_from(row[:3]), row[3], why) for row in rows]


def insert_call(
    connection: sqlite3.Connection, call: LlmCall, body: str, *, reserved: float = 0.0, keep_id: bool = False
) -> int:
    """Store a new call; returns its id, which is its own with ``keep_id``."""
    number, at, state, cost = call.id if keep_id else None, to_stamp(call.at), call.state.value, call.cost_usd or 0.0
    return insert(connection, "llm_calls", id=number, at=at, state=state, reserved=reserved, cost=cost, body=body)


def settle_calls(connection: sqlite3.Connection, why: str) -> None:
    """In a copy of a project, end the calls that the original is still making."""
    rows = connection.execute(
        f"SELECT {_COLUMNS}, reserved FROM llm_calls WHERE state = ?", (CallState.STARTED.value,)
    ).fetchall()
    for row in rows:
        call, body = pack(LLM_CALL, _settled(_call_from(row[:3]), row[3], why))
        connection.execute(
            "UPDATE llm_calls SET state = ?, cost = ?, reserved = 0, body = ? WHERE id = ?",
            (call.state.value, call.cost_usd or 0.0, body, call.id),
        )


def _settled(call: LlmCall, reserved: float, why: str) -> LlmCall:
    if call.state is not CallState.STARTED:
        return call
    return replace(call, state=CallState.FAILED, cost_usd=reserved, error=why)


def _spent(connection: sqlite3.Connection, now: datetime) -> tuple[float, float]:
    spent, lost, reserved = connection.execute(
        "SELECT total(cost), total(reserved) FILTER (WHERE at <= ?1 OR at > ?2), "
        "total(reserved) FILTER (WHERE at > ?1 AND at <= ?2) FROM llm_calls",
        (to_stamp(now - LOST_AFTER), to_stamp(now + LOST_AFTER)),
    ).fetchone()
    return spent + lost, reserved


def _call_from(row: Row) -> LlmCall:
    number, at, body = row
    return replace(unpack(LLM_CALL, body, f"Call {number}"), id=number, at=moment(at))
