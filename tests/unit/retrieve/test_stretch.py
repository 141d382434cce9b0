"""Slices of a text and the window around a passage."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.labels import Grade
from core.records import Assessment, Document, PageSpan, Passage
from core.retrieve import stretch as reading

FETCHED = datetime(2026, 1, 1, tzinfo=UTC)
PLAIN = Document("d", "c", "b", "T", "text/plain", "m", FETCHED, Grade.C, Assessment(Grade.C, ()))


def passage(start: int, end: int, text: str, identity: int = 1) -> Passage:
    return Passage("d", 0, start, end, text[start:end], id=identity)


def test_slices_cover_the_text_without_a_gap() -> None:
    assert reading.slices(PLAIN, 25, size=10) == [(0, 10), (10, 20), (20, 25)]
    assert reading.slices(PLAIN, 0) == [(0, 0)]


def test_a_paged_document_is_leafed_through_by_its_own_pages() -> None:
    paged = replace(PLAIN, pages=(PageSpan(1, 0, 9), PageSpan(2, 10, 19)))
    assert reading.slices(paged, 20) == [(0, 10), (10, 20)]


def test_the_slice_of_an_offset() -> None:
    spans = [(0, 10), (10, 20)]
    assert [reading.slice_at(spans, offset) for offset in (0, 9, 10, 99)] == [0, 0, 1, 1]


def test_a_window_marks_the_passage_and_begins_a_piece_at_each_page() -> None:
    text = "a" * 50 + " " + "b" * 50
    paged = replace(PLAIN, pages=(PageSpan(1, 0, 50), PageSpan(2, 51, 101)))
    pieces = reading.window(paged, text, passage(40, 60, text), around=1000)
    assert [(piece.start, piece.end, piece.page, piece.marked) for piece in pieces] == [
        (0, 40, 1, False),
        (40, 51, None, True),
        (51, 60, 2, True),
        (60, 101, None, False),
    ]


@given(st.text(alphabet="ab \n", min_size=1, max_size=300), st.data())
def test_pieces_are_in_order_without_gap_and_the_marked_ones_are_the_passage(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    pieces = reading.window(PLAIN, text, passage(start, end, text), around=40)
    assert all(left.end == right.start for left, right in pairwise(pieces))
    marked = "".join(text[piece.start : piece.end] for piece in pieces if piece.marked)
    assert marked == text[start:end]


def test_neighbours_end_at_the_ends() -> None:
    text = "x" * 30
    row = [passage(at, at + 10, text, identity=at + 1) for at in (0, 10, 20)]
    assert reading.neighbours(row, 1) == (None, row[1])
    assert reading.neighbours(row, 21) == (row[1], None)
    assert reading.neighbours(row, 99) == (None, None)


def test_a_stretch_holds_the_words_and_is_cut_between_words() -> None:
    text = "one two three four five six seven eight nine ten"
    start, end = text.index("five"), text.index("five") + 4
    left, right = reading.stretch(text, start, end, around=8)
    assert text[left:right] == "four five six"
    assert reading.stretch(text, start, end) == (0, len(text))


def test_the_passage_at_a_place_is_the_one_that_holds_it_or_the_last_before() -> None:
    text = "a" * 30
    passages = [passage(0, 10, text, 1), passage(12, 20, text, 2)]
    assert [found and found.id for found in (reading.passage_at(passages, at) for at in (0, 11, 12, 99))] == [
        1,
        1,
        2,
        2,
    ]
    assert reading.passage_at([], 0) is None
