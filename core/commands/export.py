"""``workbench export``: a project as one zip, or one of its reports in a format for others."""

from __future__ import annotations

import getpass
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.commands.console import Session, carry_out, session
from core.errors import ExportError, ReportNotFound
from core.export.formats import ExportFormat
from core.labels import JobState
from core.text.files import write_whole

if TYPE_CHECKING:
    from core.workbench.open_project import OpenProject


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
    by: Annotated[
        str,
        typer.Option("--by", envvar="WORKBENCH_REVIEWER", help="Your name; blind review hides by it."),
    ] = "",
    without_sources: Annotated[
        bool, typer.Option("--without-source-words", help="Leave the words of the sources out.")
    ] = False,
) -> None:
    """Write a project as one zip (`export SLUG FILE`), or a report (`export -p SLUG --format xlsx -o FILE`). Exit code
    0 when it was written, 2 when not."""
    run = session(context)
    named = project if slug is None else slug
    if named is None:
        run.fail("Name the project: workbench export SLUG FILE, or --project SLUG.", kind="UsageError")
    if format is None:
        place = target or out
        if place is None or report is not None:
            run.fail("Say in which --format the report is to be written, or which zip to write.", kind="UsageError")
        with run.workbench() as workbench:
            _require_file(place)
            path = workbench.export(named, place)
            run.show({"archive": path}, lambda console: console.print(f"Wrote {path}", markup=False))
        return
    _report(run, named, report, format, out or target, by, sources=not without_sources)


def _report(
    run: Session, slug: str, report: int | None, format: ExportFormat, out: Path | None, by: str, *, sources: bool
) -> None:
    with run.workbench() as workbench:
        opened = workbench.open(slug)
        number = _newest(opened) if report is None else report
        job = opened.exports.start(number, format, include_sources=sources, by=by or _system_name(opened))
        ended = carry_out(workbench, opened, job)
        if ended.state is not JobState.DONE:
            raise ExportError(f"The export is {ended.state.value}: {ended.error or 'it did not say why'}")
        written = opened.exports.path(ended)
        warning = str(ended.result.get("warning", ""))
        if warning:
            typer.echo(f"Warning: {warning}", err=True)
        if out is not None and str(out) == "-":
            sys.stdout.buffer.write(written.read_bytes())
            sys.stdout.flush()
            return
        path = out if out is not None else Path(str(ended.result["name"]))
        if path.is_dir():
            path = path / str(ended.result["name"])
        _place(written, path)
        value = {
            "file": path, "format": format, "report": number, "sha256": ended.result["sha256"], "warning": warning,
        }  # fmt: skip
        run.show(value, lambda console: console.print(f"Wrote {path}", markup=False))


def _place(written: Path, path: Path) -> None:
    """A copy at ``path``, whole or not at all; a link is followed, so that the file behind it is the one replaced.
    Raises ExportError: there is something there that is no file, or it cannot be written."""
    _require_file(path)
    target = Path(os.path.realpath(path))
    try:
        write_whole(target, lambda beside: shutil.copyfile(written, beside))
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror}. Name another file with -o.") from error


def _require_file(path: Path) -> None:
    """Refuse a device, pipe or socket (ExportError): a file in its place would take it away from the system."""
    target = os.path.realpath(path)
    if os.path.lexists(target) and not os.path.isfile(target) and not os.path.isdir(target):
        raise ExportError(f"{path} is there and is no regular file. Name another file, or - for standard output.")


def _system_name(opened: OpenProject) -> str:
    """The name on this machine, where it is one of the project's people or nobody is named there; else nobody's."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user on this machine
        return ""
    people = [person.name for person in opened.reviews.people.all()]
    return name if not people or name in people else ""


def _newest(opened: OpenProject) -> int:
    reports = opened.audits.reports()
    if not reports:
        raise ReportNotFound("This project has no report. Audit one first: workbench audit REPORT -p SLUG")
    return reports[0].id
