"""docs/service.md: every example is run, and answers as the page shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.http.openapi import document
from core.ports.engines import Engines
from tests.helpers.serving import Served, Town, served, town

REPOSITORY = Path(__file__).resolve().parents[3]
PAGE = (REPOSITORY / "docs" / "service.md").read_text("utf-8")
EXAMPLES = re.findall(r"```sh\n(.*?)```\n\n```json\n(.*?)```", PAGE, flags=re.DOTALL)
ADDRESS = "http://127.0.0.1:8600"


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[Served]:
    with town(tmp_path_factory.mktemp("docs") / "root", engines) as made, _working(made), served(made.workbench) as one:
        yield one


class _working:
    """Carries out jobs as they come, as a worker would."""

    def __init__(self, made: Town) -> None:
        self._made = made
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="working")

    def _work(self) -> None:
        while not self._stop.wait(0.05):
            self._made.work()

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        self._thread.join()


def _run(command: list[str], at: Served) -> str:
    variables = {**os.environ, "WORKBENCH_TOKEN": at.token}
    ran = subprocess.run(command, cwd=REPOSITORY, env=variables, capture_output=True, text=True, timeout=100)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def _fits(shown: object, got: object) -> bool:
    """Whether the answer holds what is shown; … stands for anything."""
    if shown == "…":
        return True
    if isinstance(shown, dict):
        if not isinstance(got, dict):
            return False
        if "…" in shown:
            return all(_fits(shown["…"], one) for one in got.values())
        return all(name in got and _fits(part, got[name]) for name, part in shown.items())
    if isinstance(shown, list):
        return isinstance(got, list) and len(got) == len(shown) and all(map(_fits, shown, got))
    return shown == got


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_answers_as_shown(at: Served, command: str, shown: str) -> None:
    if shutil.which("curl") is None or shutil.which("bash") is None:
        assert not os.environ.get("CI"), "curl and bash are needed"
        pytest.skip("curl and bash are needed")
    told = _run(["bash", "-c", command.replace(ADDRESS, at.url)], at)
    assert _fits(json.loads(shown), json.loads(told)), told[:2000]


def test_the_example_in_python_runs(at: Served) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    assert _run([sys.executable, "-c", code.replace(ADDRESS, at.url)], at) == "done\nBins\n"


def test_every_address_and_status_is_on_the_page() -> None:
    for path, methods in document()["paths"].items():
        bare = path.replace("/{id}", "")
        assert bare.split("/cancel")[0] in PAGE
        for method in methods.values():
            for status in method["responses"]:
                assert status in PAGE, status
    assert len(EXAMPLES) >= 9
