"""The log of decisions: appended to, never changed, whatever becomes of the rows that were decided on."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from core.errors import DatabaseDamaged, ReviewError, RowMoved
from core.labels import DecisionKind, ItemKind
from core.records import Decision, Redacted
from core.records.decision_chain import Entry, entry_from_line, fits_hash, sealed, to_line
from storage.database.codec import clean, damaged, key_or_none, to_stamp
from storage.tables.base import Part, counter
from storage.tables.record_codec import cleaned

Same = tuple[str, str, str, str]
"""Item, kind, person, time: by this an entry of another copy is recognised."""

_TABLES = {ItemKind.CITATION: "findings", ItemKind.CLAIM: "claims"}
_AT_HAND = 10_000
_BACK_AND_FORTH = (DecisionKind.UNDO, DecisionKind.REDO)
_REDACTED = "redacted"
"""Stands in place of the kind of an entry that was handed over as hashes only."""


_STAMPED = {"reports": "0", "findings": "version", "claims": "version"}
"""Tables of rows under review, and what counts as the version of a row."""


class Decisions(Part):
    """Reading and appending. Nothing here changes an answer of the search, so the generation stays."""

    def append_decisions(
        self, decisions: Sequence[Decision], *, seen: Mapping[str, int] | None = None, seen_by: str | None = None
    ) -> list[Decision]:
        """Append entries, all or none; ``id``, ``previous`` and ``hash`` are given here, inside the transaction.
        Everything is compared with what is stored before the first of them. Undo and redo do not look at the row: they
        take back what was decided, whatever became of it since. Raises RowMoved (an item has a newer entry than
        ``seen``, or a row another version, or is gone) or ReviewError (an entry is impossible, or names an entry that
        is not on its item)."""
        decisions = [cleaned(decision) for decision in decisions]
        with self._db.write() as connection:
            for item, newest in (seen or {}).items():
                _require_seen(connection, clean(item), newest, None if seen_by is None else clean(seen_by))
            for decision in decisions:
                if decision.kind not in _BACK_AND_FORTH:
                    _require_row(connection, decision)
            return _append(connection, decisions)

    def import_decisions(self, decisions: Sequence[Decision]) -> list[Decision]:
        """Append entries of another copy of this project as they were decided, after those that are here; returns the
        new ones. Entries that are here already (same item, kind, person, time) are left out; ``target`` and ``settles``
        are mapped to the ids here. Raises ReviewError: an entry is impossible, or names one that is neither given
        before it nor here."""
        decisions = [cleaned(decision) for decision in decisions]
        with self._db.write() as connection:
            here = _same_entries(connection, decisions)
            numbers: dict[int, int] = {}
            fresh: list[Decision] = []
            given: Counter[Same] = Counter()
            first = _head(connection)[0] + 1
            for decision in decisions:
                key = same(decision)
                earlier = here[key][given[key] :]
                given[key] += 1
                numbers[decision.id] = earlier[0] if earlier else first + len(fresh)
                if not earlier:
                    fresh.append(mapped(decision, numbers))
            return _append(connection, fresh)

    def decisions(self, *, item: str | None = None, by: str | None = None, after: int = 0) -> list[Decision]:
        conditions, wanted = ["id > ?", "kind <> ?"], list[object]([min(max(after, 0), 2**63 - 1), _REDACTED])
        for column, value in (("item", item), ("by", by)):
            if value is not None:
                conditions.append(f"{column} = ?")
                wanted.append(clean(value))
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT id, body FROM decisions WHERE {' AND '.join(conditions)} ORDER BY id", wanted
            ).fetchall()
        entries = [_entry_from(number, body) for number, body in rows]
        changed = [entry.id for entry in entries if isinstance(entry, Decision) and not _fits(entry)]
        if changed:
            raise damaged(f"Entry {changed[0]} of the log of decisions", "its hash does not fit its content")
        return [entry for entry in entries if isinstance(entry, Decision)]

    def decision_chain(self) -> list[Entry]:
        with self._db.read() as connection:
            rows = connection.execute("SELECT id, body FROM decisions ORDER BY id").fetchall()
        return [_entry_from(number, body) for number, body in rows]

    def decision_head(self) -> tuple[int, str]:
        with self._db.read() as connection:
            return _head(connection)

    def review_stamp(self) -> tuple[int, ...]:
        """The generation, then of reports, rows and claims how many there are, the newest id, the sum of versions. Ids
        are never given twice (AUTOINCREMENT), so a row that is added raises the newest id; one that is removed lowers
        the number of rows; one that is changed raises its version. No row's content is read."""
        with self._db.read() as connection:
            stamp = [counter(connection, "generation")]
            for table, version in _STAMPED.items():
                stamp += connection.execute(
                    f"SELECT count(*), coalesce(max(id), 0), coalesce(sum({version}), 0) FROM {table}"
                ).fetchone()
        return tuple(stamp)


