"""The stores that must keep the contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ports.store import ProjectStore
from storage import open_catalog
from tests.contract.builders import FakeClock
from tests.contract.memory_store import MemoryStore


@pytest.fixture
def clock() -> FakeClock:
    """A clock that the test moves."""
    return FakeClock()


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[ProjectStore]:
    """An empty project."""
    made: ProjectStore
    if request.param == "memory":
        made = MemoryStore(clock)
    else:
        catalog = open_catalog(tmp_path / "root", clock=clock)
        made = catalog.open(catalog.create("Contract").slug)
    yield made
    made.close()
