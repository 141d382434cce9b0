"""``workbench serve`` as a process: token shown once, worker beside it, gone with it."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.labels import FetchState, JobState
from core.records import Query, SearchRequest
from core.workbench.wiring import open_workbench
from tests.helpers.service_client import WorkbenchClient

REPOSITORY = Path(__file__).resolve().parents[3]


def _serve(root: Path, *options: str, **variables: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "core.commands", "--root", str(root), "serve", "--port", "0", *options]
    kept = {name: value for name, value in os.environ.items() if name != "WORKBENCH_TOKEN"}
    return subprocess.Popen(
        command, cwd=REPOSITORY, env={**kept, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _lines(process: subprocess.Popen[str]) -> tuple[str, str]:
    """(token or "", address), as printed."""
    assert process.stdout is not None
    token = ""
    for line in process.stdout:
        if found := re.match(r"Token \(shown once.*\): (\S+)", line):
            token = found[1]
        if found := re.search(r"on (http://\S+)", line):
            return token, found[1]
    raise AssertionError(process.stderr.read() if process.stderr else "")


def _end(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    return process.returncode


def test_a_served_root_reads_sources_by_its_own_worker_and_ends_whole(tmp_path: Path) -> None:
    root = tmp_path / "root"
    made = open_workbench(root)
    made.create("Streets")
    made.close()
    process = _serve(root)
    try:
        token, address = _lines(process)
        file = root / ".service-token"
        assert file.read_text().strip() == token
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with WorkbenchClient(address, token) as client:
            remote = client.open("streets")
            job = remote.add_text("Trees", "The city planted 400 limes on Mill Lane between 2015 and 2019.")
            ended = remote.finished(job.id, within_s=120)
            assert ended.job.state is JobState.DONE
            assert [row.state for row in ended.sources] == [FetchState.STORED]
            assert client.health().worker is True
            assert remote.search(SearchRequest((Query("limes"),))).passages[0].document.title == "Trees"
    finally:
        code = _end(process)
    assert code == 0
    with open_workbench(root).catalog.claim_worker() as mine:
        assert mine, "the worker stayed behind"


def test_a_second_start_shows_no_token_and_keeps_it(tmp_path: Path) -> None:
    root = tmp_path / "root"
    tokens = []
    for _ in range(2):
        process = _serve(root, "--no-worker")
        tokens.append(_lines(process)[0])
        _end(process)
    assert tokens[0]
    assert tokens[1] == ""
    process = _serve(root, "--no-worker")
    address = _lines(process)[1]
    with WorkbenchClient(address, tokens[0]) as client:
        assert client.openapi()["openapi"].startswith("3.1")
    _end(process)


@pytest.mark.parametrize(("options", "variables", "told"), [
    (["--no-token", "--host", "0.0.0.0"], {}, "Without a token"),
    ([], {"WORKBENCH_TOKEN": "short"}, "holds no token"),
    (["--host", "203.0.113.1", "--no-worker"], {"WORKBENCH_TOKEN": "a-token-of-some-length"}, "cannot listen"),
])  # fmt: skip
def test_what_cannot_be_served_is_refused_in_words(
    tmp_path: Path, options: list[str], variables: dict[str, str], told: str
) -> None:
    process = _serve(tmp_path / "root", *options, **variables)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert told in errors
    assert "Traceback" not in errors
