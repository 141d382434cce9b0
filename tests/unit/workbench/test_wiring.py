"""A workbench with engines that were given, and one with its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.ports.engines import Engines
from core.workbench.wiring import open_workbench

LONGER = "[chunking]\nsize = 321\n"


class Closed:
    """An engine that counts how often it was closed."""

    def __init__(self) -> None:
        self.times = 0

    def close(self) -> None:
        self.times += 1


def engines_of(engine: Any) -> Engines:
    def nothing() -> Any:
        raise AssertionError("This test needs no such engine.")

    return Engines(nothing, nothing, lambda: engine, nothing, nothing)


def test_engines_that_were_given_are_used_and_left_open(tmp_path: Path) -> None:
    engine = Closed()
    given = engines_of(engine)
    workbench = open_workbench(tmp_path / "root", engines=given)
    project = workbench.open(workbench.create("Streets").slug)
    assert project.job_context().engines.extractor() is engine
    workbench.close()
    assert engine.times == 0
    given.close()
    assert engine.times == 1


def test_engines_of_the_workbench_are_closed_with_it(tmp_path: Path) -> None:
    engine = Closed()
    workbench = open_workbench(tmp_path / "root")
    workbench.engines._made["extractor"] = engine
    workbench.close()
    assert engine.times == 1


def test_given_engines_stay_when_the_settings_change(tmp_path: Path) -> None:
    given = engines_of(Closed())
    workbench = open_workbench(tmp_path / "root", engines=given)
    (tmp_path / "root" / "workbench.toml").write_text(LONGER)
    assert workbench.refresh()
    assert (workbench.settings.chunking.size, workbench.engines) == (321, given)
    workbench.close()
