"""Late interaction by a snapshot engine gives what our exact engine gives, whatever changed since."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import JobCancelled, LateEngineError
from core.labels import Stage
from core.late.delta import MANIFEST
from core.late.index import LateIndex, LateIndexes
from core.records import Document, Filters, Query, SearchRequest, SearchResult, StageSwitches
from core.retrieve import pipeline
from core.settings.values import Retrieval
from tests.helpers.late_engines import TextsEngine
from tests.unit.retrieve.conftest import HashedWords, MemoryIndex

LATE_ONLY = StageSwitches(lexical=False, dense=False, late_interaction=True, mmr=False)
TEXTS = [f"passage {number} of stones and {word} rivers" for number, word in enumerate("abcdefghijkl")]


def silent(done: int, total: int | None, message: str = "") -> None:
    pass


def now() -> datetime:
    return datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def filled(empty_index: MemoryIndex, encoder: HashedWords, document: Document) -> MemoryIndex:
    empty_index.add(document, TEXTS, encoder)
    return empty_index


@pytest.fixture
def engine(encoder: HashedWords) -> TextsEngine:
    return TextsEngine(encoder)


@pytest.fixture
def late(tmp_path: Path, engine: TextsEngine, filled: MemoryIndex) -> Iterator[LateIndex]:
    (tmp_path / "10_graph").mkdir()
    made = LateIndexes(engine).of(tmp_path, "p1")
    made.build(filled, silent, now)
    yield made
    made.close()


def ask(
    text: str, index: MemoryIndex, encoder: HashedWords, late: LateIndex | None, k: int = 4, **more: object
) -> SearchResult:
    more = {"stages": LATE_ONLY, "k": k, "depth": k, **more}
    request = SearchRequest((Query(text),), **more)  # type: ignore[arg-type]
    return pipeline.search(request, index, encoder, Retrieval(), late=late)


def same(text: str, index: MemoryIndex, encoder: HashedWords, late: LateIndex, **more: object) -> list[int]:
    """The engine's ids, which must be those of our own exact engine."""
    found = ask(text, index, encoder, late, **more)
    assert found.stand_in is None
    exact = ask(text, index, encoder, None, **{**more, "exact": True})
    assert [one.passage.id for one in found.passages] == [one.passage.id for one in exact.passages]
    return [one.passage.id for one in found.passages]


def test_it_finds_what_exact_search_finds_and_says_who_did(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex
) -> None:
    for text in ("passage 3", "rivers of g", "stones", "nothing of this"):
        same(text, filled, encoder, late)
    told = ask("stones", filled, encoder, late).fingerprint[Stage.LATE_INTERACTION.value]
    assert isinstance(told, dict)
    assert (told["model"], told["engine"]) == ("hashed-words-1", "Texts")


def test_what_was_added_is_found_at_once(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, engine: TextsEngine, document: Document
) -> None:
    [added] = filled.add(document, ["zeppelins over the stones"], encoder)
    assert same("zeppelins", filled, encoder, late)[0] == added
    assert engine.builds == 1


def test_what_was_added_and_is_not_encoded_yet_is_left_out(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, document: Document
) -> None:
    [added] = filled.add(document, ["zeppelins over the stones"])
    assert added not in same("zeppelins", filled, encoder, late)


def test_what_was_deleted_is_gone_at_once_and_its_places_are_filled(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex
) -> None:
    first = same("passage 1 rivers", filled, encoder, late)
    for key in first[:3]:
        del filled._passages[key]
    left = same("passage 1 rivers", filled, encoder, late)
    assert len(left) == 4
    assert not set(left) & set(first[:3])


def test_filters_hold(filled: MemoryIndex, encoder: HashedWords, late: LateIndex, document: Document) -> None:
    other = replace(document, id="2" * 16)
    added = filled.add(other, ["stones of another book"], encoder)
    assert same("stones", filled, encoder, late, filters=Filters(documents=(other.id,))) == added
    assert not set(same("stones", filled, encoder, late, filters=Filters(documents=(document.id,)))) & set(added)


def test_candidates_of_other_stages_are_scored_too(filled: MemoryIndex, encoder: HashedWords, late: LateIndex) -> None:
    every = StageSwitches(lexical=True, dense=True, late_interaction=True, mmr=False)
    found = ask("passage 3 rivers", filled, encoder, late, k=12, stages=every)
    exact = ask("passage 3 rivers", filled, encoder, None, k=12, stages=every)
    assert [(one.passage.id, round(one.score, 5)) for one in found.passages] == [
        (one.passage.id, round(one.score, 5)) for one in exact.passages
    ]


def test_what_it_finds_is_put_in_order_by_the_full_vectors(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, engine: TextsEngine
) -> None:
    engine.noise = lambda key: 50.0 - key % 5
    same("passage 3 rivers", filled, encoder, late, k=12)
    exact = ask("passage 3 rivers", filled, encoder, None, k=12, exact=True)
    found = ask("passage 3 rivers", filled, encoder, late, k=12)
    assert [one.trail for one in found.passages] == [one.trail for one in exact.passages]


