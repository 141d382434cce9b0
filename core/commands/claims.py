"""``workbench claims``: take claims out of a report, list them, verify them. Exit codes as everywhere; ``verify`` ends
with 1 when a claim is contradicted, contested or lacks evidence."""

import mimetypes
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from core.commands.console import NEEDS_A_LOOK, carry_out, session
from core.commands.sources import ProjectSlug
from core.errors import ClaimError, ReportError
from core.labels import ClaimType, JobState, VerdictState
from core.records import Claim

claims = typer.Typer(no_args_is_help=True, help="Statements to verify against all sources of a project.")
_STYLES = {
    VerdictState.VERIFIED: "green",
    VerdictState.CONTRADICTED: "red",
    VerdictState.CONTESTED: "yellow",
    VerdictState.INSUFFICIENT: "yellow",
}


@claims.command("extract")
def extract(
    context: typer.Context,
    project: ProjectSlug,
    report: Annotated[str, typer.Argument(help="A file, the number of a stored report, or - for standard input.")] = "",
    text: Annotated[str | None, typer.Option("--text", help="The text itself, in place of a file.")] = None,
) -> None:
    """Take the claims out of a report or a text and keep them."""
    run = session(context)
    with run.workbench() as workbench:
        claiming = workbench.open(project).claims
        if text is not None:
            claims = claiming.extract_text(text)
        elif report == "-":
            claims = claiming.extract_text(sys.stdin.read())
        elif report.isdecimal() and not Path(report).exists():
            claims = claiming.extract(int(report))
        elif report:
            path = Path(report)
            if not path.is_file():
                raise ReportError(f"There is no file {report!r}. Give a report's file, its number, or --text.")
            claims = claiming.extract_file(path.name, path.read_bytes(), mimetypes.guess_type(path.name)[0] or "")
        else:
            raise ClaimError("Nothing was given to take claims from. Name a report's file, or give --text.")
    run.show(claims, lambda console: _list(console, claims, everything=False))


@claims.command("add")
def add(
    context: typer.Context,
    project: ProjectSlug,
    claim: Annotated[str, typer.Argument(help="The statement to verify.")],
    type: Annotated[ClaimType | None, typer.Option(help="C1 central, C2 supporting; left out: by its words.")] = None,
) -> None:
    """Add one claim."""
    run = session(context)
    with run.workbench() as workbench:
        added = workbench.open(project).claims.add(claim, type)
    run.show(added, lambda console: _list(console, [added], everything=True))


@claims.command("list")
def list_claims(
    context: typer.Context,
    project: ProjectSlug,
    report: Annotated[int | None, typer.Option(help="Only those of this report.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also sentences that are not worth checking.")] = False,
) -> None:
    """List claims with their verdicts."""
    run = session(context)
    with run.workbench() as workbench:
        claims = workbench.open(project).claims.all(report_id=report)
    if not everything:
        claims = [claim for claim in claims if claim.check_worthy or claim.verdict]
    run.show(claims, lambda console: _list(console, claims, everything=True))


@claims.command("verify")
def verify(
    context: typer.Context,
    project: ProjectSlug,
    claim: Annotated[list[int] | None, typer.Argument(help="Numbers of claims; none: all worth checking.")] = None,
) -> None:
    """Verify claims against all sources; what did not change since the last time is not judged again."""
    run = session(context)
    with run.workbench() as workbench:
        opened = workbench.open(project)
        job = carry_out(workbench, opened, opened.claims.verify(claim or ()))
        if job.state is not JobState.DONE:
            run.fail(job.error or f"Job {job.id} was stopped.", kind="JobError")
        wanted = set(claim or ())
        verified = [claim for claim in opened.claims.all() if claim.verdict and (not wanted or claim.id in wanted)]
    run.show(verified, lambda console: _verdicts(console, verified))
    if any(
        verified_claim.verdict and verified_claim.verdict.state is not VerdictState.VERIFIED
        for verified_claim in verified
    ):
        raise typer.Exit(NEEDS_A_LOOK)


def _list(console: Console, claims: Sequence[Claim], *, everything: bool) -> None:
    shown = [claim for claim in claims if everything or claim.check_worthy]
    for claim in shown:
        state = claim.verdict.state if claim.verdict else None
        line = Text(f"{claim.id:5} {claim.type.value} ")
        line.append(f"{state.value if state else '-':13}", style=_STYLES[state] if state else "dim")
        line.append(claim.text if claim.check_worthy else f"({claim.check_reason}) {claim.text}")
        console.print(line)
    if not shown:
        console.print("No claims. Take them out of a report: workbench claims extract REPORT -p PROJECT")
    elif len(shown) < len(claims):
        console.print(f"{len(claims) - len(shown)} more sentences are not worth checking (list --all shows them).")


def _verdicts(console: Console, claims: Sequence[Claim]) -> None:
    for claim in claims:
        assert claim.verdict is not None, "only verified ones are shown"
        console.print(
            Text(f"{claim.id:5} {claim.type.value} ") + Text(claim.verdict.state.value, _STYLES[claim.verdict.state])
        )
        console.print(Text(f"      {claim.text}"))
        for need in claim.verdict.checklist:
            console.print(
                Text(f"      {'met    ' if need.met else 'missing'}  {need.text}", style="" if need.met else "dim")
            )
        for cluster in claim.verdict.clusters:
            for reason in cluster.reasons:
                console.print(Text(f"      not independent: {reason}", style="dim"))
    counts = Counter(claim.verdict.state.value for claim in claims if claim.verdict)
    console.print(", ".join(f"{count} {state}" for state, count in counts.items()) or "Nothing to verify.")
