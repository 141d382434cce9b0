"""Words about a report: the next step with it, and its exports. Pure functions over records."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from core.export.content import gone_words, rows_without_source
from core.export.exports import Export
from core.export.formats import FORMATS, ExportFormat
from core.labels import JobState
from core.records import Document, Finding, ReportStanding
from core.text.words import count_words, short, size_words, when_words
from core.workbench.first_steps import NextStep, Step


def step_line(step: NextStep) -> str:
    """The state of the report and the next step, one or two sentences; "" where there is nothing to say."""
    if step.step is Step.SOURCES:
        return _sources_line(step)
    if step.step is Step.WAIT and step.undecided:
        return f"Its citations are being checked. {step.undecided:,} of them can be reviewed already."
    if step.step is Step.WAIT and step.lacking:
        return "Its citations are being checked. You can add sources meanwhile."
    if step.step is Step.REVIEW:
        waiting = f"{count_words(step.undecided, 'citation')} {'waits' if step.undecided == 1 else 'wait'}"
        return f"{waiting} for your decision: read the words on both sides, one key each."
    return "Nothing waits for a person. The outcome is ready to be shown." if step.step is Step.OVERVIEW else ""


def _sources_line(step: NextStep) -> str:
    rows = count_words(len(step.lacking), "citation")
    line = f"To check {rows}, the {count_words(step.sources, 'source')} cited there must be here."
    left = step.sources - step.reachable
    if not step.reachable:
        return f"{line} The report gives no address for them, so add the files that you have."
    if left:
        return f"{line} Of {left:,} the report gives no address; add those by hand."
    return line


def fetch_label(step: NextStep) -> str:
    return f"Fetch {count_words(step.reachable, 'cited source')}"


NAMES: Mapping[ExportFormat, str] = {info.format: info.name for info in FORMATS}
"""The name of each format."""

HOLDS: Mapping[ExportFormat, str] = {info.format: info.holds for info in FORMATS}
"""The contents of each format, and for whom it is."""


def content_words(findings: Sequence[Finding], standing: ReportStanding, format: ExportFormat, sources: bool) -> str:
    decided = sum(1 for finding in standing.findings.values() if finding.decision or finding.conflict)
    parts = [count_words(len(findings), "row"), f"{decided:,} with a decision of a person"]
    if format is ExportFormat.PACK:
        parts.append("every source it cites, as received")
        parts.append("the log of decisions, with names (of those on other reports or hidden from you only hashes)")
    else:
        parts.append("with the words of the sources" if sources else "without the words of the sources")
    return " · ".join(parts)


def export_title(export: Export) -> str:
    """The file, or the format while there is none."""
    return export.name or NAMES[export.format]


def export_words(export: Export, reports: Mapping[int, str], now: datetime) -> str:
    """Format, report, size and age in one line."""
    parts = [NAMES[export.format], short(reports.get(export.report_id, "a report that was deleted"), 90)]
    if export.size:
        parts.append(size_words(export.size))
    if not export.sources:
        parts.append("without the words of the sources")
    parts.append(f"asked for {when_words(export.job.created, now)}")
    return " · ".join(parts)


def export_state(export: Export) -> str:
    """The reason why there is no file, one sentence; "" where there is one."""
    if export.there:
        return ""
    words = {
        JobState.PENDING: "It waits for its turn.", JobState.RUNNING: "It is being written.",
        JobState.CANCELLED: "It was stopped.", JobState.FAILED: export.job.error or "It failed without saying why.",
        JobState.DONE: "Its file is gone.",
    }  # fmt: skip
    return words[export.job.state]


def missing_words(findings: Sequence[Finding], documents: Iterable[Document], format: ExportFormat) -> str:
    """The sources that a file written now will lack; "" where it lacks nothing."""
    rows = rows_without_source(findings, {document.id for document in documents})
    return gone_words(rows, pack=format is ExportFormat.PACK)


def waiting_line(waiting: int) -> str:
    """The number of rows that are not checked yet."""
    verb, they = ("is", "it is") if waiting == 1 else ("are", "they are")
    return f"{count_words(waiting, 'row')} {verb} not checked yet; {they} written as waiting."
