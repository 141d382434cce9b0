"""Grades: every rule gives its reason, the user's rules hold, faults in them are named."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from core.acquire.grade import Grader
from core.acquire.grade_rules import SHIPPED
from core.errors import SettingsError
from core.labels import Grade, SourceKind
from core.records import Assessment, Extraction

PLAIN = Extraction(text="word " * 500, media_type="text/html", method="trafilatura")
SIGNED = replace(PLAIN, authors=("Ada Lovelace",), published=date(2024, 5, 1))
PAPER = replace(SIGNED, doi="10.1000/1", references=30)


@pytest.fixture(scope="module")
def grader() -> Grader:
    return Grader()


def rules_of(assessment: Assessment) -> list[str]:
    return [reason.rule for reason in assessment.reasons]


@pytest.mark.parametrize(
    ("extraction", "url", "grade"),
    [
        (PAPER, "https://www.nature.com/articles/1", Grade.A),
        (SIGNED, "https://www.cdc.gov/flu", Grade.A),
        (PAPER, "https://arxiv.org/abs/2401.00001", Grade.A),
        (SIGNED, "https://www.bbc.co.uk/news/1", Grade.B),
        (PLAIN, "https://www.ox.ac.uk/news", Grade.C),
        (SIGNED, "https://someone.example.com/post", Grade.C),
        (PLAIN, "https://someone.example.com/post", Grade.D),
        (SIGNED, "https://old.reddit.com/r/x", Grade.D),
        (PLAIN, "https://www.facebook.com/x", Grade.E),
    ],
)
def test_grades_of_known_kinds_of_source(grader: Grader, extraction: Extraction, url: str, grade: Grade) -> None:
    assert grader.assess(extraction, url=url, kind=SourceKind.URL).grade is grade


@pytest.mark.parametrize(
    ("host", "rule"),
    [
        ("www.gov.uk", "government"),
        ("health.gov.au", "government"),
        ("www.justice.gouv.fr", "government"),
        ("mit.edu", "university"),
        ("www.u-tokyo.ac.jp", "university"),
        ("anu.edu.au", "university"),
        ("www.who.int", "international body"),
        ("pmc.ncbi.nlm.nih.gov", "scholarly index"),
        ("nist.gov", "standards body"),
        ("de.wikipedia.org", "open encyclopaedia"),
        ("someone.medium.com", "blog host"),
        ("notnature.com", "unknown_publisher"),
        ("nature.com.evil.example", "unknown_publisher"),
        ("gov.example.com", "unknown_publisher"),
        ("127.0.0.1", "unknown_publisher"),
    ],
)
def test_the_publisher_is_known_by_registrable_domain(grader: Grader, host: str, rule: str) -> None:
    assert rules_of(grader.assess(PLAIN, url=f"https://{host}/x", kind=SourceKind.URL))[1] == rule


def test_the_reasons_add_up_and_can_be_read(grader: Grader) -> None:
    assessment = grader.assess(PAPER, url="https://www.nature.com/articles/1", kind=SourceKind.URL)
    assert sum(reason.effect for reason in assessment.reasons) == pytest.approx(5.0)
    texts = " | ".join(reason.text for reason in assessment.reasons)
    assert "nature.com" in texts
    assert "10.1000/1" in texts
    assert "2024-05-01" in texts
    assert "30 references" in texts
    assert "{" not in texts


def test_a_preprint_is_not_peer_reviewed_and_says_so(grader: Grader) -> None:
    assessment = grader.assess(PAPER, url="https://arxiv.org/abs/1", kind=SourceKind.URL)
    assert "peer_reviewed" not in rules_of(assessment)
    assert "not peer-reviewed" in assessment.reasons[1].text


def test_without_a_web_address_nothing_is_guessed(grader: Grader) -> None:
    claims_to_be = replace(PLAIN, canonical_url="https://www.nature.com/1", publisher="Nature")
    assessment = grader.assess(claims_to_be, url=None, kind=SourceKind.UPLOAD)
    assert {"no_url", "no_provenance"} <= set(rules_of(assessment))
    assert assessment.grade is Grade.D
    assert "pasted" in rules_of(grader.assess(PLAIN, url=None, kind=SourceKind.PASTE))


def test_an_address_that_only_the_file_itself_gives_is_said_to_be_that(grader: Grader) -> None:
    url = "https://www.nature.com/articles/1"
    assert "unverified_url" in rules_of(grader.assess(PAPER, url=url, kind=SourceKind.UPLOAD))
    assert "unverified_url" not in rules_of(grader.assess(PAPER, url=url, kind=SourceKind.URL))


def test_a_journal_article_in_jats_counts_as_reviewed_without_an_address(grader: Grader) -> None:
    article = replace(PAPER, method="jats")
    assert grader.assess(article, url=None, kind=SourceKind.UPLOAD).grade is Grade.A


def test_a_very_short_text_loses(grader: Grader) -> None:
    assessment = grader.assess(replace(SIGNED, text="Few words."), url=None, kind=SourceKind.UPLOAD)
    assert "very short: 2 words" in [reason.text for reason in assessment.reasons]


def test_the_users_rules_decide(tmp_path: Path) -> None:
    rules = tmp_path / "grade_rules.toml"
    rules.write_text(SHIPPED.read_text("utf-8").replace('"reddit.com", ', "").replace("start = 2.0", "start = 3.0"))
    assessment = Grader(rules).assess(SIGNED, url="https://reddit.com/r/x", kind=SourceKind.URL)
    assert assessment.grade is Grade.B
    assert assessment.reasons[0].effect == 3.0


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("start = 2.0", "start = two", "line"),
        ("start = 2.0", 'start = "two"', "start"),
        ("references_from = 5", "references_from = 0", "limits.references_from"),
        ("[limits]", "[limit]", "limit"),
        ("A = 4.0", "A = 1.0", "thresholds"),
        ('effect = 0.5, reason = "has a DOI', 'reason = "has a DOI', "signals.doi.effect"),
    ],
)
def test_a_fault_in_the_rules_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    rules = tmp_path / "grade_rules.toml"
    rules.write_text(SHIPPED.read_text("utf-8").replace(old, new, 1))
    with pytest.raises(SettingsError, match=named) as caught:
        Grader(rules)
    assert str(rules) in str(caught.value)


def test_a_missing_rules_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        Grader(tmp_path / "none.toml")
