"""The projects of a root folder. Beside ``core.ports.store``."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from core.ports.context import PackWriter
from core.ports.store import ProjectStore
from core.records import PackContents, Project, ProjectSummary

Fill = Callable[[ProjectStore], None]
"""Puts the first things into a project that is being built and that nobody sees yet."""


class ProjectCatalog(Protocol):
    """The projects under one root folder."""

    @property
    def root(self) -> Path: ...

    def summaries(self, *, archived: bool = False) -> list[ProjectSummary]: ...

    def create(self, name: str, *, demo: bool = False, fill: Fill | None = None) -> Project:
        """A project with what ``fill`` puts into it; it is there when it is whole."""
        ...

    def open(self, slug: str) -> ProjectStore: ...

    def rename(self, slug: str, name: str) -> Project:
        """A new name; the folder and the slug stay, so that links stay good."""

    def archive(self, slug: str, archived: bool = True) -> Project: ...

    def delete(self, slug: str, *, confirm: str) -> None:
        """``confirm`` must equal the project's name (ConfirmationMissing)."""

    def duplicate(self, slug: str, name: str) -> Project: ...

    def export(self, slug: str, target: Path) -> Path:
        """Write one zip, atomically; returns its path (``target`` may be a folder)."""

    def import_archive(self, archive: Path, *, name: str | None = None, fill: Fill | None = None) -> Project:
        """Take a zip in as hostile (HostileArchive); passages, indexes and vectors are rebuilt."""

    def verify_archive(self, archive: Path) -> list[str]:
        """Faults of a zip, one sentence each; empty when it is sound."""

    @property
    def write_pack(self) -> PackWriter:
        """Writes the audit pack of a report, atomically."""

    def read_pack(self, archive: Path) -> PackContents | None:
        """The contents of an audit pack, unpacked as hostile; None for a zip that is no pack (HostileArchive)."""

    def claim_worker(self) -> AbstractContextManager[bool]:
        """Hold the root's worker lock; False inside when another process has it."""

    def wake(self, slug: str) -> None:
        """Tell the worker that this project has a new job."""

    def woken(self) -> list[str]:
        """Slugs with a new job since the last call, sorted."""
