"""Projects open in newer versions; those that cannot be read say so."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import DatabaseDamaged, DatabaseTooNew, DatabaseTooOld
from core.labels import Role
from core.records import Filters, Person
from storage.catalog import SqliteCatalog
from storage.database import migrations
from storage.database.database import Database
from storage.database.migrations import FIRST, latest, migrate, version
from tests.contract.asked import make_answer, make_question
from tests.contract.builders import add
from tests.contract.judged import add_report, make_claim
from tests.contract.reviewed import decide_all
from tests.helpers.rotting import Rotting

SUMMED = ("documents", "passage_texts", "reports", "vectors", "document_tags", "people", "document_urls")
"""Tables with a column of checksums."""


@pytest.fixture
def later_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A migration as a later version would add it: one decorated function."""
    monkeypatch.setattr(migrations, "_STEPS", list(migrations._STEPS))

    @migrations.migration(latest() + 1)
    def colours(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE colours(name TEXT)")
        connection.execute("INSERT INTO colours VALUES('red')")


def _tables(database: Database) -> set[str]:
    with database.read() as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def test_the_steps_make_the_whole_schema_and_are_done_once(tmp_path: Path) -> None:
    database = Database(tmp_path / "fresh.db", create=True)
    assert migrate(database, fresh=True) == latest() - FIRST + 1
    assert version(database) == latest()
    assert {"documents", "passages", "jobs", "reports", "decisions", "llm_calls"} <= _tables(database)
    assert migrate(database) == 0
    database.close()


@pytest.mark.parametrize("number", range(1, FIRST))
def test_a_project_from_before_the_first_release_is_refused_and_left_alone(catalog: SqliteCatalog, number: int) -> None:
    slug = catalog.create("Old").slug
    path = catalog.root / slug / "project.db"
    database = Database(path)
    with database.write() as connection:
        connection.execute(f"PRAGMA user_version={number}")
    database.close()
    before = path.read_bytes()
    with pytest.raises(DatabaseTooOld, match=f"schema {number} from before the first release"):
        catalog.open(slug)
    (summary,) = catalog.summaries()
    assert summary.problem is not None
    assert "add the sources again" in summary.problem
    assert path.read_bytes() == before


def test_a_project_of_today_opens_in_a_later_version_with_its_data(
    catalog: SqliteCatalog, request: pytest.FixtureRequest
) -> None:
    slug = catalog.create("Today").slug
    store = catalog.open(slug)
    document = add(store, "Otters swim in the mill.")
    report = add_report(store)
    (claim,) = store.add_claims([make_claim(report_id=report.id, start=0, end=11)])
    decide_all(store, store.findings(report.id))
    store.put_person(Person("Ada", Role.OWNER, report.created))
    question = store.save_question(make_question())
    answer = store.add_answer(make_answer(document, store.text(document.id)))
    decisions = store.decisions()
    store.close()
    request.getfixturevalue("later_step")
    again = catalog.open(slug)
    assert version(again._db) == latest()
    assert "colours" in _tables(again._db)
    assert (again.documents(), again.reports(), again.claims()) == ([document], [report], [claim])
    assert (again.decisions(), again.questions(), again.answers()) == (decisions, [question], [answer])
    again.close()


def _without_checksums(folder: Path) -> None:
    """The project as the version before the checksums wrote it."""
    with closing(sqlite3.connect(folder / "project.db")) as connection:
        for table in SUMMED:
            connection.execute(f"ALTER TABLE {table} DROP COLUMN sum")
        for table in ("findings", "claims", "verdicts", "questions", "answers", "llm_calls"):
            connection.execute(f"UPDATE {table} SET body = substr(body, 1, length(body) - 8)")
        connection.execute("PRAGMA user_version=7")
        connection.commit()
    with closing(sqlite3.connect(folder / "late.db")) as connection:
        connection.execute("ALTER TABLE tokens DROP COLUMN sum")
        connection.execute("PRAGMA user_version=2")
        connection.commit()


def test_a_project_from_before_the_checksums_gets_them_and_loses_nothing(tmp_path: Path) -> None:
    rotting = Rotting(tmp_path / "root")
    _without_checksums(rotting.folder)
    with closing(rotting.catalog.open(rotting.slug)) as store:
        assert store.problems() == []
        read = {name: reading(store) for name, reading in rotting.readings.items()}
    assert read == {**rotting.wanted, "cache": None}


@pytest.mark.usefixtures("later_step")
def test_a_failed_step_leaves_the_version_before(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", create=True)
    with database.write() as connection:
        connection.execute("CREATE TABLE colours(in_the_way INTEGER)")
        connection.execute(f"PRAGMA application_id={migrations.APPLICATION_ID}")
    with pytest.raises(Exception, match="colours"):
        migrate(database, fresh=True)
    assert version(database) == latest() - 1
    database.close()


def test_sources_of_the_first_schema_are_accepted_and_uncorrected_in_todays(catalog: SqliteCatalog) -> None:
    slug = catalog.create("First").slug
    store = catalog.open(slug)
    document = add(store, "Otters swim in the mill.")
    store.close()
    database = Database(catalog.root / slug / "project.db")
    with database.write() as connection:
        connection.execute("DROP INDEX documents_waiting")
        connection.execute("ALTER TABLE documents DROP COLUMN mended")
        connection.execute("ALTER TABLE documents DROP COLUMN accepted")
        for table in SUMMED:
            connection.execute(f"ALTER TABLE {table} DROP COLUMN sum")
        connection.execute("PRAGMA user_version=6")
    database.close()
    again = catalog.open(slug)
    assert again.documents() == [document]
    again.close()


def test_a_step_out_of_order_is_refused() -> None:
    with pytest.raises(ValueError, match="out of order"):
        migrations.migration(FIRST)(lambda connection: None)


def test_a_project_from_the_future_is_left_alone(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Future").slug
    path = catalog.root / slug / "project.db"
    database = Database(path)
    with database.write() as connection:
        connection.execute(f"PRAGMA user_version={latest() + 1}")
    database.close()
    before = path.read_bytes()
    with pytest.raises(DatabaseTooNew, match="Update the workbench"):
        catalog.open(slug)
    (summary,) = catalog.summaries()
    assert summary.problem is not None
    assert "Update" in summary.problem
    assert path.read_bytes() == before


def test_a_foreign_database_is_refused(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Foreign").slug
    path = catalog.root / slug / "project.db"
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE other(x)")
    connection.close()
    with pytest.raises(DatabaseDamaged, match="not of a project"):
        catalog.open(slug)


def test_reopening_changes_nothing(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Again").slug
    store = catalog.open(slug)
    document = add(store, "Otters.")
    generation = store.generation()
    store.close()
    again = catalog.open(slug)
    assert again.generation() == generation
    assert again.documents() == [document]
    assert len(again.lexical(["otter"], Filters(), 5)) == 1
    again.close()
