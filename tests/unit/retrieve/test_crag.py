"""CRAG: signals, weights, thresholds (SPEC 4); what the seeds got wrong stays right (SPEC 11, 5)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.labels import CragClass, Grade, Stage
from core.records import Assessment, CragSignals, Document, Passage, ScoredPassage, StageRank, Vector
from core.retrieve.crag import classify, judge, signals, spoken
from core.settings.values import Crag
from tests.contract.builders import START

SETTINGS = Crag()


def scored(number: int, text: str, *, document: str = "", trail: tuple[StageRank, ...] = ()) -> ScoredPassage:
    key = document or f"d{number}"
    held = Document(key, key, key, key, "text/plain", "t", START, Grade.B, Assessment(Grade.B, ()))
    return ScoredPassage(Passage(key, 0, 0, len(text), text, id=number), held, number, 0.5, trail)


def unit(*values: float) -> Vector:
    vector = np.asarray(values, np.float32)
    return vector / np.linalg.norm(vector)


# ---------------------------------------------------------------- coverage


def test_coverage_is_that_of_the_first_three_passages_together() -> None:
    found = [scored(n, text) for n, text in enumerate(["otters", "swim", "x", "mill"], start=1)]
    assert signals("otters swim mill", found, {}, None).coverage == pytest.approx(2 / 3)


# ---------------------------------------------------------------- rerank, agreement


def test_rerank_is_calibrated_into_a_probability_and_missing_where_no_model_spoke() -> None:
    found = [scored(1, "otters")]
    low, high = (signals("otters", found, {}, [logit, -11.0]).rerank for logit in (-10.0, 8.0))
    assert low is not None
    assert high is not None
    assert 0 < low < 0.05
    assert 0.9 < high < 1
    assert signals("otters", found, {}, None).rerank is None


def test_a_reranked_result_is_not_scored_again() -> None:
    said = (StageRank(Stage.FUSION, 1, 0.9), StageRank(Stage.RERANK, 1, 4.5))
    assert spoken([scored(1, "a", trail=said), scored(2, "b", trail=said)]) == [4.5, 4.5]
    assert spoken([scored(1, "a", trail=said), scored(2, "b")]) is None
    assert spoken([]) is None


def test_documents_that_stand_near_one_another_agree() -> None:
    found = [scored(n, "x") for n in (1, 2, 3)]
    near = {n: unit(1, 0.1 * n, 0) for n in (1, 2, 3)}
    far = {1: unit(1, 0, 0), 2: unit(0, 1, 0), 3: unit(0, 0, 1)}
    agree, differ = signals("x", found, near, None).agreement, signals("x", found, far, None).agreement
    assert agree is not None
    assert differ is not None
    assert agree > 0.9
    assert differ < 0.01


def test_one_document_agrees_with_nobody() -> None:
    found = [scored(1, "x", document="d"), scored(2, "x", document="d")]
    vectors = {1: unit(1, 0), 2: unit(1, 0)}
    assert signals("x", found, vectors, None).agreement is None
    assert signals("x", [*found, scored(3, "x")], vectors, None).agreement is None  # the other is not encoded yet


# ---------------------------------------------------------------- the class


@pytest.mark.parametrize(
    ("given", "verdict", "confidence", "weights"),
    [
        ((1.0, 1.0, 1.0), CragClass.CORRECT, 1.0, (0.4, 0.3, 0.3)),
        ((1.0, 1.0, 0.0), CragClass.CORRECT, 0.7, (0.4, 0.3, 0.3)),
        ((0.9, 0.5, 0.5), CragClass.AMBIGUOUS, 0.66, (0.4, 0.3, 0.3)),
        ((0.0, 1.0, 0.0), CragClass.INCORRECT, 0.3, (0.4, 0.3, 0.3)),
        ((0.0, 1.0, 0.01), CragClass.AMBIGUOUS, 0.303, (0.4, 0.3, 0.3)),
        ((None, 0.8, 0.4), CragClass.AMBIGUOUS, 0.6, (0.0, 0.5, 0.5)),
        ((1.0, None, None), CragClass.CORRECT, 1.0, (1.0, 0.0, 0.0)),
        ((0.2, 0.6, None), CragClass.AMBIGUOUS, 0.26 / 0.7, (4 / 7, 3 / 7, 0.0)),
        ((None, None, None), CragClass.INCORRECT, 0.0, (0.0, 0.0, 0.0)),
    ],
)
def test_the_weighted_mean_decides_and_missing_signals_leave_their_weight_to_the_others(
    given: tuple[float | None, ...],
    verdict: CragClass,
    confidence: float,
    weights: tuple[float, ...],
) -> None:
    judged = judge(CragSignals(*given), SETTINGS)
    assert (judged.verdict, judged.confidence) == (verdict, pytest.approx(confidence))
    assert judged.weights == pytest.approx(weights)


def test_thresholds_and_weights_are_settings() -> None:
    settings = Crag(correct=0.9, incorrect=0.5, weight_rerank=0.0, weight_coverage=1.0, weight_agreement=1.0)
    assert classify(0.89, settings) is CragClass.AMBIGUOUS
    assert judge(CragSignals(1.0, 0.5, 0.5), settings).verdict is CragClass.INCORRECT
    only = judge(CragSignals(1.0, None, None), settings)
    assert (only.verdict, only.weights) == (CragClass.INCORRECT, (0.0, 0.0, 0.0))


def test_nothing_found_is_incorrect() -> None:
    assert judge(signals("otters", [], {}, None), SETTINGS).verdict is CragClass.INCORRECT


def test_inputs_are_not_changed() -> None:
    found = [scored(2, "swim"), scored(1, "otters")]
    before = [replace(one) for one in found]
    signals("otters", found, {}, None)
    assert found == before
