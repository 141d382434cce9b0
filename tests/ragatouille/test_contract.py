"""RAGatouille itself, set for an installation, over the same promises as the exact engine
(``tests/contract/late_promises.py``)."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings.values import Models, Retrieval, Settings
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.contract.late_promises import HELD, Case, SnapshotPromises, late, sentence

if importlib.util.find_spec("ragatouille") is None:
    pytest.skip("needs the extra: pip install '.[ragatouille]'", allow_module_level=True)

pytestmark = pytest.mark.ragatouille


@pytest.fixture(scope="class")
def case(tmp_path_factory: pytest.TempPathFactory, checkpoint: Path) -> Iterator[Case]:
    root = tmp_path_factory.mktemp("contract")
    models = Models(late_engine="ragatouille", late_checkpoint=str(checkpoint))
    settings = Settings(models=models, retrieval=Retrieval(cache_entries=0))
    now: list[Workbench] = []

    def reopen() -> Workbench:
        for one in now:
            one.close()
        now[:] = [open_workbench(root, settings)]
        return now[0]

    bench = reopen()
    made = Case(bench, bench.open(bench.create("Trees").slug), "ragatouille", reopen, "RAGatouille", approximate=True)
    made.opened.sources.add_texts([(f"Tree {number}", sentence(number)) for number in range(HELD)])
    made.work()
    yield made
    now[0].close()


class TestRagatouille(SnapshotPromises):
    def fail(self, case: Case) -> None:
        case.ask(late())
        index = case.opened.late.index
        assert index is not None
        assert index.pid is not None
        os.kill(index.pid, signal.SIGKILL)

    def mend(self, case: Case) -> None:
        """The next search starts another process."""
