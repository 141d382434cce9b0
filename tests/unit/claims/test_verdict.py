"""From the sources to the verdict: each state, and a checklist that says what is met and what is missing."""

from __future__ import annotations

import pytest

from core.claims.verdict import claim_source, decide, needs
from core.labels import ClaimType, Grade, Label, VerdictState
from core.records import CheckResult, ClaimSource, Cluster, Judgement, Outcome, SourceVerdict
from core.settings.values import Claims
from tests.contract.builders import make_document

SETTINGS = Claims()


def judged(label: Label, grade: Grade = Grade.A, name: str = "", minimum: Grade = Grade.B) -> ClaimSource:
    document = make_document(f"{label}{grade}{name}", grade=grade)
    share = {Label.SUPPORTS: (0.93, 0.02), Label.CONTRADICTS: (0.02, 0.91), Label.NEUTRAL: (0.1, 0.1)}[label]
    return claim_source(document, SourceVerdict(document.id, label, *share), minimum)


YES, NO, NEUTRAL = judged(Label.SUPPORTS), judged(Label.CONTRADICTS), judged(Label.NEUTRAL)
YES_TOO = judged(Label.SUPPORTS, name="too")


def clusters(*groups: tuple[ClaimSource, ...]) -> list[Cluster]:
    return [Cluster(tuple(one.document_id for one in group)) for group in groups]


@pytest.mark.parametrize(
    ("sources", "groups", "state", "independent"),
    [
        ((YES, YES_TOO), ((YES,), (YES_TOO,)), VerdictState.VERIFIED, 2),
        ((YES, YES_TOO), ((YES, YES_TOO),), VerdictState.INSUFFICIENT, 1),
        ((YES, NEUTRAL), ((YES,),), VerdictState.INSUFFICIENT, 1),
        ((NO, NEUTRAL), ((NO,),), VerdictState.CONTRADICTED, 0),
        ((YES, YES_TOO, NO), ((YES,), (YES_TOO,), (NO,)), VerdictState.CONTESTED, 2),
        ((NEUTRAL,), (), VerdictState.INSUFFICIENT, 0),
        ((), (), VerdictState.INSUFFICIENT, 0),
    ],
)
def test_a_central_claim_needs_two_independent_sources_and_no_opposition(
    sources: tuple[ClaimSource, ...],
    groups: tuple[tuple[ClaimSource, ...], ...],
    state: VerdictState,
    independent: int,
) -> None:
    verdict = decide(ClaimType.C1, sources, clusters(*groups), SETTINGS)
    assert (verdict.state, verdict.independent) == (state, independent)
    met = all(need.met for need in verdict.checklist)
    assert met == (state is VerdictState.VERIFIED)


def test_a_supporting_claim_needs_one() -> None:
    assert decide(ClaimType.C2, (YES,), clusters((YES,)), SETTINGS).state is VerdictState.VERIFIED


def test_the_needs_are_settings() -> None:
    strict = Claims(c2_min_grade="A", c2_sources=3)
    assert needs(ClaimType.C2, strict) == (Grade.A, 3)
    assert decide(ClaimType.C2, (YES,), (), strict).state is VerdictState.INSUFFICIENT


def test_the_checklist_says_what_is_missing_in_figures() -> None:
    verdict = decide(ClaimType.C1, (YES, YES_TOO), clusters((YES, YES_TOO)), SETTINGS, excluded=3)
    text = {need.name: need.text for need in verdict.checklist}
    assert text["grade"] == "2 sources of grade B or better looked at; 3 sources below that grade were not searched"
    assert text["independence"] == (
        "1 of 2 independent sources in support (C1); 2 support it, but not all are independent"
    )
    assert [need.name for need in verdict.checklist if not need.met] == ["independence"]
    assert verdict.excluded == 3


def test_a_source_below_the_grade_counts_for_nothing_and_says_so() -> None:
    weak = judged(Label.SUPPORTS, Grade.D)
    assert not weak.counts
    assert "grade D, but B or better is needed" in weak.why
    assert decide(ClaimType.C1, (weak,), (), SETTINGS).independent == 0


def test_a_grade_set_by_a_person_is_the_one_that_counts() -> None:
    document = make_document("x", grade=Grade.E, grade_override=Grade.A)
    source = claim_source(document, SourceVerdict(document.id, Label.SUPPORTS, 0.9, 0.0), Grade.B)
    assert source.counts
    assert source.grade is Grade.A


def test_a_vetoed_source_says_which_check_failed() -> None:
    document = make_document("x", grade=Grade.A)
    check = CheckResult("numbers", Outcome.FAILED, "12 against 21", veto=True)
    verdict = SourceVerdict(document.id, Label.NEUTRAL, 0.95, 0.0, checks=(check,), vetoed=True)
    source = claim_source(document, verdict, Grade.B)
    assert not source.counts
    assert "a check failed: numbers" in source.why


CLAIM = "Bariatric surgery lowers the rate of type 2 diabetes in women"


def opposed(evidence: str, *, share: float = 0.8, grade: Grade = Grade.A) -> ClaimSource:
    document = make_document("Notes", grade=grade)
    best = Judgement(0, len(evidence), evidence, 0.1, share, 0.9 - share)
    verdict = SourceVerdict(document.id, Label.CONTRADICTS, 0.1, 0.8, best=best)
    return claim_source(document, verdict, Grade.B, claim=CLAIM)


def test_no_requirement_is_met_where_no_source_was_looked_at() -> None:
    for sources in ((), (judged(Label.NEUTRAL, Grade.E),)):
        verdict = decide(ClaimType.C1, sources, clusters(), SETTINGS, excluded=3)
        assert verdict.state is VerdictState.INSUFFICIENT
        assert not any(need.met for need in verdict.checklist)


def test_a_source_that_barely_mentions_the_claim_does_not_contradict_it() -> None:
    elsewhere = opposed("Smoking raises the rate of lung disease in mice.")
    assert not elsewhere.counts
    assert "has 1 of the 7 content words" in elsewhere.why
    verdict = decide(ClaimType.C1, (YES, YES_TOO, elsewhere), clusters((YES,), (YES_TOO,)), SETTINGS)
    assert verdict.state is VerdictState.VERIFIED
    told = {need.name: need for need in verdict.checklist}["no_contradiction"]
    assert told.met
    assert told.text == "no source contradicts it; 1 source may, but not surely"


def test_a_source_that_speaks_of_the_claim_contests_it() -> None:
    there = opposed("Bariatric surgery did not lower the rate of diabetes.")
    assert there.counts
    verdict = decide(ClaimType.C1, (YES, YES_TOO, there), clusters((YES,), (YES_TOO,)), SETTINGS)
    assert verdict.state is VerdictState.CONTESTED


def test_a_contradiction_that_no_single_passage_carries_does_not_count() -> None:
    vague = opposed("Bariatric surgery did not lower the rate of diabetes.", share=0.3)
    assert not vague.counts
    assert "no passage of it says so" in vague.why


def test_a_source_in_another_language_takes_no_side() -> None:
    document = make_document("x", grade=Grade.A)
    verdict = SourceVerdict(document.id, Label.SUPPORTS, 0.9, 0.0)
    source = claim_source(document, verdict, Grade.B, claim=CLAIM, languages=("Chinese", "English"))
    assert not source.counts
    assert source.why == "in English, the claim in Chinese: the machine cannot tell"
