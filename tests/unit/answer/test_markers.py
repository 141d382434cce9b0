"""Promises of markers: found, written out, checked against what is there."""

from __future__ import annotations

import pytest

from core.answer.draft import claim_spans, numbers_of, readable, with_known, without_markers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("A [1] b [2].", (1, 2)),
        ("A [1, 3] b [3].", (1, 3)),
        ("A [2-4].", (2, 3, 4)),
        ("A [2\u20134; 9].", (2, 3, 4, 9)),
        ("A [1][2].", (1, 2)),
        ("In [2021] nothing [a] [].", ()),
        ("A [1-999].", (1, 999)),
    ],
)
def test_numbers_are_read(text: str, numbers: tuple[int, ...]) -> None:
    assert numbers_of(text) == numbers


def test_markers_without_a_passage_are_dropped_and_named() -> None:
    text, unknown = with_known("Trees cool [1, 7]. Roofs too [9]. Both [2-3].", {1, 2, 3})
    assert text == "Trees cool [1]. Roofs too. Both [2][3]."
    assert unknown == (7, 9)


def test_words_alone() -> None:
    assert without_markers("Trees  cool [1][2].\nYes [3].") == "Trees cool. Yes."
    assert (
        readable("Trees\n cool [12] water\u00b9\u00b2. It is 5 m\u00b2 wide [^3].")
        == "Trees cool water. It is 5 m\u00b2 wide."
    )


def test_markers_behind_the_stop_stay_with_their_sentence() -> None:
    text = "Trees cool. [1] [2] Roofs reflect [3]. No more."
    assert [text[a:b] for a, b in claim_spans(text)] == ["Trees cool. [1] [2]", "Roofs reflect [3].", "No more."]
