"""Promises of ``workbench ask``: the answer as text or JSON, exit codes, messages that help."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.commands.__main__ import app
from tests.helpers.asking import QUESTION, TREES


@pytest.fixture
def call(tmp_path: Path):  # type: ignore[no-untyped-def]
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["--root", str(tmp_path / "root"), *arguments])

    run("project", "create", "P")
    return run


def test_the_answer_with_its_citations(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "trees.txt").write_text(TREES, "utf-8")
    assert call("add", "-p", "p", str(tmp_path / "trees.txt")).exit_code == 0
    found = call("--json", "ask", QUESTION, "-p", "p", "--strict", "--domain", "general")
    assert found.exit_code == 0
    answer = json.loads(found.stdout)
    assert "1.3 degrees" in answer["text"]
    assert (answer["mode"], answer["strict"], answer["grounded"]) == ("extractive", True, True)
    assert answer["citations"][0]["excerpt"] in TREES
    shown = call("ask", QUESTION, "-p", "p", "--report")
    assert "[1] " in shown.stdout
    assert "Confidence" in shown.stdout
    assert call("audit", "--help").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        (("Why are there trees?", "-p", "p"), 1, "Add sources"),
        (("  ", "-p", "p"), 2, "empty"),
        (("Why?", "-p", "p", "--domain", "astrology"), 2, "astrology"),
        (("Why trees?", "-p", "nowhere"), 2, "nowhere"),
    ],
)
def test_what_cannot_be_answered_says_why(call, arguments: tuple[str, ...], code: int, hint: str) -> None:  # type: ignore[no-untyped-def]
    found = call("ask", *arguments)
    assert found.exit_code == code
    assert hint in " ".join((found.stdout + found.stderr).split())


def test_a_model_that_is_demanded_and_off_is_an_error(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "trees.txt").write_text(TREES, "utf-8")
    call("add", "-p", "p", str(tmp_path / "trees.txt"))
    found = call("ask", QUESTION, "-p", "p", "--mode", "generated")
    assert found.exit_code == 2
    assert "llm.enabled" in found.stderr
