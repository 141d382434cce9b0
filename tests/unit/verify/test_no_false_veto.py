"""No veto where the figure stands in the evidence in another notation, or follows from it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.records import Outcome
from core.settings.values import Verification
from core.verify.checks import run_checks
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from tests.contract.builders import make_document
from tests.helpers.comparing import vetoes
from tests.helpers.verifying import WordJudge


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        # a unit written once for a pair, or behind a bracket
        ("The wait fell from 8.1 to 4.6 min.", "The wait was shorter in the new group (4.6 vs 8.1 min)."),
        ("The wait was 4.6 minutes against 8.1 minutes.", "The wait was 4.6 and 8.1 minutes, respectively."),
        ("Follow-up lasted 32 weeks.", "Median follow-up was 32 (7\u2013132) weeks."),
        ("Follow-up lasted 7 to 132 weeks.", "Median follow-up was 32 (7\u2013132) weeks."),
        ("The walk took 40 minutes on average.", "The walk took 40 \u00b1 6 minutes on average."),
        ("Patients weighed 71 kg.", "Patients weighed 71 (SD 9) kg."),
        ("Doses of 5 mg and 10 mg were given.", "Doses of 5, 10 or 20 mg were given."),
        # parts of a whole
        ("Cover was complete in 18 of the 19 plots.", "Cover was complete in 18/19 plots."),
        ("Cover was complete in 95% of the plots.", "Cover was complete in 18/19 plots."),
        ("Cover was complete in 18 of 40 plots.", "Cover was complete in 45% of the plots (18/40)."),
        ("Three of the four plots were wet.", "3/4 plots were wet."),
        ("45% of the plots were wet.", "18 of the 40 plots were wet."),
        # halves of a thing
        ("The rate rose by half a point.", "The rate rose by 0.5 points."),
        ("It lies half a mile away.", "It lies 0.5 miles away."),
        ("The rate rose by half a percentage point.", "The rate rose by 0.5 percentage points."),
        ("It took half an hour.", "It took 30 minutes."),
        # totals
        ("The trial had 597 patients.", "The trial gave 481 patients the drug and 116 a placebo."),
        ("Pupils of six schools took part.", "Pupils of two primary and four secondary schools took part."),
        ("The fine is a quarter of a million euros.", "The fine is 250,000 euros."),
        ("The drug cut the risk by 14 percent.", "The risk fell with the drug (RR=0.86; 95% CI: 0.76-0.97)."),
        ("The drug raised the risk by 30%.", "The drug raised the risk (hazard ratio 1.30, 95% CI 1.1-1.5)."),
        ("They put eighty two-metre spiders there.", "They put eighty spiders of two metres there."),
        ("The fleet of 400 jets was grounded.", "The fleet of 400 737 Max jets was grounded."),
        ("The new model comes before July 2020.", "The new model comes in the first half of 2020."),
        ("Sales fell in the first half of 2021.", "Sales fell in May 2021."),
        ("Sales fell in the second quarter of 2021.", "Sales fell in Q2 2021."),
        (
            "Sales fell in the second quarter of 2021.",
            "Second quarter 2021 sales fell, as in the first quarter of 2020.",
        ),
        ("In all, 37 plots were seen.", "There were 37 plots."),
        ("There were 37 plots in all.", "There were 37 plots."),
        ("Altogether 60 trees were felled.", "They felled 20 elms, 25 limes and 15 oaks."),
        ("All told, 37 plots were seen.", "There were 37 plots."),
        # names in another spelling
        ("Bcl2 falls in the cells.", "BCL-2 falls in the cells."),
        ("IL6 rose in the cells.", "IL-6 rose in the cells."),
        ("TNF-alpha rose in the cells.", "TNF-\u03b1 rose in the cells."),
        ("CSF pressure rose.", "Cerebrospinal fluid (CSF) was taken. The pressure of cerebrospinal fluid rose."),
    ],
)
def test_what_stands_there_in_another_notation_is_not_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []


@pytest.mark.parametrize(
    ("claim", "evidence", "check"),
    [
        ("The wait fell to 4.6 min.", "The wait was shorter in the new group (5.6 vs 8.1 min).", "dates"),
        ("Follow-up lasted 32 weeks.", "Median follow-up was 23 (7\u2013132) weeks.", "dates"),
        ("Follow-up lasted 32 weeks.", "Median follow-up was 32 (7\u2013132) months.", "dates"),
        ("Cover was complete in 17 of the 19 plots.", "Cover was complete in 18/19 plots.", "numbers"),
        ("Cover was complete in 85% of the plots.", "Cover was complete in 18/19 plots.", "numbers"),
        ("Cover was complete in 17/19 plots.", "Cover was complete in 18/19 plots.", "numbers"),
        ("The rate rose by half a point.", "The rate rose by 1.5 points.", "numbers"),
        ("The trial had 579 patients.", "The trial gave 481 patients the drug and 116 patients a placebo.", "numbers"),
        ("Altogether 65 trees were felled.", "They felled 20 elms, 25 limes and 15 oaks.", "numbers"),
        (
            "The film had six BAFTA nominations.",
            "It had three Academy nominations and three BAFTA nominations.",
            "numbers",
        ),
        ("Light reaches the top 200 metres.", "Light reaches 100 metres in spring and 100 metres in May.", "numbers"),
        ("The film made $539.4 million.", "The film made US$481.8 million.", "numbers"),
        (
            "Pupils of seven schools took part.",
            "Pupils of two primary and four secondary schools took part.",
            "numbers",
        ),
        ("The drug cut the risk by 24 percent.", "The drug cut the risk by 14 percent (RR=0.86).", "numbers"),
        ("Sales fell in August 2021.", "Sales fell in the second quarter of 2021.", "dates"),
        ("Sales fell in Q3 2021.", "Sales fell in the second quarter of 2021.", "dates"),
        (
            "Four birds share a nest.",
            "Two birds share a nest where trees are old and bare, as two kinds of birds do.",
            "numbers",
        ),
        ("It was the second subpoena of a minister.", "It was the first subpoena of a minister.", "numbers"),
        ("The 4th edition of the guide has maps.", "The third edition of the guide has maps.", "numbers"),
        ("In all of the plots elms died.", "In some of the plots elms died.", "quantifiers"),
        ("The drug helped in all cases.", "The drug helped in some cases.", "quantifiers"),
        ("All patients recovered.", "Some patients recovered.", "quantifiers"),
    ],
)
def test_what_differs_is_still_vetoed(claim: str, evidence: str, check: str) -> None:
    assert check in vetoes(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Bcl2 falls in the cells.", "BCL-2 falls in the cells."),
        ("BCL-2 falls in the cells.", "Bcl2 falls in the cells."),
        ("IL6 rose in the cells.", "IL-6 rose in the cells."),
        ("TNF-alpha rose.", "TNF-\u03b1 rose."),
        ("TNF\u03b1 rose.", "TNF-alpha rose."),
        ("CSF pressure rose.", "Cerebrospinal fluid (CSF) was taken."),
    ],
)
def test_a_name_in_another_spelling_is_there(claim: str, evidence: str) -> None:
    (names,) = [result for result in run_checks(claim, evidence) if result.name == "entities"]
    assert names.outcome is Outcome.PASSED


@pytest.mark.parametrize(("claim", "evidence"), [("IL6 rose.", "IL-8 rose."), ("Bcl2 fell.", "BCL-6 fell.")])
def test_a_name_with_another_number_is_not_there(claim: str, evidence: str) -> None:
    (names,) = [result for result in run_checks(claim, evidence) if result.name == "entities"]
    assert names.outcome is Outcome.FAILED


NEWS = "The council planted four hundred limes on Mill Lane in May. Buses ran late."


def _dates_veto(claim: str, text: str, title: str = "Limes", published: date | None = None) -> bool:
    document = replace(make_document(text), title=title, published=published)
    verdict = judge_in_source(claim, CitedSource(document, text), WordJudge(), Verification(), names=())
    return any(result.veto for result in verdict.checks if result.name == "dates")


@pytest.mark.parametrize(
    ("text", "title", "published"),
    [
        (NEWS, "Limes", date(2020, 5, 12)),
        (NEWS, "Limes planted in 2020", None),
        (f"12 May 2020\n\n{NEWS}", "Limes", None),
        (f"By Anna Berg, published 12 May 2020\n\n{NEWS}", "Limes", None),
    ],
)
@pytest.mark.parametrize("when", ["in 2020", "in May 2020"])
def test_the_year_may_stand_in_date_line_or_title(text: str, title: str, published: date | None, when: str) -> None:
    assert not _dates_veto(f"The council planted four hundred limes on Mill Lane {when}.", text, title, published)


@pytest.mark.parametrize("when", ["in 2019", "in 2021", "in June 2020", "on 12 May 2020"])
def test_another_year_or_day_than_that_of_the_date_line_is_vetoed(when: str) -> None:
    news = NEWS.replace("in May", "on 3 May")
    assert _dates_veto(f"The council planted four hundred limes on Mill Lane {when}.", news, "Limes", date(2020, 5, 12))


def test_the_date_line_does_not_overrule_a_year_of_the_sentence() -> None:
    news = NEWS.replace("in May", "in May 2019")
    claim = "The council planted four hundred limes on Mill Lane in 2020."
    assert _dates_veto(claim, news, "Limes", date(2020, 5, 12))


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It was the 2nd subpoena of a minister.", "It was the second subpoena of a minister."),
        ("The second study of the lake found fish.", "The first study of the lake found none; the second found fish."),
        ("It is the second largest city.", "It is the largest city after Merrin, founded in the third century."),
        ("The book was first published there.", "The second edition was published there."),
        ("She was the first mayor of the town.", "She became mayor of the town in the second round."),
        ("A third of the voters stayed at home.", "The second third of the voters stayed at home: a third in all."),
        (
            "In the first half of the year sales fell.",
            "In the first half of the year sales fell, in the second they rose.",
        ),
    ],
)
def test_ordinals_of_other_things_are_not_compared(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []
