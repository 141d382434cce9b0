"""The closer look: a larger model judges single sentences, and the one that decides is the one that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from core.labels import Label
from core.records import SourceVerdict
from core.settings.values import Verification
from core.verify.closely import DOUBTED, LOOKED_AT
from core.verify.screen import Remembering, support_at_most
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from tests.contract.builders import make_document

SETTINGS = Verification(pass_support=0.7, contradiction=0.7, mentioned=0.2)
TEXT = """# Harbour

The harbour was dredged in spring. Cranes were painted red. The ferry sails twice a day. It carries bicycles.

Ice closed the harbour for nine days. Fish is sold on the quay."""
CLAIM = "The harbour was dredged in spring."


class Judging:
    """An entailer that supports evidence with ``words`` in it, contradicts other evidence where it is told to, and
    keeps what it was asked."""

    fingerprint = "judging-1"

    def __init__(self, words: str, closer: Judging | None = None, *, against: bool = False) -> None:
        self._words = words
        self._other = (0.05, 0.9, 0.05) if against else (0.05, 0.05, 0.9)
        self.closer = closer
        self.asked: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.asked += pairs
        rows = [(0.9, 0.05, 0.05) if self._words in evidence else self._other for _, evidence in pairs]
        return np.array(rows, dtype=np.float32).reshape(-1, 3)


NEVER = "words that stand nowhere"


def verdict(entailer: Judging, claim: str = CLAIM, text: str = TEXT) -> SourceVerdict:
    document = replace(make_document(text), title="Harbour of Port Merrin")
    return judge_in_source(claim, CitedSource(document, text), entailer, SETTINGS)


def test_both_models_say_so_and_one_sentence_is_shown() -> None:
    passed = verdict(Judging("dredged", Judging("dredged")), "Workers dredged the harbour in spring.")
    assert passed.label is Label.SUPPORTS
    assert passed.best is not None
    assert passed.best.text == f"# Harbour {CLAIM}"
    assert passed.rationale == (TEXT.index(CLAIM), TEXT.index(CLAIM) + len(CLAIM))


def test_what_the_larger_model_does_not_find_does_not_pass() -> None:
    doubted = verdict(Judging("dredged", Judging(NEVER)), "Workers dredged the harbour in spring.")
    assert (doubted.label, doubted.supports) == (Label.NEUTRAL, DOUBTED)
    assert any("No single sentence says it" in note for note in doubted.notes)


def test_an_accusation_needs_both_models() -> None:
    alone = verdict(Judging(NEVER, against=True), "Workers never saw the quay.")
    both = verdict(Judging(NEVER, Judging(NEVER, against=True), against=True), "Workers never saw the quay.")
    doubted = verdict(Judging(NEVER, Judging(NEVER), against=True), "Workers never saw the quay.")
    assert alone.label is both.label is Label.CONTRADICTS
    assert (doubted.label, doubted.contradicts) == (Label.NEUTRAL, DOUBTED)


def test_the_larger_model_is_asked_only_where_it_can_change_something() -> None:
    larger = Judging("dredged")
    verdict(Judging(NEVER, larger), "Workers dredged the harbour in spring.")
    assert larger.asked == []


def test_a_sentence_is_looked_at_alone_or_with_what_it_leans_on() -> None:
    larger = Judging("bicycles")
    verdict(Judging("bicycles", larger), "Bicycles may come aboard, says the ferry.")
    evidence = [text for _, text in larger.asked]
    assert 0 < len(evidence) <= LOOKED_AT
    assert "The ferry sails twice a day." in evidence
    assert any(text.endswith("The ferry sails twice a day. It carries bicycles.") for text in evidence)
    assert not any(CLAIM in text and "It carries bicycles." in text for text in evidence)


@pytest.mark.parametrize("small", ["dredged", NEVER])
@pytest.mark.parametrize("large", ["dredged", NEVER])
def test_the_bound_is_never_under_the_support_and_asks_the_larger_model_nothing(small: str, large: str) -> None:
    larger = Judging(large)
    entailer = Judging(small, larger)
    document = replace(make_document(TEXT), title="Harbour of Port Merrin")
    most = support_at_most(CLAIM, CitedSource(document, TEXT), Remembering(entailer), SETTINGS)
    assert not larger.asked
    assert most >= verdict(entailer).supports


def test_a_sentence_is_judged_once() -> None:
    larger = Judging("dredged")
    remembering = Remembering(Judging("dredged", larger))
    document = make_document(TEXT)
    source = CitedSource(document, TEXT)
    first = judge_in_source(CLAIM, source, remembering, SETTINGS)
    asked = len(larger.asked)
    assert asked
    assert judge_in_source(CLAIM, source, remembering, SETTINGS) == first
    assert len(larger.asked) == asked
