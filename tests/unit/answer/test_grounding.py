"""Promises of grounding: every claim is checked, what is uncited or unsupported is marked and never silently kept."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.answer.draft import Draft, DraftClaim, Evidence, claim_spans, numbers_of
from core.answer.grounding import UNCITED, Checked, Grounding, ground, is_verbatim
from core.labels import AnswerMode, Label
from tests.unit.answer.answering import evidence

PASSAGE = "Trees cool the air by 1.3 degrees. Roofs of white paint help at night. Prices rose."
SOURCES = {one.number: one for one in evidence(PASSAGE, "Another matter altogether stands here.")}


def check(claim: str, cited: Sequence[Evidence], context: str) -> Checked:
    held = any("degrees" in claim and "degrees" in one.text for one in cited)
    return Checked(Label.SUPPORTS if held else Label.NEUTRAL, 0.9 if held else 0.1, held, "told")


def worthy(sentence: str) -> tuple[bool, str]:
    return ("?" not in sentence, "a question" if "?" in sentence else "a statement")


def grounded(text: str, bullets: Sequence[str] = (), **given: object) -> Grounding:
    claims = [DraftClaim(a, b, numbers_of(text[a:b])) for a, b in claim_spans(text)]
    claims += [DraftClaim(0, len(one), numbers_of(one), at) for at, one in enumerate(bullets)]
    draft = Draft(AnswerMode.GENERATED, text, tuple(bullets), (), tuple(claims))
    return ground(draft, SOURCES, check, worthy, **{"threshold": 0.7, **given})  # type: ignore[arg-type]


def test_the_score_is_the_share_of_supported_claims() -> None:
    found = grounded("It falls by some degrees [1]. Cats sleep [1]. Trees cool the air by 1.3 degrees. [1]")
    assert [one.supported for one in found.sentences] == [True, False, True]
    assert found.score == pytest.approx(2 / 3)
    assert not found.grounded
    assert [one.why for one in found.unsupported] == ["told"]


def test_a_claim_that_cites_nothing_is_unsupported_and_one_that_states_nothing_is_not_counted() -> None:
    found = grounded("It falls by some degrees [1]. Cats sleep all day. Why is that?")
    assert [one.supported for one in found.sentences] == [True, False, True]
    assert found.sentences[1].why == UNCITED
    assert found.sentences[2].label is None
    assert found.score == 0.5


def test_a_question_that_cites_something_is_checked_all_the_same() -> None:
    assert grounded("Are cats asleep [1]?").score == 0.0


def test_strict_means_every_one() -> None:
    text = " ".join(f"It falls by {number} degrees [1]." for number in range(9)) + " Cats sleep [1]."
    assert grounded(text).grounded
    assert not grounded(text, strict=True).grounded
    assert grounded("It falls by degrees [1].", strict=True).grounded


def test_bullets_are_checked_and_not_counted_beside_the_text_that_they_repeat() -> None:
    found = grounded("It falls by degrees [1]. Cats sleep [1].", ["It falls by degrees [1]."] * 4)
    assert (found.score, found.grounded) == (0.5, False)
    one = grounded("It falls by degrees [1].", ["Cats sleep [1]."])
    assert (one.sentences[1].bullet, one.sentences[1].supported, one.grounded) == (0, False, True)
    assert not grounded("It falls by degrees [1].", ["Cats sleep [1]."], strict=True).grounded


def test_a_sentence_that_the_text_repeats_counts_once() -> None:
    found = grounded("It falls by degrees [1]. Cats sleep [1]. It falls by degrees [1].")
    assert (found.score, len(found.sentences)) == (0.5, 3)


def test_an_answer_without_a_claim_is_not_grounded() -> None:
    assert grounded("Why?").score is None
    assert not grounded("Why?").grounded


def test_spans_are_those_of_the_text() -> None:
    text = "It falls by degrees [1]. Cats sleep [2]."
    assert [text[one.start : one.end] for one in grounded(text).sentences] == [
        "It falls by degrees [1].",
        "Cats sleep [2].",
    ]


@pytest.mark.parametrize(
    ("claim", "verbatim"),
    [
        ("Trees cool the air by 1.3 degrees.", True),
        ("Roofs of white paint help at night. Prices rose.", True),
        ("of white paint help at night.", False),
        ("Trees cool the air by 1.3", False),
        ("Trees cool the air by 2.3 degrees.", False),
        ("", False),
    ],
)
def test_only_whole_sentences_are_verbatim(claim: str, verbatim: bool) -> None:
    assert is_verbatim(claim, PASSAGE) is verbatim


def test_a_clause_taken_out_of_its_denial_is_not_verbatim() -> None:
    assert not is_verbatim("trees cool the air.", "It is not true that trees cool the air.")
    assert not is_verbatim("Trees cool the air.", "Nobody showed that Trees cool the air.")
