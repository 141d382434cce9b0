"""The log of decisions, people and policy out of a zip: refused unless it could have been written by the workbench. The
log is kept exactly as it is, hashes included, so that it can be compared with the one where it came from. What it says
about rows and sources is history and need not be in the zip any more."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ReviewError
from core.labels import ItemKind, Role
from core.records import Decision, Person, ReviewPolicy
from core.records.decision_chain import Entry, faults_of
from storage.archive.read import ArchiveReader
from storage.tables.checks import MAX_COUNT
from storage.tables.decisions import insert_decisions
from storage.tables.people import check_person, check_policy, insert_person, write_policy

MAX_PEOPLE = 10_000


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Decisions, people and policy of a zip."""

    decisions: Sequence[Entry]
    people: Sequence[Person]
    policy: ReviewPolicy


def read_review(reader: ArchiveReader) -> Reviewed:
    """Decisions, people and policy of a zip, checked. Raises HostileArchive: the chain of decisions is broken, an entry
    is impossible, or a name, time or share is."""
    decisions = reader.decisions()
    faults = faults_of(decisions)
    if faults:
        more = f" ({len(faults) - 1} more faults)" if len(faults) > 1 else ""
        raise reader.hostile(f"its log of decisions is not whole: {faults[0].rstrip('.')}{more}")
    _check_ids(reader, decisions)
    review = reader.review()
    names = {person.name for person in review.people}
    if len(names) < len(review.people) or len(names) > MAX_PEOPLE:
        raise reader.hostile(f"a person occurs twice in it, or there are more than {MAX_PEOPLE}")
    if review.people and not any(person.role is Role.OWNER for person in review.people):
        raise reader.hostile("none of its people is an owner, so nobody could change that")
    try:
        check_policy(review.policy)
        for person in review.people:
            check_person(person)
    except ReviewError as error:
        raise reader.hostile(f"its people or policy are wrong: {error}") from error
    return Reviewed(decisions, review.people, review.policy)


def _check_ids(reader: ArchiveReader, entries: Sequence[Entry]) -> None:
    for decision in _readable(entries):
        ids = (decision.basis.row_id, decision.basis.report_id, decision.basis.report_family)
        if not all(number is None or number < MAX_COUNT for number in ids):
            raise reader.hostile(f"entry {decision.id} of its log of decisions rests on a row with an impossible id")


def restore_review(connection: sqlite3.Connection, reviewed: Reviewed) -> None:
    """Store them as they are; ids that the log names are not given to other rows later."""
    insert_decisions(connection, reviewed.decisions)
    for person in reviewed.people:
        insert_person(connection, person)
    write_policy(connection, reviewed.policy)
    kinds = ((ItemKind.CITATION, "findings"), (ItemKind.CLAIM, "claims"))
    decisions = _readable(reviewed.decisions)
    used = {
        table: [decision.basis.row_id for decision in decisions if decision.item_kind is kind] for kind, table in kinds
    }
    used["reports"] = [
        number or 0 for decision in decisions for number in (decision.basis.report_id, decision.basis.report_family)
    ]
    for table, numbers in used.items():
        _reserve(connection, table, max(numbers, default=0))


def _readable(entries: Sequence[Entry]) -> list[Decision]:
    return [entry for entry in entries if isinstance(entry, Decision)]


def _reserve(connection: sqlite3.Connection, table: str, upto: int) -> None:
    """The next id of an AUTOINCREMENT table comes after ``upto``."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    if row is None:
        connection.execute("INSERT INTO sqlite_sequence(name, seq) VALUES(?, ?)", (table, upto))
    elif row[0] < upto:
        connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", (upto, table))
