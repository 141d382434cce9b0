"""``workbench export``: a project as one zip, or one of its reports in a format for others."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.commands.console import Session, carry_out, session
from core.errors import ExportError, ReportNotFound
from core.export.formats import ExportFormat
from core.labels import JobState

if TYPE_CHECKING:
    from core.opened import OpenProject


def export(
    context: typer.Context,
    slug: Annotated[str | None, typer.Argument(help="The project's slug.")] = None,
    target: Annotated[Path | None, typer.Argument(help="The zip to write (of a whole project).")] = None,
    project: Annotated[
        str | None, typer.Option("--project", "-p", envvar="WORKBENCH_PROJECT", help="The project's slug.")
    ] = None,
    report: Annotated[
        int | None, typer.Option("--report", help="The number of the report; the newest one without this.")
    ] = None,
    format: Annotated[ExportFormat | None, typer.Option("--format", help="Write a report in this format.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The file to write; - for standard output.")] = None,
    without_sources: Annotated[
        bool, typer.Option("--without-source-words", help="Leave the words of the sources out.")
    ] = False,
) -> None:
    """Write a project as one zip (`export SLUG FILE`), or a report (`export -p SLUG --format xlsx -o FILE`).

    Exit code 0 when it was written, 2 when not.
    """
    run = session(context)
    named = project if slug is None else slug
    if named is None:
        run.fail("Name the project: workbench export SLUG FILE, or --project SLUG.", kind="UsageError")
    if format is None:
        place = target or out
        if place is None or report is not None:
            run.fail("Say in which --format the report is to be written, or which zip to write.", kind="UsageError")
        with run.workbench() as workbench:
            path = workbench.export(named, place)
            run.show({"archive": path}, lambda console: console.print(f"Wrote {path}", markup=False))
        return
    _report(run, named, report, format, out or target, sources=not without_sources)


def _report(
    run: Session, slug: str, report: int | None, format: ExportFormat, out: Path | None, *, sources: bool
) -> None:
    with run.workbench() as workbench:
        opened = workbench.open(slug)
        number = _newest(opened) if report is None else report
        ended = carry_out(workbench, opened, opened.exports.start(number, format, include_sources=sources))
        if ended.state is not JobState.DONE:
            raise ExportError(f"The export is {ended.state.value}: {ended.error or 'it did not say why'}")
        written = opened.exports.path(ended)
        if out is not None and str(out) == "-":
            sys.stdout.buffer.write(written.read_bytes())
            sys.stdout.flush()
            return
        path = out if out is not None else Path(str(ended.result["name"]))
        if path.is_dir():
            path = path / str(ended.result["name"])
        try:
            shutil.copyfile(written, path)
        except OSError as error:
            raise ExportError(f"{path} cannot be written: {error.strerror}. Name another file with -o.") from error
        value = {"file": path, "format": format, "report": number, "sha256": ended.result["sha256"]}
        run.show(value, lambda console: console.print(f"Wrote {path}", markup=False))


def _newest(opened: OpenProject) -> int:
    reports = opened.audits.reports()
    if not reports:
        raise ReportNotFound("This project has no report. Audit one first: workbench audit REPORT -p SLUG")
    return reports[0].id
