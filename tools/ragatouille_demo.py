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
from core.labels import JobKind
from core.late.index import LateIndex
from core.records import Query, SearchRequest, SearchResult, StageSwitches
from core.settings.values import Models, Settings
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tools.ragatouille_checkpoint import write_checkpoint

TOP = 5
REOPENED = 8
"""Passages compared between two processes; the other asks for one more: neither sees the other's kept answer."""
SAME = 0.95
"""Share of the queries whose best passages must be those of exact MaxSim."""
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
        stand_in = ask(opened, text, k=k).stand_in
        if stand_in is None:
            return time.monotonic() - start
        if stand_in.reason != last:
            last = stand_in.reason
            say(f"  notice: {last}")
        time.sleep(1)
    raise SystemExit(f"RAGatouille did not answer within {limit_s:.0f} s; the last notice is above.")


def shares(opened: OpenProject, queries: Sequence[str]) -> list[float]:
    """Of each query, the share of the exact best five passages that are among the engine's best five."""
    overlaps = []
    for text in queries:
        exact = [scored.passage.id for scored in ask(opened, text, exact=True).passages]
        result = ask(opened, text)
        if result.stand_in is not None:
            raise SystemExit(f"Not RAGatouille answered, so there is nothing to compare: {result.notes}")
        overlaps.append(len(set(exact) & {scored.passage.id for scored in result.passages}) / max(1, len(exact)))
    return overlaps


def overlap(opened: OpenProject, queries: Sequence[str]) -> float:
    """The mean of ``shares``."""
    return sum(overlaps := shares(opened, queries)) / len(overlaps)


def choose(data: RetrievalSet, documents: int, queries: int) -> tuple[list[Text], list[str]]:
    """The first claims, and the abstracts that they cite with others beside them."""
    claims = list(data.qrels)[:queries]
    cited = {key for claim in claims for key, grade in data.qrels[claim].items() if grade > 0}
    texts = [source for source in data.texts if source.key in cited] + [
        source for source in data.texts if source.key not in cited
    ]
    return texts[:documents], [data.queries[claim] for claim in claims]


def add(opened: OpenProject, texts: Sequence[Text]) -> None:
    """Store abstracts as sources."""
    opened.sources.add_files(
        [(f"{source.key}.md", f"# {source.title}\n\n{source.body}".encode(), "text/markdown") for source in texts]
    )
    work(opened)


class Demo:
    """The steps, one after the other; ``failed`` are those that did not show what they should."""

    def __init__(self, opened: OpenProject, root: Path, checkpoint: Path, queries: Sequence[str]) -> None:
        self.opened, self.root, self.checkpoint, self.queries = opened, root, checkpoint, queries
        self.failed: list[str] = []

    def check(self, what: str, well: bool) -> None:
        """Say how it came out, and remember what came out badly."""
        say(f"  {'yes' if well else 'NO'}: {what}")
        if not well:
            self.failed.append(what)

    def compare(self) -> None:
        """The best five passages of all queries, and those of exact MaxSim."""
        overlaps = shares(self.opened, self.queries)
        whole = sum(share == 1.0 for share in overlaps)
        summary = f"the best {TOP} are those of exact MaxSim for {whole} of {len(overlaps)} claims"
        self.check(f"{summary} (of all passages {sum(overlaps) / len(overlaps):.1%})", whole >= SAME * len(overlaps))

    def build(self, texts: Sequence[Text]) -> None:
        """Store, encode, index."""
        say(f"1. built: {len(texts)} abstracts stored, encoded by our own engine, and indexed by RAGatouille")
        start = time.monotonic()
        add(self.opened, texts)
        manifest = self._index().manifest
        if manifest is None:
            raise SystemExit("The index was not built; the job above says why.")
        took = time.monotonic() - start
        say(f"  {len(manifest.passages)} passages in {took:.0f} s, with encoding and (the first time) compiling")
        say("2. searched")
        say(f"  its process was ready after {wait_for_engine(self.opened, self.queries[0]):.0f} s")
        self.compare()

    def extend(self, texts: Sequence[Text]) -> None:
        """Add without building anew."""
        say(f"3. extended by {len(texts)} abstracts, without building anew")
        before = self._index().key
        add(self.opened, texts)
        self.check("the index is the one that was built before", self._index().key == before)
        probe = " ".join(texts[0].title.split()[:12])
        first = next((scored.document.title for scored in ask(self.opened, probe).passages), "nothing")
        self.check(f"{probe!r} finds {first[:50]!r}", first == texts[0].title)
        self.compare()

    def shrink(self) -> None:
        """Delete without building anew."""
        gone = ask(self.opened, self.queries[0]).passages[0].document
        say(f"4. shrunk: {gone.title[:50]!r}, found first, is deleted")
        self.opened.sources.delete(gone.id)
        left = [scored.document.id for scored in ask(self.opened, self.queries[0], k=20).passages]
        self.check("it is found no more, and others are", gone.id not in left and bool(left))
        self.compare()

    def reopen(self) -> None:
        """The same project of another process."""
        say("5. reopened in a new process")
        text = self.queries[1]
        arguments = [str(self.root), str(self.checkpoint), text]
        command = [sys.executable, "-m", "tools.ragatouille_demo", "--reopen", *arguments]
        printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
        here = [str(scored.passage.id) for scored in ask(self.opened, text, k=REOPENED).passages]
        self.check("it finds the same passages in the same order", printed[-1].split()[:REOPENED] == here)

    def kill(self) -> None:
        """Its process ends in the middle of work."""
        say("6. its process killed (kill -9)")
        pid = self._index().pid
        if pid is None:
            raise SystemExit("No process of RAGatouille is there to be killed.")
        os.kill(pid, signal.SIGKILL)
        time.sleep(1)
        result = ask(self.opened, self.queries[2], k=TOP + 1)  # not asked before, so no kept answer is shown
        say(f"  notice: {result.notes}")
        self.check("the exact engine answered in its place, with a notice", bool(result.passages and result.stand_in))
        say(f"  it answers again after {wait_for_engine(self.opened, self.queries[3], k=TOP + 1):.0f} s")

    def _index(self) -> LateIndex:
        index = self.opened.late.index
        if index is None:
            raise SystemExit("This project does not use RAGatouille.")
        return index


def reopen(root: Path, checkpoint: Path, text: str) -> None:
    """Search the project of another process, and print the ids that were found."""
    workbench = open_with_engine(root, checkpoint)
    opened = workbench.open(workbench.projects()[0].project.slug)
    wait_for_engine(opened, text, k=REOPENED + 1)
    print(*[scored.passage.id for scored in ask(opened, text, k=REOPENED + 1).passages])
    workbench.close()


def main() -> int:
    """0 when every step shows what it should."""
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
        demo = Demo(opened, Path(folder) / "projects", checkpoint, queries)
        border = len(texts) * 9 // 10
        demo.build(texts[:border])
        demo.extend(texts[border:])
        demo.shrink()
        demo.reopen()
        demo.kill()
        workbench.close()
    for what in demo.failed:
        say(f"Not as it should be: {what}")
    if not demo.failed:
        say("All steps show what they should.")
    return 1 if demo.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
