"""The closer look: a larger model judges single sentences, and the one that decides is the one that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from core.labels import Label
from core.records import Combination, SourceVerdict
from core.settings.values import Verification
from core.verify.closely import LOOKED_AT
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
    """An entailer that supports evidence with ``words`` in it, and keeps what it was asked."""

    fingerprint = "judging-1"

    def __init__(self, words: str, combination: Combination | None, closer: Judging | None = None) -> None:
        self._words = words
        self.combination = combination
        self.closer = closer
        self.asked: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.asked += pairs
        rows = [(0.9, 0.05, 0.05) if self._words in evidence else (0.05, 0.05, 0.9) for _, evidence in pairs]
        return np.array(rows, dtype=np.float32).reshape(-1, 3)


def two_looks(small: str, large: str) -> Judging:
    """A small model and a large one behind it, which decides."""
    alone, both = Combination(0, 1, 0, 0), Combination(0, 0.1, 0, 0, close=1, silent=0)
    return Judging(small, alone, Judging(large, both))


def verdict(entailer: Judging, claim: str = CLAIM, text: str = TEXT) -> SourceVerdict:
    document = replace(make_document(text), title="Harbour of Port Merrin")
    return judge_in_source(claim, CitedSource(document, text), entailer, SETTINGS)


def test_the_larger_model_decides_by_one_sentence_which_is_shown() -> None:
    passed = verdict(two_looks("nothing of it", "dredged"))
    assert passed.label is Label.SUPPORTS
    assert passed.best is not None
    assert passed.best.text == f"# Harbour {CLAIM}"
    assert passed.rationale == (TEXT.index(CLAIM), TEXT.index(CLAIM) + len(CLAIM))


def test_the_smaller_model_alone_passes_nothing() -> None:
    assert verdict(two_looks("dredged", "nothing of it")).label is Label.NEUTRAL


def test_a_sentence_is_looked_at_alone_or_with_what_it_leans_on() -> None:
    entailer = two_looks("dredged", "bicycles")
    verdict(entailer, "The ferry carries bicycles.")
    assert entailer.closer is not None
    evidence = [text for _, text in entailer.closer.asked]
    assert len(evidence) <= LOOKED_AT
    assert "The ferry sails twice a day." in evidence
    assert any(text.endswith("The ferry sails twice a day. It carries bicycles.") for text in evidence)
    assert not any(
        text.endswith("day. It carries bicycles. Ice closed the harbour for nine days.") for text in evidence
    )


@pytest.mark.parametrize(("small", "large"), [("dredged", "dredged"), ("dredged", "-"), ("-", "dredged"), ("-", "-")])
def test_the_bound_is_never_under_the_support_and_asks_the_larger_model_nothing(small: str, large: str) -> None:
    entailer = two_looks(small, large)
    assert entailer.closer is not None
    document = replace(make_document(TEXT), title="Harbour of Port Merrin")
    most = support_at_most(CLAIM, CitedSource(document, TEXT), Remembering(entailer), SETTINGS)
    assert not entailer.closer.asked
    assert most >= verdict(entailer).supports


def test_a_sentence_is_judged_once() -> None:
    entailer = two_looks("dredged", "dredged")
    remembering = Remembering(entailer)
    document = make_document(TEXT)
    source = CitedSource(document, TEXT)
    first = judge_in_source(CLAIM, source, remembering, SETTINGS)
    assert entailer.closer is not None
    asked = len(entailer.closer.asked)
    assert judge_in_source(CLAIM, source, remembering, SETTINGS) == first
    assert len(entailer.closer.asked) == asked
