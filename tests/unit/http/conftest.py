"""A served root with two projects: streets (three sources) and secrets, which no request about streets may show."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.ports.engines import Engines
from tests.helpers.service_client import RemoteProject, WorkbenchClient
from tests.helpers.serving import Served, Town, served, town


@pytest.fixture(scope="module")
def streets(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("service") / "root", engines) as made:
        yield made


@pytest.fixture(scope="module")
def at(streets: Town) -> Iterator[Served]:
    with served(streets.workbench) as made:
        yield made


@pytest.fixture(scope="module")
def client(at: Served) -> Iterator[WorkbenchClient]:
    with at.client() as made:
        yield made


@pytest.fixture(scope="module")
def remote(client: WorkbenchClient) -> RemoteProject:
    return client.open("streets")
