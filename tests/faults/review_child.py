"""A server as ``app.py`` makes it, without its pages: it keeps a worker, asks it for exports, and decides through the
engine as the pages do. One acknowledgement (id and hash) a line. Run by test_review_kill.py."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

from core.errors import RowMoved
from core.export.formats import ExportFormat
from core.labels import DecisionKind, ItemState
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.worker_process import WorkerProcess, running

REPOSITORY = Path(__file__).resolve().parents[2]
KINDS = (DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.WRONG_SOURCE, DecisionKind.POSTPONE, DecisionKind.UNDO)
EXPORT_EACH = 4
NOTE = "checked elsewhere: in print"
"""None of the cited sources is here, so that accepting takes a note."""


def step(opened: OpenProject, person: str, draw: random.Random) -> None:
    """One press of a key: a decision on an item of the queue, or undo."""
    reviews = opened.reviews
    kind = draw.choice(KINDS)
    if kind is DecisionKind.UNDO:
        kept = reviews.undo(person)
    else:
        item = draw.choice(reviews.queue(person, states=list(ItemState)))
        kept = reviews.decide(item.key, kind, by=person, version=item.version, seen=item.seen, note=NOTE)
    if kept is not None:
        print(kept.id, kept.hash, flush=True)


def decide(root: Path, slug: str, person: str) -> None:
    """Decide without end."""
    opened = open_workbench(root).open(slug)
    report = opened.audits.reports()[0].id
    draw, number = random.Random(person), 0
    while True:
        try:
            step(opened, person, draw)
        except RowMoved:  # another one was faster: look again
            continue
        number += 1
        if number % EXPORT_EACH == 0:
            opened.exports.start(report, ExportFormat.JSON)


async def main(root: str, slug: str, person: str) -> None:
    """Worker and decisions beside one another until killed."""
    async with running(WorkerProcess(Path(root), REPOSITORY)):
        await asyncio.to_thread(decide, Path(root), slug, person)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