def test_exact_search_on_request_does_not_ask_it(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, engine: TextsEngine
) -> None:
    ask("stones", filled, encoder, late, exact=True)
    assert engine.asked == 0


def test_a_failing_engine_is_stood_in_for_with_a_notice(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, engine: TextsEngine
) -> None:
    engine.broken = True
    found = ask("passage 3", filled, encoder, late)
    exact = ask("passage 3", filled, encoder, None)
    assert [one.passage.id for one in found.passages] == [one.passage.id for one in exact.passages]
    assert found.notes[0] == "The exact engine compared word by word in place of Texts: its process ended (signal 9)."
    assert found.fingerprint == exact.fingerprint


def test_an_index_that_is_missing_damaged_or_of_others_is_never_searched(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, engine: TextsEngine, tmp_path: Path
) -> None:
    folder = tmp_path / "10_graph" / "colbert_index"

    def notice(index: LateIndex) -> str:
        result = ask("stones", filled, encoder, index)
        assert result.stand_in is not None
        assert result.stand_in.reason in result.notes[0]
        return result.stand_in.reason

    assert "made for another project" in notice(LateIndexes(engine).of(tmp_path, "p2"))
    (folder / "texts.json").write_text("[]")
    assert "texts.json" in notice(LateIndex(folder, "p1", engine))
    (folder / MANIFEST).unlink()
    assert "not built yet" in notice(late)
    assert (engine.opened, engine.asked) == (0, 0)


def test_an_id_that_stands_for_another_text_is_noticed(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex
) -> None:
    filled._passages[3] = replace(filled._passages[3], text="passage 2 of something else")
    assert "other texts" in ask("passage 2", filled, encoder, late, k=12).notes[0]


def test_tokens_of_another_model_are_not_mixed_with_its_scores(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HashedWords, "fingerprint", "dense-1+other-2")
    assert "other-2 is in use" in ask("stones", filled, encoder, late).notes[0]


def test_a_new_index_is_searched_from_the_next_search_on(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, engine: TextsEngine, document: Document
) -> None:
    same("stones", filled, encoder, late)
    filled.add(document, ["one more of stones", "two more"], encoder)
    key = late.key
    late.build(filled, silent, now)
    assert late.key != key
    same("stones", filled, encoder, late)
    assert (engine.opened, engine.closed) == (2, 1)
    assert late.manifest is not None
    assert len(late.manifest.passages) == 14


def test_it_asks_to_be_built_when_a_fifth_has_changed_or_the_model_has(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, engine: TextsEngine, document: Document
) -> None:
    assert late.why_build(filled) == ""
    filled.add(document, ["a", "b"], encoder)
    assert late.why_build(filled) == ""
    filled.add(document, ["c"], encoder)
    assert "changes" in late.why_build(filled)
    engine.made_with = "other"
    assert "not with other" in late.why_build(filled)


@pytest.mark.parametrize("error", [LateEngineError("it failed"), JobCancelled("stopped"), KeyboardInterrupt()])
def test_a_build_that_does_not_end_leaves_the_old_index_and_nothing_else(
    filled: MemoryIndex, encoder: HashedWords, late: LateIndex, engine: TextsEngine, tmp_path: Path, error: Exception
) -> None:
    held = late.manifest
    engine.build_error = error
    with pytest.raises(type(error)):
        late.build(filled, silent, now)
    assert late.manifest == held
    assert [path.name for path in (tmp_path / "10_graph").iterdir()] == ["colbert_index"]
    same("stones", filled, encoder, late)


def test_what_a_killed_build_left_is_cleared_by_the_next(filled: MemoryIndex, late: LateIndex, tmp_path: Path) -> None:
    for name in (".colbert_index.0123.tmp", ".colbert_index.0123.old"):
        (tmp_path / "10_graph" / name).mkdir()
        (tmp_path / "10_graph" / name / "half").write_text("x")
    late.build(filled, silent, now)
    assert [path.name for path in (tmp_path / "10_graph").iterdir()] == ["colbert_index"]


def test_a_project_deleted_meanwhile_does_not_come_back(
    filled: MemoryIndex, engine: TextsEngine, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError):
        LateIndexes(engine).of(tmp_path / "gone", "p1").build(filled, silent, now)
    assert not (tmp_path / "gone").exists()


def test_fewer_than_three_passages_are_left_to_our_own_engine(
    empty_index: MemoryIndex, encoder: HashedWords, engine: TextsEngine, document: Document, tmp_path: Path
) -> None:
    empty_index.add(document, TEXTS[:2], encoder)
    late = LateIndexes(engine).of(tmp_path, "p1")
    assert late.why_build(empty_index) == ""
    with pytest.raises(LateEngineError, match="fewer than 3 passages"):
        late.build(empty_index, silent, now)
    found = ask("passage 1", empty_index, encoder, late)
    assert len(found.passages) == 2
    assert "at least 3 passages" in found.notes[0]
