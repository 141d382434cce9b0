"""The engines of late interaction that are always there, over one list of promises."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.ports.engines import Engines
from core.settings.values import Retrieval, Settings
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.contract.late_promises import HELD, Case, LatePromises, SnapshotPromises, sentence
from tests.helpers.late_choosing import with_texts_engine
from tests.helpers.late_engines import TextsEngine


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
        for one in opened_now:
            one._variants.close()  # the shared models stay open
            one._open.clear()
        bench = open_workbench(root, Settings(retrieval=Retrieval(cache_entries=0)))
        held.engine = with_texts_engine(bench, engines)
        opened_now[:] = [bench]
        return bench

    bench = reopen()
    made = Case(bench, bench.open(bench.create("Trees").slug), request.cls.choice, reopen, request.cls.name)
    made.opened.choose_late_engine(made.choice)
    made.opened.add_texts([(f"Tree {number}", sentence(number)) for number in range(HELD)])
    made.work()
    yield made
    opened_now[0]._variants.close()


class TestExactEngine(LatePromises):
    choice, name = "exact", ""


class TestSnapshotEngine(SnapshotPromises):
    choice, name = "ragatouille", TextsEngine.name

    @pytest.fixture(autouse=True)
    def _engine_of(self, held: Held) -> None:
        self.held = held

    def fail(self, case: Case) -> None:
        self.held.engine.broken = True

    def mend(self, case: Case) -> None:
        self.held.engine.broken = False
