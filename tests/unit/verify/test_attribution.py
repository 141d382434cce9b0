"""Words that only say that the source says so are not asked for; who else said it is part of the claim."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.labels import Label
from core.settings import Verification
from core.verify.attribution import statement_of
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from tests.contract.builders import make_document
from tests.verifying import WordJudge

TEXT = (
    "Street trees cool streets by 2 degrees. Whitlock visited Docklands. The mayor disagreed with the count of 1,373."
)
DOCUMENT = replace(
    make_document(TEXT),
    title="Heat Action Plan 2025\u20132030",
    authors=("J. Whitlock", "Ann Smith", "Bo Jones"),
    publisher="World Health Organization",
    urls=("https://www.cityauditor.example/reports/12",),
)
SAID = "trees cool streets by 2 degrees"


@pytest.mark.parametrize(
    "claim",
    [
        f"Smith and Jones found that {SAID}.",
        f"Smith et al. have also shown that {SAID}.",
        f"Smith's team has shown that {SAID}.",
        f"According to the study, {SAID}.",
        f"According to Whitlock, {SAID}.",
        f"As reported by Smith, {SAID}.",
        f"The authors report that {SAID}.",
        f"A study by Smith et al. clearly showed that {SAID}.",
        f"The report notes {SAID}.",
        f"In his blog he adds that {SAID}.",
        f"The World Health Organization says that {SAID}.",
        f"WHO says {SAID}.",
        f"CityAuditor reports that {SAID}.",
        f"The Heat Action Plan states that {SAID}.",
        f"T{SAID[1:]}, according to Whitlock.",
        f"T{SAID[1:]}, the study found.",
    ],
)
def test_words_that_only_name_the_source_are_left_out(claim: str) -> None:
    start, end = statement_of(claim, DOCUMENT)
    assert claim[start:end].lower().rstrip(".") == SAID


@pytest.mark.parametrize(
    "claim",
    [
        f"Miller argues that {SAID}.",
        f"A study by Miller et al. showed that {SAID}.",
        f"A 2019 study by Smith found that {SAID}.",
        f"The mayor said that {SAID}.",
        "Trees cool streets, according to the mayor.",
        f"Critics of the report say that {SAID}.",
        f"According to a spokesman for the report, {SAID}.",
        f"Port Merrin reports that {SAID}.",
        f"Heat says that {SAID}.",
        f"No study found that {SAID}.",
        f"Few studies show that {SAID}.",
        f"Most studies show that {SAID}.",
        f"The study did not find that {SAID}.",
        f"The study found no evidence that {SAID}.",
        f"Smith denies that {SAID}.",
        f"He adds that {SAID}.",
        f"Smith told the authors that {SAID}.",
        f"The WHO said in the report that {SAID}.",
        "The study found that trees.",
        "Whitlock found 62 per cent of the trees alive.",
        "The report says nothing about trees that cool streets.",
        SAID,
        "",
        "that that that",
    ],
)
def test_what_says_more_is_kept(claim: str) -> None:
    assert statement_of(claim, DOCUMENT) == (0, len(claim))


def test_the_report_may_name_authors_that_the_source_does_not() -> None:
    claim = f"A 2019 study by Miller found that {SAID}."
    assert statement_of(claim, DOCUMENT) == (0, len(claim))
    start, end = statement_of(claim, DOCUMENT, "Miller 2019")
    assert claim[start:end] == f"{SAID}."


def test_the_statement_alone_is_judged_and_checked_and_spans_point_into_the_claim() -> None:
    source = CitedSource(DOCUMENT, TEXT)
    claim = "Smith and Jones found that street trees cool streets by 5 degrees."
    found = judge_in_source(claim, source, WordJudge(), Verification())
    (span,) = next(one for one in found.checks if one.name == "numbers").claim_spans
    assert claim[slice(*span)].startswith("5")
    assert "Smith and Jones found that" in found.notes[0]
    right = judge_in_source(claim.replace("5", "2"), source, WordJudge(), Verification())
    assert right.label is Label.SUPPORTS
    assert right.supports == 1.0


def test_the_part_that_is_supported_lies_in_the_claim() -> None:
    claim = "According to the study, street trees cool streets by 2 degrees, and the governor resigned after a scandal."
    found = judge_in_source(claim, CitedSource(DOCUMENT, TEXT), WordJudge(), Verification())
    assert found.partial is not None
    assert claim[slice(*found.partial)] == "street trees cool streets by 2 degrees"


@pytest.mark.parametrize("text", ["according to " * 4000, ", " * 20000, "the " * 20000 + "study found that trees cool"])
def test_long_and_odd_text_is_read_in_time(text: str) -> None:
    assert statement_of(text, DOCUMENT) == (0, len(text))
