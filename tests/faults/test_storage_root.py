"""A root that went away or may only be read: typed errors that name it, and a list where there can be one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import StorageError
from storage import open_catalog
from storage.catalog import SqliteCatalog
from storage.tables.base import utc_now
from tests.contract.builders import add

NOBODY = 65534


@contextmanager
def _without_privileges() -> Iterator[None]:
    """Permissions do not stop root, so that root becomes nobody for a while."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A root with one project, all of it readable, none of it writable."""
    base = Path(tempfile.mkdtemp())  # tmp_path lies under a folder that only its owner may enter
    base.chmod(0o755)
    root = base / "root"
    catalog = open_catalog(root)
    store = catalog.open(catalog.create("Kept").slug)
    add(store, "Otters swim.")
    store.close()
    paths = [root, *root.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield root
    for path in paths:
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(base)


def test_a_read_only_root_is_listed_and_every_change_is_refused_in_words(read_only: Path) -> None:
    with _without_privileges():
        catalog = SqliteCatalog(read_only, utc_now)
        (summary,) = catalog.summaries()
        assert summary.project.slug == "kept"
        assert catalog.woken() == []
        for call in (
            lambda: catalog.create("New"),
            lambda: catalog.open("kept"),
            lambda: catalog.wake("kept"),
            lambda: catalog.claim_worker().__enter__(),
            lambda: catalog.rename("kept", "Other"),
            lambda: catalog.duplicate("kept", "Other"),
            lambda: catalog.delete("kept", confirm=summary.project.name),
        ):
            with pytest.raises(StorageError, match="root"):
                call()
    assert (read_only / "kept" / "project.db").exists()


def test_a_folder_that_may_not_be_looked_into_is_listed_beside_the_others(read_only: Path) -> None:
    closed = read_only / "kept"
    closed.chmod(0o000)
    with _without_privileges():
        (summary,) = SqliteCatalog(read_only, utc_now).summaries()
    assert summary.problem
    closed.chmod(0o755)


def test_a_root_that_was_moved_away_is_named(tmp_path: Path) -> None:
    root = tmp_path / "root"
    catalog = SqliteCatalog(root, utc_now)
    catalog.create("Kept")
    root.rename(tmp_path / "elsewhere")
    for call in (catalog.summaries, lambda: catalog.claim_worker().__enter__(), lambda: catalog.create("New")):
        with pytest.raises(StorageError, match=r"root.*moved") as caught:
            call()
        assert isinstance(caught.value.__cause__, OSError)
    assert catalog.woken() == []


def test_a_file_in_the_place_of_the_root_is_named(tmp_path: Path) -> None:
    (tmp_path / "root").write_text("a file")
    with pytest.raises(StorageError, match="root"):
        open_catalog(tmp_path / "root")


def test_an_error_of_the_work_done_under_the_worker_lock_stays_what_it_is(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path, utc_now)
    with pytest.raises(FileNotFoundError, match="mine"), catalog.claim_worker():
        raise FileNotFoundError("mine")
