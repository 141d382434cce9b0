"""The projects under one root folder. Each has a line in the list, whatever state it is in."""

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from core.errors import ConfirmationMissing, ProjectNotFound, StorageError, WorkbenchError
from core.ports.catalog import Fill
from core.ports.store import Clock, ProjectStore
from core.records import PackContents, Project, ProjectSummary
from core.text.files import folder_bytes, locked, sync_folder
from storage.database.codec import from_stamp
from storage.database.database import Database
from storage.database.engine import SqliteError
from storage.database.layout import Layout, change_project, clean_name, free_slug, is_slug, project_from, write_project
from storage.database.migrations import migrate
from storage.duplicate import copy_project
from storage.store import SqliteProjectStore, open_store

_LAST_USED = """SELECT max(at) FROM (SELECT max(at) AS at FROM queries UNION ALL SELECT max(created) FROM documents
    UNION ALL SELECT max(created) FROM jobs UNION ALL SELECT max(created) FROM reports)"""


def summarize(folder: Path) -> ProjectSummary:
    """Counts of the project in ``folder``. Never fails: what is wrong stands in ``problem``, and a project that
    cannot be read goes by its folder's name. A folder copied by hand may have a name that no link can carry: it
    is listed and its problem names a better one."""
    size = folder_bytes(folder)
    try:
        database = Database(Layout(folder).database)
        try:
            migrate(database)
            with database.read() as connection:
                project = project_from(connection, folder)
                (documents,) = connection.execute(
                    "SELECT count(*) FROM documents WHERE superseded_by IS NULL"
                ).fetchone()
                (passages,) = connection.execute("SELECT count(*) FROM word_index_docsize").fetchone()
                (used,) = connection.execute(_LAST_USED).fetchone()
        finally:
            database.close()
        problem = None if is_slug(folder.name) else _rename(folder)
    except (WorkbenchError, SqliteError, OSError, ValueError, TypeError, KeyError) as error:
        return ProjectSummary(_unreadable(folder), bytes_on_disk=size, problem=str(error))
    return ProjectSummary(project, documents, passages, size, from_stamp(used) or project.created, problem)


def _rename(folder: Path) -> str:
    better = free_slug(folder.name, os.listdir(folder.parent))
    return (
        f"The folder's name {folder.name!r} cannot be used in links. Rename the folder, for example to {better!r}; "
        "lower-case letters a to z, digits and hyphens are allowed."
    )


def _unreadable(folder: Path) -> Project:
    created = datetime.fromtimestamp(folder.stat().st_mtime, UTC) if folder.exists() else datetime.now(UTC)
    return Project(id="", name=folder.name, slug=folder.name, path=folder, created=created)


_NEW, _TRASH = ".new-", ".trash-"
_BUSY = ".busy"


