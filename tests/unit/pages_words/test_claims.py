"""Words and rows of claims."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.labels import ClaimType, Grade, Label, VerdictState
from core.records import Assessment, Claim, ClaimSource, ClaimVerdict, Cluster, Document, Judgement, SourceVerdict
from pages.words import claims as present

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def source(document: str, label: Label, sure: float = 0.9, *, counts: bool = True) -> ClaimSource:
    supports, contradicts = (sure, 0.01) if label is Label.SUPPORTS else (0.01, sure)
    if label is Label.NEUTRAL:
        supports, contradicts = sure, 0.01
    best = Judgement(0, 5, "Trees", supports, contradicts, 1 - supports - contradicts)
    return ClaimSource(document, Grade.B, SourceVerdict(document, label, supports, contradicts, best=best), counts)


def decided(*sources: ClaimSource, state: VerdictState = VerdictState.VERIFIED) -> ClaimVerdict:
    return ClaimVerdict(state, (), sources, (), independent=1)


def claim(identity: int = 1, **changes: object) -> Claim:
    values: dict[str, object] = {
        "id": identity,
        "text": "Trees cool the street.",
        "type": ClaimType.C2,
        "type_reason": "",
        "check_worthy": True,
        "check_reason": "states a cause",
        "created": NOW,
    }
    return Claim(**(values | changes))  # type: ignore[arg-type]


def document(identity: str, title: str) -> Document:
    return Document(identity, "c", "b", title, "text/plain", "m", NOW, Grade.C, Assessment(Grade.C, ()))


@pytest.mark.parametrize("state", [*VerdictState, None])
def test_every_verdict_has_a_sign_and_a_word_of_its_own(state: VerdictState | None) -> None:
    words = present.VERDICTS[state]
    others = [one for key, one in present.VERDICTS.items() if key is not state]
    assert words.help.endswith(".")
    assert words.sign not in [one.sign for one in others]
    assert words.word not in [one.word for one in others]


def test_a_row_counts_only_the_sources_that_count() -> None:
    verdict = decided(
        source("a", Label.SUPPORTS), source("b", Label.SUPPORTS, counts=False), source("c", Label.CONTRADICTS)
    )
    row = present.claim_row(claim(verdict=verdict))
    assert (row.verdict, row.supporting, row.against, row.type) == ("✓ Verified", 1, 1, "Supporting")
    assert present.claim_row(claim()).supporting is None


def test_filters_join_and_an_unknown_word_filters_nothing_of_worth() -> None:
    claims = [claim(1), claim(2, check_worthy=False), claim(3, type=ClaimType.C1, verdict=decided())]

    def ids(**filters: object) -> list[int]:
        return [one.id for one in present.chosen_claims(claims, **filters)]  # type: ignore[arg-type]

    assert ids() == [1, 2, 3]
    assert ids(worth="Worth checking") == [1, 3]
    assert ids(worth="The rest") == [2]
    assert ids(worth="nonsense") == [1, 2, 3]
    assert ids(types=["Central"]) == [3]
    assert ids(verdicts=["Not checked"], worth="Worth checking") == [1]


def test_what_is_left_to_verify_is_what_is_worth_it_and_undecided() -> None:
    claims = [claim(1), claim(2, check_worthy=False), claim(3, verdict=decided())]
    assert present.to_verify(claims) == [1]
    assert present.claims_headline(claims) == "3 claims, 2 worth checking, 1 of them checked"


def test_passages_that_take_a_side_and_count_come_first_the_surest_first() -> None:
    sources = [
        source("neutral", Label.NEUTRAL, 0.6),
        source("weak", Label.SUPPORTS, 0.99, counts=False),
        source("sure", Label.CONTRADICTS, 0.95),
        source("less", Label.SUPPORTS, 0.8),
    ]
    assert [one.document_id for one in present.ordered_sources(decided(*sources))] == [
        "sure",
        "less",
        "weak",
        "neutral",
    ]


def test_a_cell_of_the_matrix_tells_side_and_probability_and_brackets_what_does_not_count() -> None:
    assert present.cell_words(source("a", Label.SUPPORTS, 0.94)) == "✓ 0.94"
    assert present.cell_words(source("a", Label.CONTRADICTS, 0.94, counts=False)) == "(✗ 0.94)"
    assert present.cell_words(source("a", Label.NEUTRAL)) == "–"
    assert present.cell_words(None) == ""


def test_columns_are_short_and_unique() -> None:
    names = present.column_names([document(str(number), "A very long title of a source") for number in range(12)], 16)
    assert len(set(names)) == 12
    assert all(len(name) <= 16 for name in names)
    assert all(name.startswith("C · ") for name in names)


def test_a_deleted_source_of_a_cluster_is_named_as_such() -> None:
    words = present.cluster_words(Cluster(("a", "gone")), {"a": "A title"})
    assert words == ["A title", "a source that was deleted"]
