"""Rules of the twins: exactly one difference, the right kind, and nothing where the result could still be true."""

from __future__ import annotations

import pytest

from training.verifier.twin_change import OPPOSITE, OTHER, STRONGER, Rule, aims
from training.verifier.twin_direction import directions, sides, times
from training.verifier.twin_entity import siblings, symbols
from training.verifier.twin_forms import SAME, forms
from training.verifier.twin_scope import but_not, figures_exchanged, from_to, no_evidence, not_all, with_without
from training.verifier.twin_strength import bounds, causes, certainty, quantifiers, significance
from training.verifier.twin_wording import loosened

MADE = [
    (directions, "Zinc increased growth in infants.", "Zinc decreased growth in infants.", OPPOSITE),
    (directions, "The gene promotes tumour growth.", "The gene suppresses tumour growth.", OPPOSITE),
    (directions, "It is an anti-inflammatory agent.", "It is a pro-inflammatory agent.", OPPOSITE),
    (directions, "Rents rose by 4 percent in May.", "Rents fell by 4 percent in May.", OPPOSITE),
    (directions, "It grew in the presence of light.", "It grew in the absence of light.", OPPOSITE),
    (sides, "The northern part of the town was rebuilt.", "The southern part of the town was rebuilt.", OTHER),
    (times, "The bridge was closed before the flood came.", "The bridge was closed after the flood came.", OTHER),
    (certainty, "Statins may reduce the risk of stroke.", "Statins reduce the risk of stroke.", STRONGER),
    (certainty, "The drug could lower blood pressure.", "The drug lowers blood pressure.", STRONGER),
    (certainty, "The results suggest that noise harms sleep.", "The results prove that noise harms sleep.", STRONGER),
    (causes, "Noise was associated with poor sleep.", "Noise caused poor sleep.", STRONGER),
    (quantifiers, "Most of the shops closed in winter.", "All of the shops closed in winter.", STRONGER),
    (quantifiers, "The river usually freezes in January.", "The river always freezes in January.", STRONGER),
    (bounds, "At least 40 trees were lost in the storm.", "At most 40 trees were lost in the storm.", OTHER),
    (bounds, "The firm employs more than two hundred people.", "The firm employs less than two hundred people.", OTHER),
    (significance, "Pain was significantly lower at night.", "Pain was not significantly lower at night.", OPPOSITE),
    (significance, "There were no significant effects.", "There were significant effects.", OPPOSITE),
    (siblings, "The hens were fed in the kitchen.", None, OTHER),
    (with_without, "Patients with diabetes slept less.", "Patients without diabetes slept less.", OTHER),
    (no_evidence, "We found no evidence that it works.", "We found clear evidence that it works.", OPPOSITE),
    (not_all, "Not all refugees are stateless.", "No refugees are stateless.", OTHER),
    (but_not, "It was seen in mice but not in rats.", "It was seen in rats but not in mice.", OPPOSITE),
    (figures_exchanged, "It hit 30% of girls and 12% of boys.", "It hit 12% of girls and 30% of boys.", OTHER),
    (from_to, "The fee rose from 30 to 40 euros.", "The fee rose from 40 to 30 euros.", OTHER),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "sentence", "wanted", "kind"), MADE)
def test_a_rule_makes_its_difference(rule: Rule, sentence: str, wanted: str | None, kind: str) -> None:
    made = list(rule(sentence))
    assert made, "nothing was made"
    assert all(change.text != sentence and change.kind == kind for change in made)
    if wanted is not None:
        assert wanted in [change.text for change in made]


LEFT = [
    (directions, "There was no difference between higher and lower doses."),  # what is denied may be true reversed too
    (directions, "It did not increase the risk."),
    (directions, "Levels went from low levels to high levels."),  # both are there
    (directions, "They drove to Niagara Falls by night."),  # a name
    (directions, "It is the second largest lake of the country."),  # second largest of many, second smallest of few
    (times, "After adjustment for age, risk was twice as high."),
    (certainty, "It was not clear whether it may help."),
    (quantifiers, "The town has many lakes and parks."),  # "has all lakes" says nothing
    (bounds, "Prices were averaged over the year."),
    (figures_exchanged, "The mean was 4.2 (95% CI 3.1 to 5.6)."),
    (from_to, "She lived there from 1990 to 2001."),
    (from_to, "Scores ranged from 3 to 5 and changed little."),
    (siblings, "He was born in Rock Springs near White Lake."),
]


@pytest.mark.parametrize(("rule", "sentence"), LEFT)
def test_nothing_is_made_where_it_could_be_true_or_wrong_english(rule: Rule, sentence: str) -> None:
    assert [change.text for change in rule(sentence)] == []


def test_a_sibling_takes_one_word_s_place() -> None:
    sentence = "Twelve rats were fed with rice."
    for change in siblings(sentence):
        pairs = zip(change.text.split(), sentence.split(), strict=True)
        assert sum(one != other for one, other in pairs) == 1


def test_a_symbol_changes_at_all_its_places() -> None:
    made = next(symbols("STAT3 binds DNA where STAT3 is active.", ["HDAC4"]))
    assert made.text == "HDAC4 binds DNA where HDAC4 is active."


def test_a_figure_in_another_form_says_the_same_and_its_neighbour_does_not() -> None:
    kinds = [change.kind for change in forms("The strike lasted 2 weeks in all.")]
    assert kinds == [SAME, OTHER] * (len(kinds) // 2)
    dates = {change.kind: change.text for change in forms("The bakery opened on 12 June 2021.")}
    assert dates[SAME] != dates[OTHER]
    assert "2021" in dates[SAME]


def test_two_hours_are_120_minutes() -> None:
    texts = [change.text for change in forms("The film lasts two hours.") if change.kind == SAME]
    assert "The film lasts 120 minutes." in texts or "The film lasts 2 hours." in texts


def test_claims_of_twins_differ_in_one_place_only() -> None:
    one = loosened("However, the drug reduced pain in children (P < .05).", "seed")
    other = loosened("However, the drug raised pain in children (P < .05).", "seed")
    assert one != other
    assert len(one.split()) == len(other.split())
    assert sum(a != b for a, b in zip(one.split(), other.split(), strict=True)) == 1


@pytest.mark.parametrize("sentence", ["To determine whether it helps, we asked 40 people.", "Does it help?",
                                      "The aim was to count trees."])  # fmt: skip
def test_an_aim_is_no_statement(sentence: str) -> None:
    assert aims(sentence)
