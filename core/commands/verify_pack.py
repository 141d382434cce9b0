"""``workbench verify``: checks that a project's zip or an audit pack holds what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress, TextColumn

from core.commands.console import FAILED, NEEDS_A_LOOK, Session, session
from core.errors import ArchiveError
from core.text.words import count_words

if TYPE_CHECKING:
    from core.pack.check import PackCheck
    from core.workbench.workbench import Workbench


def verify(
    context: typer.Context,
    archive: Annotated[Path, typer.Argument(help="An audit pack, or the zip of a project.")],
    judge: Annotated[bool, typer.Option("--judge/--no-judge", help="Of a pack: judge every row again.")] = True,
) -> None:
    """Check an audit pack or a project's zip, offline: hashes, names, places, quotations, the log of decisions; of a
    pack also whether every verdict comes out here as it is recorded. Exit code 0 when everything holds; 1 when
    something differs; 2 when it cannot be checked: it is no whole zip of the workbench, or a pack that breaks a rule of
    safe import."""
    run = session(context)
    with run.workbench() as workbench:
        if not archive.is_file():
            raise ArchiveError(f"{archive} is not a file. Give the path of a zip that `workbench export` wrote.")
        checked = _with_progress(workbench, archive, judge)
        if checked is None:
            _project(run, workbench, archive)
            return
    run.show({"archive": archive, "sound": checked.sound, "pack": checked}, lambda console: _tell(console, checked))
    if checked.refused:
        raise typer.Exit(FAILED)
    if not checked.sound:
        raise typer.Exit(NEEDS_A_LOOK)


def _with_progress(workbench: Workbench, archive: Path, judge: bool) -> PackCheck | None:
    from core.pack.check import check_pack

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"),)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        line = bar.add_task("Checking", total=None)

        def tell(_done: int, _total: int | None, message: str) -> None:
            bar.update(line, description=message)

        return check_pack(workbench, archive, tell, judge=judge)


def _project(run: Session, workbench: Workbench, archive: Path) -> None:
    problems = workbench.verify_archive(archive)

    def tell(console: Console) -> None:
        console.print("\n".join(problems) if problems else "Sound: every member matches its hash.", markup=False)

    run.show({"archive": archive, "sound": not problems, "problems": problems}, tell)
    if problems:
        raise typer.Exit(NEEDS_A_LOOK)


def _tell(console: Console, checked: PackCheck) -> None:
    for line in (*checked.refused, *checked.problems, *checked.differences):
        console.print(line, markup=False)
    for line in checked.notes:
        console.print(f"Note: {line}", markup=False)
    for line in checked.made:
        console.print(f"Checked: {line}", markup=False)
    for line in checked.not_made:
        console.print(f"Not checked: {line}", markup=False)
    if checked.refused:
        console.print("Refused: nothing in this file can be trusted.")
        return
    chain = f"{count_words(checked.decisions, 'decision')} in a whole chain" if checked.decisions else "no decisions"
    if checked.redacted:
        chain += f" ({checked.redacted} of them redacted: other reports, or blind review)"
    console.print(
        f"{count_words(checked.rows, 'row')}, {checked.judged} judged again, {chain}.",
        markup=False,
    )
    if checked.head:
        console.print(f"Newest decision: {checked.head}", markup=False)
    console.print("Sound: everything holds here too." if checked.sound else "Something differs; see above.")
