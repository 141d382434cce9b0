"""Old projects open in newer versions; newer ones say so."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core.errors import DatabaseDamaged, DatabaseTooNew
from core.labels import Role
from core.records import Filters, Person
from storage.catalog import SqliteCatalog
from storage.database.database import Database
from storage.database.migrations import latest, migrate, version
from tests.contract.asked import make_answer, make_call, make_question
from tests.contract.builders import add
from tests.contract.judged import add_report, make_claim, make_verdict
from tests.contract.reviewed import decide_all

INSERT_BLOB = "INSERT INTO blobs VALUES('b', 1, 0.0)"


def _schema(database: Database) -> set[tuple[str, str, str]]:
    with database.read() as connection:
        return set(connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_schema").fetchall())


@pytest.mark.parametrize("start", range(latest()))
def test_a_project_of_every_earlier_version_opens_with_its_data(tmp_path: Path, start: int) -> None:
    fresh = Database(tmp_path / "fresh.db", create=True)
    migrate(fresh, fresh=True)
    old = Database(tmp_path / "old.db", create=True)
    assert migrate(old, upto=start, fresh=True) == start
    if start:
        with old.write() as connection:
            connection.execute(INSERT_BLOB)
    assert migrate(old, fresh=True) == latest() - start
    assert version(old) == latest()
    assert _schema(old) == _schema(fresh)
    with old.read() as connection:
        assert connection.execute("SELECT count(*) FROM blobs").fetchone() == (1 if start else 0,)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert migrate(old) == 0
    old.close()
    fresh.close()


def test_a_project_made_before_there_were_reports_takes_them_and_keeps_its_sources(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Old").slug
    store = catalog.open(slug)
    document = add(store, "Otters swim in the mill.")
    store.close()
    path = catalog.root / slug / "project.db"
    with sqlite3.connect(path) as connection:  # exactly what steps 4 to 6 add is taken away again
        for table in (
            "questions",
            "answers",
            "llm_calls",
            "decisions",
            "people",
            "verdicts",
            "claims",
            "findings",
            "report_texts",
            "reports",
        ):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version=3")
    connection.close()
    three, now = Database(path.with_name("three.db"), create=True), Database(path)
    migrate(three, upto=3, fresh=True)
    assert _schema(now) == _schema(three)
    for database in (three, now):
        database.close()
    (summary,) = catalog.summaries()
    assert (summary.problem, summary.documents) == (None, 1)
    again = catalog.open(slug)
    assert again.documents() == [document]
    report = add_report(again)
    (claim,) = again.add_claims([make_claim(report_id=report.id, start=0, end=11)])
    again.keep_verdicts({"k": make_verdict(document, again.text(document.id))})
    assert len(again.findings(report.id)) == 3
    assert again.claims(report_id=report.id) == [claim]
    again.delete(document.id)
    assert again.verdicts(["k"]) == {}
    again.close()


def test_a_project_made_before_questions_were_asked_takes_them_and_keeps_reports_and_decisions(
    catalog: SqliteCatalog,
) -> None:
    slug = catalog.create("Five").slug
    store = catalog.open(slug)
    document = add(store, "Otters swim in the mill.")
    report = add_report(store)
    store.add_claims([make_claim(report_id=report.id, start=0, end=11)])
    decide_all(store, store.findings(report.id))
    store.put_person(Person("Ada", Role.OWNER, report.created))
    before = (store.documents(), store.reports(), store.findings(report.id), store.claims(), store.decisions())
    store.close()
    path = catalog.root / slug / "project.db"
    with sqlite3.connect(path) as connection:  # exactly what step 6 adds is taken away again
        for table in ("questions", "answers", "llm_calls"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version=5")
    connection.close()
    five, now = Database(path.with_name("five.db"), create=True), Database(path)
    migrate(five, upto=5, fresh=True)
    assert _schema(now) == _schema(five)
    for database in (five, now):
        database.close()
    again = catalog.open(slug)
    assert before == (
        again.documents(),
        again.reports(),
        again.findings(report.id),
        again.claims(),
        again.decisions(),
    )
    assert (again.questions(), again.answers(), list(again.calls()), again.spent()) == ([], [], [], (0.0, 0.0))
    question = again.save_question(make_question())
    answer = again.add_answer(make_answer(document, again.text(document.id)))
    call = again.begin_call(make_call(), reserve_usd=0.1, budget_usd=1.0)
    again.close()
    third = catalog.open(slug)
    assert (third.questions(), third.answers(), list(third.calls())) == ([question], [answer], [call])
    third.close()


def test_a_failed_step_leaves_the_version_before(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", create=True)
    migrate(database, upto=1, fresh=True)
    with database.write() as connection:
        connection.execute("CREATE TABLE passage_texts(in_the_way INTEGER)")
    with pytest.raises(Exception, match="passage_texts"):
        migrate(database)
    assert version(database) == 1
    with database.read() as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'passages'").fetchone() == (0,)
    database.close()


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
