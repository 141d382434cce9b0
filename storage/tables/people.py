"""Who may look at or review this project, and how it is reviewed."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

from core.errors import DatabaseDamaged, ReviewError
from core.labels import Role
from core.records import Person, ReviewPolicy
from core.records.decision_chain import require_name
from storage.database.codec import checksum, clean, dump, moment, to_stamp
from storage.tables.base import Part

_POLICY = "review_policy"


class People(Part):
    """People by name and the policy. Nothing here changes an answer of the search, so the generation stays."""

    def people(self) -> list[Person]:
        with self._db.read() as connection:
            rows = connection.execute("SELECT name, role, created FROM people ORDER BY id").fetchall()
        try:
            return [Person(name, Role(role), moment(created)) for name, role, created in rows]
        except ValueError as error:
            raise DatabaseDamaged(
                f"The people of {self._db.path} cannot be read ({error}). Restore the project from an exported zip."
            ) from error

    def put_person(self, person: Person) -> None:
        check_person(person)
        with self._db.write() as connection, _an_owner_stays(connection, person.name):
            insert_person(connection, person)

    def remove_person(self, name: str) -> None:
        with self._db.write() as connection, _an_owner_stays(connection, name):
            connection.execute("DELETE FROM people WHERE name = ?", (clean(name),))

    def review_policy(self) -> ReviewPolicy:
        """The review policy of this project; the default while none was set."""
        with self._db.read() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (_POLICY,)).fetchone()
        try:
            policy = ReviewPolicy() if row is None else ReviewPolicy(**json.loads(row[0]))
            check_policy(policy)
        except (ValueError, TypeError, ReviewError) as error:
            raise DatabaseDamaged(
                f"The review policy of {self._db.path} cannot be read ({error}). Restore the project from an "
                "exported zip or a backup."
            ) from error
        return policy

    def set_review_policy(self, policy: ReviewPolicy) -> None:
        """Keep the policy, in place of the earlier one. Raises ReviewError: a threshold or precision is not between 0
        and 1."""
        check_policy(policy)
        with self._db.write() as connection:
            write_policy(connection, policy)


@contextmanager
def _an_owner_stays(connection: sqlite3.Connection, name: str) -> Iterator[None]:
    """Inside the transaction, so that two owners who take each other's role away at once do not both succeed."""
    count = "SELECT count(*), count(*) FILTER (WHERE role = ?) FROM people"
    _, before = connection.execute(count, (Role.OWNER.value,)).fetchone()
    yield
    people, owners = connection.execute(count, (Role.OWNER.value,)).fetchone()
    if before and people and not owners:
        raise ReviewError(f"{name!r} is the last owner of this project. Make somebody else an owner first.")


def insert_person(connection: sqlite3.Connection, person: Person) -> None:
    """Store someone, or their new role."""
    connection.execute(
        "INSERT INTO people(name, role, created, sum) VALUES(?, ?, ?, ?) "
        "ON CONFLICT(name) DO UPDATE SET role = excluded.role, sum = excluded.sum",
        (person.name, person.role.value, to_stamp(person.created), checksum(person.name, person.role.value)),
    )


def write_policy(connection: sqlite3.Connection, policy: ReviewPolicy) -> None:
    connection.execute(
        "INSERT INTO meta VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        (_POLICY, dump(asdict(policy))),
    )


def check_policy(policy: ReviewPolicy) -> None:
    """Refuse a share that is none (ReviewError)."""
    for what, share in (("threshold", policy.threshold), ("target precision", policy.target_precision)):
        if share is not None and not 0.0 <= share <= 1.0:
            raise ReviewError(f"The {what} {share} is not between 0 and 1. Nothing was stored.")


def check_person(person: Person) -> None:
    """Refuse a name that nobody can have, and a time without a zone (ReviewError)."""
    require_name(person.name)
    try:
        to_stamp(person.created)
    except (ValueError, OverflowError) as error:
        raise ReviewError(f"The time when {person.name!r} was added cannot be kept: {error}.") from error
