"""The log of decisions on disk: no program can change it, damage is named."""

from __future__ import annotations

import pytest

from core.errors import DatabaseDamaged, ReviewError
from core.labels import Role
from core.records import Person
from storage.database.engine import IntegrityError
from storage.store import SqliteProjectStore
from tests.contract.builders import START
from tests.contract.judged import add_report
from tests.contract.reviewed import decide_all

SAME = "SELECT id, item, kind, by, at, previous, 'x', body FROM decisions WHERE id = 1"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE decisions SET by = 'bo' WHERE id = 1", "never changed"),
        ("UPDATE decisions SET id = 9 WHERE id = 3", "never changed"),
        ("DELETE FROM decisions WHERE id = 3", "never removed"),
        ("DELETE FROM decisions", "never removed"),
        (f"INSERT OR REPLACE INTO decisions {SAME}", "must follow"),
        (f"REPLACE INTO decisions {SAME.replace('id,', '4,', 1)}", "must follow"),
        ("INSERT INTO decisions SELECT 5, item, kind, by, at, hash, 'x', body FROM decisions WHERE id = 3", "follow"),
        (
            "INSERT INTO decisions SELECT NULL, item, kind, by, at, hash, 'x', body FROM decisions WHERE id = 3",
            "follow",
        ),
    ],
)
def test_the_database_refuses_changes_of_the_log_by_whatever_program(
    store: SqliteProjectStore, statement: str, said: str
) -> None:
    log = decide_all(store, store.findings(add_report(store).id))
    with pytest.raises(IntegrityError, match=said), store._db.write() as connection:
        connection.execute(statement)
    assert store.decisions() == log


def test_an_entry_that_cannot_be_read_is_named(store: SqliteProjectStore) -> None:
    decide_all(store, store.findings(add_report(store).id))
    with store._db.write() as connection:
        connection.execute("DROP TRIGGER decision_stays")
        connection.execute("UPDATE decisions SET body = replace(body, 'accept', 'approve') WHERE id = 2")
    with pytest.raises(DatabaseDamaged, match=r"Entry 2 .* kind"):
        store.decisions()
    assert len(store.decisions(after=2)) == 1


@pytest.mark.parametrize("value", ["{", "[]", '{"threshold": 7}', '{"more": 1}', '{"threshold": "x"}'])
def test_a_policy_that_cannot_be_read_is_named(store: SqliteProjectStore, value: str) -> None:
    with store._db.write() as connection:
        connection.execute("INSERT INTO meta VALUES('review_policy', ?)", (value,))
    with pytest.raises(DatabaseDamaged, match="policy"):
        store.review_policy()


def test_people_that_cannot_be_read_are_named(store: SqliteProjectStore) -> None:
    store.put_person(Person("ann", Role.OWNER, START))
    with store._db.write() as connection:
        connection.execute("UPDATE people SET role = 'king'")
    with pytest.raises(DatabaseDamaged, match="people"):
        store.people()
    with pytest.raises(ReviewError):
        store.put_person(Person("", Role.OWNER, START))
