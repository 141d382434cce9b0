"""Promises of domains: chosen by the words of the question, with the words as the reason; guidance can be replaced."""

from __future__ import annotations

import pytest

from core.answer.domains import choose_domain, domain_names, template
from core.errors import AnswerError


@pytest.mark.parametrize(
    ("question", "domain"),
    [
        ("Does the vaccine lower mortality in patients with diabetes?", "life_science"),
        ("Which compiler makes the fastest software for a GPU?", "computing"),
        ("Is there a proof of the conjecture on prime numbers?", "mathematics"),
        ("Does the directive give a court jurisdiction over the council?", "law_policy"),
        ("How old is the bridge?", "general"),
        ("", "general"),
        ("\U0001f333\U0001f333", "general"),
    ],
)
def test_the_domain_is_found(question: str, domain: str) -> None:
    assert choose_domain(question).name == domain


def test_the_choice_names_its_words() -> None:
    assert "\u201cvaccine\u201d" in choose_domain("Is the vaccine safe for patients?").why


def test_words_inside_other_words_do_not_count() -> None:
    assert choose_domain("Who is the genesis lawyerly?").name == "general"


def test_a_project_may_replace_the_guidance() -> None:
    assert set(domain_names()) == {"general", "computing", "mathematics", "life_science", "law_policy"}
    assert all(template(name).guidance for name in domain_names())
    own = template("general", {"general": "Be brief."})
    assert (own.guidance, own.edited) == ("Be brief.", True)
    with pytest.raises(AnswerError, match="computing"):
        template("astrology")
