"""The formats in which a report can be written out."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from core.export.content import Content, gone_words, rows_without_source, withheld_words

FOLDER = "exports"
"""Name of the folder of written files, in the project's folder."""


class ExportFormat(StrEnum):
    """Names of the formats, as on the command line and in jobs; they never change once released."""

    CSV = "csv"
    XLSX = "xlsx"
    JSON = "json"
    MARKDOWN = "markdown"
    DOCX = "docx"
    HTML = "html"
    SARIF = "sarif"
    PACK = "pack"


@dataclass(frozen=True, slots=True)
class FormatInfo:
    """A format for people: ``ending`` of its files with the dot, its name, and in ``holds`` its content and readers."""

    format: ExportFormat
    ending: str
    media_type: str
    name: str
    holds: str


FORMATS: tuple[FormatInfo, ...] = (
    FormatInfo(
        ExportFormat.HTML, ".html", "text/html", "Web page (one file)",
        "The report in colour; a click on a sentence leads to its evidence. Opens offline, prints well, has no script.",
    ),
    FormatInfo(
        ExportFormat.DOCX, ".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "Word", "The outcome, a table of citations, and each of them with its passage.",
    ),
    FormatInfo(
        ExportFormat.XLSX, ".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "Excel", "One line a citation, with passage, checks and decision; sheets for claims and the outcome.",
    ),
    FormatInfo(
        ExportFormat.CSV, ".csv", "text/csv", "CSV",
        "One line a citation, for any spreadsheet. Cells that it would run as formulas are neutralised.",
    ),
    FormatInfo(
        ExportFormat.MARKDOWN, ".md", "text/markdown", "Markdown",
        "The outcome, a table of citations, and each of them with its passage.",
    ),
    FormatInfo(
        ExportFormat.JSON, ".json", "application/json", "JSON",
        "Everything, whole, for other programs: rows, claims, sources, decisions, settings.",
    ),
    FormatInfo(
        ExportFormat.SARIF, ".sarif", "application/sarif+json", "SARIF 2.1.0",
        "What does not pass, for code scanning and editors that show it beside the lines of the report.",
    ),
    FormatInfo(
        ExportFormat.PACK, ".zip", "application/zip", "Audit pack",
        "Report, sources, passages, verdicts, decisions, settings and models in one zip that others can check offline "
        "with “workbench verify” and import as a project.",
    ),
)  # fmt: skip


def info_of(format: ExportFormat) -> FormatInfo:
    """A format: its ending, its name, its media type."""
    return next(format_info for format_info in FORMATS if format_info.format is format)


def as_sarif(content: Content) -> bytes:
    """SARIF 2.1.0 with one result for each row that does not pass (``core.audit.sarif``)."""
    from core.audit.sarif import sarif

    # An explanation quotes the source.
    findings = [
        finding if content.sources or not finding.verdict else replace(finding, explanation="")
        for finding in content.findings
    ]
    log: dict[str, Any] = sarif(content.report, content.read.text, findings, quote(content.report.name) or "report")
    gone = gone_words(rows_without_source(content.findings, content.documents))
    if words := [sentence for sentence in (gone, withheld_words(content.withheld)) if sentence]:
        notes = [{"level": "warning", "message": {"text": word}} for word in words]
        log["runs"][0]["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": notes}]
    return (json.dumps(log, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def writer_of(format: ExportFormat) -> Callable[[Content], bytes]:
    """The writer of a format; only the store can write a pack (``ProjectCatalog.write_pack``). Raises KeyError: the
    format is a pack."""
    # Imported when asked for: each brings its library.
    from core.export.as_docx import as_docx
    from core.export.as_html import as_html
    from core.export.as_json import as_json
    from core.export.as_markdown import as_markdown
    from core.export.spreadsheets import as_csv, as_xlsx

    return {
        ExportFormat.CSV: as_csv, ExportFormat.XLSX: as_xlsx, ExportFormat.JSON: as_json,
        ExportFormat.MARKDOWN: as_markdown, ExportFormat.DOCX: as_docx, ExportFormat.HTML: as_html,
        ExportFormat.SARIF: as_sarif,
    }[format]  # fmt: skip
