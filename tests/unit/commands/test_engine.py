"""``workbench engine``: shown, chosen, said before it is done, rebuilt; and what keeps it from being used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.commands.__main__ import app
from core.errors import ExtraMissing
from core.labels import JobKind
from core.ports.engines import Engines
from core.ports.late import LateCheck
from core.workbench import wiring
from core.workbench.demo import finish_jobs
from tests.helpers.auditing import SOURCES
from tests.helpers.late_choosing import with_texts_engine
from tests.helpers.late_engines import TextsEngine

Call = Callable[..., Result]


@pytest.fixture
def made(tmp_path: Path, engines: Engines, monkeypatch: pytest.MonkeyPatch) -> TextsEngine:
    """A project with sources, and a command line whose RAGatouille is the engine of tests."""
    bench = wiring.open_workbench(tmp_path / "root")
    engine = with_texts_engine(bench, engines)
    bench.engines.close = lambda: None  # type: ignore[method-assign]
    monkeypatch.setattr(wiring, "_engines", lambda *_: bench.engines)
    monkeypatch.setattr(wiring, "_variant", bench._variants._make)
    opened = bench.open(bench.create("Streets").slug)
    opened.add_snapshots(SOURCES)
    finish_jobs(bench, opened)
    return engine


@pytest.fixture
def call(made: TextsEngine, tmp_path: Path) -> Call:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["--root", str(tmp_path / "root"), *arguments, "-p", "streets"])

    return run


def test_it_is_shown_chosen_and_left_again(call: Call, made: TextsEngine) -> None:
    assert "Compares word by word: the exact engine (as the installation)." in call("engine").stdout
    said = call("engine", "ragatouille", "--dry-run").stdout
    assert "builds an index" in said
    assert "as the installation" in call("engine").stdout
    told = call("engine", "ragatouille")
    assert told.exit_code == 0, told.output
    assert "RAGatouille (chosen for this project)" in told.stdout
    assert "Index: 3 passages" in told.stdout
    assert call("engine", "ragatouille", "--dry-run").stdout.strip() == "Nothing: it is chosen already."
    assert made.builds == 1
    assert call("engine", "--rebuild").exit_code == 0
    assert made.builds == 2
    assert "It is not used now." in call("engine", "default").stdout


def test_the_state_is_there_for_machines(call: Call, tmp_path: Path) -> None:
    call("engine", "ragatouille")
    root = str(tmp_path / "root")
    shown = json.loads(CliRunner().invoke(app, ["--root", root, "--json", "engine", "-p", "streets"]).stdout)
    assert (shown["state"]["chosen"], shown["state"]["engine"], shown["state"]["indexed"]) == (
        "ragatouille", "ragatouille", 3,
    )  # fmt: skip
    assert shown["failed"] == shown["effects"] == []


def test_what_cannot_be_is_refused_with_the_reason(
    call: Call, made: TextsEngine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refused = call("engine", "--rebuild")
    assert refused.exit_code == 2
    assert "needs no index" in refused.stderr
    assert call("engine", "plaid").exit_code == 2
    assert call("engine", "--dry-run").exit_code == 2
    assert "leave --rebuild out" in call("engine", "ragatouille", "--dry-run", "--rebuild").stderr
    call("engine", "ragatouille")
    assert "needs no index" in call("engine", "exact", "--rebuild").stderr
    assert "chosen for this project" in call("engine").stdout
    call("engine", "default")
    monkeypatch.setattr(
        wiring._engines(), "late_check", lambda: LateCheck("c", "The extra is not installed.", ExtraMissing)
    )  # type: ignore[call-arg]
    refused = call("engine", "ragatouille")
    assert refused.exit_code == 2
    assert "The extra is not installed." in refused.stderr
    root = str(tmp_path / "root")
    told = CliRunner().invoke(app, ["--root", root, "--json", "engine", "ragatouille", "-p", "streets"])
    assert json.loads(told.stderr)["error"] == "ExtraMissing"
    assert "as the installation" in call("engine").stdout


def test_a_build_that_fails_is_said_and_is_the_exit_code(call: Call, made: TextsEngine) -> None:
    made.build_error = OSError(28, "No space left on device")
    told = call("engine", "ragatouille")
    assert told.exit_code == 1
    assert "No space left on device" in told.stdout


def test_an_index_of_too_few_passages_is_refused_and_nothing_is_kept_of_it(
    call: Call, made: TextsEngine, tmp_path: Path
) -> None:
    root = str(tmp_path / "root")
    wiring.open_workbench(tmp_path / "root").create("Empty")

    def engine(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["--root", root, "engine", *arguments, "-p", "empty"])

    assert engine("ragatouille").exit_code == 0
    refused = engine("--rebuild")
    assert refused.exit_code == 2
    assert "cannot index fewer than 3 passages, and this project has 0. Add sources" in refused.stderr
    assert "failed" not in engine().stdout
    bench = wiring.open_workbench(tmp_path / "root")
    assert [job for job in bench.open("empty").jobs() if job.kind is JobKind.INDEX_LATE] == []


def test_a_project_that_is_deleted_while_its_index_is_built_is_said_to_be_gone(
    call: Call, made: TextsEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("engine", "ragatouille").exit_code == 0

    def build(*_: object) -> None:
        wiring.open_workbench(tmp_path / "root").delete("streets", confirm="Streets")
        raise RuntimeError("Parent directory made/colbert/indexes/passages does not exist")

    monkeypatch.setattr(made, "build", build)
    told = call("engine", "--rebuild")
    assert told.exit_code == 2
    assert "The project 'Streets' was deleted meanwhile" in told.stderr
    assert told.stdout == ""
    assert "Parent directory" not in told.output
    assert not (tmp_path / "root" / "streets").exists()
