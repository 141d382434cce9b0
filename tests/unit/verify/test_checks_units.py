"""Units of a source: every word in exactly one, headings, lists and tables apart, nothing too long."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Heading
from core.verify.source_units import MAX_CHARS, MAX_WORDS, leans_back, units_of

TEXT = """# Street trees

They cool the street. The city planted 31,640 trees.

- first item
- second item
| year | trees |
| 2024 | 31,640 |

Opening hours
Monday to Friday
"""


def test_sentences_items_rows_and_lines_come_apart() -> None:
    found = [TEXT[unit.start : unit.end] for unit in units_of(TEXT)]
    assert found == [
        "# Street trees",
        "They cool the street.",
        "The city planted 31,640 trees.",
        "- first item",
        "- second item",
        "| year | trees |",
        "| 2024 | 31,640 |",
        "Opening hours",
        "Monday to Friday",
    ]


def test_a_heading_of_the_document_is_a_unit_of_its_own() -> None:
    text = "Methods We counted trees. Results There were ten."
    at = text.index("Results")
    found = units_of(text, [Heading(1, 0, 7, "Methods"), Heading(1, at, at + 7, "Results")])
    assert [(text[one.start : one.end], one.heading) for one in found] == [
        ("Methods", True),
        ("We counted trees.", False),
        ("Results", True),
        ("There were ten.", False),
    ]
    assert found[1].leans
    assert found[3].leans


def test_wrapped_prose_stays_one_sentence() -> None:
    text = "The programme was paid for by the city and by the province of Estermark,\nEstermark being the larger payer."
    assert len(units_of(text)) == 1


@pytest.mark.parametrize("text", ["", "   \n\n ", "\u00a0"])
def test_no_text_has_no_units(text: str) -> None:
    assert units_of(text) == []


@pytest.mark.parametrize("text", ["word " * 5000, "漢字" * 5000, ", ".join(["clause"] * 900), "x" * 10_000])
def test_no_unit_is_too_long(text: str) -> None:
    found = units_of(text)
    assert all(one.end - one.start <= MAX_CHARS for one in found)
    assert all(len(text[one.start : one.end].split()) <= MAX_WORDS for one in found)
    assert all(one.leans for one in found[1:])


@given(st.text(alphabet=st.sampled_from("aB. \n-|#,;漢1é😀\t"), max_size=300))
def test_every_character_that_is_no_space_lies_in_exactly_one_unit(text: str) -> None:
    found = units_of(text)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(text[one.start : one.end] == text[one.start : one.end].strip() != "" for one in found)
    assert "".join(re.sub(r"\s", "", text[one.start : one.end]) for one in found) == re.sub(r"\s", "", text)


@pytest.mark.parametrize(("text", "leans"), [("He left.", True), ("Items fell.", False), ("However, it rose.", True)])
def test_a_pronoun_or_a_linking_word_leans_back(text: str, leans: bool) -> None:
    assert leans_back(text) is leans
