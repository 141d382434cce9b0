"""A report laid out for reading."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.audit.layout import ShadedBlock, paragraph_of, part_of, parts, readable, shaded_blocks
from core.audit.report import read_markdown
from core.records import Finding, HeatSentence

TEXT = """---
title: Trees
---

# Trees

Trees cool the street [1]. Nobody doubts it.

| What | How much |
|---|---|
| Shade | half of it [1] |

1. A study. https://a.example/x
"""


def shown(blocks: list[ShadedBlock], text: str) -> list[str]:
    return ["".join(text[piece.start : piece.end] for piece in block.pieces) for block in blocks]


def test_a_sentence_keeps_its_shade_and_what_lies_between_is_plain() -> None:
    report = read_markdown(TEXT)
    start = TEXT.index("Trees cool")
    heat = [HeatSentence(start, start + len("Trees cool the street [1]."), "failing", (7,), "why")]
    block = next(one for one in shaded_blocks(report, heat) if one.start == start)
    assert [(piece.shade, piece.findings) for piece in block.pieces] == [("failing", (7,)), ("plain", ())]
    assert TEXT[block.pieces[1].start : block.pieces[1].end] == " Nobody doubts it."


def test_front_matter_is_left_out_and_a_row_of_a_table_is_one_block() -> None:
    report = read_markdown(TEXT)
    lines = shown(shaded_blocks(report, []), TEXT)
    assert not any("title:" in line for line in lines)
    assert any(line.startswith("Shade") and "half of it" in line for line in lines)


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))), max_size=8))
def test_whatever_the_shades_no_character_is_lost_or_shown_twice(spans: list[tuple[int, int]]) -> None:
    report = read_markdown(TEXT)
    heat = [HeatSentence(min(pair), max(pair), "verified") for pair in spans]
    assert shown(shaded_blocks(report, heat), TEXT) == shown(shaded_blocks(report, []), TEXT)


def test_a_long_report_is_cut_between_blocks_and_the_part_of_a_place_is_found() -> None:
    report = read_markdown("\n\n".join(f"Sentence number {number} stands here." for number in range(40)))
    blocks = shaded_blocks(report, [])
    cut = parts(blocks, size=200)
    assert [one for part in cut for one in part] == blocks
    assert all(part_of(cut, part[0].start) == at for at, part in enumerate(cut))
    assert part_of(cut, None) == 0
    assert part_of(cut, 10**9) == len(cut) - 1
    assert parts([]) == [[]]


def row(claim: tuple[int, int] | None) -> Finding:
    return Finding(1, 1, 0, "numeric", "[1]", "", claim=claim)


def test_a_claim_is_shown_in_its_paragraph_and_a_cell_in_its_row() -> None:
    report = read_markdown(TEXT)
    at = TEXT.index("Trees cool")
    found = paragraph_of(report, row((at, at + 5)))
    assert found is not None
    assert TEXT[slice(*found)] == "Trees cool the street [1]. Nobody doubts it."
    at = TEXT.index("half of it")
    found = paragraph_of(report, row((at, at + 4)))
    assert found is not None
    assert TEXT[slice(*found)].startswith("Shade")
    assert paragraph_of(report, row(None)) is None


def test_marks_of_markdown_are_not_shown_and_products_and_powers_are() -> None:
    assert readable("**Bold** and *slanted* words") == "Bold and slanted words"
    assert readable("2 * 3 = 6, 2*3, a_b_c") == "2 * 3 = 6, 2*3, a_b_c"
    assert readable("[a page](https://www.a.example/very/long/address/of/it)") == "[a page](a.example/…)"
