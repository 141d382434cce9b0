"""Promises of ``workbench claims``: JSON that parses, exit codes, messages that help."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.commands.__main__ import app

TEXT = "The city planted 31,640 trees by 2024. Why so few?"


@pytest.fixture
def call(tmp_path: Path):  # type: ignore[no-untyped-def]
    def run(*arguments: str, text: str | None = None) -> Result:
        return CliRunner().invoke(app, ["--root", str(tmp_path / "root"), *arguments], input=text)

    run("project", "create", "P")
    return run


def test_claims_are_taken_out_of_a_text_a_file_and_standard_input_and_listed(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    found = json.loads(call("--json", "claims", "extract", "-p", "p", "--text", TEXT).stdout)
    assert [(one["text"], one["check_worthy"]) for one in found] == [
        ("The city planted 31,640 trees by 2024.", True),
        ("Why so few?", False),
    ]
    assert json.loads(call("--json", "claims", "extract", "-p", "p", "-", text=TEXT).stdout) == found
    (tmp_path / "r.md").write_text(f"# Trees\n\n{TEXT}\n\nThe harbour was rebuilt in 1987.\n", "utf-8")
    assert call("claims", "extract", "-p", "p", str(tmp_path / "r.md")).exit_code == 0
    listed = json.loads(call("--json", "claims", "list", "-p", "p").stdout)
    assert [one["text"] for one in listed][-1] == "The harbour was rebuilt in 1987."
    assert len(json.loads(call("--json", "claims", "list", "-p", "p", "--all").stdout)) == 3
    shown = call("claims", "list", "-p", "p").stdout
    assert "C2 -" in shown
    assert "31,640" in shown


def test_a_typed_claim_takes_the_type_that_was_given(call) -> None:  # type: ignore[no-untyped-def]
    added = json.loads(call("--json", "claims", "add", "-p", "p", "Trees cool streets.", "--type", "C1").stdout)
    assert (added["type"], added["type_reason"]) == ("C1", "chosen when it was typed")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("extract", "-p", "p"), "--text"),
        (("extract", "-p", "p", "missing.md"), "missing.md"),
        (("extract", "-p", "p", "17"), "17"),
        (("extract", "-p", "p", "--text", "  "), "empty"),
        (("add", "-p", "p", "?!"), "no words"),
        (("verify", "-p", "p", "17"), "17"),
        (("list", "-p", "nowhere"), "nowhere"),
    ],
)
def test_an_error_is_exit_code_2_with_one_line_that_names_the_thing(
    call, arguments: tuple[str, ...], hint: str
) -> None:  # type: ignore[no-untyped-def]
    result = call("claims", *arguments)
    assert result.exit_code == 2
    assert hint in result.stderr
    assert "Traceback" not in result.stderr
