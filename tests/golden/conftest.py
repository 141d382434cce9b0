"""The demo project, made once for all golden tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.ports.engines import Engines
from core.workbench.demo import ensure_demo
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[OpenProject]:
    """The demo, read, encoded and audited."""
    workbench = open_workbench(tmp_path_factory.mktemp("golden"), engines=engines)
    made, _ = ensure_demo(workbench)
    yield workbench.open(made.slug)
    workbench.close()
