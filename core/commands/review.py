"""``workbench review``: the queue, decisions, undo, agreement and the log, without a page. Exit codes as everywhere;
``list`` ends with 1 while something waits, ``agreement`` while there are conflicts."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from core.commands.console import NEEDS_A_LOOK, carry_out, session
from core.commands.sources import ProjectSlug
from core.errors import ExportError, ReviewError
from core.labels import DecisionKind, ItemKind, ItemState
from core.records import Agreement, Decision, ReviewItem, ThresholdPreview
from core.text.files import write_whole
from core.text.jsonable import jsonable
from core.text.words import count_words

if TYPE_CHECKING:
    from core.review.review import Reviews

review = typer.Typer(no_args_is_help=True, help="Decide on citations and claims that need a look.")

By = Annotated[str, typer.Option("--by", envvar="WORKBENCH_REVIEWER", help="Your name; the decisions carry it.")]
Item = Annotated[str, typer.Argument(help="As in the list: 12 for a citation, claim:12 for a claim, or the key.")]
Report = Annotated[int | None, typer.Option(help="Only of this report.")]
_STYLES = {ItemState.OPEN: "yellow", ItemState.STALE: "red", ItemState.CONFLICT: "red", ItemState.POSTPONED: "dim"}


@review.command("list")
def list_items(
    context: typer.Context,
    project: ProjectSlug,
    by: By = "",
    report: Report = None,
    kind: Annotated[list[ItemKind] | None, typer.Option(help="Only citations, or only claims.")] = None,
    state: Annotated[list[ItemState] | None, typer.Option(help="In place of all that waits.")] = None,
) -> None:
    """What waits for a person, what a look is worth most for first."""
    run = session(context)
    with run.workbench() as workbench:
        reviews = workbench.open(project).reviews
        items = reviews.queue(_name(by), report_id=report, kinds=kind or (), states=state or ())
        progress = reviews.progress(_name(by), report_id=report, kinds=kind or ())

    def tell(console: Console) -> None:
        for item in items:
            console.print(_item_line(item))
            console.print(Text(f"           {item.stale_why or item.worth_why}", style="dim"))
        console.print(f"{progress.decided} of {progress.total} decided, {progress.conflicts} in conflict.")

    run.show({"items": [jsonable(item) for item in items], "progress": jsonable(progress)}, tell)
    if any(item.state is not ItemState.DECIDED for item in items):
        raise typer.Exit(NEEDS_A_LOOK)


@review.command("decide")
def decide(
    context: typer.Context,
    project: ProjectSlug,
    item: Item,
    kind: Annotated[DecisionKind, typer.Argument(help="What you decide.")],
    by: By = "",
    reason: Annotated[str, typer.Option(help="A reason code, such as not_mentioned.")] = "",
    note: Annotated[str, typer.Option(help="Free words.")] = "",
    rewording: Annotated[str, typer.Option(help="How the claim should read (with reword).")] = "",
    version: Annotated[int | None, typer.Option(help="Refuse if the row is not at this version any more.")] = None,
    seen: Annotated[int | None, typer.Option(help="Refuse if somebody decided after this entry.")] = None,
    settle: Annotated[bool, typer.Option("--settle", help="Settle a conflict (owners).")] = False,
) -> None:
    """Decide on one item. With --version and --seen of the list, only as it was seen there."""
    run = session(context)
    with run.workbench() as workbench:
        reviews, name = workbench.open(project).reviews, _name(by)
        key = _key(reviews, item)
        now = reviews.item(key, name)
        at, last_entry = now.version if version is None else version, now.seen if seen is None else seen
        act = reviews.adjudicate if settle else reviews.decide
        done = act(key, kind, by=name, version=at, seen=last_entry, reason=reason, note=note, rewording=rewording)
    run.show(done, lambda console: console.print(_entry_line(done)))


@review.command("undo")
def undo(
    context: typer.Context,
    project: ProjectSlug,
    by: By = "",
    steps: Annotated[int, typer.Option(min=1, help="How many decisions to take back.")] = 1,
) -> None:
    """Take your last decision back; the log keeps both."""
    _move(context, project, by, steps, back=True)


@review.command("redo")
def redo(
    context: typer.Context,
    project: ProjectSlug,
    by: By = "",
    steps: Annotated[int, typer.Option(min=1, help="How many decisions to bring back.")] = 1,
) -> None:
    """Bring back what you took back last."""
    _move(context, project, by, steps, back=False)


@review.command("history")
def history(context: typer.Context, project: ProjectSlug, item: Item, by: By = "") -> None:
    """Everything that was decided about one item, oldest first."""
    run = session(context)
    with run.workbench() as workbench:
        reviews = workbench.open(project).reviews
        entries = reviews.history(_key(reviews, item), _name(by))
    run.show(entries, lambda console: _entries(console, entries))


@review.command("agreement")
def agreement(context: typer.Context, project: ProjectSlug, by: By = "", report: Report = None) -> None:
    """Conflicts, and how far each two people agree."""
    run = session(context)
    with run.workbench() as workbench:
        reviews = workbench.open(project).reviews
        conflicts = reviews.conflicts(_name(by), report_id=report)
        pairs = reviews.agreement(report_id=report)

    def tell(console: Console) -> None:
        for conflict in conflicts:
            console.print(_item_line(conflict.item))
            _entries(console, conflict.decisions)
        for pair in pairs:
            console.print(Text(_agreement_line(pair)))
        if not pairs:
            console.print("No two people have decided on the same item yet.")

    value = {
        "conflicts": [jsonable(conflict) for conflict in conflicts],
        "pairs": [_agreement_json(pair) for pair in pairs],
    }
    run.show(value, tell)
    if conflicts:
        raise typer.Exit(NEEDS_A_LOOK)


@review.command("threshold")
def threshold(
    context: typer.Context,
    project: ProjectSlug,
    target: Annotated[float | None, typer.Option(min=0, max=1, help="The precision of PASS that you demand.")] = None,
    value: Annotated[float | None, typer.Option("--set", min=0, max=1, help="A threshold of your own.")] = None,
    default: Annotated[bool, typer.Option("--default", help="That of the settings again.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Keep it and decide all rows by it (owners).")] = False,
    by: By = "",
) -> None:
    """How often PASS is right by your decisions, and what another threshold would change."""
    run = session(context)
    chosen = (target is not None) + (value is not None) + default
    if chosen > 1 or (apply and not chosen):
        run.fail("Choose one of --target, --set and --default.", kind="UsageError")
    with run.workbench() as workbench:
        opened = workbench.open(project)
        reviews = opened.reviews
        wanted = value if value is not None or default else reviews.threshold.current()
        preview = reviews.threshold.lowest_for(target) if target is not None else reviews.threshold.preview(wanted)
        changed = None
        if apply:
            if preview.threshold is None:
                raise ReviewError(f"{preview.why} The threshold stays at {preview.current:.2f}.")
            changed = reviews.threshold.apply(None if default else preview.threshold, by=_name(by), target=target)
            if active := opened.jobs.all(active=True):
                carry_out(workbench, opened, active[0])
    run.show({**_preview_json(preview), "changed": changed}, lambda console: _preview(console, preview, changed))


@review.command("export")
def export_log(
    context: typer.Context,
    project: ProjectSlug,
    out: Annotated[Path | None, typer.Option("--out", help="Write to this file instead of standard output.")] = None,
    by: By = "",
) -> None:
    """The log of decisions as JSON Lines. In blind review, what you may not see yet goes out as hashes only."""
    run = session(context)
    with run.workbench() as workbench:
        reviews = workbench.open(project).reviews
        body, hidden = reviews.log.export(_name(by)), reviews.log.hidden_in_export(_name(by))
        if out is not None:
            _write(out, body)
    if hidden:
        from core.review.log import hidden_words

        print(f"workbench: {hidden_words(hidden)}", file=sys.stderr)
    if out is None:
        sys.stdout.buffer.write(body)
        sys.stdout.flush()


@review.command("import")
def import_log(
    context: typer.Context,
    project: ProjectSlug,
    log: Annotated[Path, typer.Argument(help="A log that was exported from a copy of this project.")],
    by: By = "",
) -> None:
    """Add the decisions of another copy of this project; those that are here already are left alone."""
    run = session(context)
    with run.workbench() as workbench:
        if not log.is_file():
            raise ReviewError(f"There is no file {str(log)!r}. Give a log that `workbench review export` wrote.")
        result = workbench.open(project).reviews.log.take_in(log.read_bytes(), by=_name(by))
    summary = f"{result.added} added, {result.known} known already."
    if result.unknown_items:
        verb = "is" if result.unknown_items == 1 else "are"
        summary += f" {count_words(result.unknown_items, 'item')} of them {verb} not among the rows here."
    run.show(result, lambda console: console.print(summary))


def _move(context: typer.Context, project: str, by: str, steps: int, *, back: bool) -> None:
    run = session(context)
    done: list[Decision] = []
    with run.workbench() as workbench:
        reviews = workbench.open(project).reviews
        for _ in range(steps):
            moved = reviews.undo(_name(by)) if back else reviews.redo(_name(by))
            if moved is None:
                break
            done.append(moved)
    nothing = "There is nothing to take back." if back else "There is nothing to bring back."
    run.show(done, lambda console: _entries(console, done) if done else console.print(nothing))


def _name(by: str) -> str:
    try:
        return by or getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user on this machine
        raise ReviewError("Decisions carry a name. Give yours with --by.") from None


def _key(reviews: Reviews, item: str) -> str:
    kind, _, number = item.rpartition(":")
    if number.isascii() and number.isdecimal() and len(number) < 19 and kind in ("", ItemKind.CITATION, ItemKind.CLAIM):
        return reviews.key_of_claim(int(number)) if kind == ItemKind.CLAIM else reviews.key_of_finding(int(number))
    return item


def _write(out: Path, body: bytes) -> None:
    try:
        write_whole(out, body)
    except OSError as error:
        raise ExportError(f"{str(out)!r} cannot be written: {error.strerror}. Choose another place.") from error


def _item_line(item: ReviewItem) -> Text:
    number = str(item.row_id) if item.kind is ItemKind.CITATION else f"claim:{item.row_id}"
    line = Text(f"{number:>10} ")
    line.append(f"{item.state.value:9} ", style=_STYLES.get(item.state, "green"))
    line.append(f"{item.machine:18} ", style="dim")
    return line.append(" ".join(item.text.split()))


def _entry_line(entry: Decision) -> Text:
    what = entry.kind.value.replace("_", " ")
    if entry.target is not None:
        what += f" {entry.target}"
    words = [f"{entry.id:5} {entry.at:%Y-%m-%d %H:%M} {entry.by}: {what}", entry.reason, entry.note, entry.rewording]
    return Text("; ".join(" ".join(word.split()) if at else word for at, word in enumerate(words) if word))


def _entries(console: Console, entries: Sequence[Decision]) -> None:
    for entry in entries:
        console.print(_entry_line(entry))
    if not entries:
        console.print("Nothing was decided about it.")


def _agreement_line(pair: Agreement) -> str:
    line = f"{pair.first} and {pair.second}: {pair.percent:.0%} of {pair.n} the same"
    if pair.kappa is not None:
        line += f", kappa {pair.kappa:.2f}"
    if pair.low is not None and pair.high is not None:
        line += f" (95 % interval {pair.low:.2f} to {pair.high:.2f})"
    return f"{line}. {pair.note}".rstrip()


def _agreement_json(pair: Agreement) -> dict[str, object]:
    table = [{"first": first, "second": two, "n": count} for (first, two), count in sorted(pair.table.items())]
    names = ("first", "second", "n", "percent", "kappa", "low", "high", "note")
    return {**{name: getattr(pair, name) for name in names}, "table": jsonable(table)}


def _preview_json(preview: ThresholdPreview) -> dict[str, object]:
    value = jsonable(preview)
    assert isinstance(value, dict)
    return value


def _preview(console: Console, preview: ThresholdPreview, changed: int | None) -> None:
    at = preview.current if preview.threshold is None else preview.threshold
    measured = preview.precision
    if measured.share is None:
        console.print(f"Passing above {at:.2f}: {measured.n} decided, too few to say how often PASS is right.")
    else:
        console.print(
            f"Passing above {at:.2f}: {measured.share:.0%} hold by {count_words(measured.n, 'decision')} "
            f"(95 % interval {measured.low:.0%} to {measured.high:.0%})."
        )
    if preview.why:
        console.print(Text(preview.why))
    console.print(
        f"{count_words(len(preview.to_review), 'row')} would go to REVIEW, {len(preview.to_pass)} would pass."
    )
    if changed is not None:
        console.print(f"Applied: {count_words(changed, 'row')} changed.")
