"""Central or supporting: by position and wording, always with the rules that spoke."""

from __future__ import annotations

import pytest

from core.claims.extract import claim_type
from core.labels import ClaimType


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("Trees cool streets.", {"section": "Executive Summary"}, "summary"),
        ("Trees cool streets.", {"section": "Report › 5. Conclusions"}, "conclusion"),
        ("风险较小。", {"section": "结论"}, "conclusion"),
        ("Cover rose by 9 per cent.", {"first": True}, "first sentence of its section; gives a headline figure"),
        ("It is the largest programme, at 40 million crowns.", {}, "superlative"),
        ("The main finding is that trees cool streets.", {}, "main point"),
    ],
)
def test_central_claims_say_why(text: str, place: dict[str, object], reason: str) -> None:
    found, why = claim_type(text, **place)  # type: ignore[arg-type]
    assert found is ClaimType.C1
    assert why.startswith("central: ")
    assert reason in why


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("Trees cool streets.", {}, "nothing marks it as central"),
        ("Cover rose by 9 per cent.", {}, "not enough"),
        ("For example, the largest tree cost 40 million crowns.", {}, "is an example"),
        ("Cover rose by 9 per cent.", {"section": "Summary", "kind": "table_cell"}, "table"),
    ],
)
def test_supporting_claims_say_why(text: str, place: dict[str, object], reason: str) -> None:
    found, why = claim_type(text, **place)  # type: ignore[arg-type]
    assert found is ClaimType.C2
    assert why.startswith("supporting: ")
    assert reason in why