class SqliteCatalog:
    """``core.ports.catalog.ProjectCatalog`` over a folder of project folders."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self._root = root
        self._clock = clock
        with self._reachable():
            root.mkdir(parents=True, exist_ok=True)
        with suppress(StorageError):  # only housekeeping: a root that cannot be written can still be read
            self._sweep()

    @property
    def root(self) -> Path:
        return self._root

    def summaries(self, *, archived: bool = False) -> list[ProjectSummary]:
        """Projects, last used first; ``archived`` takes archived ones in. One that cannot be opened is listed
        with its problem."""
        summaries = [summarize(folder) for folder in self._folders()]
        shown = [summary for summary in summaries if archived or not summary.project.archived]
        oldest = datetime.min.replace(tzinfo=UTC)
        return sorted(shown, key=lambda summary: (summary.last_used or oldest, summary.project.slug), reverse=True)

    def open(self, slug: str) -> SqliteProjectStore:
        """Open a project (ProjectNotFound, DatabaseDamaged, DatabaseTooNew, DatabaseBusy)."""
        return open_store(self._folder(slug), self._clock)

    # ------------------------------------------------------------ change

    def create(self, name: str, *, demo: bool = False, fill: Fill | None = None) -> Project:
        """A new project, empty or with what ``fill`` puts into it, whole or not there at all. Two may have one name;
        their folders differ (InvalidName)."""
        name = clean_name(name)
        with self._building() as folder:
            project = self._fresh(folder, name, demo=demo)
            if fill is not None:
                with closing(open_store(folder, self._clock)) as store:
                    fill(store)
            return self._place(folder, project)

    def rename(self, slug: str, name: str) -> Project:
        return self._changed(slug, name=clean_name(name))

    def archive(self, slug: str, archived: bool = True) -> Project:
        """Take a project out of the list, or back in."""
        return self._changed(slug, archived=archived)

    def delete(self, slug: str, *, confirm: str) -> None:
        """Delete a project for good. ``confirm`` must equal its name (of a damaged one: its slug). The folder is
        renamed before anything in it is removed, so a crash leaves a whole project or none."""
        folder = self._folder(slug)
        name = summarize(folder).project.name
        if confirm != name:
            raise ConfirmationMissing(f"Project {name!r} was not deleted: type its name exactly to confirm.")
        trash = self._root / f"{_TRASH}{secrets.token_hex(8)}"
        with self._locked():
            os.replace(folder, trash)
            sync_folder(self._root)
        shutil.rmtree(trash, ignore_errors=True)  # what resists goes at the next start

    def duplicate(self, slug: str, name: str) -> Project:
        """An independent copy under a new name, consistent also while others write. Documents, index,
        vectors, reports, claims and review (the log of decisions with its hashes, people, policy) are taken over; jobs,
        the query log and the result cache start anew."""
        source, name = self._folder(slug), clean_name(name)
        with self._building() as folder:
            project = replace(self._fresh(folder, name, build=False), demo=summarize(source).project.demo)
            copy_project(Layout(source), Layout(folder), project, self._clock())
            return self._place(folder, project)

    def export(self, slug: str, target: Path) -> Path:
        from storage.archive.write import export_project

        store = self.open(slug)
        try:
            return export_project(store, target)
        finally:
            store.close()

    def import_archive(self, archive: Path, *, name: str | None = None, fill: Fill | None = None) -> Project:
        from storage.archive.read import ArchiveReader
        from storage.archive.restore import restore

        with ArchiveReader(archive) as reader:
            manifest = reader.check()
            new_name = clean_name(manifest.project.name if name is None else name)
            with self._building() as folder:
                project = self._fresh(folder, new_name, demo=manifest.project.demo)
                with closing(open_store(folder, self._clock)) as store:
                    restore(reader, store)
                    if fill is not None:
                        fill(store)
                return self._place(folder, project)

    def verify_archive(self, archive: Path) -> list[str]:
        from storage.archive.restore import verify

        return verify(archive)

    def write_pack(
        self,
        store: ProjectStore,
        report_id: int,
        target: Path,
        extras: Mapping[str, bytes],
        hidden: AbstractSet[int] = frozenset(),
    ) -> None:
        from storage.archive.pack import write_pack

        write_pack(cast(SqliteProjectStore, store), report_id, target, extras, hidden)

    def read_pack(self, archive: Path) -> PackContents | None:
        from storage.archive.pack import is_pack, read_pack

        return read_pack(archive) if is_pack(archive) else None

    def claim_worker(self) -> AbstractContextManager[bool]:
        return self._lock(".worker.lock", wait=False)

    def wake(self, slug: str) -> None:
        self._folder(slug)
        folder = self._root / ".wake"
        with self._reachable():
            folder.mkdir(exist_ok=True)
            (folder / slug).touch()

    def woken(self) -> list[str]:
        folder = self._root / ".wake"
        with self._reachable():
            names = sorted(os.listdir(folder)) if folder.is_dir() else []
            for name in names:
                (folder / name).unlink(missing_ok=True)
        return [name for name in names if is_slug(name)]

    def _folders(self) -> list[Path]:
        with self._reachable():
            return sorted(
                entry for entry in self._root.iterdir() if not entry.name.startswith(".") and _may_hold_project(entry)
            )

    def _folder(self, slug: str) -> Path:
        folder = self._root / slug
        if not is_slug(slug) or not _may_hold_project(folder):
            raise ProjectNotFound(f"No project {slug!r} under {self._root}. Choose one from the list of projects.")
        return folder

    @contextmanager
    def _reachable(self) -> Iterator[None]:
        """Say of a fault of the file system which folder it is about and what to do (StorageError)."""
        try:
            yield
        except OSError as error:
            raise StorageError(
                f"The projects' folder {self._root} cannot be used ({error}). Check that it was not moved or deleted, "
                "that it may be read and written, and that the disk is not full."
            ) from error

    @contextmanager
    def _lock(self, name: str, *, wait: bool = True) -> Iterator[bool]:
        """A lock file in the root; errors of the block inside stay what they are."""
        with ExitStack() as held:
            with self._reachable():
                mine = held.enter_context(locked(self._root / name, wait=wait))
            yield mine

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._lock(".catalog.lock"), self._reachable():
            yield

    def _changed(self, slug: str, *, name: str | None = None, archived: bool | None = None) -> Project:
        folder = self._folder(slug)
        database = Database(Layout(folder).database)
        try:
            migrate(database)
            return change_project(database, folder, name=name, archived=archived)
        finally:
            database.close()

    @contextmanager
    def _building(self) -> Iterator[Path]:
        """A hidden folder for a project to be; removed if the block fails, or by a sweep after a crash. A lock
        inside it tells a sweep in another process that it is being worked on."""
        folder = self._root / f"{_NEW}{secrets.token_hex(8)}"
        with self._locked():
            folder.mkdir()
            busy = locked(folder / _BUSY, wait=False)
            busy.__enter__()
        try:
            yield folder
        except OSError as error:
            raise StorageError(
                f"The project could not be written under {self._root} ({error}). Nothing was kept; "
                "check space and permissions and try again."
            ) from error
        finally:
            busy.__exit__(None, None, None)
            shutil.rmtree(folder, ignore_errors=True)

    def _fresh(self, folder: Path, name: str, *, demo: bool = False, build: bool = True) -> Project:
        project = Project(secrets.token_hex(8), name, folder.name, folder, self._clock(), demo=demo)
        if build:
            layout = Layout(folder)
            layout.make_folders()
            database = Database(layout.database, create=True)
            try:
                migrate(database, fresh=True)
                with database.write() as connection:
                    write_project(connection, project)
            finally:
                database.close()
            open_store(folder, self._clock).close()
        return project

    def _place(self, folder: Path, project: Project) -> Project:
        with self._locked():
            slug = free_slug(project.name, os.listdir(self._root))
            (folder / _BUSY).unlink()
            os.replace(folder, self._root / slug)
            sync_folder(self._root)
        return replace(project, slug=slug, path=self._root / slug)

    def _sweep(self) -> None:
        """Remove what a crash left behind: unfinished new projects and half-removed old ones."""
        with self._locked():
            for entry in list(self._root.iterdir()):
                if entry.name.startswith(_TRASH):
                    shutil.rmtree(entry, ignore_errors=True)
                elif entry.name.startswith(_NEW):
                    _remove_unless_busy(entry)


def _may_hold_project(folder: Path) -> bool:
    """Whether there is a database; a folder that may not be looked into counts, and is then listed as unreadable."""
    try:
        return (folder / "project.db").exists()
    except PermissionError:
        return True


def _remove_unless_busy(folder: Path) -> None:
    try:
        with locked(folder / _BUSY, wait=False) as abandoned:
            if abandoned:
                shutil.rmtree(folder, ignore_errors=True)
    except FileNotFoundError:  # gone meanwhile
        return
