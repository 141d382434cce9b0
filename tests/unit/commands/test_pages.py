"""``workbench app`` serves the pages from any folder, and says what to do where it cannot."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.commands.__main__ import app
from pages.server import SCRIPT
from tools.app_server import START_WITHIN_S, free_port

HOME = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with blanks, other letters, and things that look like parts of the product."""
    place = tmp_path / "my folder \u00fc \u6797"
    for name in ("core", "pages", "storage"):
        (place / name).mkdir(parents=True)
        (place / name / "__init__.py").write_text("raise SystemExit('a foreign folder was imported')\n")
    return place


def test_it_serves_from_a_foreign_folder(folder: Path) -> None:
    port = free_port()
    command = [sys.executable, "-P", "-m", "core.commands", "--root", "Projekte \u00e9", "app", "--port", str(port)]
    server = subprocess.Popen(command, cwd=folder, env={**os.environ, "PYTHONPATH": str(HOME)})
    try:
        assert _answers(f"http://127.0.0.1:{port}/healthz", server)
        assert (folder / "Projekte \u00e9").is_dir()
    finally:
        server.terminate()
        server.wait(30)


def _answers(address: str, server: subprocess.Popen[bytes]) -> bool:
    deadline = time.monotonic() + START_WITHIN_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    return False


def test_a_busy_port_is_said_with_what_to_do(folder: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        result = CliRunner().invoke(app, ["--root", str(folder / "root"), "app", "--port", str(port)])
    assert result.exit_code == 2
    assert str(port) in result.stderr
    assert "--port" in result.stderr


def test_a_root_that_cannot_be_is_said_with_what_to_do(folder: Path) -> None:
    (folder / "file").write_text("x")
    result = CliRunner().invoke(app, ["--root", str(folder / "file"), "app", "--port", "0"])
    assert result.exit_code == 2
    assert "--root" in result.stderr


def test_the_script_and_its_settings_lie_in_a_package() -> None:
    """A wheel holds packages only."""
    assert SCRIPT.is_file()
    assert (SCRIPT.parent / ".streamlit" / "config.toml").is_file()
    assert not list(SCRIPT.parent.glob("pages"))  # Streamlit would take it for its older kind of pages
