"""All checks together: any text, always the same answer, spans inside the text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.verify.checks import CHECKS, run_checks
from core.verify.checks.outcomes import CheckResult, Outcome, failed

PIECES: st.SearchStrategy[str] = st.sampled_from(
    ["not", "all", "12", "1,2", "3/4", "½", "%", "2019", "May", "“", "”", '"', "'", "…", "[...]", "(", "Ada", "WHO",
     "is", "under", "-", "–", ".", "\n", "日本", "😀", "\u00a0", "\x00", "three", "million", "$", "°C", "to", "and"]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=80), st.lists(PIECES, max_size=25).map(" ".join), st.lists(PIECES, max_size=25).map("".join)
)


@settings(max_examples=250)
@given(TEXTS, TEXTS)
def test_any_text_gives_one_result_of_each_with_spans_inside(claim: str, evidence: str) -> None:
    results = run_checks(claim, evidence)
    assert [result.name for result in results] == list(CHECKS)
    assert results == run_checks(claim, evidence)
    for result in results:
        assert result.explanation
        assert "\n" not in result.explanation
        assert all(0 <= a < b <= len(claim) for a, b in result.claim_spans)
        assert all(0 <= a < b <= len(evidence) for a, b in result.evidence_spans)


@pytest.mark.parametrize(
    "claim",
    [
        "The pits lost 34% of their water between 2018 and 2023.",
        "Ada Lund said \u201cnot all trees survived\u201d in June 2021.",
        "More than 1.2 million people, most of them in Peru, never saw it.",
    ],
)
def test_a_claim_that_is_its_own_evidence_passes(claim: str) -> None:
    assert not any(result.outcome is Outcome.FAILED for result in run_checks(claim, claim))


def test_empty_evidence_vetoes_what_is_stated_and_nothing_else() -> None:
    assert {r.name for r in run_checks("In 2019, 340 trees died in Graz.", "") if r.veto} >= {"numbers", "dates"}
    assert not any(result.veto for result in run_checks("", ""))
    assert not any(result.veto for result in run_checks("it rained", ""))


@pytest.mark.slow
def test_twenty_thousand_words_do_not_stall() -> None:
    evidence = "The council planted 340 trees in 2019, and \u201cnobody\u201d asked Ada Lund why. " * 1500
    claim = 'Ada Lund said "the council never planted 341 trees at all in spring" in 2018, not only in Graz.'
    started = time.process_time()
    assert any(result.veto for result in run_checks(claim, evidence))
    assert time.process_time() - started < 60  # seconds of this process; a guard against running away, no measurement


def test_only_a_failed_check_can_veto() -> None:
    with pytest.raises(ValueError, match="cannot veto"):
        CheckResult("numbers", Outcome.PASSED, "fine", veto=True)
    assert failed("numbers", "two\nlines").explanation == "two lines"
