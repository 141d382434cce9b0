"""``workbench engine``: shown, chosen, said before it is done, rebuilt; and what keeps it from being used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core import wiring
from core.cli import app
from core.demo_project import finish_jobs
from core.engines import Engines
from core.late_choice import LateCheck
from tests.auditing import SOURCES
from tests.late_choosing import with_texts_engine
from tests.late_engines import TextsEngine

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
    monkeypatch.setattr(wiring._engines(), "late_check", lambda: LateCheck("c", "The extra is not installed."))  # type: ignore[call-arg]
    refused = call("engine", "ragatouille")
    assert refused.exit_code == 2
    assert "The extra is not installed." in refused.stderr
    assert "as the installation" in call("engine").stdout


def test_a_build_that_fails_is_said_and_is_the_exit_code(call: Call, made: TextsEngine) -> None:
    made.build_error = OSError(28, "No space left on device")
    told = call("engine", "ragatouille")
    assert told.exit_code == 1
    assert "No space left on device" in told.stdout
