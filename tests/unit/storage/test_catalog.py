"""Projects: made whole, listed whatever their state, gone when deleted, copied while in use."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfirmationMissing, InvalidName, ProjectNotFound, StorageError
from core.labels import FetchState, JobKind, SourceKind
from core.records import Filters, QuantizedTokens
from core.text.files import locked
from storage import engine_description, open_catalog
from storage.catalog import SqliteCatalog
from storage.database.engine import USES_WAL
from tests.contract.builders import add, add_all

REPOSITORY = Path(__file__).resolve().parents[3]


def _visible(root: Path) -> list[str]:
    return sorted(name for name in os.listdir(root) if not name.startswith("."))


def test_a_new_project_has_its_files_in_their_places(catalog: SqliteCatalog) -> None:
    project = catalog.create("Heat in cities")
    assert (project.slug, project.path) == ("heat-in-cities", catalog.root / "heat-in-cities")
    for place in ("project.db", "late.db", "blobs", "10_graph/index_metadata.json", "09_qa"):
        assert (project.path / place).exists()
    assert not list(project.path.glob(".busy"))
    store = catalog.open(project.slug)
    assert store.project == project
    store.close()


def test_projects_of_one_name_have_their_own_folders(catalog: SqliteCatalog) -> None:
    assert [catalog.create(name).slug for name in ("Heat", "heat", "HEAT!", "../heat")] == [
        "heat",
        "heat-2",
        "heat-3",
        "heat-4",
    ]


def test_a_file_in_the_way_is_not_taken_for_free(catalog: SqliteCatalog) -> None:
    (catalog.root / "heat").write_text("a file")
    assert catalog.create("Heat").slug == "heat-2"
    assert (catalog.root / "heat").read_text() == "a file"


def test_a_refused_name_leaves_nothing(catalog: SqliteCatalog) -> None:
    with pytest.raises(InvalidName):
        catalog.create(" \x00 ")
    assert _visible(catalog.root) == []


def test_two_projects_made_at_once_do_not_share_a_folder(catalog: SqliteCatalog) -> None:
    slugs: list[str] = []
    threads = [threading.Thread(target=lambda: slugs.append(catalog.create("Same").slug)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(slugs) == ["same", *(f"same-{number}" for number in range(2, 7))]


def test_rename_keeps_the_folder_and_reaches_open_stores(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Before").slug
    store = catalog.open(slug)
    assert catalog.rename(slug, "After ✓").slug == slug
    assert store.project.name == "After ✓"
    store.close()
    with pytest.raises(InvalidName):
        catalog.rename(slug, "")


def test_archived_projects_are_listed_on_request(catalog: SqliteCatalog) -> None:
    catalog.create("One")
    catalog.archive(catalog.create("Two").slug)
    assert [one.project.slug for one in catalog.summaries()] == ["one"]
    assert {one.project.slug for one in catalog.summaries(archived=True)} == {"one", "two"}
    assert catalog.archive("two", archived=False).archived is False
    assert len(catalog.summaries()) == 2


def test_a_summary_counts_what_is_there(catalog: SqliteCatalog) -> None:
    store = catalog.open(catalog.create("Counted", demo=True).slug)
    old = add(store, "Old text.")
    add(store, "New text. " * 20, size=50, supersedes=old.id)
    (summary,) = catalog.summaries()
    assert (summary.project.demo, summary.documents, summary.passages, summary.problem) == (True, 1, 4, None)
    assert summary.bytes_on_disk > 10_000
    store.close()


@pytest.mark.parametrize("damage", ["noise", "cut", "empty"])
def test_one_damaged_project_does_not_hide_the_others(catalog: SqliteCatalog, damage: str) -> None:
    catalog.create("Sound")
    path = catalog.create("Hurt").path / "project.db"
    body = path.read_bytes()
    path.write_bytes({"noise": b"\xa5" * len(body), "cut": body[:5000], "empty": b""}[damage])
    found = {one.project.slug: one for one in catalog.summaries()}
    assert found["sound"].problem is None
    assert found["hurt"].problem
    with pytest.raises(StorageError):
        catalog.open("hurt")
    with pytest.raises(ConfirmationMissing):
        catalog.delete("hurt", confirm="Hurt!")
    catalog.delete("hurt", confirm="hurt")
    assert _visible(catalog.root) == ["sound"]


@pytest.mark.parametrize("name", ["copy by hand", "COPIED", "a_b", "-x", "\u00e4"])
def test_a_folder_whose_name_cannot_be_opened_says_which_name_can(catalog: SqliteCatalog, name: str) -> None:
    folder = catalog.create("Sound").path
    shutil.copytree(folder, catalog.root / name)
    found = {one.project.slug: one for one in catalog.summaries()}
    assert found["sound"].problem is None
    problem = found[name].problem
    assert problem is not None
    assert "Rename the folder" in problem
    with pytest.raises(ProjectNotFound):
        catalog.open(name)
    better = re.findall("'([a-z0-9-]+)'", problem)[-1]
    (catalog.root / name).rename(catalog.root / better)
    assert {one.project.slug: one.problem for one in catalog.summaries()} == {"sound": None, better: None}
    catalog.open(better).close()


def test_delete_asks_for_the_name_and_leaves_nothing(catalog: SqliteCatalog) -> None:
    slug = catalog.create("To go").slug
    with pytest.raises(ConfirmationMissing, match="was not deleted"):
        catalog.delete(slug, confirm="to go")
    catalog.delete(slug, confirm="To go")
    assert _visible(catalog.root) == []
    with pytest.raises(ProjectNotFound):
        catalog.open(slug)


@pytest.mark.parametrize("slug", ["..", "../root/x", "", ".new-1", "x/y", "missing", "X"])
def test_a_slug_is_no_path(catalog: SqliteCatalog, slug: str) -> None:
    catalog.create("X")
    if slug == "X":  # where case does not count, the folder exists all the same
        slug = "X\x00"
    for call in (lambda: catalog.open(slug), lambda: catalog.delete(slug, confirm="X"), lambda: catalog.wake(slug)):
        with pytest.raises(ProjectNotFound):
            call()


def test_what_a_crash_left_is_swept_but_not_what_is_being_made(catalog: SqliteCatalog) -> None:
    abandoned, busy, trash = (catalog.root / name for name in (".new-a", ".new-b", ".trash-c"))
    for folder in (abandoned, busy, trash):
        folder.mkdir()
        (folder / "project.db").write_bytes(b"x")
    with locked(busy / ".busy"):
        assert open_catalog(catalog.root).summaries() == []
    assert (abandoned.exists(), busy.exists(), trash.exists()) == (False, True, False)


def test_a_copy_is_whole_and_independent(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Original").slug
    store = catalog.open(slug)
    document = add(store, "Otters swim.")
    ((text_hash, _),) = store.missing("e", 5)
    store.put_vectors("e", [text_hash], np.ones((1, 4), np.float32), [QuantizedTokens(np.ones((2, 3), np.int8), 1.0)])
    store.add_job(JobKind.ENCODE, {})
    (waiting,) = store.request(SourceKind.URL, [("https://a/", None)])
    copied = catalog.duplicate(slug, "Copy")
    copy = catalog.open(copied.slug)
    assert copied.id != store.project.id
    assert copy.project == copied
    assert copy.documents() == [document]
    assert copy.blob(document.blob_hash) == b"Otters swim."
    assert copy.missing("e", 5) == []
    assert len(copy.lexical(["otter"], Filters(), 5)) == len(copy.dense(np.ones(4, np.float32), "e", Filters(), 5)) == 1
    assert copy.jobs() == []
    assert copy.acquisition(waiting.id).state is FetchState.CANCELLED
    copy.delete(document.id)
    assert store.documents() == [document]
    assert store.blob(document.blob_hash) == b"Otters swim."
    copy.close()
    store.close()


def test_a_copy_made_while_others_write_is_one_state(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Busy").slug
    store = catalog.open(slug)
    stop = threading.Event()

    def work() -> None:
        for number in range(1000):
            if stop.is_set():
                return
            one, two = add_all(store, [f"Left {number}.", f"Right {number}."])
            if number % 2:
                store.delete(one.id)
                store.delete(two.id)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for number in range(3):
            copy = catalog.open(catalog.duplicate(slug, f"Copy {number}").slug)
            documents = copy.documents()
            assert all(copy.blob(one.blob_hash) == copy.text(one.id).encode() for one in documents)
            assert len(copy.passage_ids(Filters())) == sum(one.passage_count for one in documents)
            copy.close()
    finally:
        stop.set()
        worker.join()
        store.close()


def test_the_worker_lock_is_held_by_one_and_ends_with_its_process(catalog: SqliteCatalog) -> None:
    code = (
        "import sys, pathlib, storage\n"
        "with storage.open_catalog(pathlib.Path(sys.argv[1])).claim_worker() as mine:\n"
        "    print(mine, flush=True)\n    sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(catalog.root)],
        cwd=REPOSITORY,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "True\n"
    with catalog.claim_worker() as mine:
        assert mine is False
    child.kill()
    child.communicate()
    with catalog.claim_worker() as mine:
        assert mine is True
        with catalog.claim_worker() as again:
            assert again is False


def test_waking_names_each_project_once(catalog: SqliteCatalog) -> None:
    for name in ("One", "Two"):
        catalog.create(name)
    for slug in ("two", "one", "two"):
        catalog.wake(slug)
    assert catalog.woken() == ["one", "two"]
    assert catalog.woken() == []


def test_start_up_can_say_which_sqlite_is_used() -> None:
    assert engine_description().startswith("SQLite 3.")
    assert ("write-ahead" in engine_description().split("(")[0]) is USES_WAL
