"""A catalog and an empty project on disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables.base import utc_now


@pytest.fixture
def catalog(tmp_path: Path) -> SqliteCatalog:
    """An empty root."""
    return SqliteCatalog(tmp_path / "root", utc_now)


@pytest.fixture
def store(catalog: SqliteCatalog) -> Iterator[SqliteProjectStore]:
    """An empty project."""
    made = catalog.open(catalog.create("Unit").slug)
    yield made
    made.close()
