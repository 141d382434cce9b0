"""``workbench engine``: which engine compares word by word in a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console

from core.commands.console import NEEDS_A_LOOK, carry_out, session
from core.commands.sources import ProjectSlug
from core.errors import LateEngineError
from core.labels import JobState
from core.late.wording import state_lines

if TYPE_CHECKING:
    from core.workbench.open_project import OpenProject
    from core.workbench.workbench import Workbench

Choice = Literal["ragatouille", "exact", "default"]


def engine(
    context: typer.Context,
    project: ProjectSlug,
    choice: Annotated[
        Choice | None, typer.Argument(help="Use this engine in the project; default: what the installation uses.")
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build the index of RAGatouille anew.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what choosing would cause, and change nothing.")
    ] = False,
) -> None:
    """Show or choose the engine that compares word by word; what a choice takes is carried out.

    Exit code 1 when encoding or building the index failed: searches then use the exact engine and say so.
    """
    run = session(context)
    wanted = {"default": ""}.get(choice, choice) if choice else None
    if dry_run and rebuild:
        run.fail("--dry-run says what choosing would cause; leave --rebuild out.", kind="SettingsError")
    if dry_run and wanted is None:
        run.fail("Say which engine: ragatouille, exact or default.", kind="SettingsError")
    effects: list[str] = []
    failed: list[str] = []
    with run.workbench() as workbench:
        opened = workbench.open(project)
        if wanted is not None:
            effects = opened.late_effects(wanted)
        if not dry_run:
            failed = _carried_out(workbench, opened, wanted, rebuild)
        state = opened.late_state()

    def tell(console: Console) -> None:
        for line in effects or ["Nothing: it is chosen already."] if dry_run else [*failed, *state_lines(state)]:
            console.print(line, markup=False, soft_wrap=True)

    run.show({"state": state, "effects": effects, "failed": failed}, tell)
    if failed:
        raise typer.Exit(NEEDS_A_LOOK)


def _carried_out(workbench: Workbench, opened: OpenProject, wanted: str | None, rebuild: bool) -> list[str]:
    """Choose, rebuild, and do what either takes; the errors of what failed."""
    earlier = {job.id for job in opened.jobs()}
    state = opened.late_state()
    after = state.engine if wanted is None else wanted or state.installation
    if rebuild and after == "exact":
        raise LateEngineError("The exact engine needs no index. Choose RAGatouille for this project first.")
    jobs = opened.choose_late_engine(wanted) if wanted is not None else []
    jobs += [opened.index_late()] if rebuild else []
    for job in jobs:
        carry_out(workbench, opened, job)
    ended = [job for job in opened.jobs() if job.id not in earlier and job.state is JobState.FAILED]
    return [job.error or "It failed." for job in reversed(ended)]
