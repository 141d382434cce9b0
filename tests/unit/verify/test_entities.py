"""Names: what counts as one, what stands for it, what vetoes."""

from __future__ import annotations

import pytest

from core.verify.checks.entities import check
from core.verify.checks.mentions import mentions
from core.verify.checks.outcomes import Outcome


def names(text: str) -> list[str]:
    return [text[m.start : m.end] for m in mentions(text)]


def test_names_without_titles_and_opening_words() -> None:
    assert names("However, President Barack Obama met Dr Ines Varga in New York on Monday.") == [
        "Barack Obama",
        "Ines Varga",
        "New York",
    ]
    assert names("Trees cool streets.") == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Ines Varga led the study.", "Varga led the study."),
        ("Varga's study was small.", "The study of Ines Varga was small."),
        ("The study is by Petr Nov\u00e1k.", "The study is by Petr Novak."),
        ("It was done in the United Kingdom.", "It was a British study."),
        ("She works for the WHO.", "She works for the World Health Organization."),
        ("She works for the World Health Organization.", "She works for the WHO."),
        ("It took place in Bulgaria.", "The Bulgarian town hosted it."),
        ("It is by Lizzy Hale.", "It is by Lzzy Hale."),
    ],
)
def test_other_forms_of_a_name_pass(claim: str, evidence: str) -> None:
    assert check(claim, evidence).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The study was led by Ines Varga.", "Ada Lund led the study of street trees."),
        ("It took place in Germany.", "The race took place in France."),
    ],
)
def test_another_name_vetoes(claim: str, evidence: str) -> None:
    result = check(claim, evidence)
    assert result.veto
    assert result.claim_spans


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Ines Varga was born in Graz.", "She was born in Graz."),
        ("Mel Gibson directed Hacksaw Ridge.", "The film was directed by Mel Gibson."),
        ("Dukas was a French composer.", "Dukas was a composer, born in Paris."),
        ("Ines Maria Varga led it.", "Ines Varga led it."),
    ],
)
def test_pronouns_nations_and_parts_do_not_veto(claim: str, evidence: str) -> None:
    assert not check(claim, evidence).veto


def test_spans_are_in_the_given_text() -> None:
    claim, evidence = "The study was led by Ines Varga.", "A study led by Ines Varga."
    result = check(claim, evidence)
    assert [claim[a:b] for a, b in result.claim_spans] == ["Ines Varga"]
    assert [evidence[a:b] for a, b in result.evidence_spans] == ["Ines", "Varga"]


def test_a_code_that_may_have_other_names_is_shown_without_veto() -> None:
    result = check("The gene is PCSK9.", "The gene is BRCA1.")
    assert result.outcome is Outcome.FAILED
    assert not result.veto
    assert "BRCA1" in result.explanation
