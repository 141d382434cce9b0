"""PassageIndex: candidates by words and by meaning, filtered before they are ranked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import numpy as np
import pytest

from core.errors import DocumentNotFound, StorageError
from core.labels import FetchState, Grade
from core.ports.store import ProjectStore
from core.records import Filters, Hit, QuantizedTokens
from core.text.terms import index_terms
from tests.contract.builders import add, add_all

ENCODER = "toy@1"


def _lexical(store: ProjectStore, query: str, filters: Filters = Filters(), depth: int = 10) -> list[Hit]:
    return store.lexical(index_terms(query), filters, depth)


def _encode(store: ProjectStore, *, encoder: str = ENCODER, tokens: bool = True) -> int:
    """Give every missing text a vector that depends on its bytes only."""
    missing = store.missing(encoder, 10_000, tokens=tokens)
    rows = []
    for text_hash, _ in missing:
        row = np.random.default_rng(int(text_hash[:8], 16)).standard_normal(8).astype(np.float32)
        rows.append(row / np.linalg.norm(row))
    matrices = [
        QuantizedTokens(np.full((3, 4), int(text_hash[:2], 16) - 128, np.int8), 0.01) for text_hash, _ in missing
    ]
    if missing:
        store.put_vectors(encoder, [one for one, _ in missing], np.stack(rows), matrices if tokens else None)
    return len(missing)


@pytest.mark.parametrize("search", ["lexical", "dense"])
def test_filters_hold_before_the_limit(store: ProjectStore, search: str) -> None:
    """Fault 4 of the seeds: the filter ran after k, so good passages were never seen."""
    for at in range(30):
        text = f"Otters swim {'otters ' * (30 - at)} number {at}."
        add(store, text, size=1000, grade=Grade.A if at > 27 else Grade.E)
    _encode(store)
    filters = Filters(min_grade=Grade.B)
    find: dict[str, Callable[[Filters, int], list[Hit]]] = {
        "lexical": lambda given, depth: _lexical(store, "otters", given, depth),
        "dense": lambda given, depth: store.dense(np.eye(8, dtype=np.float32)[0], ENCODER, given, depth),
    }
    everything = find[search](Filters(), 100)
    allowed = set(store.passage_ids(filters))
    assert len(everything) == 30
    assert len(allowed) == 2
    assert find[search](filters, 2) == [hit for hit in everything if hit.passage_id in allowed]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(), "abcd"),
        (Filters(min_grade=Grade.B), "ab"),
        (Filters(languages=("en",)), "ab"),
        (Filters(languages=("EN-gb", "de")), "bc"),
        (Filters(published_from=date(2020, 1, 1)), "bc"),
        (Filters(published_from=date(2019, 1, 1), published_to=date(2020, 6, 1)), "ab"),
        (Filters(tags=("x", "y")), "acd"),
        (Filters(tags=("z",)), ""),
        (Filters(min_grade=Grade.D, languages=("de",), tags=("y",)), "c"),
    ],
)
def test_each_filter_takes_what_it_says(store: ProjectStore, filters: Filters, found: str) -> None:
    add(store, "Otter a.", grade=Grade.A, language="en", published=date(2019, 5, 1), tags=("x",))
    add(store, "Otter b.", grade=Grade.B, language="en-GB", published=date(2020, 5, 1))
    add(store, "Otter c.", grade=Grade.D, language="de", published=date(2021, 5, 1), tags=("x", "y"))
    add(store, "Otter d.", grade=Grade.E, tags=("y",))
    passages = store.passages([hit.passage_id for hit in _lexical(store, "otter", filters)])
    assert "".join(sorted(one.text[6] for one in passages.values())) == found
    assert "".join(store.text(one.id)[6] for one in store.documents(filters)) == found
    assert store.passage_ids(filters) == sorted(passages)


def test_the_filter_by_document_takes_only_its_passages(store: ProjectStore) -> None:
    one, two, _ = add_all(store, ["Otter one.", "Otter two.", "Otter three."])
    chosen = Filters(documents=(two.id, one.id))
    hits = store.passages([hit.passage_id for hit in _lexical(store, "otter", chosen)])
    assert {passage.document_id for passage in hits.values()} == {one.id, two.id}
    assert _lexical(store, "otter", Filters(documents=("unknown",))) == []


@pytest.mark.parametrize("odd", ["\ud800", "en\udfff", "\x00", "x\x00"])
def test_what_no_row_can_hold_finds_nothing_and_is_no_error(store: ProjectStore, odd: str) -> None:
    add(store, "Otter one.", language="en", tags=("x",))
    for filters in (Filters(languages=(odd,)), Filters(tags=(odd,)), Filters(documents=(odd,))):
        assert store.documents(filters) == [] == store.passage_ids(filters)
        assert _lexical(store, "otter", filters) == [] == store.dense(np.ones(8, np.float32), ENCODER, filters, 5)
    assert len(_lexical(store, "otter", Filters(languages=(odd, "en")))) == 1
    assert store.lexical([odd], Filters(), 5) == []
    assert store.documents_by_id([odd]) == {}
    assert store.grade_changes(odd) == []
    assert store.passages([2**63, -(2**70)]) == {}
    assert store.vectors([2**64], ENCODER) == {} == store.tokens([2**64], ENCODER)
    for read in (store.document, store.text, store.passages_of, store.delete):
        with pytest.raises(DocumentNotFound):
            read(odd)
    for call in (lambda: store.acquisition(2**63), lambda: store.forget_acquisition(2**63)):
        with pytest.raises(StorageError):
            call()
    with pytest.raises(StorageError):
        store.finish_acquisition(2**63, FetchState.BROKEN, "")


def test_equal_scores_are_ordered_by_passage_id(store: ProjectStore) -> None:
    add_all(store, [f"Otters and tides {sign}." for sign in "abcdefgh"])
    _encode(store)
    hits = _lexical(store, "otters tides")
    assert [hit.passage_id for hit in hits] == sorted(hit.passage_id for hit in hits)
    again = _lexical(store, "otters tides", depth=3)
    assert again == hits[:3]


def test_passages_with_one_text_have_one_vector_and_one_score(store: ProjectStore) -> None:
    line = "The same sentence stands in two pages." + " " * 22
    add(store, line + "First page goes on about otters. " * 3)
    add(store, line + "Second page goes on about mills. " * 3)
    passages = store.passages(store.passage_ids(Filters()))
    twins = [number for number, one in passages.items() if one.text.startswith("The same sentence")]
    assert len(twins) == 2
    assert _encode(store) == len(passages) - 1
    query = store.vectors(twins, ENCODER)[twins[0]]
    assert [hit.passage_id for hit in store.dense(query, ENCODER, Filters(), 2)] == twins
    first, second = store.dense(query, ENCODER, Filters(), 2)
    assert first.score == second.score == pytest.approx(1.0, abs=2e-3)


def test_dense_search_is_exact(store: ProjectStore) -> None:
    add_all(store, [f"Text number {at}." for at in range(40)])
    _encode(store)
    ids = store.passage_ids(Filters())
    stored = store.vectors(ids, ENCODER)
    query = np.random.default_rng(0).standard_normal(8).astype(np.float32)
    wanted = sorted(ids, key=lambda number: (-float(stored[number] @ query), number))[:7]
    hits = store.dense(query, ENCODER, Filters(), 7)
    assert [hit.passage_id for hit in hits] == wanted
    assert [hit.score for hit in hits] == pytest.approx([float(stored[one] @ query) for one in wanted], abs=1e-5)


def test_dense_search_follows_every_change(store: ProjectStore) -> None:
    """Added, deleted, superseded, revived: the matrix in memory never answers from the past."""
    query = np.eye(8, dtype=np.float32)[0]

    def found() -> set[str]:
        hits = store.dense(query, ENCODER, Filters(), 100)
        return {one.text for one in store.passages([hit.passage_id for hit in hits]).values()}

    assert found() == set()
    one, two = add_all(store, ["Text one.", "Text two."])
    assert found() == set()  # not encoded yet
    _encode(store)
    assert found() == {"Text one.", "Text two."}
    three = add(store, "Text three.")
    assert found() == {"Text one.", "Text two."}
    _encode(store)
    assert found() == {"Text one.", "Text two.", "Text three."}
    store.delete(one.id)
    assert found() == {"Text two.", "Text three."}
    add(store, "Text four.", supersedes=two.id)
    _encode(store)
    assert found() == {"Text three.", "Text four."}
    store.replace_passages(three.id, [])
    assert found() == {"Text four."}
    add(store, "Text one.")
    assert found() == {"Text one.", "Text four."}  # its vector had stayed
    assert store.coverage(ENCODER) == (2, 2)


def test_vectors_of_another_encoder_are_not_mixed_in(store: ProjectStore) -> None:
    add(store, "Text one.")
    _encode(store)
    assert store.dense(np.eye(8, dtype=np.float32)[0], "other@1", Filters(), 5) == []
    assert store.coverage("other@1") == (0, 1)
    assert store.coverage(ENCODER) == (1, 1)
    assert _encode(store, encoder="other@1") == 1


def test_readding_a_text_encodes_nothing(store: ProjectStore) -> None:
    document = add(store, "A text that is deleted and added again.")
    assert _encode(store) == 1
    store.delete(document.id)
    add(store, "A text that is deleted and added again.")
    assert store.missing(ENCODER, 10) == []


def test_missing_lists_each_text_once_and_shrinks_as_work_is_done(store: ProjectStore) -> None:
    add(store, "Alpha beta. " * 40, size=12, context="Title")
    assert [text for _, text in store.missing(ENCODER, 10)] == ["Title\nAlpha beta. "]
    add_all(store, [f"Text {at}." for at in range(9)])
    first = store.missing(ENCODER, 4)
    assert len(first) == 4
    assert len(store.missing(ENCODER, 100)) == 10
    store.put_vectors(ENCODER, [one for one, _ in first], np.ones((4, 8), np.float32), None)
    assert len(store.missing(ENCODER, 100, tokens=False)) == 6
    assert len(store.missing(ENCODER, 100, tokens=True)) == 10
    assert _encode(store) == 10
    assert _encode(store) == 0


@pytest.mark.parametrize("searched", [False, True])
def test_coverage_asks_for_matrices_only_of_an_encoder_that_gives_them(store: ProjectStore, searched: bool) -> None:
    add_all(store, ["Text one.", "Text two."])
    if searched:
        store.dense(np.ones(8, np.float32), ENCODER, Filters(), 5)
    _encode(store, tokens=False)
    assert store.coverage(ENCODER) == (2, 2)
    add(store, "Text three.")
    last = store.missing(ENCODER, 9, tokens=False)
    store.put_vectors(
        ENCODER, [last[0][0]], np.ones((1, 8), np.float32), [QuantizedTokens(np.ones((2, 3), np.int8), 1)]
    )
    assert store.coverage(ENCODER) == (1, 3)
    _encode(store)
    assert store.coverage(ENCODER) == (3, 3)


def test_token_matrices_come_back_as_stored(store: ProjectStore) -> None:
    add(store, "Text one.")
    ((text_hash, _),) = store.missing(ENCODER, 1)
    codes = np.arange(-6, 6, dtype=np.int8).reshape(3, 4)
    store.put_vectors(ENCODER, [text_hash], np.ones((1, 8), np.float32), [QuantizedTokens(codes, 0.007)])
    (number,) = store.passage_ids(Filters())
    found = store.tokens([number, 999_999], ENCODER)
    assert set(found) == {number}
    assert found[number].scale == 0.007
    np.testing.assert_array_equal(found[number].codes, codes)
    assert store.tokens([number], "other@1") == {} == store.vectors([number], "other@1")


def test_lengths_that_differ_are_refused(store: ProjectStore) -> None:
    with pytest.raises(ValueError, match="lengths"):
        store.put_vectors(ENCODER, ["00" * 32], np.ones((2, 8), np.float32), None)


def test_the_generation_grows_with_whatever_changes_an_answer(store: ProjectStore) -> None:
    seen = [store.generation()]

    def grew() -> bool:
        seen.append(store.generation())
        return seen[-1] > seen[-2]

    document = add(store, "Text one.")
    assert grew()
    _encode(store)
    assert grew()
    store.set_tags(document.id, ["x"])
    assert grew()
    store.override_grade(document.id, Grade.A, "", "ann")
    assert grew()
    store.delete(document.id)
    assert grew()
    store.put_blob(b"bytes alone")
    assert not grew()


@pytest.mark.parametrize(
    "query", ['"', "NOT", "otter OR", "a* b", "NEAR(x y)", "ｏｔｔｅｒ", "(1) ⑴", "terms:otter", "-otter", "' --"]
)
def test_no_query_is_syntax(store: ProjectStore, query: str) -> None:
    add(store, "An otter.")
    _lexical(store, query)
    store.lexical([query], Filters(), 5)
    assert store.lexical([], Filters(), 5) == [] == store.lexical(["", "zzz"], Filters(), 5)
