"""``workbench ask``: a question answered from the sources, every sentence checked. Exit codes as everywhere; 1 when
there is no answer, or when it is not grounded."""

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from core.commands.console import NEEDS_A_LOOK, carry_out, session
from core.commands.sources import ProjectSlug
from core.labels import AnswerMode, AnswerState, Grade
from core.records import Answer, Filters


def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="The question.")],
    project: ProjectSlug,
    strict: Annotated[
        bool | None, typer.Option("--strict/--not-strict", help="Every sentence must be supported.")
    ] = None,
    domain: Annotated[
        str | None, typer.Option(help="auto, general, computing, mathematics, life_science or law_policy.")
    ] = None,
    mode: Annotated[
        AnswerMode | None, typer.Option(help="extractive: without a language model; generated: with one or not at all.")
    ] = None,
    grade: Annotated[Grade | None, typer.Option(help="Minimum quality grade.")] = None,
    report: Annotated[bool, typer.Option("--report", help="Also make a report of the answer and audit it.")] = False,
) -> None:
    """Answer a question from the sources of a project, with citations."""
    run = session(context)
    with run.workbench() as workbench:
        opened = workbench.open(project)
        asking = opened.answers
        begun, job = asking.ask(question, filters=Filters(min_grade=grade), strict=strict, domain=domain, mode=mode)
        ended = carry_out(workbench, opened, job)
        answer = asking.get(begun.id)
        if answer.state is not AnswerState.DONE:
            run.fail(answer.missing or ended.error or f"Job {job.id} was stopped.", kind="AnswerError")
        if report and answer.text:
            carry_out(workbench, opened, asking.as_report(answer.id))
    run.show(answer, lambda console: _tell(console, answer))
    if not answer.text or not answer.grounded:
        raise typer.Exit(NEEDS_A_LOOK)


def _tell(console: Console, answer: Answer) -> None:
    for note in answer.notes:
        console.print(Text(note, style="italic"))
    if answer.missing:
        console.print(Text(answer.missing))
        return
    console.print(Text(f"\n{answer.text}\n"))
    for bullet in answer.bullets:
        console.print(Text(f"- {bullet}"))
    console.print()
    for citation in answer.citations:
        console.print(
            Text(
                f"[{citation.marker}] {citation.title} ({citation.url or citation.document_id}, "
                f"characters {citation.start}-{citation.end})"
            )
        )
    for sentence in answer.sentences:
        if not sentence.supported:
            where = answer.text if sentence.bullet is None else answer.bullets[sentence.bullet]
            console.print(
                Text(f"Not supported: {where[sentence.start : sentence.end]} ({sentence.why})", style="yellow")
            )
    if answer.mode is AnswerMode.EXTRACTIVE:  # grounded by construction
        grounding = "the sentences are the sources' own"
    else:
        score = "-" if answer.grounding_score is None else f"{answer.grounding_score:.0%}"
        verdict = "grounded" if answer.grounded else "not grounded"
        grounding = f"{score} of the sentences supported, {verdict}{' (strict)' if answer.strict else ''}"
    level = f"Confidence {answer.confidence_level} ({answer.confidence} of 100)"
    console.print(Text(f"{level}; {grounding}; domain {answer.domain}."))
