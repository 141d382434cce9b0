"""PyLate with fast-plaid, in an environment of its own: it needs sentence-transformers 5 and torch 2.11."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.engines_data import Sample, data_name, index_text, kept_exact
from benchmarks.engines_measure import DEPTH, System, rows_of, say
from benchmarks.peers_env import Environment, environment
from benchmarks.report import Row

PYLATE = "pylate==1.6.0"
SYSTEM = "PyLate + fast-plaid, same checkpoint"
_DRIVER = Path(__file__).with_name("engines_pylate_driver.py")
_LIMIT_S = 1_200


def installed(cache: Path) -> Environment:
    """Its environment, installed at first (several GB with the torch that it pins).

    Raises:
        CalledProcessError: pip failed.
    """
    return environment(cache, PYLATE)


def request(checkpoint: Path, folder: Path, passages: Sequence[str], queries: Sequence[str]) -> dict[str, Any]:
    """What the driver is told."""
    return {"checkpoint": str(checkpoint), "folder": str(folder), "passages": list(passages), "queries": list(queries),
            "k": DEPTH}  # fmt: skip


def surroundings() -> dict[str, str]:
    """The environment variables of a peer that may load nothing from a hub."""
    return {**os.environ, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}


def run(peer: Environment, scratch: Path, payload: dict[str, Any]) -> dict[str, Any]:
    """One run of the driver.

    Raises:
        RuntimeError: it wrote no result; the message holds its last words.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    request_file, result = scratch / "request.json", scratch / "result.json"
    request_file.write_text(json.dumps(payload), "utf-8")
    result.unlink(missing_ok=True)
    done = subprocess.run([peer.python, _DRIVER, request_file, result], env=surroundings(), cwd=scratch, check=False,
                          capture_output=True, text=True, timeout=_LIMIT_S)  # fmt: skip
    if not result.is_file():
        lines = [line for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
        raise RuntimeError(f"it ended with {done.returncode}: {lines[-1] if lines else 'without a word'}")
    values: dict[str, Any] = json.loads(result.read_text("utf-8"))
    return values


def victim(peer: Environment, scratch: Path, payload: dict[str, Any]) -> subprocess.Popen[str]:
    """A driver that builds, to be killed; it prints ``begin`` when its vectors are there."""
    scratch.mkdir(parents=True, exist_ok=True)
    request_file = scratch / "victim.json"
    request_file.write_text(json.dumps({**payload, "victim": True}), "utf-8")
    command = [str(peer.python), str(_DRIVER), str(request_file), str(scratch / "victim-result.json")]
    return subprocess.Popen(command, env=surroundings(), cwd=scratch, stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.DEVNULL)  # fmt: skip


def measure(sample: Sample, cache: Path, checkpoint: Path, about: Mapping[str, Any]) -> list[Row]:
    """Everything about it at one size; what does not work is said in words. How much of the best five is as exact
    MaxSim has it needs the part ``late`` of this size, in this run or an earlier one."""
    system = System(SYSTEM, exact=kept_exact(cache, sample))
    say(f"  {SYSTEM}")
    with tempfile.TemporaryDirectory(prefix="benchmark-") as scratch, system.trying("run"):
        _measure(system, installed(cache), Path(scratch), checkpoint, sample)
    return rows_of(system, sample, data_name(sample), about)


def _measure(system: System, peer: Environment, scratch: Path, checkpoint: Path, sample: Sample) -> None:
    later = sample.later[0]
    payload = request(checkpoint, scratch / "index", sample.passages, list(sample.queries.values()))
    answer = run(peer, scratch, {**payload, "later": index_text(later), "later_title": later.title})
    system.values |= {name: float(answer[name]) for name in ("build_s", "build_cpu_s", "disk_bytes")}
    system.ranked = dict(zip(sample.queries, answer["ranked"], strict=True))
    system.milliseconds, system.encoding = answer["milliseconds"], answer["encoding"]
    for what in ("add_one", "delete_one"):
        error = answer.get("change_error") or answer.get(f"{what.split('_')[0]}_error")
        if error:
            system.fail(what, error)
        else:
            system.values[f"{what}_s"] = answer[f"{what}_s"]
    if "same_after_delete" in answer:
        same = answer["same_after_delete"]
        system.values["best_five_after_delete"] = same / 5
        system.said["best_five_after_delete"] = f"after the best was deleted, {same} of the five behind it are the best"
