"""Promises of ``workbench expand``: variants with what each brings, many questions at once, nothing paid unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.commands.__main__ import app
from tests.helpers.llm_using import KEY
from tests.servers.messages_api import messages_api

NOTE = "Street trees shade the pavement and cool the air by two degrees on hot days. " * 3


@pytest.fixture
def call(tmp_path: Path):  # type: ignore[no-untyped-def]
    def run(*arguments: str, text: str | None = None) -> Result:
        return CliRunner().invoke(app, ["--root", str(tmp_path / "root"), *arguments], input=text)

    assert run("project", "create", "P").exit_code == 0
    assert run("add", "-p", "p", "--title", "Note", "-", text=NOTE).exit_code == 0
    return run


def test_each_variant_is_shown_with_what_it_brings(call) -> None:  # type: ignore[no-untyped-def]
    shown = call("--json", "expand", "-p", "p", "How do street trees cool the air?")
    assert shown.exit_code == 0, shown.output
    (one,) = json.loads(shown.stdout)
    kinds = [row["variant"]["kind"] for row in one["variants"]]
    assert kinds[0] == "original"
    assert "transform" in kinds
    assert one["variants"][0]["brings"]["passages"] == 1
    assert all(row["brings"]["new_passages"] == [] for row in one["variants"][1:])
    words = call("expand", "-p", "p", "How do street trees cool the air?").stdout
    assert "1 new passages" in words


def test_many_questions_come_from_a_file(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "q.txt").write_text("Do trees cool?\n\nIs shade enough?\n", "utf-8")
    shown = call("--json", "expand", "-p", "p", "--file", str(tmp_path / "q.txt"), "--no-run")
    assert [one["question"] for one in json.loads(shown.stdout)] == ["Do trees cool?", "Is shade enough?"]


def test_without_a_model_the_command_says_so_and_goes_on(call) -> None:  # type: ignore[no-untyped-def]
    shown = call("--json", "expand", "-p", "p", "--kinds", "hyde,multi_query", "Do trees cool?")
    assert shown.exit_code == 0, shown.output
    (one,) = json.loads(shown.stdout)
    assert len(one["variants"]) == 1
    assert all("goes on with the question itself" in note for note in one["notes"])


def test_nothing_is_paid_unless_it_is_said(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with messages_api("Trees cool streets. They shade.") as api:
        settings = f'[llm]\nenabled = true\nbase_url = "{api}"\n'
        (tmp_path / "root" / "workbench.toml").write_text(settings, "utf-8")
        command = ("expand", "-p", "p", "--kinds", "hyde", "Do trees cool?")
        refused = call("--json", *command)
        assert refused.exit_code == 2
        assert "--yes" in refused.stderr
        assert "$" in refused.stderr
        assert call(*command, text="n\n").exit_code == 2
        assert api.requests == []
        made = json.loads(call("--json", *command, "--yes").stdout)
        assert len(api.requests) == 1
    assert "They shade" in made[0]["variants"][1]["variant"]["text"]


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("-p", "p"), "question"),
        (("-p", "p", "--kinds", "magic", "q"), "magic"),
        (("-p", "p", "--file", "missing.txt"), "missing.txt"),
        (("-p", "nowhere", "q"), "nowhere"),
        (("-p", "p", " "), "empty"),
    ],
)
def test_what_cannot_be_done_is_exit_code_2_with_one_line(call, arguments: tuple[str, ...], hint: str) -> None:  # type: ignore[no-untyped-def]
    result = call("expand", *arguments)
    assert result.exit_code == 2
    assert hint in result.stderr
    assert "Traceback" not in result.output
