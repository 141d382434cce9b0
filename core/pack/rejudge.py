"""Every row of an audit pack judged once more, in a project of its own that is thrown away, and compared. The pack is
imported as hostile, its passages are encoded anew, and the same audit runs over it, under the settings of the pack and
the models of this installation. Only where the original looked through a whole library for a better source, the one
that it found is judged again in place of a search: the pack need not hold the rest."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from core.audit.job import audit_rows
from core.audit.rescue import Rescuer
from core.audit.rows import Case
from core.audit.under_audit import Audited, open_audit
from core.errors import WorkbenchError
from core.labels import JobKind, JobState
from core.ports.context import JobContext
from core.ports.engines import Engines
from core.records import CheckResult, Finding, SourceVerdict
from core.settings.values import Settings, Verification
from core.workbench.jobs import run_next

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
TOLERANCE = 0.02
"""The most by which a calibrated probability may differ: int8 kernels of two processors round differently."""

Tell = Callable[[int, int | None, str], None]

_READ = ("claim_text", "marker_text", "reference_label", "reference_text", "url", "doi")
"""Fields of a row that come from the report itself."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that comes out differently here. ``field`` is ``status``, ``reasons``, ``support``, ``source``,
    ``passage``, ``check of …``, ``row``, or what is read in the report (``claim text``, ``url`` …); ``ordinal`` counts
    from 1, 0 for the report as a whole."""

    ordinal: int
    field: str
    recorded: str
    here: str

    def __str__(self) -> str:
        where = f"Row {self.ordinal}" if self.ordinal else "The report"
        return f"{where}: {self.field} is {self.recorded or 'empty'} in the pack, {self.here or 'empty'} here."


def rejudged(
    pack: Path, engines: Engines, verification: Verification, recorded: Sequence[Finding], tell: Tell
) -> list[Finding]:
    """The rows as they come out here, in the order of the report. Raises HostileArchive (the pack is refused),
    ModelError (there is no judge here) or ReportError (the report reads differently with this version)."""
    from core.workbench.wiring import open_workbench

    settings = Settings(verification=verification)
    with TemporaryDirectory(prefix="workbench-verify-") as folder:
        workbench = open_workbench(Path(folder) / "root", settings, engines=engines)
        try:
            opened = workbench.open(workbench.catalog.import_archive(pack, name="pack").slug)
            opened.jobs.schedule(JobKind.ENCODE)
            context = opened.job_context()
            _encode(context, tell)
            (report,) = context.store.reports()
            rows = context.store.findings(report.id)
            context.store.put_findings([replace(row, basis="") for row in rows])

            def step(done: int, total: int | None, message: str = "") -> None:
                tell(done, total, message)

            by_ordinal = {row.ordinal: row for row in recorded}
            read = open_audit(context.store, engines, settings, report.id).cases
            audit_rows(
                context, report.id, [], step, rescuer=lambda job, audited: _RecordedRescuer(job, audited, by_ordinal)
            )
            # The rows of the pack were taken in as they are; what they cite is read out of the report once more.
            cited = {case.row.ordinal: {name: getattr(case.row, name) for name in _READ} for case in read}
            return [replace(row, **cited.get(row.ordinal, {})) for row in context.store.findings(report.id)]
        finally:
            workbench.close()


def _encode(context: JobContext, tell: Tell) -> None:
    tell(0, None, "Preparing search by meaning")
    while (job := run_next(context, "verify", kinds=[JobKind.ENCODE])) is not None:
        if job.state is not JobState.DONE:
            raise WorkbenchError(f"The passages of the pack could not be encoded: {job.error or job.state.value}")


class _RecordedRescuer(Rescuer):
    """Judges the source that the pack names as the better one, and no other."""

    def __init__(self, context: JobContext, audited: Audited, recorded: Mapping[int, Finding]) -> None:
        super().__init__(context, audited)
        self._recorded = recorded

    def _documents(self, case: Case, row: Finding) -> list[str]:
        row_of_pack = self._recorded.get(case.row.ordinal)
        return [row_of_pack.rescue.document_id] if row_of_pack is not None and row_of_pack.rescue is not None else []


def differences(recorded: Sequence[Finding], rows: Sequence[Finding], *, words: bool = False) -> list[Difference]:
    """Differences of rows, by their place in the report; rows that the pack left waiting are not compared. With
    ``words`` (the same models judged both times) also what a row says of itself: explanation, deciding sentence, and
    the fingerprint of its judge."""
    listed: list[Difference] = []
    here = {row.ordinal: row for row in rows}
    for row in recorded:
        other = here.get(row.ordinal)
        if other is None:
            listed.append(Difference(row.ordinal + 1, "row", row.claim_text[:80], "not there"))
        elif row.status is not None:
            listed += _of_row(row, other)
            listed += _of_words(row, other) if words else []
    return listed


def _of_row(row: Finding, other: Finding) -> list[Difference]:
    pairs = [
        *((name.replace("_", " "), str(getattr(row, name)), str(getattr(other, name))) for name in _READ),
        ("status", row.status.value if row.status else "", other.status.value if other.status else "waiting"),
        ("reasons", ", ".join(row.reasons), ", ".join(other.reasons)),
        ("source", row.document_id or "none", other.document_id or "none"),
        ("better source", _rescue(row), _rescue(other)),
    ]
    moved = [Difference(row.ordinal + 1, name, mine, theirs) for name, mine, theirs in pairs if mine != theirs]
    if row.verdict is not None and other.verdict is not None:
        return moved + _of_verdicts(row, row.verdict, other, other.verdict)
    if (row.verdict is None) != (other.verdict is None):
        moved.append(Difference(row.ordinal + 1, "verdict", _there(row.verdict), _there(other.verdict)))
    return moved


def _of_verdicts(row: Finding, mine: SourceVerdict, other: Finding, theirs: SourceVerdict) -> list[Difference]:
    moved = [
        Difference(row.ordinal + 1, name, f"{recorded:.3f}", f"{here:.3f}")
        for name, recorded, here in (
            ("support", mine.supports, theirs.supports),
            ("contradiction", mine.contradicts, theirs.contradicts),
        )
        if abs(recorded - here) > TOLERANCE
    ]
    if mine.best is None:
        return moved
    words = theirs.best.text if theirs.best else ""
    if theirs.best is not None and mine.best.text == words:
        moved += _of_checks(row, mine, theirs)
    # Of two passages that say it equally well another may come out first: listed only where the outcome moved too.
    close = abs(mine.supports - theirs.supports) <= TOLERANCE and row.status == other.status
    if (mine.best.text, mine.rationale) != (words, theirs.rationale) and not close:
        moved.append(Difference(row.ordinal + 1, "passage", _words(row), _words(other)))
    return moved


def _of_words(row: Finding, other: Finding) -> list[Difference]:
    """Differences of rows that the same passage decided; figures in an explanation are those of the processor, so they
    are left out."""
    mine, theirs = row.verdict, other.verdict
    if (mine is None) != (theirs is None):
        return []
    pairs = []
    if mine is not None and theirs is not None:
        pairs.append(("fingerprint", mine.fingerprint, theirs.fingerprint))
        if (mine.best.text if mine.best else "") != (theirs.best.text if theirs.best else ""):
            return [Difference(row.ordinal + 1, *pair) for pair in pairs if pair[1] != pair[2]]
        pairs.append(("rationale", str(mine.rationale), str(theirs.rationale)))
    if _FIGURE.sub("#", row.explanation) != _FIGURE.sub("#", other.explanation):
        pairs.append(("explanation", row.explanation, other.explanation))
    return [Difference(row.ordinal + 1, *pair) for pair in pairs if pair[1] != pair[2]]


def _of_checks(row: Finding, mine_verdict: SourceVerdict, theirs_verdict: SourceVerdict) -> list[Difference]:
    """Comparisons of quotes, numbers, names …: of the same words they come out alike on every processor."""
    mine, theirs = ({check.name: check for check in verdict.checks} for verdict in (mine_verdict, theirs_verdict))
    return [
        Difference(row.ordinal + 1, f"check of {name}", _check(mine.get(name)), _check(theirs.get(name)))
        for name in sorted({*mine, *theirs})
        if _check(mine.get(name)) != _check(theirs.get(name))
    ]


def _check(check: CheckResult | None) -> str:
    return f"{check.outcome.value} ({check.explanation})" if check is not None else "not made"


def _rescue(row: Finding) -> str:
    if row.rescue is None:
        return "none"
    return f"{row.rescue.document_id}, which {'says' if row.rescue.carries else 'may say'} it"


def _there(verdict: object) -> str:
    return "there" if verdict is not None else "missing"


def _words(row: Finding) -> str:
    best = row.verdict.best if row.verdict is not None else None
    return f"“{' '.join(best.text.split())[:100]}”" if best is not None else "none"


@contextmanager
def taken_in(pack: Path, engines: Engines, settings: Settings) -> Iterator[JobContext]:
    """The job context of the pack's only project. Raises HostileArchive: the pack is refused."""
    from core.workbench.wiring import open_workbench

    with TemporaryDirectory(prefix="workbench-verify-") as folder:
        workbench = open_workbench(Path(folder) / "root", settings, engines=engines)
        try:
            yield workbench.open(workbench.catalog.import_archive(pack).slug).job_context()
        finally:
            workbench.close()
