"""Words about exports: pure functions over records, nothing of Streamlit or a store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from core.export.content import gone_words, rows_without_source
from core.export.exports import Export
from core.export.formats import FORMATS, ExportFormat
from core.labels import JobState
from core.records import Document, Finding, ReportStanding
from core.text.words import count_words, short, size_words, when_words

NAMES: Mapping[ExportFormat, str] = {one.format: one.name for one in FORMATS}
"""What each format is called."""

HOLDS: Mapping[ExportFormat, str] = {one.format: one.holds for one in FORMATS}
"""What is in each, and for whom."""


def content_words(findings: Sequence[Finding], standing: ReportStanding, format: ExportFormat, sources: bool) -> str:
    """What the file will hold, in one line."""
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
    """Why there is no file, one sentence; empty where there is one."""
    if export.there:
        return ""
    words = {
        JobState.PENDING: "It waits for its turn.", JobState.RUNNING: "It is being written.",
        JobState.CANCELLED: "It was stopped.", JobState.FAILED: export.job.error or "It failed without saying why.",
        JobState.DONE: "Its file is gone.",
    }  # fmt: skip
    return words[export.job.state]


def missing_words(findings: Sequence[Finding], documents: Iterable[Document], format: ExportFormat) -> str:
    """What a file that is written now will lack; "" where it lacks nothing."""
    rows = rows_without_source(findings, {document.id for document in documents})
    return gone_words(rows, pack=format is ExportFormat.PACK)


def waiting_line(waiting: int) -> str:
    """That rows are not checked yet."""
    verb, they = ("is", "it is") if waiting == 1 else ("are", "they are")
    return f"{count_words(waiting, 'row')} {verb} not checked yet; {they} written as waiting."
