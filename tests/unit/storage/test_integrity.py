"""A changed byte is told by the thing that it changed; a whole project has no faults."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from core.commands.__main__ import app
from core.errors import DatabaseDamaged, JobCancelled
from core.labels import Reason, Role, Status
from core.records import Filters, Person, QuantizedTokens
from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables.base import utc_now
from storage.tables.blobs import blob_path, pack
from tests.contract.builders import add
from tests.contract.judged import add_report, make_claim
from tests.helpers.rotting import Rotting

TEXT = "Otters swim in the river. Herons stand beside it. The council counted forty of each in spring and in autumn."


def _execute(store: SqliteProjectStore, statement: str, *values: object) -> None:
    with sqlite3.connect(store.layout.database) as connection:
        connection.create_function("pack", 1, lambda text: pack(text.encode()))
        connection.execute(statement, values)


def test_a_whole_project_has_no_faults(store: SqliteProjectStore) -> None:
    add(store, TEXT)
    assert store.problems() == []


def test_a_changed_word_of_a_text_is_damage_when_it_is_read(store: SqliteProjectStore) -> None:
    document = add(store, TEXT)
    changed = TEXT.replace("forty", "fifty")
    _execute(store, "UPDATE document_texts SET body = ?", pack(changed.encode()))
    with pytest.raises(DatabaseDamaged, match=r"does not match its SHA-256.*Restore"):
        store.text(document.id)
    assert any(document.id in line for line in store.problems())


def test_a_changed_passage_is_told_by_document_and_place(store: SqliteProjectStore) -> None:
    document = add(store, TEXT)
    _execute(store, "UPDATE passage_texts SET text = replace(text, 'Otters', 'Badger') WHERE id = 1")
    assert store.problems() == [
        f"Passage 1 of document {document.id} is not what was stored. Add the source again."
    ]  # fmt: skip


def test_a_changed_file_of_received_bytes_is_told_by_its_path(store: SqliteProjectStore) -> None:
    document = add(store, TEXT)
    path = blob_path(store.layout, document.blob_hash)
    path.write_bytes(pack(TEXT.replace("forty", "fifty").encode()))
    assert any(str(path) in line for line in store.problems())


def test_no_changed_byte_of_the_databases_gives_another_answer_without_a_word(tmp_path: Path) -> None:
    rotting, drawn = Rotting(tmp_path / "root"), random.Random(16)
    for at in range(90):
        place = (*rotting.places(drawn, targeted=at % 3 == 0), drawn.randrange(8))
        outcomes = rotting.outcomes(*place)
        assert not [row for row in outcomes if row.startswith("raw") or row.endswith("silent")], (place, outcomes)


def test_a_vector_and_a_matrix_that_changed_are_left_out_and_made_anew(store: SqliteProjectStore) -> None:
    add(store, TEXT, size=40)
    hashes = [text_hash for text_hash, _ in store.missing("e", 10)]
    rows = np.eye(len(hashes), 4, dtype=np.float32)
    matrices = [QuantizedTokens(np.ones((2, 4), np.int8), 0.5)] * len(hashes)
    store.put_vectors("e", hashes, rows, matrices)
    late = store.layout.database.with_name("late.db")
    with sqlite3.connect(late) as connection:
        connection.execute("UPDATE tokens SET scale = 0.25 WHERE text_hash = ?", (bytes.fromhex(hashes[0]),))
    _execute(store, "UPDATE vectors SET vector = zeroblob(8) WHERE text_hash = ?", bytes.fromhex(hashes[1]))
    told = store.problems()
    assert [line.split(": ", 1)[1][:20] for line in told] == ["1 token matrices are", "1 vectors are not wh"]
    assert sorted(store.tokens([1, 2, 3], "e")) == [2, 3]
    assert [hit.passage_id for hit in store.dense(np.ones(4, np.float32), "e", Filters(), 9)] == [1, 3]
    assert [text_hash for text_hash, _ in store.missing("e", 10)] == hashes[:2]
    assert store.coverage("e") == (1, 3)
    store.put_vectors("e", hashes, rows, matrices)
    assert store.problems() == []
    assert (sorted(store.tokens([1, 2, 3], "e")), sorted(store.vectors([1, 2, 3], "e"))) == ([1, 2, 3], [1, 2, 3])


def test_the_command_says_what_differs_and_ends_with_one(tmp_path: Path) -> None:
    root = tmp_path / "root"
    catalog = SqliteCatalog(root, utc_now)
    slug = catalog.create("Checked").slug
    with closing(catalog.open(slug)) as store:
        add(store, TEXT)
        sound = CliRunner().invoke(app, ["--root", str(root), "check", slug])
        assert (sound.exit_code, "Sound" in sound.output) == (0, True)
        _execute(store, "UPDATE passage_texts SET text = 'Otters fly.' WHERE id = 1")
    rotten = CliRunner().invoke(app, ["--root", str(root), "check", slug])
    assert rotten.exit_code == 1
    assert "Passage 1" in rotten.output


@pytest.mark.parametrize(
    "change", ["status = 'PATS'", "status = 'REVIEW'", "reasons = '[\"low_support\"]'", "reasons = '[\"low'"]
)
def test_a_filtered_list_tells_a_row_whose_columns_changed_and_does_not_leave_it_out(
    tmp_path: Path, change: str
) -> None:
    rotting = Rotting(tmp_path / "root")
    with closing(rotting.catalog.open(rotting.slug)) as store:
        (report,) = store.reports()
        (row,) = store.findings(report.id, statuses=(Status.PASS,))
        assert [found.id for found in store.findings(report.id, reasons=(Reason.LOW_SUPPORT,))] != [row.id]
        _execute(store, f"UPDATE findings SET {change} WHERE id = ?", row.id)
        for filters in ({"statuses": (Status.PASS,)}, {"reasons": (Reason.LOW_SUPPORT,)}):
            with pytest.raises(DatabaseDamaged, match=f"of report {report.id} is not as it was stored"):
                store.findings(report.id, **filters)  # type: ignore[arg-type]
        assert any(f"of report {report.id} is not as it was stored" in line for line in store.problems())


def test_an_index_of_words_that_differs_is_made_anew_and_told(store: SqliteProjectStore) -> None:
    add(store, TEXT)
    _execute(store, "INSERT INTO word_index(word_index, rowid, terms) VALUES('delete', 1, 'otter swim river')")
    (told,) = store.problems()
    assert "the index of words was not that of the passages. It was made anew." in told
    assert store.problems() == []
    assert [hit.passage_id for hit in store.lexical(["otter"], Filters(), 9)][:1] == [1]


def test_a_changed_term_of_a_passage_is_told(store: SqliteProjectStore) -> None:
    document = add(store, TEXT)
    _execute(store, "UPDATE passage_texts SET terms = replace(terms, 'otter', 'ottar') WHERE id = 1")
    assert f"Passage 1 of document {document.id} is not what was stored. Add the source again." in store.problems()


def test_a_check_can_be_stopped_between_two_sources(store: SqliteProjectStore) -> None:
    for at in range(3):
        add(store, f"{TEXT} {at}")
    steps: list[str] = []

    def stop(_done: int, _total: int | None, message: str = "") -> None:
        steps.append(message)
        if steps.count("the texts of the sources") == 2:
            raise JobCancelled("Stopped.")

    with pytest.raises(JobCancelled):
        store.problems(stop)
    assert steps == ["the structure of the databases", "the texts of the sources", "the texts of the sources"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE document_tags SET tag = 'rival' WHERE tag = 'river'", "The tag 'rival' of document"),
        ("UPDATE people SET name = 'Adb' WHERE name = 'Ada'", "The person 'Adb' (owner) is not as stored."),
        ("UPDATE people SET role = 'viewer' WHERE name = 'Ada'", "The person 'Ada' (viewer) is not as stored."),
    ],
)
def test_a_changed_tag_and_a_changed_person_are_told(store: SqliteProjectStore, change: str, told: str) -> None:
    document = add(store, TEXT)
    store.set_tags(document.id, ["river", "spring"])
    store.put_person(Person("Ada", Role.VIEWER, utc_now()))
    store.put_person(Person("Ada", Role.OWNER, utc_now()))
    assert store.problems() == []
    _execute(store, change)
    (line,) = store.problems()
    assert line.startswith(told)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "UPDATE document_urls SET url = 'https://a.example/limbs'",
            "The address 'https://a.example/limbs' of a source",
        ),
        ('UPDATE claims SET "start" = 1', "its place in the report differs"),
    ],
)
def test_what_leads_to_another_source_or_place_is_told_when_it_is_read(
    store: SqliteProjectStore, change: str, told: str
) -> None:
    add(store, TEXT, urls=("https://a.example/limes",))
    store.add_claims([make_claim(report_id=add_report(store).id, start=0, end=11)])
    assert store.problems() == []
    _execute(store, change)
    with pytest.raises(DatabaseDamaged, match=told):
        (store.documents(), store.claims())
    assert any(told in line for line in store.problems())
