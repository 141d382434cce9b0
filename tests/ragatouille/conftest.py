"""One project with an index that RAGatouille built, for all tests of the extra.

Building compiles four extensions at first use (minutes); afterwards the whole set takes a minute or two on two cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.labels import JobKind
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.late_projects import work
from tools.ragatouille_checkpoint import write_checkpoint
from tools.ragatouille_demo import open_with_engine

TREES = ("oak", "elm", "lime", "beech", "birch", "willow", "ash", "fir", "yew", "maple", "larch", "alder")
PLACES = ("bakery", "harbour", "school", "station", "museum", "library", "pond", "tower", "mill", "bridge")


def sentence(number: int) -> str:
    """A text of its own for each number below 120."""
    tree, place = TREES[number % len(TREES)], PLACES[number // len(TREES) % len(PLACES)]
    return f"Tree {number} is a {tree}. It was planted in {1800 + number} behind the old {place}, and it is tall today."


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("checkpoint") / "minilm-colbert")


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("root")


@pytest.fixture(scope="session")
def bench(root: Path, checkpoint: Path) -> Iterator[Workbench]:
    made = open_with_engine(root, checkpoint)
    yield made
    made.close()


@pytest.fixture(scope="session")
def project(bench: Workbench) -> OpenProject:
    """Sixty sources of one passage each, encoded and indexed."""
    opened = bench.open(bench.create("Trees").slug)
    opened.sources.add_texts([(f"Tree {number}", sentence(number)) for number in range(60)])
    assert work(opened) == [JobKind.ADD, JobKind.ENCODE, JobKind.INDEX_LATE]
    return opened