def insert_decisions(connection: sqlite3.Connection, decisions: Iterable[Entry]) -> None:
    """Store entries as they are, hashes included; the database refuses one that does not follow the newest."""
    connection.executemany(
        "INSERT INTO decisions VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (decision.id, *_columns(decision), decision.previous, decision.hash, to_line(decision))
            for decision in decisions
        ),
    )


def _columns(entry: Entry) -> Same:
    """No item, person or time has an empty name, so no question about one finds a redacted entry."""
    return ("", _REDACTED, "", "") if isinstance(entry, Redacted) else same(entry)


def same(decision: Decision) -> Same:
    """The key by which an entry of one copy of a project is found in another. Raises ReviewError: its time has no
    zone."""
    try:
        return decision.item, decision.kind.value, decision.by, to_stamp(decision.at)
    except (ValueError, OverflowError) as error:
        raise ReviewError(f"The time of a decision on {decision.item[:60]!r} cannot be kept: {error}.") from error


def mapped(decision: Decision, numbers: Mapping[int, int]) -> Decision:
    """The entry with the entries that it names under their new ids. Raises ReviewError: one of them is not in
    ``numbers``."""
    try:
        target = None if decision.target is None else numbers[decision.target]
        return replace(decision, target=target, settles=tuple(numbers[settle] for settle in decision.settles))
    except KeyError as error:
        raise ReviewError(
            f"Entry {decision.id} names entry {error}, which is not before it in what was given. Nothing was taken "
            "over; export the whole log where it came from."
        ) from None


def _append(connection: sqlite3.Connection, decisions: Sequence[Decision]) -> list[Decision]:
    number, previous = _head(connection)
    kept: list[Decision] = []
    for decision in decisions:
        number += 1
        entry = sealed(replace(decision, id=number), previous)
        insert_decisions(connection, [entry])
        _require_same_item(connection, entry)
        previous = entry.hash
        kept.append(entry)
    return kept


def _head(connection: sqlite3.Connection) -> tuple[int, str]:
    row = connection.execute("SELECT id, hash FROM decisions ORDER BY id DESC LIMIT 1").fetchone()
    return (0, "") if row is None else (int(row[0]), str(row[1]))


def _require_seen(connection: sqlite3.Connection, item: str, seen: int, by: str | None) -> None:
    newest, person = connection.execute(
        "SELECT coalesce(max(id), 0), by FROM decisions WHERE item = ?1 AND (?2 IS NULL OR by = ?2)", (item, by)
    ).fetchone()
    if newest > seen:
        raise RowMoved(
            f"{person} has decided on this meanwhile (entry {newest}, you saw {seen}). Nothing was stored; "
            "look at it again, then decide."
        )


def _require_row(connection: sqlite3.Connection, decision: Decision) -> None:
    what = f"The {decision.item_kind.value} {decision.basis.row_id}"
    row = connection.execute(
        f"SELECT version FROM {_TABLES[decision.item_kind]} WHERE id = ?", (key_or_none(decision.basis.row_id),)
    ).fetchone()
    if row is None:
        raise RowMoved(f"{what} is not there any more. Nothing was stored; reload the list.")
    if row[0] != decision.basis.row_version:
        raise RowMoved(
            f"{what} was changed meanwhile (version {row[0]}, you saw {decision.basis.row_version}). Nothing was "
            "stored; look at it again, then decide."
        )


def _require_same_item(connection: sqlite3.Connection, decision: Decision) -> None:
    named = ((decision.target,) if decision.target is not None else ()) + decision.settles
    for earlier in named:
        row = connection.execute("SELECT item FROM decisions WHERE id = ?", (earlier,)).fetchone()
        if row is None or row[0] != decision.item:
            raise ReviewError(f"Entry {earlier} is no decision on {decision.item[:60]!r}. Nothing was stored.")


def _same_entries(connection: sqlite3.Connection, decisions: Sequence[Decision]) -> defaultdict[Same, list[int]]:
    """Ids of the stored entries on the items of ``decisions``, ascending, by what makes them the same."""
    found: defaultdict[Same, list[int]] = defaultdict(list)
    for item in dict.fromkeys(decision.item for decision in decisions):
        for number, *key in connection.execute(
            "SELECT id, item, kind, by, at FROM decisions WHERE item = ? ORDER BY id", (item,)
        ):
            found[tuple(key)].append(number)
    return found


@lru_cache(maxsize=_AT_HAND)
def _read(body: str) -> Entry:
    """Entries never change, and every look at the queue needs all of them."""
    return entry_from_line(body)


_fits = lru_cache(maxsize=_AT_HAND)(fits_hash)


def _entry_from(number: int, body: str) -> Entry:
    try:
        return _read(body)
    except ReviewError as error:
        raise DatabaseDamaged(
            f"Entry {number} of the log of decisions cannot be read ({error}). Restore the project from an exported "
            "zip or a backup."
        ) from error
