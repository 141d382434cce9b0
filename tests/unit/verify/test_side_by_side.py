"""Claim and sentence side by side: a difference of role, scope, direction, strength or amount is told, none made up."""

from __future__ import annotations

import pytest

from core.backends.spacy_parser import SpacyParser
from core.verify.aligned.compare import differences, side_by_side
from core.verify.aligned.deciding import SideBySide

DIFFERENT = [
    # who does what to whom (FAULTS K1), and as many again
    ("Exports exceeded imports by 4 billion euros", "Imports exceeded exports by 4 billion euros."),
    ("Berg was appointed by Lund as head of the office", "Lund was appointed by Berg as head of the office."),
    ("The fee went from 40 euros to 30 euros in May", "The fee went from 30 euros to 40 euros in May."),
    ("Heat caused the loss of leaves rather than drought", "Drought caused the loss of leaves rather than heat."),
    ("The dog that the fox chased ran home", "The dog that chased the fox ran home."),
    ("Foxes often hunt owls in this wood", "In this wood, foxes are hunted by owls."),
    ("Sales in spring are higher than sales in autumn", "Sales in autumn are higher than sales in spring."),
    ("The north is richer than the south", "The south is richer than the north."),
    ("Lund outvoted Berg in the last round", "Berg outvoted Lund in the last round."),
    ("The office moved from Lund to Malmo", "The office moved from Malmo to Lund."),
    # scope of a denial (K3)
    ("The review found evidence that it causes no harm", "The review found no evidence that it causes harm."),
    ("The study shows that noise does not harm bats", "The study does not show that noise harms bats."),
    ("The council knows that the bridge is not safe", "The council does not know that the bridge is safe."),
    ("The trial proved that the drug has no effect", "The trial did not prove that the drug has an effect."),
    # direction and contraries (V1)
    ("The treatment increased the expression of the gene", "The treatment decreased the expression of the gene."),
    ("The protein promotes growth of the tumour", "The protein suppresses growth of the tumour."),
    ("A positive correlation of rain and yield was seen", "A negative correlation of rain and yield was seen."),
    ("The vaccine improved sleep in older people", "The vaccine impaired sleep in older people."),
    ("Trams are more common in the north", "Trams are less common in the north."),
    # with and without, before and after
    ("Patients with fever were sent home", "Patients without fever were sent home."),
    ("The shop opened before the war", "The shop opened after the war."),
    # strength
    ("The additive causes asthma in children", "The additive may cause asthma in children."),
    ("Coffee lowers the risk of stroke", "Coffee might lower the risk of stroke."),
    # amounts
    ("All members voted for the plan", "Most members voted for the plan."),
    ("Most pupils liked the meal", "Only a few pupils liked the meal."),
    ("The valve always opens at noon", "The valve usually opens at noon."),
    # another thing in the same place
    ("The drug reduced pain in rats after surgery", "The drug reduced pain in mice after surgery."),
    ("The scan showed hepatic fibrosis in ten patients", "The scan showed cardiac fibrosis in ten patients."),
    # words that have exchanged their partners
    ("The city built a bridge and sold a depot", "The city sold a bridge and built a depot."),
    ("Six charges of theft and nine counts of fraud", "Nine charges of theft and six counts of fraud."),
    ("The pump is quiet and the fan is loud", "The fan is quiet and the pump is loud."),
    ("The library opened in 1921, the museum closed in 1934", "The library opened in 1934, the museum closed in 1921."),
    # two things have changed places, the words between them are the same
    (
        "The north face is open to climbers, while the south face is closed",
        "The south face is open to climbers; the north face is closed.",
    ),
    (
        "Zinc raised the yield of wheat in both years, whereas copper had no effect",
        "Copper raised the yield of wheat in both years, whereas zinc, a metal, had no effect.",
    ),
    (
        "The site was rich relative to pigs and goats, but not relative to sheep or horses",
        "The site was rich relative to sheep, cattle and horses, but not relative to pigs or goats.",
    ),
    (
        "Berg directed the film of 1998 and Holm wrote the music",
        "Holm directed the film of 1998 and Berg wrote the music.",
    ),
    (
        "Rats received 5 mg of the drug daily, and mice received none",
        "Mice received 5 mg of the drug daily, and rats received none.",
    ),
    (
        "Abc2 is needed to keep the protein at the pole, while Abc7 is dispensable",
        "Abc7 is needed to keep the protein at the pole; Abc2 is dispensable.",
    ),
    (
        "Adults slept longer after the change of the clock than children",
        "Children slept longer after the change of the clock than adults.",
    ),
    # X but not Y
    ("Heat killed the larvae at early, but not late, stages", "Heat killed the larvae at late, but not early, stages."),
    ("The dye marks neurons rather than glia", "The dye marks glia rather than neurons."),
    ("The fee is paid by guests, not by members", "The fee is paid by members, not by guests."),
    ("Iron is lighter than wood", "Wood is lighter than iron."),
    ("Iron is lighter than wood", "Iron is heavier than wood."),
    # what came first
    ("The vote was held before the ministry resigned", "The ministry resigned before the vote was held."),
    ("Funding was cut after the school had closed", "The school closed after its funding had been cut."),
    ("Flowering precedes the growth of leaves", "The growth of leaves precedes flowering."),
    ("The marks are set before the fibre opens", "Opening of the fibre precedes the setting of the marks."),
    ("The rains followed the harvest", "The harvest followed the rains."),
    ("The flood was preceded by heavy rain", "The flood was followed by heavy rain."),
    ("Before the strike ended, prices rose", "Prices did not rise until June; the strike ended before prices rose."),
    # figures of another group
    ("The risk was 2.35 for women and 1.45 for men", "The risk was 1.45 for women and 2.35 for men."),
]  # fmt: skip

