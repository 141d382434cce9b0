"""``python -m benchmarks peers``: product and peers on the same reports with the same served pages, in one run.

Peers are installed from the package index into environments of their own under the cache folder, on this request only.
How cases are made and outcomes compared: ``benchmarks/peers_cases.py``, ``benchmarks/peers_outcomes.py``; what came
out, and why: ``docs/peers.md``.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from benchmarks import peers_citefact
from benchmarks.audit import shared
from benchmarks.audit_bench import allowing, bench, work
from benchmarks.peers_cases import REAL, Case, demo_case, real_case
from benchmarks.peers_env import PROOFPATH, Environment, environment, result_of
from benchmarks.peers_env import run as run_peer
from benchmarks.peers_outcomes import Outcome, of_findings, of_proofpath, shares
from benchmarks.peers_serve import host_of, service, serving
from benchmarks.report import Row
from benchmarks.rows import row
from core.ports.store import Entailer, JointEncoder
from core.records import Fetched
from core.settings.values import Settings
from core.workbench.wiring import open_workbench

_DRIVER = Path(__file__).with_name("peers_proofpath.py")
_OURS = "workbench audit"
_AS_INSTALLED = f"{PROOFPATH} as installed, offline"
_STAND_IN = f"{PROOFPATH} with our models in place of its own"


def run(data: Path, cache: Path, only: Sequence[str] | None = None) -> list[Row]:
    """Measure on the demo report and three real ones; ``only`` names some of them (``demo``, or the file's stem)."""
    folder = data / "reports"
    names = ["demo", *(name.removesuffix(".md") for name in REAL)]
    peer = environment(cache, PROOFPATH)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch, closing(open_workbench(Path(scratch) / "models")) as models:
        for name in only or names:
            case = demo_case(_reader(models)) if name == "demo" else real_case(folder, f"{name}.md")
            entailer, encoder = models.engines.entailer(), models.engines.encoder()
            rows += _measure(case, peer, entailer, encoder, Path(scratch) / name)
    if only is None or "demo" in only:
        rows += peers_citefact.run(cache)
    return rows


def _reader(models: Any) -> Any:
    def read(name: str, body: bytes, media_type: str) -> str:
        fetched = Fetched(body=body, media_type=media_type, filename=name)
        return str(models.engines.extractor().extract(fetched).text)

    return read


def _measure(case: Case, peer: Environment, entailer: Entailer, encoder: JointEncoder, scratch: Path) -> list[Row]:
    def embed(texts: list[str]) -> list[list[float]]:
        return encoder.encode_passages(texts).tolist() if texts else []

    def judge(pairs: list[list[str]]) -> list[list[float]]:
        return entailer.judge([(claim, evidence) for claim, evidence in pairs]).tolist() if pairs else []

    embed(["warm"]), judge([["The models are read.", "The models are read."]])
    rows: list[Row] = []
    with ExitStack() as stack:
        served = stack.enter_context(serving(case.pages))
        address = stack.enter_context(service({"/embed": embed, "/judge": judge}))
        there = case.at(served)
        about = shared({"case": hashlib.sha256(case.text.encode()).hexdigest()[:16]})
        rows += _product(there, served, scratch / "product", about)
        # Without its indexes and models it reads nothing, whatever the report: once is enough.
        runs = {_STAND_IN: [address]} | ({_AS_INSTALLED: []} if case.name == "demo" else {})
        for system, given in runs.items():
            rows += _proofpath(there, served, peer, system, given, scratch / f"peer-{len(given)}", about)
    return rows


def _product(case: Case, served: Mapping[str, str], root: Path, about: dict[str, Any]) -> list[Row]:
    settings = allowing(Settings(), [host_of(address) for address in served.values()])
    with bench(root, settings) as workbench:
        opened = workbench.open(workbench.create(case.name).slug)
        workbench.engines.entailer().judge([("The models are read.", "The models are read.")])
        workbench.engines.encoder().encode_queries(["The models are read."])
        clock = _Clock()
        report, _ = opened.audits.add(f"{case.name}.md", case.text.encode(), "text/markdown")
        work(opened)
        opened.audits.fetch_cited(report.id)
        work(opened)
        times = clock.lap("first")
        opened.audits.audit(report.id)
        work(opened)
        times |= clock.lap("repeat")
        outcomes = of_findings(case, opened.audits.findings(report.id))
    return _rows(case, _OURS, outcomes, times, about)


class _Clock:
    """Wall and processor seconds of this process since the last lap; a busy machine distorts the latter less."""

    def __init__(self) -> None:
        self._wall, self._cpu = 0.0, 0.0
        self.lap("")

    def lap(self, name: str) -> dict[str, float]:
        wall, cpu = time.perf_counter(), time.process_time()
        fields = {f"{name}_s": wall - self._wall, f"{name}_cpu_s": cpu - self._cpu}
        self._wall, self._cpu = wall, cpu
        return fields


def _proofpath(
    case: Case, served: Mapping[str, str], peer: Environment, system: str, given: Sequence[str], state: Path,
    about: dict[str, Any],
) -> list[Row]:  # fmt: skip
    state.mkdir(parents=True, exist_ok=True)
    report, result = state / f"{case.name}.md", state / "result.json"
    report.write_text(case.text, encoding="utf-8")
    hosts = [host_of(address) for address in served.values()]
    answer: dict[str, Any] = {}
    times: dict[str, float] = {}
    for name in ("first", "repeat"):
        clock = _Clock()
        finished = run_peer([peer.python, _DRIVER, report, result, *given], state=state, hosts=hosts)
        served_s = clock.lap(name)[f"{name}_cpu_s"]  # its models and pages are answered by this process
        outcome = result_of(result, finished)
        times |= {f"{name}_s": outcome["seconds"], f"{name}_cpu_s": outcome["cpu"] + served_s}
        answer = answer or outcome
    remark = answer["error"] or "; ".join(answer["stages"])
    print(f"{case.name}, {system}: {remark}", file=sys.stderr)
    about = {**about, "fingerprint": {**about["fingerprint"], "said": remark}}
    return _rows(case, system, of_proofpath(case, answer), times, about)


def _rows(
    case: Case, system: str, outcomes: Mapping[str, Outcome], times: Mapping[str, float], about: dict[str, Any]
) -> list[Row]:
    for truth in case.truths:
        outcome = outcomes[truth.key]
        if (truth.holds is True and outcome is not Outcome.PASSED) or (not truth.holds and outcome is Outcome.PASSED):
            print(f"{case.name} {truth.key}, {system}: {truth.kind}, {outcome}: {truth.claim[:80]!r}", file=sys.stderr)
    values = {**shares(case, outcomes), **{name: (value, 1) for name, value in times.items()}}
    return [
        row("peers", case.name, "loopback", system, metric, value, n=n, **about)
        for metric, (value, n) in values.items()
    ]
