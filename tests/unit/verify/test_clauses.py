"""Parts of a claim: where clauses begin, spans that stand, no part without words of its own."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.verify.clauses import clauses


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        ("The city planted trees.", ["The city planted trees."]),
        (
            "The city planted 31,640 trees by 2024, and the mayor resigned after a scandal.",
            ["The city planted 31,640 trees by 2024", "and the mayor resigned after a scandal."],
        ),
        (
            "Canopy cover rose to 21 per cent; each tree cost 2,300 crowns.",
            ["Canopy cover rose to 21 per cent", "each tree cost 2,300 crowns."],
        ),
        (
            "The study covered 48 streets, which were observed over four summers.",
            ["The study covered 48 streets", "which were observed over four summers."],
        ),
        ("He plays guitar, and sings.", ["He plays guitar, and sings."]),
        ("Apples, pears and plums are fruit.", ["Apples, pears and plums are fruit."]),
        ("", []),
        ("😀", ["😀"]),
    ],
)
def test_parts(claim: str, parts: list[str]) -> None:
    assert [claim[start:end] for start, end in clauses(claim)] == parts


@given(st.text(alphabet=st.sampled_from("ab ,;.-AB\n漢and but"), max_size=200))
def test_spans_are_in_order_and_hold_text(claim: str) -> None:
    found = clauses(claim)
    assert all(a[1] <= b[0] for a, b in pairwise(found))
    assert all(claim[start:end].strip() for start, end in found)
