"""Words that only join a sentence to the one before it are not asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.labels import Label
from core.settings.values import Verification
from core.verify.connective import after_connective
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from tests.contract.builders import make_document
from tests.helpers.verifying import WordJudge

TEXT = "Street trees cool streets by 2 degrees. The mayor disagreed with the count."


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
    document = replace(make_document(TEXT), authors=("Ann Smith",))
    source = CitedSource(document, TEXT)
    claim = "However, Smith found that street trees cool streets by 5 degrees."
    found = judge_in_source(claim, source, WordJudge(), Verification(), names=())
    (span,) = next(one for one in found.checks if one.name == "numbers").claim_spans
    assert claim[slice(*span)].startswith("5")
    assert "\u201cSmith found that\u201d" in found.notes[0]
    plain = judge_in_source("Overall, street trees cool streets by 2 degrees.", source, WordJudge(), Verification())
    assert (plain.label, plain.supports) == (Label.SUPPORTS, 1.0)
    assert not any("Asked without" in note for note in plain.notes)
