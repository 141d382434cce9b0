"""An answer for the page: its sentences and markers are found again, and what nothing supports is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.labels import AnswerMode, AnswerState, Label
from core.records import Answer, AnswerCitation, AnswerSentence
from pages.words.ask import (
    SUPPORTED,
    UNCHECKED,
    UNSUPPORTED,
    answer_blocks,
    bullet_pieces,
    by_document,
    checked_count,
    cut_excerpt,
    grounding_line,
    grounding_value,
    headline,
    unsupported,
)

FIRST, SECOND, THIRD = "Trees cool streets [1].", "They also sing [2, 1].", "Now to the rest."
TEXT = f"{FIRST} {SECOND}\n\n{THIRD}"
AT = len(FIRST) + 1


def cited(marker: int) -> AnswerCitation:
    return AnswerCitation(marker, "d", marker, "Trees", "Trees cool.", 0, 11, 0.9)


ANSWER = Answer(
    id=1,
    version=1,
    at=datetime(2026, 5, 1, tzinfo=UTC),
    question="Do trees cool streets?",
    state=AnswerState.DONE,
    mode=AnswerMode.GENERATED,
    domain="general",
    text=TEXT,
    bullets=("Shade helps [1].",),
    citations=(cited(1), cited(2)),
    sentences=(
        AnswerSentence(0, len(FIRST), (1,), Label.SUPPORTS, 0.9, True),
        AnswerSentence(AT, AT + len(SECOND), (2, 1), Label.NEUTRAL, 0.1, False, "No word of singing."),
        AnswerSentence(len(TEXT) - len(THIRD), len(TEXT), (), None, 0.0, True),
        AnswerSentence(0, 16, (1,), Label.SUPPORTS, 0.8, True, bullet=0),
    ),
    grounding_score=1 / 2,
)


def test_every_letter_of_the_answer_is_shown_once_and_markers_stand_alone() -> None:
    blocks = answer_blocks(ANSWER)
    assert ["".join(piece.text for piece in block if piece.marker is None) for block in blocks] == [
        "Trees cool streets .  They also sing .".replace(".  ", ". "),
        THIRD,
    ]
    assert [piece.marker for piece in blocks[0] if piece.marker] == [1, 2, 1]


def test_kinds_follow_the_sentences_and_the_first_run_of_each_carries_the_sign() -> None:
    kinds = [
        (piece.kind, piece.first) for piece in answer_blocks(ANSWER)[0] if piece.marker is None and piece.text.strip()
    ]
    assert kinds[0] == (SUPPORTED, True)
    assert (UNSUPPORTED, True) in kinds
    assert answer_blocks(ANSWER)[1][0].kind == UNCHECKED
    assert bullet_pieces(ANSWER)[0][0].kind == SUPPORTED


def test_what_nothing_supports_is_listed_with_why() -> None:
    assert unsupported(ANSWER) == [(SECOND, "No word of singing.")]
    assert checked_count(ANSWER) == (1, 2)  # the bullet repeats the text
    assert grounding_value(ANSWER) == "1 of 2"


@pytest.mark.parametrize("text", ["", "\n\n", "[1]", "[9] [x] [1, 9]", "a" * 50, "one\n\n\n\ntwo [2]\n"])
def test_odd_texts_do_not_break_the_page(text: str) -> None:
    odd = replace(ANSWER, text=text, sentences=(AnswerSentence(3, 9_000, (1,), Label.NEUTRAL, 0.0, False),))
    shown = " ".join("".join(piece.text for piece in block) for block in answer_blocks(odd))
    assert set(shown.split()) <= set(text.replace(", 9]", "] [9]").split()) | {"[1]", "[9]", "[1][9]"}


def test_citations_of_one_document_stand_together() -> None:
    other = replace(cited(3), document_id="e")
    mixed = replace(ANSWER, citations=(other, cited(2), cited(1)))
    assert [[one.marker for one in group] for group in by_document(mixed)] == [[1, 2], [3]]


def test_long_excerpts_are_cut_at_a_word() -> None:
    assert cut_excerpt("short") == "short"
    long = cut_excerpt("word " * 200)
    assert len(long) <= 502
    assert long.endswith("word …")


def test_full_stops_behind_markers_are_not_marked() -> None:
    text = "They sing [1]."
    odd = replace(ANSWER, text=text, sentences=(AnswerSentence(0, len(text), (1,), Label.NEUTRAL, 0.0, False),))
    assert [(piece.text, piece.kind) for piece in answer_blocks(odd)[0]] == [
        ("They sing", UNSUPPORTED),
        (" ", UNCHECKED),
        ("[1]", UNCHECKED),
        (".", UNCHECKED),
    ]


def test_a_marker_without_its_citation_is_no_link() -> None:
    lone = replace(ANSWER, text="So it is [7].", sentences=())
    assert [piece.marker for block in answer_blocks(lone) for piece in block] == [None]


def test_states_are_told_in_words() -> None:
    assert headline(ANSWER) == "written by a model, 2 citations, 1 of 2 sentences supported"
    quoted = replace(ANSWER, mode=AnswerMode.EXTRACTIVE)
    assert headline(quoted) == "the sources' own sentences, 2 citations"
    assert "word for word" in grounding_line(quoted, 0.7)
    assert headline(replace(ANSWER, state=AnswerState.WRITING)) == "being written"
    assert headline(replace(ANSWER, text="", missing="Nothing was found.")) == "no answer"
    assert grounding_line(ANSWER, 0.7).startswith("It is not grounded")
    assert grounding_line(replace(ANSWER, grounded=True, strict=True), 0.7) == (
        "It is grounded. Strict: every sentence must be supported."
    )
    assert "could be checked" in grounding_line(replace(ANSWER, grounding_score=None), 0.7)


def test_a_sentence_counts_once_however_often_it_stands() -> None:
    text = "They sing [1]. They sing [1]. They fly [1]."
    spans = [(0, 14), (15, 29), (30, 43)]
    sentences = [AnswerSentence(a, b, (1,), Label.NEUTRAL, 0.1, a == 30, "No.") for a, b in spans]
    sentences.append(AnswerSentence(0, 14, (1,), Label.NEUTRAL, 0.1, False, "No.", 0))
    again = replace(ANSWER, text=text, bullets=("They sing [1].",), sentences=tuple(sentences))
    assert checked_count(again) == (1, 2)
    assert unsupported(again) == [("They sing [1].", "No.")]
