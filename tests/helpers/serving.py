"""A real service on 127.0.0.1 for tests: uvicorn in a thread over the workbench that the test has."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.http.guard import Token
from core.http.service import Server, service
from core.http.slots import ServiceOptions
from core.ports.engines import Engines
from core.settings.values import Settings
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.auditing import SOURCES, judged_by
from tests.helpers.service_client import WorkbenchClient
from tests.helpers.verifying import WordJudge

TOKEN = Token("a-token-for-tests-0123456789", "the tests")


@dataclass
class Served:
    """An address and how to speak to it."""

    url: str
    token: str = TOKEN.value

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def client(self) -> WorkbenchClient:
        return WorkbenchClient(self.url, self.token)


@contextmanager
def served(
    workbench: Workbench, options: ServiceOptions = ServiceOptions(port=0), token: Token | None = TOKEN
) -> Iterator[Served]:
    """The service until the block ends. No worker: tests carry out jobs when they want them done."""
    listening = threading.Event()
    server = Server(service(workbench, token, options), options, lambda _: listening.set())
    thread = threading.Thread(target=server.run, name="service under test")
    thread.start()
    try:
        assert listening.wait(20), "the service did not begin to listen"
        yield Served(server.address, token.value if token else "")
    finally:
        server.should_exit = True
        thread.join()


@dataclass
class Town:
    """A root with the projects ``streets`` and ``secrets``, read and encoded; judged by words."""

    workbench: Workbench
    streets: OpenProject
    secrets: OpenProject

    def work(self) -> None:
        """Carry out what waits."""
        for opened in (self.streets, self.secrets):
            finish_jobs(self.workbench, opened)


SECRET = "The vault of the mint opens with the words green heron. The guards of the mint change at four."


@contextmanager
def town(root: Path, engines: Engines, settings: Settings | None = None) -> Iterator[Town]:
    """Makes both projects with the shared models; closes the workbench in the end."""
    workbench = open_workbench(root, settings or Settings())
    with judged_by(workbench, engines, WordJudge()):
        streets = workbench.open(workbench.create("Streets").slug)
        streets.sources.add_snapshots(SOURCES)
        secrets = workbench.open(workbench.create("Secrets").slug)
        secrets.sources.add_text("Mint", SECRET)
        made = Town(workbench, streets, secrets)
        made.work()
        yield made
    workbench.close()
