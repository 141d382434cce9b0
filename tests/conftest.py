"""Shared fixtures: a workbench over a temporary root with real storage, reader and models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

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


TOGETHER = {"browser": "browser", "servers": "browser", "faults": "faults", "golden": "golden"}
"""Folders whose tests run on one worker, one after another: they start servers and browsers, or make the demo."""
ALONE = {"test_every_page.py"}
"""Modules of such folders that take as long as all the others: they run on a worker of their own."""
SLOW_FIXTURES = {"engines", "workbench", "bench", "served", "api", "server"}
SLOW_FOLDERS = {"backends", "benchmarks", "commands", "http"}
"""Fixtures and folders of unit tests that load models, start servers or processes; ``make quick`` leaves them out."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of ``make quick``, marked by their place."""
    for item in items:
        folder = item.path.parent.name
        fixtures = set(getattr(item, "fixturenames", ()))
        if "unit" in item.path.parts and folder not in SLOW_FOLDERS and not fixtures & SLOW_FIXTURES:
            item.add_marker(pytest.mark.quick)


class ByPlace(LoadScopeScheduling):
    """Tests of one file on one worker, because they share what they set up; those of some folders too. Written out,
    because xdist's own groups are part of a test's id, which pytest 9.2 does not let it change."""

    def _split_scope(self, nodeid: str) -> str:
        path = PurePosixPath(nodeid.split("::", 1)[0])
        return str(path) if path.name in ALONE else TOGETHER.get(path.parent.name, str(path))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByPlace:
    """The scheduler of ``-n``. Files are handed out in their order, in which those that take longest come early."""
    config.option.loadscopereorder = False
    return ByPlace(config, log)
