"""Passages: exact offsets, whole sentences, overlap, context, pages."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acquire.chunk import CONTEXT_CHARS, chunk
from core.records import Heading, PageSpan, Passage
from core.text.sentences import sentence_spans

PARAGRAPH = " ".join(f"Sentence number {n} of this text says a little more than nothing." for n in range(40))

texts = st.one_of(
    st.text(max_size=3000),
    st.lists(
        st.sampled_from(
            ["The cat sat. ", "Dr. Smith et al. agree [3]. ", "\n\n", "a" * 700, " ", "\n", "終わり。", "- item\n"]
        ),
        max_size=120,
    ).map("".join),
)


def headings_of(text: str, cuts: list[int]) -> list[Heading]:
    places = sorted({cut % (len(text) + 1) for cut in cuts})
    return [
        Heading(1 + start % 3, start, min(len(text), start + 9), text[start : start + 9])
        for start, following in pairwise([*places, len(text) + 10])
        if following - start >= 10
    ]


@given(texts, st.lists(st.integers(0, 5000), max_size=5), st.integers(100, 800), st.integers(0, 200))
def test_every_passage_is_an_exact_span_and_nothing_is_lost(
    text: str, cuts: list[int], size: int, overlap: int
) -> None:
    passages = chunk(text, document_id="d", title="T", headings=headings_of(text, cuts), size=size, overlap=overlap)
    covered = 0
    for ordinal, passage in enumerate(passages):
        assert passage.ordinal == ordinal
        assert text[passage.start : passage.end] == passage.text
        assert passage.text == passage.text.strip() != ""
        assert len(passage.text) <= size * 1.25
        assert not text[covered : passage.start].strip()
        assert passage.end > covered
        covered = passage.end
    assert not text[covered:].strip()


@given(texts)
def test_a_sentence_that_fits_is_never_cut(text: str) -> None:
    sentences = sentence_spans(text)
    starts, ends = {start for start, _ in sentences}, {end for _, end in sentences}
    long = [(start, end) for start, end in sentences if end - start > 500]
    for passage in chunk(text, document_id="d"):
        assert passage.start in starts or any(start < passage.start < end for start, end in long)
        assert passage.end in ends or any(start < passage.end < end for start, end in long)


def test_passages_are_about_the_size_asked_for() -> None:
    passages = chunk(PARAGRAPH, document_id="d", size=500)
    lengths = [len(p.text) for p in passages]
    assert all(350 <= length <= 625 for length in lengths[:-1])


def test_the_last_short_sentence_is_repeated_and_a_long_one_is_not() -> None:
    long = "This sentence is longer than the overlap of fifty characters that the settings allow for."
    text = " ".join([long, long, long, long, "This one is short.", long, long, long])
    with_short = chunk(text, document_id="d", size=400, overlap=50)
    assert with_short[1].start < with_short[0].end
    assert with_short[1].text.startswith("This one is short.")
    text = " ".join([long] * 12)
    for before, after in _pairs(chunk(text, document_id="d", size=400, overlap=50)):
        assert after.start >= before.end


def test_overlap_nought_repeats_nothing() -> None:
    for before, after in _pairs(chunk(PARAGRAPH, document_id="d", size=300, overlap=0)):
        assert after.start >= before.end


def test_one_endless_paragraph_becomes_many_passages_cut_at_words() -> None:
    text = "word " * 1000
    passages = chunk(text, document_id="d", size=500)
    assert len(passages) == pytest.approx(10, abs=1)
    assert all(set(p.text.split()) == {"word"} for p in passages)


def test_a_text_without_spaces_is_cut_anywhere() -> None:
    passages = chunk("x" * 5_000_000, document_id="d", size=500)
    assert sum(len(p.text) for p in passages) == 5_000_000


def test_a_heading_starts_a_passage_and_stands_above_the_next_as_context() -> None:
    one, two = "Costs", "Benefits"
    text = f"{one}\n\n{PARAGRAPH}\n\n{two}\n\n{PARAGRAPH}"
    at = text.index(two)
    headings = [Heading(1, 0, len(one), one), Heading(1, at, at + len(two), two)]
    passages = chunk(text, document_id="d", title="Report", headings=headings)
    opening = next(p for p in passages if p.start == at)
    assert opening.text.startswith(f"{two}\n\nSentence number 0")
    assert passages[0].context == "Report"
    assert passages[1].context == "Report \u203a Costs"
    assert passages[-1].context == "Report \u203a Benefits"
    assert all(p.end <= at or p.start >= at for p in passages)


def test_context_nests_by_level_and_leaves_what_is_closed() -> None:
    parts = [(1, "Methods"), (2, "Sites"), (3, "North"), (2, "Dates")]
    text, headings = "", []
    for level, words in parts:
        headings.append(Heading(level, len(text), len(text) + len(words), words))
        text += f"{words}\n\n{PARAGRAPH}\n\n"
    contexts = [p.context for p in chunk(text, document_id="d", title="T", headings=headings)]
    assert "T \u203a Methods \u203a Sites \u203a North" in contexts
    assert contexts[-1] == "T \u203a Methods \u203a Dates"


def test_a_context_is_short_and_does_not_say_the_title_twice() -> None:
    heading = Heading(1, 0, 5, "Title")
    text = "Title\n\n" + PARAGRAPH
    assert chunk(text, document_id="d", title="TITLE", headings=[heading])[-1].context == "TITLE"
    deep = [Heading(n, n, n + 1, "H" * 150) for n in range(1, 5)]
    assert (
        len(chunk("abcdefgh. " + PARAGRAPH, document_id="d", title="T" * 300, headings=deep)[-1].context)
        <= CONTEXT_CHARS
    )


def test_no_passage_is_a_heading_alone_when_its_first_sentence_fits() -> None:
    sentence = "x" * 480 + "."
    text = f"A heading of thirty characters.\n\n{sentence}"
    passages = chunk(text, document_id="d", headings=[Heading(2, 0, 31, text[:31])], size=500)
    assert len(passages) == 1


def test_the_page_is_that_of_the_start() -> None:
    text = f"{PARAGRAPH}\n\n{PARAGRAPH}"
    middle = len(PARAGRAPH) + 2
    passages = chunk(text, document_id="d", pages=[PageSpan(7, 0, middle), PageSpan(8, middle, len(text))])
    assert [p.page for p in passages if p.start < middle] == [7] * sum(p.start < middle for p in passages)
    assert {p.page for p in passages if p.start >= middle} == {8}
    assert chunk(PARAGRAPH, document_id="d")[0].page is None


def test_an_empty_text_has_no_passages() -> None:
    assert chunk("", document_id="d") == chunk(" \n\n ", document_id="d") == []


def _pairs(passages: list[Passage]) -> list[tuple[Passage, Passage]]:
    assert len(passages) > 1
    return list(pairwise(passages))
