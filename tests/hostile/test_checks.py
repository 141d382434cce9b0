"""The checks on text that is no English sentence, or far too much of it: no crash, no nonsense, bounded work."""

from __future__ import annotations

import pytest

from core.verify.checks import CHECKS, LONGEST, run_checks
from core.verify.checks.outcomes import Outcome
from core.verify.checks.quotes import check as check_quotes

CHINESE = "\u5e02\u653f\u5e9c\u79cd\u4e86\u6811\uff0c\u4f46\u662f\u6ca1\u6709\u6d47\u6c34\u3002"
GERMAN = "Der Stadtrat pflanzte im Fr\u00fchjahr viele B\u00e4ume."
HEBREW = "\u05d4\u05e2\u05d9\u05e8\u05d9\u05d9\u05d4 \u05e0\u05d8\u05e2\u05d4 \u05e2\u05e6\u05d9\u05dd."
EMOJI = "\U0001f333\U0001f333 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e6\U0001f1f9"
TEXTS = [
    CHINESE,
    GERMAN,
    HEBREW,
    EMOJI,
    "12 13,5 14/3 1e9 0x1F",
    "",
    " \n\t ",
    "\x00\ud800",
    "\u202e340\u202c",
    "((((",
    '"\u201c\u201d\u2018',
]


@pytest.mark.parametrize("claim", TEXTS)
@pytest.mark.parametrize("evidence", TEXTS)
def test_any_script_gives_one_result_of_each_with_spans_inside(claim: str, evidence: str) -> None:
    results = run_checks(claim, evidence)
    assert [result.name for result in results] == list(CHECKS)
    for result in results:
        assert all(0 <= a < b <= len(claim) for a, b in result.claim_spans)
        assert all(0 <= a < b <= len(evidence) for a, b in result.evidence_spans)


@pytest.mark.parametrize("claim", [CHINESE, HEBREW, EMOJI, "", " \n\t "])
def test_where_no_check_can_read_the_claim_none_vetoes(claim: str) -> None:
    for result in run_checks(claim, "The council planted 340 trees in 2019."):
        assert not result.veto


@pytest.mark.parametrize("claim", [CHINESE, HEBREW, EMOJI])
def test_other_scripts_are_not_applicable(claim: str) -> None:
    assert {result.outcome for result in run_checks(claim, "The council planted trees.")} == {Outcome.NOT_APPLICABLE}


def test_a_part_of_a_claim_keeps_its_own_offsets() -> None:
    claim = "Trees matter, and the council planted 341 of them."
    part = claim[claim.index("and") :]
    numbers = next(r for r in run_checks(part, "The council planted 340 of them.") if r.name == "numbers")
    assert [part[a:b] for a, b in numbers.claim_spans] == ["341"]


def test_a_claim_of_many_quotes_is_compared_whole() -> None:
    evidence = "The council planted trees in Graz in 2019 and most of them died there. " * 300
    claim = "She said \u201cplanted trees in Graz\u201d. " * 300 + "He said \u201cplanted shrubs in Graz\u201d."
    result = check_quotes(claim, evidence)
    assert result.veto
    assert "shrubs" in result.explanation
    assert [claim[a:b] for a, b in result.claim_spans] == ["shrubs"]


def test_one_altered_word_in_a_very_long_quote_is_found() -> None:
    evidence = " ".join(f"word{n}" for n in range(5000))
    quoted = evidence.replace("word3000 ", "changed ")
    result = check_quotes(f"\u201c{quoted}\u201d", evidence)
    assert "\u201cchanged\u201d for \u201cword3000\u201d" in result.explanation
    assert len(result.explanation) < 500


def test_of_an_endless_claim_only_a_part_is_read_and_the_line_says_so() -> None:
    results = run_checks("It rained in 2019. " * 1000, "It rained in 2019.")
    assert all(b <= LONGEST for result in results for _, b in result.claim_spans)
    assert "Only the first" in next(r for r in results if r.name == "dates").explanation
