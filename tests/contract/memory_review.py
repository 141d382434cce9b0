"""The log of decisions, people and policy of the store in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.errors import ReviewError, RowMoved
from core.labels import DecisionKind, ItemKind, Role
from core.ports.store import Clock
from core.records import Claim, Decision, Finding, Person, Redacted, ReviewPolicy
from core.records.decision_chain import require_name, sealed
from storage.tables.record_codec import cleaned
from tests.contract.memory_audits import MemoryAudits


class MemoryReview(MemoryAudits):
    """``ReviewStore`` in lists."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._decisions: list[Decision] = []
        self._people: dict[str, Person] = {}
        self._policy = ReviewPolicy()

    def append_decisions(
        self, decisions: Sequence[Decision], *, seen: Mapping[str, int] | None = None, seen_by: str | None = None
    ) -> list[Decision]:
        with self._lock:
            for item, newest in (seen or {}).items():
                for one in self.decisions(item=item, by=seen_by, after=newest):
                    raise RowMoved(f"{one.by} has decided meanwhile.")
            for one in decisions:
                if one.kind not in (DecisionKind.UNDO, DecisionKind.REDO):
                    self._require_row(one)
            return self._append(decisions)

    def _require_row(self, decision: Decision) -> None:
        rows: Mapping[int, Finding | Claim]
        rows = self._findings if decision.item_kind is ItemKind.CITATION else self._claims
        row = rows.get(decision.basis.row_id)
        if row is None:
            raise RowMoved("The row is not there any more.")
        if row.version != decision.basis.row_version:
            raise RowMoved("The row was changed meanwhile.")

    def _append(self, decisions: Sequence[Decision]) -> list[Decision]:
        log = list(self._decisions)
        for one in decisions:
            entry = sealed(replace(cleaned(one), id=len(log) + 1), log[-1].hash if log else "")
            named = [*entry.settles, *([] if entry.target is None else [entry.target])]
            if any(log[number - 1].item != entry.item for number in named):
                raise ReviewError("An entry names one of another item.")
            log.append(entry)
        fresh, self._decisions = log[len(self._decisions) :], log
        return fresh

    def import_decisions(self, decisions: Sequence[Decision]) -> list[Decision]:
        with self._lock:
            here: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
            for one in self._decisions:
                here[one.item, one.kind, one.by, one.at].append(one.id)
            numbers: dict[int, int] = {}
            fresh: list[Decision] = []
            for one in decisions:
                if one.at.tzinfo is None:
                    raise ReviewError("A time has no zone.")
                known = here[one.item, one.kind, one.by, one.at]
                if known:
                    numbers[one.id] = known.pop(0)
                    continue
                numbers[one.id] = len(self._decisions) + len(fresh) + 1
                named = [*one.settles, *([] if one.target is None else [one.target])]
                if not set(named) <= set(numbers):
                    raise ReviewError("An entry names one that was not given.")
                target = None if one.target is None else numbers[one.target]
                fresh.append(replace(one, target=target, settles=tuple(numbers[settled] for settled in one.settles)))
            return self._append(fresh)

    def decisions(self, *, item: str | None = None, by: str | None = None, after: int = 0) -> list[Decision]:
        return [one for one in self._decisions if one.id > after and item in (None, one.item) and by in (None, one.by)]

    def decision_chain(self) -> list[Decision | Redacted]:
        return list(self._decisions)

    def decision_head(self) -> tuple[int, str]:
        return (self._decisions[-1].id, self._decisions[-1].hash) if self._decisions else (0, "")

    def review_stamp(self) -> tuple[int, ...]:
        rows: list[Finding | Claim] = [*self._findings.values(), *self._claims.values()]
        return (
            self.generation(), len(self._reports), max(self._reports, default=0), len(rows),
            max((one.id for one in rows), default=0), sum(one.version for one in rows),
        )  # fmt: skip

    def people(self) -> list[Person]:
        return list(self._people.values())

    def put_person(self, person: Person) -> None:
        require_name(person.name)
        if person.created.tzinfo is None:
            raise ReviewError("A time has no zone.")
        with self._lock:
            known = self._people.get(person.name)
            kept = replace(person, created=known.created if known else person.created)
            self._set_people({**self._people, person.name: kept})

    def remove_person(self, name: str) -> None:
        with self._lock:
            self._set_people({other: one for other, one in self._people.items() if other != name})

    def _set_people(self, people: dict[str, Person]) -> None:
        owned, stays = (any(one.role is Role.OWNER for one in some.values()) for some in (self._people, people))
        if owned and people and not stays:
            raise ReviewError("The last owner cannot go.")
        self._people = people

    def review_policy(self) -> ReviewPolicy:
        return self._policy

    def set_review_policy(self, policy: ReviewPolicy) -> None:
        if not all(one is None or 0 <= one <= 1 for one in (policy.threshold, policy.target_precision)):
            raise ReviewError("This is no share.")
        self._policy = policy
