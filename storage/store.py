"""One project: the parts put together."""

from pathlib import Path

from core.errors import ProjectNotFound, StorageError
from core.ports.store import Clock
from core.records import Project
from storage.database.codec import damaged
from storage.database.database import Database
from storage.database.layout import Layout, read_project
from storage.database.migrations import migrate
from storage.tables.acquisitions import Acquisitions
from storage.tables.answers import Answers
from storage.tables.claims import Claims
from storage.tables.decisions import Decisions
from storage.tables.documents_write import Writing
from storage.tables.findings import Findings, Verdicts
from storage.tables.integrity import Integrity
from storage.tables.jobs import Jobs
from storage.tables.late import LateStore
from storage.tables.llm_calls import LlmCalls
from storage.tables.notes import Memos
from storage.tables.passages import Passages, refresh_terms
from storage.tables.people import People
from storage.tables.queries import QueryLog
from storage.tables.questions import Questions
from storage.tables.reports import Reports


class SqliteProjectStore(
    Writing,
    Acquisitions,
    Passages,
    QueryLog,
    Jobs,
    Memos,
    Reports,
    Findings,
    Verdicts,
    Claims,
    Decisions,
    People,
    Questions,
    Answers,
    LlmCalls,
    Integrity,
):
    """``core.ports.store.ProjectStore`` over one folder."""

    _identity = (0, 0)
    """Device and inode of the database; while it is open no other file can have them."""

    @property
    def project(self) -> Project:
        """The project as it is named now."""
        return read_project(self._db, self._layout.root)

    @property
    def layout(self) -> Layout:
        return self._layout

    def detached(self) -> bool:
        try:
            now = self._layout.database.stat()
        except OSError:
            return True
        return (now.st_dev, now.st_ino) != self._identity

    def close(self) -> None:
        """Close the files; later calls raise StorageError."""
        try:
            if not self._db.closed and self._layout.root.is_dir():  # else the project was deleted meanwhile
                self._metadata.close()
        finally:
            self._db.close()
            self._late.close()


def open_store(folder: Path, clock: Clock) -> SqliteProjectStore:
    """Open a project folder: migrate, replace a lost ``late.db``, mend ``index_metadata.json``. Raises ProjectNotFound
    (there is no database in it), DatabaseDamaged, DatabaseTooNew, DatabaseBusy (see their messages) or StorageError (a
    file cannot be read or written)."""
    try:
        return _open(Layout(folder), clock)
    except (TypeError, ValueError, KeyError) as error:  # a value of the database is none of ours
        raise damaged(f"The database in {folder}", error) from error
    except OSError as error:
        raise StorageError(
            f"The project in {folder} cannot be opened ({error}). Check that the folder was not moved, that it may be "
            "read and written, and that the disk is not full."
        ) from error


def _open(layout: Layout, clock: Clock) -> SqliteProjectStore:
    if not layout.database.is_file():
        raise ProjectNotFound(f"No project in {layout.root}. Choose one from the list of projects.")
    database = Database(layout.database)
    try:
        migrate(database)
        refresh_terms(database)
        layout.make_folders()
        late = LateStore(layout.late, layout.lock)
        store = SqliteProjectStore(layout, database, late, clock)
        store._metadata.publish_now(mend=True)
        opened = layout.database.stat()
        store._identity = (opened.st_dev, opened.st_ino)
    except BaseException:
        database.close()
        raise
    return store
