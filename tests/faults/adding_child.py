"""Adds numbered sources for ever and says on standard output what was acknowledged; made to be killed."""

from __future__ import annotations

import sys
from pathlib import Path

from core.labels import JobKind
from core.workbench.jobs import run_next
from core.workbench.wiring import open_workbench


def source(number: int) -> bytes:
    """A small source that no other number has, with a word that names it."""
    lines = [
        f"Source number{number} says that street {number * 7} was {number % 40 + 1} degrees warm on day {k}."
        for k in range(30)
    ]
    return "\n\n".join(lines).encode()


def main(root: Path, slug: str, number: int) -> None:
    project = open_workbench(root).open(slug)
    while True:
        project.sources.add_files([(f"s{number}.txt", source(number), "text/plain")])
        print(f"requested {number}", flush=True)
        run_next(project.job_context(), "child", kinds=(JobKind.ADD,))
        print(f"stored {number}", flush=True)
        number += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
