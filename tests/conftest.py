"""Shared fixtures: a workbench over a temporary root with real storage, reader and models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from core.ports.engines import Engines
from core.settings.values import Settings
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench

REPOSITORY = Path(__file__).resolve().parents[1]
DATA = REPOSITORY.parent / "shared" / "data"

# A loaded machine must not fail a test: no deadline, no complaint about slow drawing, the same examples each time.
settings.register_profile("workbench", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("workbench")


@pytest.fixture(scope="session")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    """One reader process and one set of models for the whole run: making them costs a second each."""
    workbench = open_workbench(tmp_path_factory.mktemp("engines"))
    yield workbench.engines
    workbench.close()


@pytest.fixture
def workbench(tmp_path: Path, engines: Engines) -> Iterator[Workbench]:
    """A workbench over an empty root."""
    made = open_workbench(tmp_path / "root", Settings(), engines=engines)
    yield made
    made.close()


TOGETHER = {"browser": "browser", "servers": "browser", "faults": "faults"}
"""Folders whose tests run on one worker, one after another: they start servers and browsers."""
ALONE = {"test_every_page.py"}
"""Modules of such folders that take as long as all the others: they run on a worker of their own."""
SLOW_FIXTURES = {"engines", "workbench", "bench", "served", "api", "server"}
SLOW_FOLDERS = {"backends", "benchmarks", "commands", "http"}
"""Fixtures and folders of unit tests that load models, start servers or processes; ``make quick`` leaves them out."""


@pytest.hookimpl(tryfirst=True)  # xdist's own hook reads the groups, so they must be set before it runs
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks by place. A file is the unit that is handed to a worker, because its tests share what they set up."""
    for item in items:
        folder, name = item.path.parent.name, item.path.name
        group = f"{folder}/{name}" if name in ALONE else TOGETHER.get(folder, f"{folder}/{name}")
        item.add_marker(pytest.mark.xdist_group(group))
        fixtures = set(getattr(item, "fixturenames", ()))
        if "unit" in item.path.parts and folder not in SLOW_FOLDERS and not fixtures & SLOW_FIXTURES:
            item.add_marker(pytest.mark.quick)
