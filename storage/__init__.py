"""SQLite implementation of ``core.ports.store``: one folder a project, under one root folder. Knows the records and
errors of ``core``; no user interface, no models."""

from pathlib import Path

from core.ports.catalog import ProjectCatalog
from core.ports.store import Clock
from storage.catalog import SqliteCatalog
from storage.database.engine import engine_description
from storage.tables.base import utc_now

__all__ = ["engine_description", "open_catalog"]


def open_catalog(root: Path, *, clock: Clock = utc_now) -> ProjectCatalog:
    """The projects under ``root`` (created if need be); leftovers of crashes are removed. ``clock``: gives the current
    aware time; tests pass their own."""
    return SqliteCatalog(root, clock)
