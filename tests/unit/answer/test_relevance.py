"""Promises of relevance and of evidence put together from strips."""

from __future__ import annotations

from core.answer.draft import evidence_of, shown
from core.answer.relevance import Relevance, coverage
from core.ports.engines import Engines
from core.records import Strip
from tests.unit.answer.answering import evidence


def test_what_answers_is_more_relevant_than_what_does_not(engines: Engines) -> None:
    relevance = Relevance(engines.encoder())
    question = "What does shade do to the temperature of a street?"
    answer, aside, other = relevance(
        question,
        [
            ("In the shade of trees a street was three degrees cooler.", 1.0),
            ("The street has many shops.", 1.0),
            ("The violin was built in Cremona.", 1.0),
        ],
    )
    assert answer > aside > other
    assert other < 0.3 < 0.6 < answer


def test_the_same_sentence_is_encoded_once_and_counts_by_how_its_passage_was_found(engines: Engines) -> None:
    relevance = Relevance(engines.encoder())
    best, worst = relevance("Do trees cool?", [("Trees cool streets.", 1.0), ("Trees cool streets.", 0.0)])
    assert best > worst


def test_without_an_encoder_words_count() -> None:
    assert coverage("How do trees cool the streets?", "A tree cools its street.") == 1.0
    assert coverage("the of", "anything") == 0.0
    near, far = Relevance(None)("How do trees cool streets?", [("Trees cool streets.", 0.5), ("Cats sleep.", 0.5)])
    assert near > 0.5 > far
    assert Relevance(None)("x", []) == []


def test_strips_of_a_passage_come_together_best_first() -> None:
    strips = [
        Strip(1, "a", 10, 15, "later", 0.9, 1),
        Strip(2, "b", 0, 4, "else", 0.8, 1),
        Strip(1, "a", 0, 5, "first", 0.6, 1),
        Strip(3, "gone", 0, 5, "gone!", 0.5, 1),
        Strip(0, "b", 20, 24, "page", 0.4, 1),
    ]
    passages = {1: (0, 20, "first and then later"), 2: (0, 9, "else what")}
    documents = {"a": ("A", "https://a.example/", None), "b": ("B", None, "a")}
    found = evidence_of(strips, passages, documents, 10, {1: 0.5, 2: 1.0})
    assert [(one.number, one.document_id, one.kept, one.relevance) for one in found] == [
        (1, "a", ((0, 5), (10, 15)), 0.9),
        (2, "b", ((0, 4),), 0.8),
        (3, "b", ((20, 24),), 0.4),
    ]
    assert [one.found for one in found] == [0.5, 1.0, 0.5]
    assert found[2].text == "page"
    assert len(evidence_of(strips, passages, documents, 1)) == 1


def test_a_model_is_shown_the_kept_parts_and_their_ranges_lead_back() -> None:
    text = "One stands here. Two is left out. Three follows. Four too."
    [one] = evidence(text, start=1000, kept=[(0, 16), (34, 48), (49, 58)])
    part = shown(one)
    assert part.text == "One stands here.\n\u2026\nThree follows. Four too."
    at = part.text.index("Three")
    assert part.place(at, at + 5) == (1034, 1039)
    assert part.place(0, len(part.text)) == (1000, 1016)
    assert part.place(16, 19) is None
    [whole] = evidence(text)
    assert shown(whole).text == text
