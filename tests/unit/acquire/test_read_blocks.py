"""The stored text is clean and its offsets are exact."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from core.acquire.read_blocks import TextBuilder, clean


@given(st.text(alphabet=st.characters(codec=None), max_size=300))
def test_a_stored_text_has_no_controls_no_surrogates_and_is_nfc(text: str) -> None:
    stored = clean(text)
    stored.encode("utf-8")
    assert unicodedata.is_normalized("NFC", stored)
    assert not any(unicodedata.category(char) == "Cc" and char not in "\n" for char in stored)
    assert "  " not in stored
    assert "\n\n\n" not in stored


def test_line_ends_nulls_and_odd_spaces_are_made_plain() -> None:
    assert clean("a\r\nb\rc\x00d\u00a0\u2003e\ufefff\u00adg") == "a\nb\ncd efg"
    assert clean("e\u0301") == "\u00e9"
    assert clean("x\ud800y") == "x\ufffdy"


@given(st.lists(st.tuples(st.text(max_size=30), st.sampled_from([None, 1, 2, 3]), st.booleans()), max_size=20))
def test_headings_and_pages_are_offsets_into_the_built_text(blocks: list[tuple[str, int | None, bool]]) -> None:
    builder = TextBuilder()
    for number, (text, level, tight) in enumerate(blocks, start=1):
        builder.start_page(number)
        builder.add(text, level=level, tight=tight)
    built = builder.build()
    assert all(built.text[h.start : h.end] == h.text for h in built.headings)
    assert [page.number for page in built.pages] == list(range(1, len(blocks) + 1))
    assert all(0 <= page.start <= page.end <= len(built.text) for page in built.pages)
    assert all(a.end == b.start for a, b in zip(built.pages, built.pages[1:], strict=False))


def test_paragraphs_are_parted_by_a_blank_line_and_items_by_a_line_end() -> None:
    builder = TextBuilder()
    for text, tight in (("One.", False), ("- a", True), ("- b", True), ("Two.", False)):
        builder.add(text, tight=tight)
    assert builder.build().text == "One.\n\n- a\n- b\n\nTwo."


def test_a_paragraph_may_go_on_over_a_page_break() -> None:
    builder = TextBuilder()
    builder.start_page(1)
    builder.add("It begins here and")
    builder.start_page(2)
    builder.go_on("ends there.")
    built = builder.build()
    assert built.text == "It begins here and ends there."
    assert built.text[built.pages[1].start :] == "ends there."