ALIKE = [
    ("Berg appointed Lund as head of the parks office", "Lund was appointed by Berg as head of the parks office."),
    ("Owls hunt foxes in this wood", "In this wood, foxes are hunted by owls."),
    ("The south is poorer than the north", "The south is poorer than the north, says the report."),
    ("The council did not show that the bridge is safe", "The council has not shown that the bridge is safe."),
    ("The bridge does not seem safe", "The bridge seems not to be safe."),
    ("The film lasts two hours", "The movie lasts two hours."),
    ("The city built a bridge and sold a tram depot", "A tram depot was sold and a bridge was built by the city."),
    (
        "The museum closed in 1934, the library opened in 1921",
        "The library opened in 1921 and in 1934 the museum closed.",
    ),
    ("The nut holds tight in spite of severe vibration", "The nut is designed to hold tight despite severe vibration."),
    ("Webb was given a life sentence by the jury", "The jury took an hour to give Webb a life sentence."),
    ("An excess of the disease was seen among farm workers", "An excess of cases was seen among farm workers."),
    ("Doctors bought the house", "The house was purchased by physicians."),
    ("Animals were fed twice a day", "The mice were fed twice a day."),
    ("Imagine Dragons first gained fame in 2012", "The band first gained fame in 2012 with their first album."),
    ("Most members voted for the plan", "All members voted for the plan."),
    ("The additive may cause asthma in children", "The additive may cause asthma in children."),
    ("Rates of asthma rose by 3 per cent in towns", "In towns, asthma rates grew by 3 per cent."),
    ("There was no difference between the groups", "The groups did not differ."),
    ("Sales fell by a third after the war", "After the war sales went down by a third."),
    ("Pigs and goats were compared over two years", "Over two years, goats and pigs were compared."),
    (
        "The drug strongly inhibits the growth of the tumour",
        "The growth of the tumour is strongly inhibited by the drug.",
    ),
    ("Zinc differs in colour and weight from copper", "Copper differs in colour and weight from zinc."),
    (
        "Zinc had no effect, whereas copper raised the yield of wheat",
        "Copper raised the yield of wheat, whereas zinc had no effect.",
    ),
    (
        "Berg wrote the music for the film that Holm directed",
        "Holm directed the film, and Berg wrote the music for it.",
    ),
    ("Sales rose in Denmark more than in Sweden", "Compared with Sweden, sales rose more in Denmark."),
    ("Heat killed late, but not early, larvae", "Late larvae, but not early ones, were killed by heat."),
    ("The school closed after its funding was cut", "The funding of the school was cut before it closed."),
    ("The growth of leaves follows flowering", "Flowering precedes the growth of leaves."),
    ("After the vote the ministry resigned", "The ministry resigned after the vote."),
    ("Before the strike, prices rose", "Prices rose before the strike."),
    ("The patients were followed after surgery", "After surgery, the patients were followed."),
    ("The law followed a long debate", "A long debate preceded the law."),
    ("The feast was followed by a dance", "The dance followed the feast."),
    ("The feast was preceded by a dance", "The dance preceded the feast."),
    ("The flood was preceded by heavy rain", "Heavy rain was followed by the flood."),
    ("Iron is heavier than wood and sinks in water", "Wood is lighter than iron, which sinks in water."),
    ("The old mill is smaller than the new one in Lund", "The new mill in Lund is larger than the old one."),
    ("The price went from 30 to 40 euros", "The price rose from 30 euros to 40 euros in May."),
]


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    return SpacyParser()


@pytest.mark.parametrize(("claim", "sentence"), DIFFERENT)
def test_a_difference_is_told_in_the_words_of_both(parser: SpacyParser, claim: str, sentence: str) -> None:
    found = differences(side_by_side(claim, sentence, parser))
    assert found
    first = next(iter(found.values()))
    assert first.why.startswith("The claim says “")
    assert all(0 <= start < end <= len(claim) for start, end in first.claim)


@pytest.mark.parametrize(("claim", "sentence"), ALIKE)
def test_what_says_the_same_in_other_words_differs_in_nothing(parser: SpacyParser, claim: str, sentence: str) -> None:
    assert differences(side_by_side(claim, sentence, parser)) == {}


def test_another_sentence_that_says_the_claim_clears_the_one_that_does_not(parser: SpacyParser) -> None:
    wrong, right = "Imports exceeded exports by 4 billion euros.", "Exports exceeded imports by 4 billion euros in May."
    claim = "Exports exceeded imports by 4 billion euros."
    alone = SideBySide(claim, [(0, wrong)], parser).check()
    both = SideBySide(claim, [(0, wrong), (1, right)], parser).check()
    assert alone is not None
    assert both is not None
    assert (alone.veto, both.veto) == (True, False)


def test_without_a_parser_or_in_another_language_nothing_is_compared(parser: SpacyParser) -> None:
    assert SideBySide("Exports exceeded imports.", [(0, "Imports exceeded exports.")], None).check() is None
    german = "Die Ausfuhren des Landes waren im vergangenen Jahr deutlich höher als die Einfuhren."
    assert SideBySide(german, [(0, german)], parser).check() is None


@pytest.mark.parametrize("text", ["", " \n\t", "!!!", "а" * 5000, "no " * 400, "(" * 900, "\x00\ud800", "1 2 3 4 5"])
def test_odd_texts_are_compared_without_an_error(parser: SpacyParser, text: str) -> None:
    SideBySide(text, [(0, text), (1, "A plain sentence.")], parser).check()
    SideBySide("A plain sentence stands here.", [(0, text)], parser).check()
