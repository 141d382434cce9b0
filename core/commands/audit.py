"""``workbench audit``: every citation of a report checked in the source that it cites."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn
from urllib.parse import quote

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.commands.console import FAILED, NEEDS_A_LOOK, carry_out, session
from core.commands.sources import LONGEST_PATH, ProjectSlug
from core.errors import JobError
from core.labels import JobState, Status
from core.records import AuditSummary, Finding, Job, StoredReport
from core.text.jsonable import jsonable
from core.text.words import count_words

if TYPE_CHECKING:
    from core.workbench.open_project import OpenProject
    from core.workbench.workbench import Workbench

STYLES = {Status.PASS: "green", Status.REVIEW: "yellow", Status.SOURCE_NOT_INDEXED: "red"}

NO_CITATIONS = (
    "workbench: no citation was found in this report, so nothing was checked. Recognised are [1], [^1], links, bare "
    "addresses, DOIs, (Author, 2020), [@key], superscripts and numbers with a list of works cited."
)


def audit(
    context: typer.Context,
    report: Annotated[str, typer.Argument(help="The report: Markdown, DOCX, HTML, text or PDF; - for standard input.")],
    project: ProjectSlug,
    sarif: Annotated[bool, typer.Option("--sarif", help="SARIF 2.1.0, for code scanning.")] = False,
    md: Annotated[bool, typer.Option("--md", help="A Markdown table.")] = False,
    fetch: Annotated[bool, typer.Option("--fetch", help="Fetch the cited sources that are not stored.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write to this file instead of standard output.")] = None,
) -> None:
    """Audit the citations of a report against the stored sources of a project. Exit code 0 when every row passes, 1
    when some need a look or there is no citation, 2 when the audit could not be done. A report that is in the project
    already, under whatever name, is audited again (quickly); another text under its name or title becomes its next
    version."""
    run = session(context)
    if sarif + md + run.as_json > 1:
        run.fail("Choose one of --json, --sarif and --md.", kind="UsageError")
    name, body = _read(report)
    with run.workbench() as workbench:
        opened = workbench.open(project)
        stored, job = opened.audits.add_again(name, body)
        _finish(workbench, opened, job)
        if fetch and opened.audits.findings(stored.id, statuses=[Status.SOURCE_NOT_INDEXED]):
            _finish(workbench, opened, opened.audits.fetch_cited(stored.id))
        rows, summary = opened.audits.findings(stored.id), opened.audits.summary(stored.id)
        if sarif:
            text = _sarif(opened, stored, rows, report)
        elif md:
            text = _markdown(opened, rows)
        elif run.as_json or out is not None:
            value = jsonable({"report": stored, "summary": summary, "findings": rows})
            text = json.dumps(value, ensure_ascii=False, indent=2)
        else:
            text = ""
    if text:
        _put(text + "\n", out)
    else:
        _tell(Console(highlight=False), stored, rows, summary)
    _end(summary, rows)


def _end(summary: AuditSummary, rows: list[Finding]) -> None:
    """End with the exit code that the rows ask for."""
    if summary.waiting:
        raise typer.Exit(FAILED)
    if not summary.citations:
        print(NO_CITATIONS, file=sys.stderr)
    if not summary.citations or any(row.status is not Status.PASS for row in rows):
        raise typer.Exit(NEEDS_A_LOOK)


def _read(report: str) -> tuple[str, bytes]:
    if report == "-":
        return "report", sys.stdin.buffer.read()
    if not report.strip() or len(os.fsencode(report)) > LONGEST_PATH:
        _stop("The report's name is empty or endless. Was a shell variable not set?")
    path = Path(report)
    if not path.is_file():
        _stop(f"{report} is no file. Check the spelling.")
    return path.name, path.read_bytes()


def _stop(message: str) -> NoReturn:
    print(f"workbench: {message}", file=sys.stderr)
    raise typer.Exit(FAILED)


def _finish(workbench: Workbench, opened: OpenProject, job: Job) -> None:
    ended = carry_out(workbench, opened, job)
    if ended.state is not JobState.DONE:
        raise JobError(f"The {ended.kind.value} job is {ended.state.value}: {ended.error or 'it did not say why'}")


def _sarif(opened: OpenProject, stored: StoredReport, rows: list[Finding], report: str) -> str:
    from core.audit.sarif import sarif

    log = sarif(stored, opened.audits.text(stored.id), rows, _uri(report))
    return json.dumps(log, ensure_ascii=False, indent=2)


def _uri(report: str) -> str:
    """A URI reference: relative to the working folder where the report lies under it."""
    if report == "-":
        return "stdin"
    path = Path(report).resolve()
    here = Path.cwd().resolve()
    return quote(path.relative_to(here).as_posix()) if path.is_relative_to(here) else path.as_uri()


def _markdown(opened: OpenProject, rows: list[Finding]) -> str:
    from core.audit.audit_page import citation_table

    titles = {document.id: document.title for document in opened.sources.documents(superseded=True)}
    return "\n".join(citation_table(rows, titles))


def _put(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, "utf-8")
    except OSError as error:
        _stop(f"{out} cannot be written: {error.strerror}. Name another file with --out.")


def _tell(console: Console, stored: StoredReport, rows: list[Finding], summary: AuditSummary) -> None:
    table = Table("#", "status", "reason", "citation", "claim", "why")
    for row in rows:
        if row.status is Status.PASS:
            continue
        status = Text(
            row.status.value if row.status else "waiting", style=STYLES.get(row.status, "") if row.status else ""
        )
        reasons = ", ".join(reason.value for reason in row.reasons)
        table.add_row(
            str(row.ordinal + 1), status, reasons, Text(row.marker_text[:60]), Text(row.claim_text[:160]),
            Text(row.explanation[:300]),
        )  # fmt: skip
    if table.row_count:
        console.print(table)
    counts = ", ".join(f"{status.value} {summary.by_status.get(status, 0)}" for status in Status)
    console.print(f"{stored.name}: {count_words(summary.citations, 'citation')}: {counts}.", markup=False)
    for warning in stored.warnings:
        console.print(warning, markup=False)
