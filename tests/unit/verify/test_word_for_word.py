"""A sentence states a claim when it has the claim's own words, in their order, and nothing that turns them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.labels import Label
from core.records import Judgement
from core.settings.values import Verification
from core.verify.aggregate import Aggregate, Judged, aggregate
from core.verify.windows import Window
from core.verify.word_for_word import SUPPORT, stated_at, states

CLAIM = "Shade for All set out to plant 40,000 street trees in Port Merrin by the end of 2024"
SENTENCE = "Port Merrin's programme Shade for All set out in 2019 to plant 40,000 street trees by the end of 2024."


def test_a_moved_adverbial_and_one_more_year_do_not_hide_a_statement() -> None:
    assert states(CLAIM, SENTENCE)


def test_a_name_may_stand_in_the_title_of_the_source() -> None:
    sentence = (
        "Shade for All set out to plant 40,000 street trees by the end of 2024; 26,900 were in the ground by 2023."
    )
    assert states(CLAIM, sentence, "Heat and health in Port Merrin")
    assert not states(CLAIM, sentence, "Heat and health")
    assert not states(CLAIM, sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The north of the city outgrew its southern suburbs.", "Its southern suburbs outgrew the north of the city."),
        ("Apple sued Samsung over patents.", "Samsung sued Apple over patents."),
        ("The new trees cooled every street at night.", "The new trees cooled no street at night."),
        ("The city planted 31,640 street trees.", "The city planted less than 31,640 street trees."),
        ("The city planted 31,640 street trees.", "The city planted 31,460 street trees."),
        ("Street trees reduce burglaries in cities.", "Critics claim that street trees reduce burglaries in cities."),
        ("Street trees reduce burglaries in cities.", "It is a myth that street trees reduce burglaries in cities."),
        ("Street trees reduce burglaries in cities.", "We asked whether street trees reduce burglaries in cities."),
        ("Wages rose before prices fell in Spain.", "Wages rose after prices fell in Spain."),
        (
            "Constantine was directed by Rachel Weisz as a horror film.",
            "Constantine was directed by Francis Lawrence with Rachel Weisz as a horror film.",
        ),
        (
            "Leonard Nimoy stars in the comedy Three Men and a Baby.",
            "Three Men and a Baby is a comedy directed by Leonard Nimoy and stars Tom Selleck.",
        ),
        ("Street trees reduce burglaries in large cities.", "Do street trees reduce burglaries in large cities?"),
        (
            "Street trees reduce burglaries in large cities.",
            "That street trees reduce burglaries in large cities is not true.",
        ),
        (
            "Street trees reduce burglaries in large cities.",
            "There is little evidence that street trees reduce burglaries in large cities.",
        ),
        (
            "The vaccine reduced deaths in older patients.",
            "The vaccine reduced fever but raised deaths in older patients.",
        ),
        ("The mayor planted forty street trees downtown.", "The mayor's brother planted forty street trees downtown."),
        (
            "The council planted 40,000 street trees downtown.",
            "The council forgot to plant 40,000 street trees downtown.",
        ),
        ("Mexico exported more avocados than wheat.", "New Mexico exported more avocados than wheat."),
        ("Plan B cuts traffic in Merrin.", "Plan A cuts traffic in Merrin."),
        ("Merrin lent money to Hallow in 1990.", "Merrin lent money from Hallow in 1990."),
        ("Exports flowed from Chile to Peru in large volumes.", "Exports flowed to Chile from Peru in large volumes."),
        ("She won the national chess championship.", "He won the national chess championship."),
        ("Street trees cooled the pavement by 5 degrees.", "Street trees cooled the pavement by 2–5 degrees."),
        (
            "The effects of sleep on diet were studied in Merrin.",
            "The effects of diet on sleep were studied in Merrin.",
        ),
        ("Street trees reduce burglaries in large cities.", "~~Street trees reduce burglaries in large cities.~~"),
        ("Les arbres de rue rafraîchissent Paris.", "Les arbres de rue ne rafraîchissent pas Paris."),
        (
            "The rebels defeated government forces near Merrin.",
            "The rebels were defeated by government forces near Merrin.",
        ),
        ("Trees grow tall.", "Trees grow tall."),  # too few words to be a sign
        ("", SENTENCE),
        (CLAIM, ""),
        ("…", "…"),
    ],
)
def test_what_turns_the_meaning_is_no_statement(claim: str, sentence: str) -> None:
    assert not states(claim, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Adopted trees survived better: 91 per cent were alive after three years.",
        "Prices of oak trees in Merrin went down.",
        "Canopy cover rose from 18.6 per cent in 2018 to 21.3 per cent in 2024.",
        "We found that street trees in Merrin cooled the pavement.",
    ],
)
def test_a_sentence_states_itself_also_with_another_sign_for_per_cent(sentence: str) -> None:
    assert states(sentence, sentence)
    assert states(sentence.replace("per cent", "percent"), sentence)
    assert states(sentence.replace(" per cent", "%"), sentence)


def test_a_finding_is_stated_and_a_claim_of_others_is_not() -> None:
    claim = "Street trees in Merrin cooled the pavement."
    assert states(claim, "We found that street trees in Merrin cooled the pavement.")
    assert not states(claim, "The vendor said that street trees in Merrin cooled the pavement.")


def test_the_first_sentence_that_states_it_is_told() -> None:
    assert stated_at(CLAIM, ["Trees need water.", SENTENCE, SENTENCE]) == 1
    assert stated_at(CLAIM, ["Trees need water."]) is None
    assert stated_at(CLAIM, []) is None


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=20))
def test_no_text_is_an_error(claim: str, sentence: str, title: str) -> None:
    assert states(claim, sentence, title) in (True, False)


def _opinion(supports: float, contradicts: float, claim: str = CLAIM) -> Aggregate:
    window = Window((0,), SENTENCE, ((0, len(SENTENCE)),), True)
    neutral = 1 - supports - contradicts
    judged = Judged(window, Judgement(0, len(SENTENCE), SENTENCE, supports, contradicts, neutral))
    stated = judged if states(claim, SENTENCE) else None
    return aggregate(claim, SENTENCE, SENTENCE, [judged], Verification(), stated=stated)


def test_a_statement_outweighs_a_model_that_doubts() -> None:
    found = _opinion(0.3, 0.4)
    assert found.label is Label.SUPPORTS
    assert found.supports == SUPPORT
    assert found.contradicts <= 1 - SUPPORT
    assert found.best.judgement.text == SENTENCE
    assert any("own words" in note for note in found.notes)


def test_a_model_that_finds_it_contradicted_is_not_outvoted() -> None:
    """A person looks at it: the source may take back elsewhere what it says here."""
    assert _opinion(0.1, 0.8).label is Label.CONTRADICTS


def test_a_surer_model_keeps_its_own_figure() -> None:
    assert _opinion(0.98, 0.01).supports == pytest.approx(0.98)
