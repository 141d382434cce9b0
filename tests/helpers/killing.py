"""Work on a small project, killed at a random moment, done again and compared with the same work undisturbed.

``python -m tests.helpers.killing 60 16`` makes 60 kills (seed 16) of worker, server and command line in turn, and
counts how each ended: ``same`` (all was done before the kill), ``resumed`` (the rest was done after it, and all is as
it should be), ``lost`` (something is missing) and ``wrong`` (something differs, or the check of what is stored tells).
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.errors import WorkbenchError
from core.export.formats import ExportFormat
from core.labels import FetchState, JobState
from core.ports.engines import Engines
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from storage.catalog import SqliteCatalog
from storage.tables.base import utc_now
from tests.helpers.auditing import REPORT, SOURCES
from tests.helpers.service_client import WorkbenchClient

REPOSITORY = Path(__file__).resolve().parents[2]
SLUG = "killed"
STALE = timedelta(minutes=5)
"""So much later the project is opened again, so that the claims of killed workers are stale."""
ENDS_WITHIN_S = 20.0
"""Processes that the killed one had started have to end within so many seconds."""
REPORT_NAME = "report.md"
FILES = [(f"s{at}.txt", body, "text/plain") for at, (_, body, _) in enumerate(SOURCES)]
Rows = Mapping[str, list[str]]


@dataclass(frozen=True)
class Work:
    """Something to kill. ``before`` fills the new project (the jobs that it asks for are carried out if ``settled``);
    ``arguments`` is the module to run; ``again`` does what a person repeats after the kill."""

    before: Callable[[OpenProject], object]
    arguments: Callable[[Path], list[str]]
    again: Callable[[OpenProject, Path], object]
    settled: bool = True


def _nothing(*_: object) -> None:
    """Nothing is to be done."""


def _add_sources(project: OpenProject) -> None:
    project.sources.add_snapshots(SOURCES)


def _audit(project: OpenProject, _: Path | None = None) -> None:
    project.audits.add_again(REPORT_NAME, REPORT.encode(), "text/markdown")


def _sources_and_report(project: OpenProject, _: Path | None = None) -> None:
    _add_sources(project)
    _audit(project)


def _everything(project: OpenProject) -> None:
    _sources_and_report(project)
    project.exports.start(1, ExportFormat.JSON)


def _command(root: Path, *arguments: str) -> list[str]:
    return ["core.commands", "--root", str(root), *arguments]


def _file(root: Path, name: str) -> Path:
    return root.parent / name


WORKS: Mapping[str, Work] = {
    "worker": Work(
        _everything, lambda root: ["core.workbench.worker", str(root)], _nothing, settled=False,
    ),
    "server": Work(
        _nothing, lambda root: ["core.commands", "--root", str(root), "serve", "--port", "0", "--no-token"],
        _sources_and_report,
    ),
    "add": Work(
        _nothing, lambda root: _command(root, "add", "-p", SLUG, *(str(_file(root, name)) for name, _, _ in FILES)),
        lambda project, _: project.sources.add_files(FILES),
    ),
    "audit": Work(
        _add_sources, lambda root: _command(root, "audit", "-p", SLUG, str(_file(root, REPORT_NAME))), _audit,
    ),
    "export": Work(
        _sources_and_report,
        lambda root: _command(root, "export", "-p", SLUG, "--format", "xlsx", "-o", str(_file(root, "out.xlsx"))),
        lambda project, _: project.exports.start(1, ExportFormat.XLSX),
    ),
    "archive": Work(
        _sources_and_report,
        lambda root: _command(root, "export", SLUG, str(_file(root, "out.zip"))), _nothing,
    ),
}  # fmt: skip


def rows_of(project: OpenProject) -> Rows:
    """What a person sees of a project, without numbers and moments that differ from run to run."""
    documents = {document.id: document for document in project.sources.documents()}
    names = {key: document.canonical_url or document.filename or "" for key, document in documents.items()}
    return {
        "documents": sorted(f"{names[key]} {row.content_hash}" for key, row in documents.items()),
        "states": sorted({
            f"{row.origin} {'stored' if row.state is FetchState.DUPLICATE else row.state}"
            for row in project.sources.acquisitions()
        }),
        "passages": [f"{project.coverage()}"],
        "findings": [
            json.dumps([
                report.name, row.ordinal, row.marker_text, row.claim_text, names.get(row.document_id or "", ""),
                row.status, row.reasons, row.explanation, row.verdict and round(row.verdict.supports, 4),
            ])
            for report in project.audits.reports()
            for row in project.audits.findings(report.id)
        ],
    }  # fmt: skip


def problems_of(root: Path) -> list[str]:
    """What the check of everything stored tells, and what an earlier run left beside the data."""
    with closing(SqliteCatalog(root, utc_now).open(SLUG)) as store:
        problems = store.problems()
    for path in root.parent.glob("out.*"):
        if not zipfile.is_zipfile(path) or zipfile.ZipFile(path).testzip():
            problems.append(f"{path.name} is not whole")
    return problems


class Killing:
    """A folder for roots, the models, and for each work the rows of an undisturbed run and its seconds."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._drawn = folder, random.Random(seed)
        self._shared = open_workbench(folder / "shared")
        self._wanted: dict[str, Rows] = {}
        self._seconds: dict[str, float] = {}
        self._turn = 0

    def close(self) -> None:
        self._shared.close()

    def kill(self, name: str) -> tuple[str, str]:
        """How one kill of this work ended, and what there is to say of it."""
        if name not in self._wanted:
            self._undisturbed(name)
        root = self._root(name)
        delay = self._drawn.uniform(0.05, 1.1) * self._seconds[name]
        asked, told = self._run(name, root, delay)
        with closing(self._later(root)) as bench:
            project = bench.open(SLUG)
            missing = asked - {job.id for job in project.jobs.all()}
            rest = bool(project.jobs.all(active=True)) or rows_of(project) != self._wanted[name]
            try:
                finish_jobs(bench, project)
                if rows_of(project) != self._wanted[name] or told:
                    WORKS[name].again(project, root)
                    finish_jobs(bench, project)
            except WorkbenchError as error:
                return "wrong", f"{delay:.2f} s: {error}"
            rows, failed = rows_of(project), [job for job in project.jobs.all() if job.state is JobState.FAILED]
        wanted, problems = self._wanted[name], [*problems_of(root), *(f"{job.kind} failed" for job in failed)]
        shutil.rmtree(root.parent)
        lacking = {part: [row for row in wanted[part] if row not in rows[part]] for part in wanted}
        if missing or any(len(rows[part]) < len(wanted[part]) for part in wanted):
            return "lost", f"{delay:.2f} s: jobs {sorted(missing)}, {lacking}"
        if rows != wanted or problems:
            return "wrong", f"{delay:.2f} s: {problems} {lacking} {rows if rows != wanted else ''}"
        return ("resumed" if rest or told else "same"), f"{delay:.2f} s {told}"

    @property
    def _engines(self) -> Engines:
        return self._shared.engines

    def _later(self, root: Path) -> Workbench:
        return open_workbench(root, clock=lambda: datetime.now(UTC) + STALE, engines=self._engines)

    def _root(self, name: str) -> Path:
        """A new root with the project as it is before the work."""
        self._turn += 1
        root = self._folder / str(self._turn) / "root"
        with closing(open_workbench(root, engines=self._engines)) as bench:
            project = bench.open(bench.create("Killed").slug)
            WORKS[name].before(project)
            if WORKS[name].settled:
                finish_jobs(bench, project)
        for file, body, _ in FILES:
            _file(root, file).write_bytes(body)
        _file(root, REPORT_NAME).write_text(REPORT, encoding="utf-8")
        return root

    def _undisturbed(self, name: str) -> None:
        """Take the rows and the seconds of the work that nobody kills."""
        root, start = self._root(name), time.monotonic()
        self._run(name, root, None)
        self._seconds[name] = time.monotonic() - start
        with closing(self._later(root)) as bench:
            finish_jobs(bench, bench.open(SLUG))
            self._wanted[name] = rows_of(bench.open(SLUG))
        assert problems_of(root) == []
        shutil.rmtree(root.parent)

    def _run(self, name: str, root: Path, delay: float | None) -> tuple[set[int], str]:
        """Start the work and kill it after ``delay`` seconds, or when all is done (None). The numbers of the jobs that
        a server acknowledged, and "cut short" where the process had not ended by itself."""
        asked: set[int] = set()
        command = [sys.executable, "-m", *WORKS[name].arguments(root)]
        process = subprocess.Popen(
            command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True,
        )  # fmt: skip
        end = time.monotonic() + (600 if delay is None else delay)
        try:
            if name == "server":
                _serve(process, asked, end)
            elif name == "worker":
                _until_done(root, self._engines, end)
            with suppress(subprocess.TimeoutExpired):
                process.wait(0 if name in ("server", "worker") else max(0.0, end - time.monotonic()))
        finally:
            cut = process.poll() is None
            process.send_signal(signal.SIGKILL)
            process.wait()
        _all_end(process.pid)
        return asked, "cut short" if cut and name not in ("server", "worker") else ""


