"""What retrieval made for an answer, told in words; values of any other shape are left out, never an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pages.words.gathered import (
    action_words,
    attempt_lines,
    attempt_title,
    attempts_of,
    passage_rows,
    query_rows,
    refinement_words,
    signal_rows,
    triad_values,
    web_lines,
)

FIRST: Mapping[str, Any] = {
    "broadened": "",
    "queries": [{"text": "cold pumps", "kind": "original"}],
    "gate": {"top": 0.3, "gap": 0.01, "confidence": 0.2, "threshold": 0.35, "passed": False},
    "judgement": {
        "verdict": "ambiguous",
        "confidence": 0.5,
        "signals": {"rerank": None, "coverage": 0.5, "agreement": 0.25},
        "weights": [0.0, 0.5, 0.5],
    },
    "passages": [{"rank": 1, "score": 0.5, "passage_id": 3, "document_id": "d", "title": "Pumps"}],
    "notes": ["Search by meaning is off."],
}
GATHERED: Mapping[str, Any] = {
    "action": "kept_without_web",
    "web_note": "The web did not answer in time.",
    "web": {"hits": [], "outcomes": [{"provider": "openalex", "state": "timeout", "message": "It took over 10 s."}]},
    "attempts": [FIRST, {**FIRST, "broadened": "deeper, all grades."}],
    "refinement": {"tokens": 1200, "dropped": 2, "over_budget": 0, "strips": [{}, {}]},
    "triad": {"context_relevance": 0.5, "groundedness": None, "answer_relevance": 1},
}


def test_both_attempts_are_told_with_what_was_widened() -> None:
    attempts = attempts_of(GATHERED)
    titles = [attempt_title(at, len(attempts), one) for at, one in enumerate(attempts, 1)]
    assert titles == ["First attempt", "Second attempt, broadened: deeper, all grades"]
    lines = attempt_lines(attempts[0], last=False)
    assert lines[0] == "1 query found 1 passage."
    assert lines[1] == "Confidence of the search 0.20, needed 0.35: not enough, so it was tried once more."
    assert lines[2] == "Judged: in between (0.50); part of what was found may answer."
    assert lines[3] == "Search by meaning is off."
    assert "take the answer with care" in attempt_lines(attempts[1], last=True)[1]


def test_what_was_done_what_was_kept_and_the_web_are_told() -> None:
    assert action_words(GATHERED).startswith("What was found was kept")
    assert refinement_words(GATHERED) == "2 parts kept (1,200 tokens), 2 left out as not bearing on the question."
    assert web_lines(GATHERED) == [
        "The web did not answer in time.",
        "The web had 0 pages.",
        "openalex: It took over 10 s.",
    ]
    assert web_lines({}) == ["The web was not asked."]
    assert triad_values(GATHERED) == {"Passages about the question": "0.50", "Answer speaks to the question": "1.00"}


def test_a_signal_that_could_not_be_had_says_so() -> None:
    rows = signal_rows(FIRST["judgement"])
    assert rows["Value"] == ["could not be had", "0.50", "0.25"]
    assert rows["Weight"] == ["0.00", "0.50", "0.50"]
    assert passage_rows(FIRST)["Source"] == ["Pumps"]
    assert query_rows(FIRST) == ["cold pumps"]


@pytest.mark.parametrize("odd", [{}, {"attempts": 3}, {"attempts": [None, {"gate": [], "passages": "x"}], "action": 9}])
def test_values_of_another_shape_do_no_harm(odd: Mapping[str, Any]) -> None:
    assert isinstance(action_words(odd), str)
    assert refinement_words({"refinement": odd}) == ""
    for one in attempts_of(odd):
        assert attempt_lines(one, last=True)
        assert passage_rows(one)["Rank"] == []
    assert signal_rows(odd)["Value"] == ["could not be had"] * 3
