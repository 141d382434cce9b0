"""``python -m tools.ragatouille_demo``: RAGatouille as the engine of late interaction, seen through the product.

Builds an index, searches it, adds and deletes sources, opens it in a new process, kills its process, and compares the
best five passages of 50 claims with exact MaxSim. Needs the extra `ragatouille` and the data set SciFact (--data).
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import DEFAULT_DATA, RetrievalSet, Text, load_retrieval
from core.jobs import run_next
from core.labels import JobKind
from core.late_index import FALLBACK
from core.model import Query, SearchRequest, SearchResult
from core.opened import OpenProject
from core.records.search import StageSwitches
from core.settings import Models, Settings
from core.wiring import open_workbench
from core.workbench import Workbench
from tools.ragatouille_checkpoint import write_checkpoint

TOP = 5
REOPENED = 8
"""Passages compared between two processes; the other asks for one more: neither sees the other's kept answer."""
LATE_ONLY = StageSwitches(lexical=False, dense=False, late_interaction=True, mmr=False)
NAME = "RAGatouille"


def say(text: str) -> None:
    """A line at once, also into a file."""
    print(text, flush=True)


def open_with_engine(root: Path, checkpoint: Path) -> Workbench:
    """A workbench whose late interaction comes from RAGatouille."""
    return open_workbench(root, Settings(models=Models(late=str(checkpoint), late_engine="ragatouille")))


def work(opened: OpenProject, kinds: Sequence[JobKind] = ()) -> None:
    """Carry out the jobs that wait, and say how those of the index ended."""
    while (job := run_next(opened.job_context(), "demo", kinds=kinds)) is not None:
        if job.kind is JobKind.INDEX_LATE or job.error:
            say(f"  job {job.kind}: {job.state} {dict(job.result)} {job.error or ''}")


def ask(opened: OpenProject, text: str, *, exact: bool = False, k: int = TOP) -> SearchResult:
    """The best passages by late interaction alone."""
    return opened.search(SearchRequest((Query(text),), stages=LATE_ONLY, k=k, exact=exact))


def wait_for_engine(opened: OpenProject, text: str, limit_s: float = 300.0, k: int = TOP) -> float:
    """Search until RAGatouille answers, and not our own engine in its place; returns the seconds that took."""
    start, last = time.monotonic(), ""
    while time.monotonic() - start < limit_s:
        notes = [note for note in ask(opened, text, k=k).notes if note.startswith(FALLBACK)]
        if not notes:
            return time.monotonic() - start
        if notes[0] != last:
            last = notes[0]
            say(f"  notice: {last}")
        time.sleep(1)
    raise SystemExit(f"RAGatouille did not answer within {limit_s:.0f} s; the last notice is above.")


def overlap(opened: OpenProject, queries: Sequence[str]) -> float:
    """Mean share of the exact best five passages that are among the engine's best five."""
    shares = []
    for text in queries:
        exact = [one.passage.id for one in ask(opened, text, exact=True).passages]
        found = ask(opened, text)
        if any(note.startswith(FALLBACK) for note in found.notes):
            raise SystemExit(f"Not RAGatouille answered, so there is nothing to compare: {found.notes}")
        shares.append(len(set(exact) & {one.passage.id for one in found.passages}) / max(1, len(exact)))
    return sum(shares) / len(shares)


def choose(data: RetrievalSet, documents: int, queries: int) -> tuple[list[Text], list[str]]:
    """The first claims, and the abstracts that they cite with others beside them."""
    claims = list(data.qrels)[:queries]
    cited = {key for claim in claims for key, grade in data.qrels[claim].items() if grade > 0}
    texts = [one for one in data.texts if one.key in cited] + [one for one in data.texts if one.key not in cited]
    return texts[:documents], [data.queries[claim] for claim in claims]


def add(opened: OpenProject, texts: Sequence[Text]) -> None:
    """Store abstracts as sources."""
    opened.add_files([(f"{one.key}.md", f"# {one.title}\n\n{one.body}".encode(), "text/markdown") for one in texts])
    work(opened)


