"""The facade: all that pages, the command line and the HTTP service may call. ``Workbench`` speaks of the projects
under one root; ``OpenProject`` (``core.workbench.open_project``) of one of them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.errors import ArchiveError, SettingsError
from core.labels import JobKind
from core.ports.catalog import ProjectCatalog
from core.ports.engines import Engines
from core.ports.store import Clock, ProjectStore
from core.records import Project, ProjectSummary
from core.settings.values import Settings

if TYPE_CHECKING:
    from core.workbench.open_project import OpenProject

log = logging.getLogger(__name__)

T = TypeVar("T")
Reload = Callable[[Settings, Engines], tuple[Settings, Engines] | None]
"""Takes the settings and engines in use, and returns those to use from now on; None where nothing has changed
(SettingsError)."""


class Workbench:
    """The projects under one root folder. Thread-safe; share one per process."""

    def __init__(
        self,
        catalog: ProjectCatalog,
        engines: Engines,
        settings: Settings,
        clock: Clock,
        *,
        storage_note: str = "",
        reload: Reload | None = None,
        owns_engines: bool = True,
    ) -> None:
        self.settings = settings
        self.settings_number = 0
        self.settings_problem = ""
        self.engines = engines
        self.storage_note = storage_note
        self._reload = reload
        self._owns_engines = owns_engines
        self._catalog = catalog
        self._clock = clock
        self._open: dict[str, OpenProject] = {}
        self._lock = threading.RLock()

    @property
    def root(self) -> Path:
        """The folder that holds the projects."""
        return self._catalog.root

    @property
    def catalog(self) -> ProjectCatalog:
        """The catalog, for the worker (its lock and its wake-up calls)."""
        return self._catalog

    def refresh(self) -> bool:
        """Take over settings that were changed on disk since the last look; whether there were any. Costs two looks at
        the file system. What is under way goes on with the settings that it began with. A file with a fault changes
        nothing: the earlier settings stay, and ``settings_problem`` says why. ``settings_number`` grows with every
        change taken over."""
        if self._reload is None:
            return False
        with self._lock:
            try:
                changed = self._reload(self.settings, self.engines)
            except SettingsError as error:
                self.settings_problem = str(error)
                log.error("The settings were not taken over: %s", error)
                return False
            if changed is None:
                return False
            self.settings, self.engines = changed
            self.settings_number += 1
            self.settings_problem = ""
            for opened in self._open.values():
                opened.adopt(self.settings, self.engines)  # without a look at its files, which may be away
            return True

    def projects(self, *, archived: bool = False) -> list[ProjectSummary]:
        """Projects, last used first; with ``archived`` also those put away."""
        return self._catalog.summaries(archived=archived)

    def create(self, name: str, *, demo: bool = False, fill: Callable[[OpenProject], None] | None = None) -> Project:
        """Make a project (InvalidName). What ``fill`` puts into it is there with it, or neither is."""
        if fill is None:
            return self._catalog.create(name, demo=demo)
        project = self._catalog.create(name, demo=demo, fill=lambda store: fill(self._opened(store, lambda: None)))
        self._catalog.wake(project.slug)
        return project

    def open(self, slug: str) -> OpenProject:
        """The project with this slug, opened once per process (ProjectNotFound, StorageError)."""
        with self._lock:
            opened = self._open.get(slug)
            if opened is not None and opened.detached:  # deleted elsewhere, perhaps made anew under the same name
                self._open.pop(slug).close()
                opened = None
            if opened is None:
                opened = self._opened(self._catalog.open(slug), lambda: self._catalog.wake(slug))
                self._open[slug] = opened
        opened.late.heed_note()
        return opened

    def _opened(self, store: ProjectStore, wake: Callable[[], None]) -> OpenProject:
        from core.acquire.grade import Grader  # all that works on a project: the list of projects needs none of it
        from core.workbench.open_project import OpenProject

        grader = Grader(_if_there(self.root / "grade_rules.toml"))
        return OpenProject(
            store, self.engines, self.settings, self._clock, grader, wake=wake, write_pack=self._catalog.write_pack
        )

    def rename(self, slug: str, name: str) -> Project:
        """Give a project another name; its folder and links stay."""
        return self._reopened(slug, lambda: self._catalog.rename(slug, name))

    def archive(self, slug: str, archived: bool = True) -> Project:
        """Put a project away, or bring it back."""
        return self._reopened(slug, lambda: self._catalog.archive(slug, archived))

    def delete(self, slug: str, *, confirm: str) -> None:
        """Delete a project for good; ``confirm`` is its name, typed again (ConfirmationMissing)."""
        self._reopened(slug, lambda: self._catalog.delete(slug, confirm=confirm))

    def duplicate(self, slug: str, name: str) -> Project:
        """An independent copy under another name."""
        return self._catalog.duplicate(slug, name)

    def export(self, slug: str, target: Path) -> Path:
        """One zip with everything that cannot be rebuilt."""
        return self._catalog.export(slug, target)

    def import_archive(self, archive: Path, *, name: str | None = None, differing: Sequence[str] = ()) -> Project:
        """Take in a zip made by ``export``, treated as hostile (HostileArchive); encoding is scheduled.
        ``core.pack.check.import_checked`` also compares what an audit pack says with what it holds; ``differing`` are
        the sentences of that comparison, kept for ``OpenProject.import_differences``."""

        def fill(store: ProjectStore) -> None:
            if differing:
                from core.workbench.open_project import keep_differences

                keep_differences(store, differing)
            self._opened(store, lambda: None).jobs.schedule(JobKind.ENCODE)

        project = self._catalog.import_archive(archive, name=name, fill=fill)
        self._catalog.wake(project.slug)
        return project

    def verify_archive(self, archive: Path) -> list[str]:
        """Faults of a zip as sentences; empty when it is sound (ArchiveError: no such file)."""
        if not archive.is_file():
            raise ArchiveError(f"{archive} is not a file. Give the path of a zip that `workbench export` wrote.")
        return self._catalog.verify_archive(archive)

    def close(self) -> None:
        """Close every open project, and the engines unless they were given."""
        with self._lock:
            for opened in self._open.values():
                opened.close()
            self._open.clear()
            if self._owns_engines:
                self.engines.close()

    def _reopened(self, slug: str, change: Callable[[], T]) -> T:
        with self._lock:
            opened = self._open.pop(slug, None)
            if opened is not None:
                opened.close()
            return change()


def _if_there(path: Path) -> Path | None:
    return path if path.is_file() else None
