"""``workbench engine``: shown, rebuilt, and what keeps it from being used."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.backends.ragatouille import checkpoint
from core.commands.__main__ import app
from core.commands.engine import state_lines
from core.labels import JobKind
from core.late.service import LateState
from core.ports.engines import Engines, LateCheck
from core.workbench import wiring
from core.workbench.demo import finish_jobs
from core.workbench.workbench import Workbench
from tests.helpers.auditing import SOURCES
from tests.helpers.late_engines import TextsEngine
from tests.helpers.late_projects import late_of, use, with_texts_engine

Call = Callable[..., Result]
USED = LateState(
    "ragatouille", "", "my-colbert", built=datetime(2026, 5, 4, 10, 30, tzinfo=UTC), indexed=90, added=2, removed=1
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "workbench.toml").write_text('[models]\nlate_engine = "ragatouille"\n')
    return tmp_path / "root"


@pytest.fixture
def bench(root: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """A workbench with a project, and a command line that has its engines."""
    bench = wiring.open_workbench(root)
    with_texts_engine(bench, engines)
    bench.engines.close = lambda: None  # type: ignore[method-assign]
    monkeypatch.setattr(wiring, "_engines", lambda *_: bench.engines)
    opened = bench.open(bench.create("Streets").slug)
    opened.sources.add_snapshots(SOURCES)
    finish_jobs(bench, opened)
    return bench


@pytest.fixture
def made(bench: Workbench) -> TextsEngine:
    engine = late_of(bench).indexes._engine
    assert isinstance(engine, TextsEngine)
    return engine


@pytest.fixture
def call(bench: Workbench, root: Path) -> Call:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["--root", str(root), *arguments, "-p", "streets"])

    return run


def test_it_is_shown_and_rebuilt(call: Call, made: TextsEngine) -> None:
    shown = call("engine")
    assert shown.exit_code == 0, shown.output
    assert "Compares word by word: RAGatouille (the setting models.late_engine)." in shown.stdout
    assert "Index: 3 passages" in shown.stdout
    assert made.builds == 1
    assert call("engine", "--rebuild").exit_code == 0
    assert made.builds == 2


def test_the_state_is_there_for_machines(call: Call) -> None:
    shown = json.loads(call("--json", "engine").stdout)
    assert (shown["state"]["engine"], shown["state"]["indexed"], shown["failed"]) == ("ragatouille", 3, [])


def test_under_the_exact_engine_it_is_said_whether_the_other_could_be_used(
    call: Call, bench: Workbench, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(bench, engines, None)
    bench.engines.close = lambda: None  # type: ignore[method-assign]
    monkeypatch.setattr(checkpoint, "check_late_engine", lambda _: LateCheck("c", "The extra is not installed."))
    shown = call("engine")
    assert "Compares word by word: the exact engine" in shown.stdout
    assert "RAGatouille cannot be used here: The extra is not installed." in shown.stdout
    assert "It is not used now." in shown.stdout
    refused = call("engine", "--rebuild")
    assert refused.exit_code == 2
    assert "needs no index. Set models.late_engine to ragatouille first." in refused.stderr


def test_a_build_that_fails_is_said_and_is_the_exit_code(call: Call, made: TextsEngine) -> None:
    made.build_error = OSError(28, "No space left on device")
    failed = call("engine", "--rebuild")
    assert failed.exit_code == 1
    assert "No space left on device" in failed.stdout


def test_an_index_of_too_few_passages_is_refused_and_nothing_is_kept_of_it(
    call: Call, made: TextsEngine, root: Path
) -> None:
    wiring.open_workbench(root).create("Empty")

    def engine(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["--root", str(root), "engine", *arguments, "-p", "empty"])

    refused = engine("--rebuild")
    assert refused.exit_code == 2
    assert "cannot index fewer than 3 passages, and this project has 0. Add sources" in refused.stderr
    assert "failed" not in engine().stdout
    bench = wiring.open_workbench(root)
    assert [job for job in bench.open("empty").jobs.all() if job.kind is JobKind.INDEX_LATE] == []


def test_a_project_that_is_deleted_while_its_index_is_built_is_said_to_be_gone(
    call: Call, made: TextsEngine, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(*_: object) -> None:
        wiring.open_workbench(root).delete("streets", confirm="Streets")
        raise RuntimeError("Parent directory made/colbert/indexes/passages does not exist")

    monkeypatch.setattr(made, "build", build)
    ended = call("engine", "--rebuild")
    assert ended.exit_code == 2
    assert "The project 'Streets' was deleted meanwhile" in ended.stderr
    assert ended.stdout == ""
    assert "Parent directory" not in ended.output
    assert not (root / "streets").exists()


def test_the_state_names_engine_checkpoint_index_and_what_failed() -> None:
    state = replace(USED, failed="The disk is full.", rebuild="40 changes", warning="Many passages.")
    assert list(state_lines(state)) == [
        "Compares word by word: RAGatouille (the setting models.late_engine).",
        "Checkpoint of RAGatouille: my-colbert.",
        "Index: 90 passages, built 2026-05-04 10:30 UTC; since then 2 added and 1 removed.",
        "The last build failed: The disk is full.",
        "It is to be built: 40 changes.",
        "Many passages.",
    ]
    assert list(state_lines(replace(USED, engine="exact")))[-1].endswith("It is not used now.")
