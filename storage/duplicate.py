"""An independent copy of a project, taken while others may write to it."""

import shutil
from datetime import datetime

from core.errors import BlobMissing
from core.labels import FetchState
from core.records import Project
from core.text.files import sync_folder
from storage.database.codec import to_stamp
from storage.database.database import Database
from storage.database.engine import connect, translated
from storage.database.layout import Layout, write_project
from storage.database.migrations import migrate
from storage.tables.answers import stop_answers
from storage.tables.blobs import blob_path
from storage.tables.late import LateStore, copy
from storage.tables.llm_calls import settle_calls
from storage.tables.notes import KINDS

_TRIES = 3


def copy_project(source: Layout, target: Layout, project: Project, now: datetime) -> None:
    """Fill the folder ``target`` with a copy of ``source`` that is called ``project``. Databases are copied by VACUUM
    INTO, which is one state of a live file. A blob deleted after that state was taken makes the copy start again."""
    target.make_folders()
    for attempt in range(_TRIES):
        target.database.unlink(missing_ok=True)
        with translated(source.database):
            connection = connect(source.database, mode="rw")
            try:
                copy(connection, target.database)
            finally:
                connection.close()
        try:
            _copy_blobs(source, target)
            break
        except FileNotFoundError as error:
            if attempt == _TRIES - 1:
                raise BlobMissing(
                    f"{error.filename} is missing; the project cannot be copied whole. Add that source "
                    "again or delete it."
                ) from error
    late = LateStore(source.late, source.lock)
    try:
        late.copy_to(target.late)
    finally:
        late.close()
    _make_own(target, project, now)


def _copy_blobs(source: Layout, target: Layout) -> None:
    database = Database(target.database)
    try:
        migrate(database)
        with database.read() as connection:
            hashes = [row[0] for row in connection.execute("SELECT hash FROM blobs")]
    finally:
        database.close()
    for blob_hash in hashes:
        to = blob_path(target, blob_hash)
        to.parent.mkdir(exist_ok=True)
        if not to.exists():
            shutil.copyfile(blob_path(source, blob_hash), to)
    sync_folder(target.blobs)


def _make_own(target: Layout, project: Project, now: datetime) -> None:
    """Give the copy its identity; work that the original is still doing is not the copy's."""
    database = Database(target.database)
    try:
        with database.write() as connection:
            write_project(connection, project)
            connection.execute("DELETE FROM jobs")
            connection.execute("DELETE FROM queries")
            connection.execute("DELETE FROM cache")
            for prefix in (f"memo:{kind.prefix}" for kind in KINDS if not kind.in_copy):
                connection.execute("DELETE FROM meta WHERE substr(key, 1, ?2) = ?1", (prefix, len(prefix)))
            connection.execute("UPDATE query_totals SET queries = 0, zero_results = 0, results = 0, cache_hits = 0")
            connection.execute(
                "UPDATE acquisitions SET state = ?, finished = ?, message = ? WHERE state = ?",
                (
                    FetchState.CANCELLED.value,
                    to_stamp(now),
                    "The project was copied before this source was there.",
                    FetchState.QUEUED.value,
                ),
            )
            stop_answers(connection, "The project was copied before this answer was there.")
            settle_calls(connection, "The project was copied before this call had ended.")
            connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    finally:
        database.close()
