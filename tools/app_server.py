"""Start the real application on a free loopback port, and a Chromium to look at it: for browser tests and pictures."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pages.server import SCRIPT

HOME = Path(__file__).resolve().parents[1]
START_WITHIN_S = 90.0

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def chromium_path() -> str | None:
    """An installed Chromium or Chrome, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


def free_port() -> int:
    """A port that is free on 127.0.0.1 just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(root: Path, port: int | None = None, *, script: Path = SCRIPT, health: str = "healthz") -> Iterator[str]:
    """The address of a server over ``root``; ended by its own process id. ``script`` is another one to serve, and
    ``health`` is its health check, for tests of what surrounds the application."""
    with started(root, port, script=script, health=health) as (url, _):
        yield url


@contextmanager
def started(
    root: Path, port: int | None = None, *, script: Path = SCRIPT, health: str = "healthz"
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The same with the process of the server, for those who kill it themselves."""
    port = port or free_port()
    url = f"http://127.0.0.1:{port}"
    log = (root.parent / f"server-{port}.log").open("ab")
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    environment = {**os.environ, "WORKBENCH_ROOT": str(root)}
    process = subprocess.Popen(command, cwd=script.parent, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait_until_healthy(f"{url}/{health}", process, Path(log.name))
        yield url, process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.2)
    raise RuntimeError(f"The server did not start. Its log:\n{log.read_text('utf-8', 'replace')[-3000:]}")
