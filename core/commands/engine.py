"""``workbench engine``: which engine compares word by word, whether it can, and its index in a project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from core.commands.console import NEEDS_A_LOOK, carry_out, session
from core.commands.sources import ProjectSlug
from core.errors import LateEngineError
from core.labels import JobState
from core.text.words import count_words

if TYPE_CHECKING:
    from core.late.service import LateState
    from core.workbench.open_project import OpenProject
    from core.workbench.workbench import Workbench

NAMES = {"exact": "the exact engine", "ragatouille": "RAGatouille"}


def engine(
    context: typer.Context,
    project: ProjectSlug,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build the index of RAGatouille anew.")] = False,
) -> None:
    """Show the engine that compares word by word and how its index stands; --rebuild builds that. The setting
    models.late_engine says which engine it is. Exit code 1 when encoding or building the index failed: searches then
    use the exact engine and say so."""
    run = session(context)
    with run.workbench() as workbench:
        opened = workbench.open(project)
        failed = _rebuilt(workbench, opened) if rebuild else []
        state = _state(opened)

    def show(console: Console) -> None:
        for line in [*failed, *state_lines(state)]:
            console.print(line, markup=False, soft_wrap=True)

    run.show({"state": state, "failed": failed}, show)
    if failed:
        raise typer.Exit(NEEDS_A_LOOK)


def _state(opened: OpenProject) -> LateState:
    """The state, and where the exact engine is set also whether RAGatouille could be used here."""
    from core.backends.ragatouille.checkpoint import check_late_engine

    state = opened.late.state()
    if state.engine != "exact":
        return state
    check = check_late_engine(opened.settings.models)
    return replace(state, problem=check.problem, checkpoint=check.checkpoint)


def _rebuilt(workbench: Workbench, opened: OpenProject) -> list[str]:
    """Build the index and do what that takes; the errors of what failed."""
    if opened.late.index is None:
        raise LateEngineError("The exact engine needs no index. Set models.late_engine to ragatouille first.")
    earlier = {job.id for job in opened.jobs.all()}
    carry_out(workbench, opened, opened.late.build())
    ended = [job for job in opened.jobs.all() if job.id not in earlier and job.state is JobState.FAILED]
    return [job.error or "It failed." for job in reversed(ended)]


def state_lines(state: LateState) -> Iterator[str]:
    yield f"Compares word by word: {NAMES[state.engine]} (the setting models.late_engine)."
    if state.problem:
        yield f"RAGatouille cannot be used here: {state.problem}"
    elif state.checkpoint:
        yield f"Checkpoint of RAGatouille: {state.checkpoint}."
    yield from _index_lines(state)
    if state.failed:
        yield f"The last build failed: {state.failed}"
    if state.to_encode:
        count = count_words(state.to_encode, "passage")
        yield f"Not encoded yet: {count}. `--rebuild` encodes what is left, and builds the index after that."
    if state.rebuild:
        yield "It is to be built anew." if state.stale else f"It is to be built: {state.rebuild}."
    if state.warning and state.engine == "ragatouille":
        yield state.warning


def _index_lines(state: LateState) -> Iterator[str]:
    if state.built is not None:
        unused = "" if state.engine == "ragatouille" else " It is not used now."
        unused = f" It is not used: {state.stale}." if state.stale else unused
        yield (
            f"Index: {count_words(state.indexed, 'passage')}, built {state.built:%Y-%m-%d %H:%M} UTC; since then "
            f"{state.added:,} added and {state.removed:,} removed.{unused}"
        )
    elif state.engine == "ragatouille":
        yield "Index: none yet; the exact engine answers until it is built."
