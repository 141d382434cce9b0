"""A question whose only name is a letter is looked for; one without any name is not."""

from __future__ import annotations

import pytest

from core.workbench.workbench import Workbench
from tests.helpers.asking import answered, with_texts

TEXT = (
    "C++ is a programming language that Bjarne Stroustrup began in 1979 as an extension of C, and it is used for "
    "operating systems, browsers and games. R is a language for statistics, which Ross Ihaka and Robert Gentleman made."
)


@pytest.mark.parametrize("question", ["What is C++?", "What is R?"])
def test_a_name_of_one_letter_is_no_question_without_words(workbench: Workbench, question: str) -> None:
    answer = answered(workbench, with_texts(workbench, TEXT), question)
    assert "no word that could be looked for" not in answer.missing
    assert answer.text or "by meaning only" in answer.missing or "Nothing that was found" in answer.missing


def test_a_letter_with_signs_is_found_by_words(workbench: Workbench) -> None:
    assert "Stroustrup" in answered(workbench, with_texts(workbench, TEXT), "What is C++?").text


def test_a_question_of_function_words_is_still_told(workbench: Workbench) -> None:
    assert "no word that could be looked for" in answered(workbench, with_texts(workbench, TEXT), "What is it?").missing
