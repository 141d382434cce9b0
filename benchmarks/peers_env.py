"""Environments of the peers: made on request under the cache folder, apart from the product's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROOFPATH = "proofpath==0.4.12"
CITEFACT = "citefact==0.3.0"
_REFUSED = "http://127.0.0.1:9"
_LIMIT_S = 1_800


@dataclass(frozen=True, slots=True)
class Environment:
    """One peer's interpreter, and a folder for its settings and cache."""

    requirement: str
    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin") / "python"

    def command(self, name: str) -> str:
        """A program that it installed."""
        return str(self.python.with_name(name))


def environment(cache: Path, requirement: str, *more: str) -> Environment:
    """The environment of a peer, installed from the package index (with ``more`` beside it) when it is not there.

    Raises:
        CalledProcessError: pip failed; its output went to standard error.
    """
    environment = Environment(requirement, cache / "peers" / requirement.replace("==", "-"))
    done = environment.folder / "installed"
    if not done.is_file():
        venv.create(environment.folder, with_pip=True, clear=True)
        subprocess.run(
            [environment.python, "-m", "pip", "install", "--quiet", requirement, *more], check=True, stdout=sys.stderr
        )
        done.write_text(requirement, encoding="utf-8")
    return environment


def run(command: Sequence[str | Path], *, state: Path, hosts: Iterable[str] = ()) -> subprocess.CompletedProcess[str]:
    """Run a peer with its state in a folder of its own; it can reach ``hosts`` and this machine, nothing else."""
    direct = ",".join(["127.0.0.1", "localhost", *(host.split(":")[0] for host in hosts)])
    names = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
    variables = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    state.mkdir(parents=True, exist_ok=True)
    surroundings = {
        **variables,
        **dict.fromkeys(names, _REFUSED),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), direct),
        "HOME": str(state),
        "PROOFPATH_CACHE_DIR": str(state / "cache"),
        "PROOFPATH_CONFIG_DIR": str(state / "config"),
        "PROOFPATH_STATE_DIR": str(state / "state"),
        "CITEFACT_CACHE": str(state / "citefact"),
        "PYTHONUTF8": "1",
    }
    return subprocess.run(
        [str(part) for part in command],
        env=surroundings, cwd=state, capture_output=True, text=True, timeout=_LIMIT_S, check=False,
    )  # fmt: skip


def last_line(finished: subprocess.CompletedProcess[str]) -> str:
    """The last thing that a program said."""
    lines = [line.strip() for line in f"{finished.stdout}\n{finished.stderr}".splitlines() if line.strip()]
    return lines[-1] if lines else f"exit status {finished.returncode}"


def result_of(path: Path, finished: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The JSON that a driver wrote, or the error that stopped it."""
    if not path.is_file():
        return {"error": last_line(finished), "seconds": 0.0, "cpu": 0.0}
    values: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return values
