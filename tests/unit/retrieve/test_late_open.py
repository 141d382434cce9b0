"""A snapshot that nobody searches is closed, and opened again by the next search; nothing is closed under a search."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import LateEngineError
from core.late.index import LateIndex, LateIndexes
from core.late.open_snapshots import IDLE_S, MOST, OpenSnapshots
from core.records import Document, Hit, Query, SearchRequest, SearchResult, StageSwitches
from core.retrieve import pipeline
from core.settings.values import Retrieval
from tests.helpers.late_engines import TextsEngine, TextsSearcher
from tests.unit.retrieve.conftest import HashedWords, MemoryIndex

NEVER_S = 10_000.0
LATE_ONLY = StageSwitches(lexical=False, dense=False, late_interaction=True, mmr=False)
Ask = Callable[[LateIndex], SearchResult]


def stood_in(result: SearchResult) -> bool:
    return result.stand_in is not None


class Seconds:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def snapshots(seconds: Seconds) -> OpenSnapshots:
    return OpenSnapshots(look_s=NEVER_S, seconds=seconds)


@pytest.fixture
def index(empty_index: MemoryIndex, encoder: HashedWords, document: Document) -> MemoryIndex:
    empty_index.add(document, [f"passage {number} of stones" for number in range(6)], encoder)
    return empty_index


@pytest.fixture
def engine(encoder: HashedWords) -> TextsEngine:
    return TextsEngine(encoder)


@pytest.fixture
def several(tmp_path: Path, engine: TextsEngine, snapshots: OpenSnapshots, index: MemoryIndex) -> list[LateIndex]:
    """One more than may be open."""
    indexes, made = LateIndexes(engine, snapshots), []
    for number in range(MOST + 1):
        (tmp_path / str(number) / "10_graph").mkdir(parents=True)
        made.append(indexes.of(tmp_path / str(number), f"p{number}"))
        made[-1].build(index, lambda done, total, message="": None, lambda: datetime(2026, 1, 2, tzinfo=UTC))
    return made


@pytest.fixture
def ask(index: MemoryIndex, encoder: HashedWords) -> Ask:
    def search(late: LateIndex) -> SearchResult:
        request = SearchRequest((Query("passage 3"),), stages=LATE_ONLY, k=3)
        return pipeline.search(request, index, encoder, Retrieval(), late=late)

    return search


def test_it_is_closed_after_minutes_without_a_search_and_opened_by_the_next(
    several: list[LateIndex], ask: Ask, engine: TextsEngine, snapshots: OpenSnapshots, seconds: Seconds
) -> None:
    ask(several[0])
    seconds.now = IDLE_S - 1
    snapshots.look()
    assert engine.closed == 0
    ask(several[0])
    seconds.now = 2 * IDLE_S - 2
    snapshots.look()
    assert engine.closed == 0
    seconds.now = 2 * IDLE_S
    snapshots.look()
    assert (engine.opened, engine.closed) == (1, 1)
    assert not stood_in(ask(several[0]))
    assert (engine.opened, engine.closed) == (2, 1)


def test_of_too_many_the_one_that_was_searched_longest_ago_is_closed(
    several: list[LateIndex], ask: Ask, engine: TextsEngine, seconds: Seconds
) -> None:
    for late in several[:MOST]:
        seconds.now += 1
        ask(late)
    ask(several[0])
    assert engine.closed == 0
    ask(several[MOST])
    assert (engine.opened, engine.closed) == (MOST + 1, 1)
    ask(several[0])
    assert engine.opened == MOST + 1
    ask(several[1])
    assert (engine.opened, engine.closed) == (MOST + 2, 2)


def test_it_is_closed_when_its_project_is_deleted_or_its_index_replaced(
    several: list[LateIndex], ask: Ask, engine: TextsEngine, snapshots: OpenSnapshots, tmp_path: Path,
    index: MemoryIndex,
) -> None:  # fmt: skip
    ask(several[0])
    ask(several[1])
    snapshots.look()
    assert engine.closed == 0
    shutil.rmtree(tmp_path / "0")
    several[1].build(index, lambda done, total, message="": None, lambda: datetime(2026, 1, 3, tzinfo=UTC))
    snapshots.look()
    assert engine.closed == 2
    snapshots.look()
    assert engine.closed == 2
    assert "not built yet" in ask(several[0]).notes[0]


class Slow:
    """Searches that begin and then wait."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        search = TextsSearcher.search

        def slow(searcher: TextsSearcher, query: str, k: int) -> list[Hit]:
            self.begun.set()
            assert self.go_on.wait(30)
            if searcher.closed:
                raise LateEngineError("its process was stopped.")
            return search(searcher, query, k)

        monkeypatch.setattr(TextsSearcher, "search", slow)

    def start(self, act: Callable[[], object]) -> threading.Thread:
        """Run it until its search has begun."""
        thread = threading.Thread(target=act)
        thread.start()
        assert self.begun.wait(30)
        return thread


def test_a_search_under_way_is_not_cut_off(
    several: list[LateIndex], ask: Ask, engine: TextsEngine, snapshots: OpenSnapshots, seconds: Seconds,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    slow, found = Slow(monkeypatch), list[SearchResult]()
    thread = slow.start(lambda: found.append(ask(several[0])))
    seconds.now = 5 * IDLE_S
    snapshots.look()
    assert engine.closed == 0
    slow.go_on.set()
    thread.join()
    assert not stood_in(found[0])
    snapshots.look()
    assert engine.closed == 0
    seconds.now = 6 * IDLE_S
    snapshots.look()
    assert engine.closed == 1


def test_nor_by_an_index_that_is_built_meanwhile(
    several: list[LateIndex], ask: Ask, engine: TextsEngine, index: MemoryIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, found = Slow(monkeypatch), list[SearchResult]()
    thread = slow.start(lambda: found.append(ask(several[0])))
    several[0].build(index, lambda done, total, message="": None, lambda: datetime(2026, 1, 3, tzinfo=UTC))
    monkeypatch.undo()
    assert not stood_in(ask(several[0]))
    assert (engine.opened, engine.closed) == (2, 0)
    slow.go_on.set()
    thread.join()
    assert not stood_in(found[0])
    assert (engine.opened, engine.closed) == (2, 1)


def test_nobody_has_to_look(tmp_path: Path, engine: TextsEngine, index: MemoryIndex, ask: Ask) -> None:
    """A thread of its own does, and ends when nothing is open."""
    (tmp_path / "10_graph").mkdir()
    snapshots = OpenSnapshots(idle_s=0.0, look_s=0.01)
    late = LateIndexes(engine, snapshots).of(tmp_path, "p1")
    late.build(index, lambda done, total, message="": None, lambda: datetime(2026, 1, 2, tzinfo=UTC))
    for opened in (1, 2):
        ask(late)
        if (watch := snapshots._watch) is not None:
            watch.join(30)
            assert not watch.is_alive()
        assert (engine.opened, engine.closed) == (opened, opened)
