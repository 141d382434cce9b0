"""Promises of the report's key: offsets, quotes, and one planted fault of every kind."""

from __future__ import annotations

import re
from typing import Any

import pytest

from core import demo
from tests.unit.demo.reading import EXTRACTED, TEXTS

REPORT = demo.report()
KEY = demo.key()
ROWS: list[dict[str, Any]] = KEY["citations"]
REASONS = {
    "contradicted",
    "quote_altered",
    "number_mismatch",
    "wrong_source",
    "not_mentioned",
    "partial",
    "low_support",
    "source_unreadable",
    "link_dead",
    "link_never_existed",
    "abstract_only",
    "dangling_marker",
    "ambiguous_reference",
    "fetch_failed",
}
STYLES = {
    "numeric",
    "numeric_list",
    "numeric_range",
    "footnote",
    "inline_link",
    "bare_url",
    "author_year",
    "author_year_narrative",
    "pandoc",
    "superscript",
    "doi",
}


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _row(reason: str) -> dict[str, Any]:
    return next(row for row in ROWS if row["reason"] == reason)


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,]\d+)*", text))


def test_every_span_is_exactly_its_text() -> None:
    spans = [row[part] for row in ROWS for part in ("marker", "claim")]
    spans += [row["reference"] for row in ROWS if row["reference"]]
    spans += [candidate for row in ROWS for candidate in row["candidates"]]
    spans += KEY["unused_references"] + KEY["uncited_checkworthy"]
    assert all(REPORT[span["start"] : span["end"]] == span["text"] != "" for span in spans)


def test_no_tag_of_the_builder_is_left_in_the_report() -> None:
    assert not re.search(r"\{/?[cmru]:", REPORT)


def test_every_claim_stands_before_or_around_its_marker() -> None:
    for row in ROWS:
        assert row["claim"]["start"] <= row["marker"]["start"]
        assert row["marker"]["start"] - row["claim"]["end"] <= len(" (see ")


def test_every_status_reason_and_style_is_planted() -> None:
    assert {row["reason"] for row in ROWS} - {None} == REASONS
    assert {row["status"] for row in ROWS} == {"PASS", "REVIEW", "SOURCE_NOT_INDEXED"}
    assert any(row["status"] == "SOURCE_NOT_INDEXED" and row["reason"] is None for row in ROWS)
    assert {row["style"] for row in ROWS} == STYLES
    assert [entry["label"] for entry in KEY["unused_references"]] == ["16"]
    assert len(KEY["uncited_checkworthy"]) == 1


def test_most_citations_are_right() -> None:
    clean = [row for row in ROWS if not row["planted"]]
    assert len({row["marker"]["start"] for row in ROWS}) >= 25
    assert len(clean) > 2 * (len(ROWS) - len(clean))
    assert all(row["status"] == "PASS" and row["reason"] is None and row["quotes"] for row in clean)


@pytest.mark.parametrize(
    "texts",
    [TEXTS, {name: _squeezed(read.text) for name, read in EXTRACTED.items()}],
    ids=["plain reading", "the product's reading"],
)
def test_every_deciding_quote_occurs_in_its_source(texts: dict[str, str]) -> None:
    quotes = [(row["quote_source"], quote) for row in ROWS for quote in row["quotes"]]
    quotes += [(side["source"], side["quote"]) for pair in KEY["contradictions"] for side in (pair["a"], pair["b"])]
    quotes += [(row["source"], cell) for row in ROWS for cell in row["table_row"] or ()]
    assert [(source, quote) for source, quote in quotes if _squeezed(quote) not in texts[source]] == []


def test_altered_quote_and_number_are_nowhere_in_the_cited_source() -> None:
    altered = _row("quote_altered")
    assert "planted for the future" in altered["claim"]["text"]
    assert "planted for the future" not in TEXTS[altered["source"]]
    number = _row("number_mismatch")
    assert not _numbers(number["claim"]["text"]) & _numbers(number["quotes"][0])
    assert "38 per cent lower" not in TEXTS[number["source"]]


def test_unmentioned_matters_are_mentioned_nowhere() -> None:
    everything = " ".join(TEXTS.values()).lower()
    for word in ("burglar", "subgroup", "air conditioning for"):
        assert word not in everything


def test_the_wrong_source_does_not_say_it_and_the_right_one_does() -> None:
    row = _row("wrong_source")
    assert "14 per cent" not in TEXTS[row["source"]]
    assert "Only 14 per cent of the trees" in TEXTS[row["right_source"]]
    assert row["right_source"] != row["source"]


def test_partial_support_names_the_part_that_is_supported() -> None:
    row = _row("partial")
    assert row["claim"]["text"].startswith(row["supported_part"])
    assert len(row["supported_part"]) < len(row["claim"]["text"])


def test_the_dangling_marker_and_the_ambiguous_one_point_to_no_single_entry() -> None:
    dangling = _row("dangling_marker")
    assert dangling["reference"] is None
    assert not re.search(r"^19\. ", REPORT, re.MULTILINE)
    ambiguous = _row("ambiguous_reference")
    heads = {re.sub(r"^\d+\. ", "", entry["text"]).split(" (2022)")[0] for entry in ambiguous["candidates"]}
    assert heads == {"Abara, L., & Quist, J."}
    assert len(ambiguous["candidates"]) == 2


def test_missing_sources_have_the_states_that_explain_the_reason() -> None:
    states = {gone.url: gone.state.value for gone in demo.unavailable()}
    assert states[_row("link_dead")["url"]] == "gone"
    assert states[_row("link_never_existed")["url"]] == "never_seen"
    assert states[_row("fetch_failed")["url"]] == "blocked"
    never_tried = next(row for row in ROWS if row["status"] == "SOURCE_NOT_INDEXED" and row["reason"] is None)
    assert never_tried["url"] not in states.keys() | {source.url for source in demo.sources()}


def test_every_reference_with_a_stored_source_can_be_resolved() -> None:
    """By its address, its DOI, or, where it has neither, by the title of the source."""
    sources = {source.filename: source for source in demo.sources()}
    for row in ROWS:
        if row["source"] and row["reference"]:
            source, text = sources[row["source"]], row["reference"]["text"]
            assert source.url in text or (source.doi and source.doi in text) or source.title in text, row["id"]
