"""The tokenizer of all keyword engines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.terms import index_terms, names_by_a_letter, telling_stems, terms


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("The pumps are running", ["pump", "run"]),
        ("café CAFE\u0301 Ｃａｆｅ", ["cafe", "cafe", "cafe"]),
        ("straße STRASSE", ["strass", "strass"]),
        ("don't e.g. vitamin C", ["don", "vitamin"]),
        ("infor\u00admation", ["inform"]),
        ("हिन्दी भाषा।", ["हिन्दी", "भाषा"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("水", ["水"]),
        ("Łódź, København, Þór, œuvre", ["lodz", "kobenhavn", "thor", "oeuvr"]),
        ("IL-1β or TNF-α", ["il", "1β", "tnf", "α"]),
        ("كتـاب مدرسة", ["كتاب", "مدرسه"]),
        ("a_b foo_bar", ["foo", "bar"]),
        ("", []),
        ("\x00 … —", []),
    ],
)
def test_terms_follow_the_recipe(text: str, stems: list[str]) -> None:
    assert index_terms(text) == stems


@given(st.text(max_size=200))
def test_offsets_lie_in_the_text_and_grow(text: str) -> None:
    found = list(terms(text))
    assert all(0 <= term.start < term.end <= len(text) and term.stem for term in found)
    assert [term.start for term in found] == sorted(term.start for term in found)


def test_a_letter_with_signs_is_a_word_and_a_single_letter_a_name() -> None:
    assert index_terms("Is C++ or C# (or F#, or Ca++) older than a?") == ["c++", "c#", "f#", "ca", "older", "than"]
    assert telling_stems("How do I learn C++?") == {"learn", "c++"}
    assert telling_stems("What is C#?") == {"c#"}
    assert telling_stems("What is R?") == telling_stems("") == frozenset()
    assert names_by_a_letter("What is R?")
    assert names_by_a_letter("Is 7 it?")
    for text in ("What is it?", "Is a the?", "Am I?", "???", "\U0001f333"):
        assert not names_by_a_letter(text)