def show(opened: OpenProject, root: Path, checkpoint: Path, texts: Sequence[Text], queries: Sequence[str]) -> float:
    """All steps; returns the overlap of the untouched index."""
    held, later = texts[: len(texts) * 9 // 10], texts[len(texts) * 9 // 10 :]
    say(f"1. {len(held)} abstracts stored, encoded by our own engine, and indexed")
    start = time.monotonic()
    add(opened, held)
    index = opened.late_index()
    assert index is not None
    assert index.manifest is not None, "the index was not built; the job above says why"
    say(f"  {len(index.manifest.passages)} passages, {time.monotonic() - start:.0f} s with encoding and compiling")
    say(f"2. searched: the process was ready after {wait_for_engine(opened, queries[0]):.0f} s")
    same = overlap(opened, queries)
    say(f"  {same:.1%} of the best {TOP} are those of exact MaxSim, over {len(queries)} claims")
    say(f"3. extended by {len(later)} abstracts, without building anew")
    add(opened, later)
    probe = " ".join(later[0].title.split()[:12])
    say(f"  found: {[one.document.title[:50] for one in ask(opened, probe).passages][:1]} for {probe!r}")
    say(f"  {overlap(opened, queries):.1%} of the best {TOP} are those of exact MaxSim")
    gone = ask(opened, queries[0]).passages[0].document
    opened.delete_document(gone.id)
    left = [one.document.id for one in ask(opened, queries[0], k=20).passages]
    say(f"4. shrunk: {gone.title[:50]!r} deleted; still found: {gone.id in left}")
    say(f"  {overlap(opened, queries):.1%} of the best {TOP} are those of exact MaxSim")
    say("5. opened in a new process")
    command = [sys.executable, "-m", "tools.ragatouille_demo", "--reopen", str(root), str(checkpoint), queries[1]]
    again = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    here = [str(one.passage.id) for one in ask(opened, queries[1], k=REOPENED).passages]
    say(f"  the same passages: {again[-REOPENED - 1 : -1] == here}")
    say("6. its process killed (kill -9) in the middle of work")
    assert index.pid is not None
    os.kill(index.pid, signal.SIGKILL)
    time.sleep(1)
    result = ask(opened, queries[2], k=TOP + 1)  # not asked before, so no kept answer is shown
    say(f"  still answered: {bool(result.passages)}; notice: {result.notes}")
    say(f"  it answers again after {wait_for_engine(opened, queries[3], k=TOP + 1):.0f} s")
    return same


def reopen(root: Path, checkpoint: Path, text: str) -> None:
    """Search the project of another process, and print the ids that were found."""
    workbench = open_with_engine(root, checkpoint)
    opened = workbench.open(workbench.projects()[0].project.slug)
    wait_for_engine(opened, text, k=REOPENED + 1)
    print(*[one.passage.id for one in ask(opened, text, k=REOPENED + 1).passages])
    workbench.close()


def main() -> int:
    """0 when at least 95 % of the passages are the same."""
    parser = argparse.ArgumentParser(prog="python -m tools.ragatouille_demo", description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    parser.add_argument("--checkpoint", type=Path, help="a ColBERT checkpoint; else one is made of all-MiniLM-L6-v2")
    parser.add_argument("--documents", type=int, default=70)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--reopen", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.reopen:
        root, checkpoint, text = arguments.reopen
        reopen(Path(root), Path(checkpoint), text)
        return 0
    texts, queries = choose(load_retrieval(arguments.data, "scifact"), arguments.documents, arguments.queries)
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = arguments.checkpoint or write_checkpoint(Path(folder) / "minilm-colbert")
        workbench = open_with_engine(Path(folder) / "projects", checkpoint)
        opened = workbench.open(workbench.create(NAME).slug)
        same = show(opened, Path(folder) / "projects", checkpoint, texts, queries)
        workbench.close()
    say(f"{same:.1%} of the best {TOP} passages are those of exact MaxSim (wanted: at least 95 %)")
    return 0 if same >= 0.95 else 1


if __name__ == "__main__":
    raise SystemExit(main())