def _serve(process: subprocess.Popen[str], asked: set[int], end: float) -> None:
    """Ask a server for everything until ``end``. It is asked by a thread, as the kill cuts the requests short."""

    def ask() -> None:
        assert process.stdout is not None
        line = next((line for line in process.stdout if line.startswith("Serving")), "")
        if not line:
            return
        address = next(word for word in line.split() if word.startswith("http"))
        with suppress(WorkbenchError), WorkbenchClient(address, patience_s=0.0) as client:
            project = client.open(SLUG)
            asked.add(project.add_snapshots(SOURCES).id)
            job = project.audit(REPORT_NAME, REPORT.encode(), "text/markdown").job
            asked.add(job.id)
            project.finished(job.id)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(max(0.0, end - time.monotonic()))


def _until_done(root: Path, engines: Engines, end: float) -> None:
    with closing(open_workbench(root, engines=engines)) as bench:
        project = bench.open(SLUG)
        while project.jobs.all(active=True) and time.monotonic() < end:
            time.sleep(0.1)


def _all_end(group: int) -> None:
    """Wait until every process of a killed one is gone; TimeoutError: one stays behind."""
    end = time.monotonic() + ENDS_WITHIN_S
    while _members(group):
        if time.monotonic() > end:
            raise TimeoutError(f"processes of group {group} outlive the kill: {_members(group)}")
        time.sleep(0.1)


def _members(group: int) -> list[str]:
    """Living processes of a group (zombies are none), by the files of ``/proc``."""
    living = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] != "Z":
                living.append(path.parent.name)
    return living


def count(kills: int, seed: int, folder: Path) -> Counter[str]:
    """Outcomes of so many kills, the works in turn; what is lost or wrong is told on standard error."""
    killing, counts, names = Killing(folder, seed), Counter[str](), list(WORKS)
    try:
        for at in range(kills):
            name = names[at % len(names)]
            outcome, note = killing.kill(name)
            counts[outcome] += 1
            counts[f"{name} {outcome}"] += 1
            print(name, outcome, note, file=sys.stderr, flush=True)
    finally:
        killing.close()
    return counts


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        print(dict(count(int(sys.argv[1]), int(sys.argv[2]), Path(made))))
