"""Windows to a verdict: means over the views, thresholds, the shortest strong window, what the checks may overrule."""

from __future__ import annotations

from datetime import date

import pytest

from core.labels import Label
from core.records import Combination
from core.settings.values import Verification
from core.verify.aggregate import Aggregate, Judged, aggregate, judgement
from core.verify.windows import Window

SETTINGS = Verification(pass_support=0.7, contradiction=0.6)
CLAIM = "The city planted 31,640 trees."
SAYS = "The city planted 31,640 trees."
OTHER = "The city planted 12,000 trees."


def judged(text: str, supports: float, contradicts: float, *units: int, view: bool = True) -> Judged:
    window = Window(units or (0,), text, tuple((at * 10, at * 10 + 9) for at in units or (0,)), view)
    return Judged(window, judgement(window, (supports, contradicts, 1 - supports - contradicts)))


def decide(*windows: Judged, near: str = "", text: str = "") -> Aggregate:
    return aggregate(CLAIM, text or near, near, windows, SETTINGS)


def test_the_source_says_the_mean_of_the_less_neutral_half_of_its_views() -> None:
    views = [judged(SAYS, 0.9, 0.0), judged(SAYS, 0.2, 0.0, 1), judged(SAYS, 0.7, 0.1, 2), judged(SAYS, 0.1, 0.1, 3)]
    found = decide(*views, judged(SAYS, 0.1, 0.8, 4, view=False))
    assert (found.supports, found.contradicts) == (pytest.approx(0.8), pytest.approx(0.05))
    assert found.label is Label.SUPPORTS


@pytest.mark.parametrize(
    ("supports", "contradicts", "label"),
    [
        (0.70, 0.0, Label.SUPPORTS),
        (0.69, 0.0, Label.NEUTRAL),
        (0.0, 0.60, Label.CONTRADICTS),
        (0.0, 0.59, Label.NEUTRAL),
        (0.3, 0.65, Label.CONTRADICTS),
    ],
)
def test_a_label_needs_its_threshold(supports: float, contradicts: float, label: Label) -> None:
    assert decide(judged(SAYS, supports, contradicts)).label is label


def test_of_windows_that_are_nearly_equal_the_shortest_is_shown() -> None:
    found = decide(judged(SAYS + " Buses ran late.", 0.93, 0, 0, 1, 2), judged(SAYS, 0.9, 0, 0, view=False))
    assert found.best.window.units == (0,)


def test_a_check_overrules_support_and_the_probability_stays() -> None:
    found = decide(judged(OTHER, 0.9, 0.0))
    assert (found.label, found.vetoed, found.supports) == (Label.NEUTRAL, True, pytest.approx(0.9))


def test_a_window_that_no_check_speaks_against_decides() -> None:
    found = decide(judged(OTHER, 0.95, 0.0), judged(SAYS, 0.8, 0.0, 1))
    assert (found.label, found.vetoed) == (Label.SUPPORTS, False)
    assert found.best.window.text == SAYS


def test_what_another_chosen_sentence_has_is_shown_but_vetoes_no_more() -> None:
    found = decide(judged(OTHER, 0.9, 0.0), near=f"{SAYS} {OTHER}")
    assert found.label is Label.SUPPORTS
    numbers = next(one for one in found.checks if one.name == "numbers")
    assert "Other sentences of the source have it." in numbers.explanation


def test_the_other_opinion_is_kept_beside() -> None:
    against = judged("The city planted no trees.", 0.1, 0.8, 3, view=False)
    found = decide(judged(SAYS, 0.9, 0.05), against)
    assert found.against is against
    assert decide(judged(SAYS, 0.9, 0.05)).against is None
    support = judged(SAYS, 0.9, 0.0, 1, view=False)
    turned = decide(judged("The city planted no trees.", 0.0, 0.9), support)
    assert (turned.label, turned.against) == (Label.CONTRADICTS, support)


def test_with_a_combination_words_speak_beside_the_model() -> None:
    weights = Combination(bias=-3.0, support=1.0, words=5.0, names=1.0)
    near, far = judged(SAYS, 0.6, 0.1), judged("Buses ran late in the city.", 0.6, 0.1)
    same = aggregate(CLAIM, SAYS, SAYS, [near], SETTINGS, combination=weights)
    other = aggregate(CLAIM, SAYS, SAYS, [far], SETTINGS, combination=weights)
    assert (same.label, other.label) == (Label.SUPPORTS, Label.NEUTRAL)
    assert same.notes[0].startswith("Support 0.97: the model alone says 0.60")
    assert same.best.judgement.supports == pytest.approx(0.6)  # the window says what the model said of it
    assert aggregate(CLAIM, SAYS, SAYS, [near], SETTINGS).notes == ()


def test_a_comment_that_the_source_contradicts_stands_in_the_way() -> None:
    found = aggregate(CLAIM, SAYS, SAYS, [judged(SAYS, 0.95, 0.0)], SETTINGS, aside=0.9)
    assert found.label is Label.CONTRADICTS
    assert found.supports + found.contradicts <= 1
    assert aggregate(CLAIM, SAYS, SAYS, [judged(SAYS, 0.95, 0.0)], SETTINGS, aside=0.4).label is Label.SUPPORTS


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ("A 2021 study found that trees cooled streets.", "The source is of 03 May 2021."),
        ("Trees cooled streets, a report of 2021 says.", "The source is of 03 May 2021."),
        ("Varga (2021) measured that trees cooled streets.", "The source is of 03 May 2021."),
        ("Trees cooled streets, as Varga measured.", "It is an author of the source."),
    ],
)
def test_what_a_claim_says_of_the_source_itself_is_found_in_its_date_and_authors(claim: str, says: str) -> None:
    text = "Trees cooled streets in 2018, as Kolar measured."
    told = {"authors": ("Anna Varga",), "published": date(2021, 5, 3)}
    found = aggregate(claim, text, text, [judged(text, 0.9, 0.0)], SETTINGS, **told)  # type: ignore[arg-type]
    assert any(says in check.explanation for check in found.checks)


def test_the_date_of_the_source_is_no_date_of_its_subject() -> None:
    text = "Trees cooled streets in 2018."
    found = aggregate(
        "Trees cooled streets in 2021.", text, text, [judged(text, 0.9, 0.0)], SETTINGS, published=date(2021, 5, 3)
    )
    assert found.vetoed
