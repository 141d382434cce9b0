"""The engines of late interaction that are always there, over one list of promises."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.ports.engines import Engines
from core.settings.values import Retrieval, Settings
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.contract.late_promises import HELD, Case, LatePromises, SnapshotPromises, sentence
from tests.helpers.late_engines import TextsEngine
from tests.helpers.late_projects import late_of, use, with_texts_engine


class Held:
    """One engine of tests for all openings of a root."""

    engine: TextsEngine


@pytest.fixture(scope="class")
def held() -> Held:
    return Held()


@pytest.fixture(scope="class")
def case(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, engines: Engines, held: Held
) -> Iterator[Case]:
    root = tmp_path_factory.mktemp("late")
    opened_now: list[Workbench] = []

    def reopen() -> Workbench:
        close()
        bench = open_workbench(root, Settings(retrieval=Retrieval(cache_entries=0)))
        if request.cls.setting == "ragatouille":
            held.engine = with_texts_engine(bench, engines)
        else:
            use(bench, engines, None)
        opened_now[:] = [bench]
        return bench

    def close() -> None:
        """Stop what searches; the shared models stay open."""
        for bench in opened_now:
            if request.cls.setting == "ragatouille":
                late_of(bench).close()
            bench._open.clear()

    bench = reopen()
    made = Case(bench, bench.open(bench.create("Trees").slug), request.cls.setting, reopen, request.cls.name)
    made.opened.sources.add_texts([(f"Tree {number}", sentence(number)) for number in range(HELD)])
    made.work()
    yield made
    close()


class TestExactEngine(LatePromises):
    setting, name = "exact", ""


class TestSnapshotEngine(SnapshotPromises):
    setting, name = "ragatouille", TextsEngine.name

    @pytest.fixture(autouse=True)
    def _engine_of(self, held: Held) -> None:
        self.held = held

    def fail(self, case: Case) -> None:
        self.held.engine.broken = True

    def mend(self, case: Case) -> None:
        self.held.engine.broken = False
