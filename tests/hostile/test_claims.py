"""Odd texts and odd claims: a clear result or a clear error, never a crash, never a stall."""

from __future__ import annotations

import pytest

from core.audit.report import read_markdown
from core.claims.extract import LONGEST, extract_claims, statements_of, typed_claim
from core.errors import ClaimError
from core.verify.check_worthy import check_worthy
from core.verify.compound import simple_statements
from core.verify.markdown_to_text import plain
from tests.contract.builders import START

ODD = {
    "empty": "",
    "spaces": " \n\t ",
    "emoji": "🌳🌳🌳 🔥!! 👩‍👩‍👧‍👦",
    "surrogate": "The city \ud800 planted 12 trees.",
    "nul": "The city\x00planted\x00trees.",
    "long word": "a" * 100_000,
    "20,000 words": "The city planted trees and " * 4000,
    "chinese": "这座城市到2024年种植了31640棵树。" * 500,
    "brackets": "[" * 20_000,
    "parentheses": "(" * 20_000,
    "stars": "*" * 20_000,
    "open links": "[a](" * 5000,
    "open tags": "<a " * 5000,
    "dollars": "$a" * 8000,
    "quotes": '"' * 20_000,
    "semicolons": "it is; " * 3000,
    "clauses": "It is so, and " * 3000,
    "right to left": "\u202eزرعت المدينة 31640 شجرة بحلول عام 2024.",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_any_sentence_gets_an_answer_with_a_reason(text: str) -> None:
    for kind in ("prose", "list_item", "table_cell", "quote", "nonsense"):
        worthy, reason = check_worthy(text, kind=kind)
        assert isinstance(worthy, bool)
        assert reason
    assert all(part.strip() for part in simple_statements(plain(text[:LONGEST])))


@pytest.mark.parametrize("text", [text for text in ODD.values() if text.strip()], ids=lambda text: text[:6])
def test_any_report_gives_claims_that_can_be_stored(text: str) -> None:
    found = extract_claims(statements_of(read_markdown(text)), created=START)
    assert all(0 < len(claim.text) <= LONGEST for claim in found)
    assert len({(claim.start, claim.end) for claim in found}) == len(found)
    assert typed_claim(text[:LONGEST], created=START).check_reason


def test_thousands_of_sentences_are_all_there() -> None:
    text = "\n\n".join(f"The city planted {at} trees in {1900 + at % 120}." for at in range(3000))
    found = extract_claims(statements_of(read_markdown(text)), created=START)
    assert len(found) == 3000
    assert all(claim.check_worthy for claim in found)


def test_an_empty_text_and_one_far_too_long_are_refused(workbench) -> None:  # type: ignore[no-untyped-def]
    claims = workbench.open(workbench.create("P").slug).claims
    with pytest.raises(ClaimError, match="empty"):
        claims.extract_text(" \n ")
    with pytest.raises(ClaimError, match="at most"):
        claims.extract_text("x" * 5_000_001)
    with pytest.raises(ClaimError, match="at most"):
        claims.add("The city planted trees and " * 4000)
    assert claims.all() == []


@pytest.mark.parametrize("text", [text for text in ODD.values() if text.strip()], ids=lambda text: text[:6])
def test_any_pasted_text_can_be_kept(workbench, text: str) -> None:  # type: ignore[no-untyped-def]
    claims = workbench.open(workbench.create("P").slug).claims
    assert claims.extract_text(text) == claims.all()
