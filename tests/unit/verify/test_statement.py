"""The part of a claim that a source is asked about: without connective, attribution to the source, and comment."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.labels import Label
from core.settings.values import Verification
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from core.verify.statement import after_connective, fact_of, statement_of
from tests.contract.builders import make_document
from tests.helpers.verifying import WordJudge

TEXT = (
    "Street trees cool streets by 2 degrees. Whitlock visited Docklands. The mayor disagreed with the count of 1,373."
)
DOCUMENT = replace(
    make_document(TEXT),
    title="Heat Action Plan 2025\u20132030",
    authors=("J. Whitlock", "Ann Smith", "Bo Jones"),
    publisher="World Health Organization",
    published=date(2021, 5, 1),
    urls=("https://www.cityauditor.example/reports/12",),
)
SAID = "trees cool streets by 2 degrees"


@pytest.mark.parametrize(
    "claim",
    [
        f"Smith and Jones found that {SAID}.",
        f"Whitlock, Smith, and Jones found that {SAID}.",
        f"Smith et al. have also shown that {SAID}.",
        f"Smith and colleagues (2021) conclude that {SAID}.",
        f"Smith's team has shown that {SAID}.",
        f"Dr. Ann Smith says that {SAID}.",
        f"In a 2021 study, Smith et al. found that {SAID}.",
        f"In their report, the authors note that {SAID}.",
        f"According to the study, {SAID}.",
        f"According to Whitlock, {SAID}.",
        f"As reported by Smith, {SAID}.",
        f"As Smith et al. note, {SAID}.",
        f"The authors report that {SAID}.",
        f"A study by Smith et al. clearly showed that {SAID}.",
        f"A 2021 study by Smith showed that {SAID}.",
        f"In his blog he adds that {SAID}.",
        f"The World Health Organization says that {SAID}.",
        f"WHO says that {SAID}.",
        f"The Heat Action Plan states that {SAID}.",
        f"CityAuditor reports that {SAID}.",  # its site
        f"T{SAID[1:]}, according to Whitlock.",
        f"T{SAID[1:]}, the study found.",
        f"T{SAID[1:]}, says the report.",
    ],
)
def test_words_that_only_name_the_source_are_left_out(claim: str) -> None:
    assert statement_of(claim, DOCUMENT, ()).text.lower().rstrip(".") == SAID


@pytest.mark.parametrize(
    "claim",
    [
        # somebody else
        f"Miller argues that {SAID}.",
        f"Smith and Miller found that {SAID}.",
        f"Ann Jones found that {SAID}.",
        f"A study by Miller et al. showed that {SAID}.",
        f"The mayor said that {SAID}.",
        "Trees cool streets, according to the mayor.",
        f"Critics of the report say that {SAID}.",
        f"One of the researchers said that {SAID}.",
        f"According to a spokesman for the report, {SAID}.",
        f"According to a review of Smith, {SAID}.",
        f"Smith told the authors that {SAID}.",
        f"Smith reports that Miller found that {SAID}.",
        f"The report says that critics claim that {SAID}.",
        # a place, a subject or one word of a name
        f"Port Merrin reports that {SAID}.",
        f"Heat says that {SAID}.",
        f"Heat Action says that {SAID}.",
        f"The Organization found that {SAID}.",
        f"World found that {SAID}.",
        f"Who says that {SAID}.",
        f"Smith researchers reported that {SAID}.",
        # another work, another year
        f"A 2019 study by Smith found that {SAID}.",
        f"In a 2019 study, Smith et al. found that {SAID}.",
        f"Smith (2019) found that {SAID}.",
        f"An earlier study found that {SAID}.",
        f"The first report found that {SAID}.",
        f"In 2021 Smith said that {SAID}.",
        f"Smith later said that {SAID}.",
        f"The memo said that {SAID}.",
        f"Evidence shows that {SAID}.",
        f"Researchers have shown that {SAID}.",
        # how many, or none
        f"No study found that {SAID}.",
        f"Few studies show that {SAID}.",
        f"Most studies show that {SAID}.",
        f"The study did not find that {SAID}.",
        f"The study found no evidence that {SAID}.",
        f"Smith denies that {SAID}.",
        # no statement, or one that leans on what would be left out
        f"He adds that {SAID}.",
        "Smith said that she cooled the streets by 2 degrees.",
        "The study found that it cools streets by 2 degrees.",
        "The study found that that year trees cooled streets.",
        "The study found that the same year trees cooled streets.",
        f"The study that claimed that {SAID} was retracted.",
        f"The WHO said in the report that {SAID}.",
        f"The report notes fears that {SAID}.",
        f"The report notes {SAID}.",
        f"The report says: ) {SAID}.",
        "The study found that trees.",
        "Whitlock found 62 per cent of the trees alive.",
        "Smith wrote letters that were published in Berlin.",
        "The report says nothing about trees that cool streets.",
        SAID,
        "",
        "that that that",
    ],
)
def test_what_says_more_is_kept(claim: str) -> None:
    assert statement_of(claim, DOCUMENT, ()).text == claim


@pytest.mark.parametrize(
    ("claim", "title", "authors", "publisher", "names"),
    [
        (f"No data show that {SAID}.", "", (), "", ("No harm no foul", "2010")),
        (f"No evidence shows that {SAID}.", "", (), "", ("No evidence for a link of trees and streets", "2010")),
        (f"No report found that {SAID}.", "", (), "National Observer", ()),
        (f"Few say that {SAID}.", "", ("Stephen Few",), "", ()),
        (f"He said that {SAID}.", "", (), "Higher Education", ()),
        (f"Elon Musk said that {SAID}.", "Elon Musk denies plan for Berlin", (), "", ()),
        (f"Elon Musk said that {SAID}.", "", (), "", ("Elon Musk denies plan", "2024")),
        (f"The mayor said that {SAID}.", "The mayor of Port Merrin resigns", (), "", ()),
        (f"Most researchers say that {SAID}.", "Most researchers doubt new drug", (), "", ()),
        (f"Washington said that {SAID}.", "", (), "The Washington Post", ()),
        (f"China said that {SAID}.", "", (), "China Daily", ()),
        (f"White researchers said that {SAID}.", "", ("K. White",), "", ()),
    ],
)
def test_words_of_a_name_are_not_the_name(
    claim: str, title: str, authors: tuple[str, ...], publisher: str, names: tuple[str, ...]
) -> None:
    document = replace(DOCUMENT, title=title, authors=authors, publisher=publisher, urls=())
    assert statement_of(claim, document, names).text == claim


def test_where_no_source_is_cited_the_study_may_be_any() -> None:
    assert statement_of(f"The study found that {SAID}.", DOCUMENT).text == f"The study found that {SAID}."
    assert statement_of(f"Smith found that {SAID}.", DOCUMENT).text == f"{SAID}."


def test_the_report_may_name_authors_and_a_year_that_the_source_does_not() -> None:
    claim = f"A 2019 study by Miller found that {SAID}."
    document = replace(DOCUMENT, published=None)
    assert statement_of(claim, document, ()).text == claim
    assert statement_of(claim, document, ("Miller", "2019a")).text == f"{SAID}."


def test_the_statement_alone_is_judged_and_checked_and_spans_point_into_the_claim() -> None:
    source = CitedSource(DOCUMENT, TEXT)
    claim = "Smith and Jones found that street trees cool streets by 5 degrees."
    found = judge_in_source(claim, source, WordJudge(), Verification(), names=())
    (span,) = next(one for one in found.checks if one.name == "numbers").claim_spans
    assert claim[slice(*span)].startswith("5")
    assert "Smith and Jones found that" in found.notes[0]
    right = judge_in_source(claim.replace("5", "2"), source, WordJudge(), Verification(), names=())
    assert right.label is Label.SUPPORTS
    assert right.supports == 1.0


def test_the_part_that_is_supported_lies_in_the_claim() -> None:
    claim = "According to the study, street trees cool streets by 2 degrees, and the governor resigned after a scandal."
    found = judge_in_source(claim, CitedSource(DOCUMENT, TEXT), WordJudge(), Verification(), names=())
    assert found.partial is not None
    assert claim[slice(*found.partial)] == "street trees cool streets by 2 degrees"


@pytest.mark.parametrize(
    "text",
    [
        "according to " * 4000,
        ", " * 20000,
        "the " * 20000 + "study found that trees cool",
        "Trees cool streets," + " " * 900 + "x",
        "Trees, the study says" + "\n" * 1400,
        ("a, " * 480) + "the study found",
        "In a study, " * 100,
        "Smith and " * 140 + "found that trees cool",
    ],
)
def test_long_and_odd_text_is_read_in_time(text: str) -> None:
    assert statement_of(text, DOCUMENT, ()).text == text


TREES = "Street trees cool streets by 2 degrees. The mayor disagreed with the count."


@pytest.mark.parametrize(
    "words", ["However, ", "In addition, ", "For example, ", "Overall, ", "And ", "But ", "Notably, ", "Also, "]
)
def test_words_that_claim_nothing(words: str) -> None:
    assert after_connective(f"{words}trees cool streets.") == len(words)


@pytest.mark.parametrize(
    "claim",
    [
        "",
        "However, ",
        "However, trees.",
        "However much it rains, trees cool streets.",
        "As a result, trees cool streets.",
        "By contrast, trees cool streets.",
        "Only trees cool streets.",
        "Android phones cool streets.",
        "Still trees cool streets.",
        "Overall mortality fell by 2 per cent.",
        "In particular districts trees cool streets.",
        "For example, (see above) trees cool streets.",
    ],
)
def test_words_that_claim_something_stay(claim: str) -> None:
    assert after_connective(claim) == 0


def test_the_rest_is_judged_and_spans_point_into_the_claim() -> None:
    document = replace(make_document(TREES), authors=("Ann Smith",))
    source = CitedSource(document, TREES)
    claim = "However, Smith found that street trees cool streets by 5 degrees."
    found = judge_in_source(claim, source, WordJudge(), Verification(), names=())
    (span,) = next(one for one in found.checks if one.name == "numbers").claim_spans
    assert claim[slice(*span)].startswith("5")
    assert "\u201cSmith found that\u201d" in found.notes[0]
    plain = judge_in_source("Overall, street trees cool streets by 2 degrees.", source, WordJudge(), Verification())
    assert (plain.label, plain.supports) == (Label.SUPPORTS, 1.0)
    assert not any("Asked without" in note for note in plain.notes)


@pytest.mark.parametrize(
    ("claim", "fact"),
    [
        (
            "Drought takes much of the benefit away: in August 2022 the difference shrank to 0.6 °C",
            "in August 2022 the difference shrank to 0.6 °C",
        ),
        (
            "People help more: of the trees adopted by residents, 91 per cent were alive after three years",
            "of the trees adopted by residents, 91 per cent were alive after three years",
        ),
        ("The start was late: at 10:30 the first bus left town.", "at 10:30 the first bus left town."),
    ],
)
def test_the_fact_is_what_stands_behind_the_colon(claim: str, fact: str) -> None:
    start, end = fact_of(claim)
    assert claim[start:end] == fact


@pytest.mark.parametrize(
    "claim",
    [
        "Trees cool streets by 1.3 °C.",
        "Results: 5 of 10 patients died in the trial of the drug in 2020.",  # a label, no statement
        "Half of 20 trees died: 10 were lost in the drought of 2022 alone.",  # a figure of its own
        "The law says: nobody may drive under the age of 18 in 2020.",  # the sentence goes on
        "Berlin grows faster than ever: 40,000 people moved there in 2020.",  # says where in the comment
        "The mayor was clear: “Trees were planted in 2020 on every street.”",  # a quotation
        "Costs rise: they rise again and again: by 5 per cent in 2020.",
        "Drought is bad: trees suffer a lot.",  # nothing concrete
        "",
        ":",
        "a: b",
    ],
)
def test_everything_else_stays_whole(claim: str) -> None:
    assert fact_of(claim) == (0, len(claim))
