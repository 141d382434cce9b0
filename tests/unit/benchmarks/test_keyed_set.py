"""The keyed citations are well formed, balanced, and every passage they rest on stands in its text."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.keyed_check import problems
from benchmarks.keyed_set import DEFAULT_DATA, HALVES, Keyed, load
from benchmarks.keyed_sources import holds_passage, missing, text_of


@pytest.fixture(scope="module")
def halves() -> dict[str, tuple[Keyed, ...]]:
    return {half: load(half) for half in HALVES}


def test_the_set_is_well_formed_and_its_halves_are_balanced(halves: dict[str, tuple[Keyed, ...]]) -> None:
    assert problems(halves, DEFAULT_DATA, with_texts=False) == []


def test_the_set_is_as_large_and_as_mixed_as_was_asked(halves: dict[str, tuple[Keyed, ...]]) -> None:
    everything = [item for items in halves.values() for item in items]
    right = sum(item.holds for item in everything)
    more = sum(item.holds and item.needs != "one_sentence" for item in everything)
    assert len(everything) >= 240
    assert len({item.source.key for item in everything}) >= 60
    assert 0.25 <= (right - more) / len(everything) <= 0.4
    assert 0.15 <= more / len(everything) <= 0.25
    for holds in (True, False):
        assert sum(item.holds is holds and item.attributed is not None for item in everything) >= 20


def test_every_passage_stands_in_its_text(halves: dict[str, tuple[Keyed, ...]]) -> None:
    if absent := missing(DEFAULT_DATA):
        if os.environ.get("CI"):
            pytest.fail(f"in CI the public data must be there; {DEFAULT_DATA} lacks {absent}")
        pytest.skip(f"the cited texts are not here (shared/data): {absent}")
    assert problems(halves, DEFAULT_DATA, with_texts=True) == []


def test_what_is_wrong_is_told(halves: dict[str, tuple[Keyed, ...]], tmp_path: Path) -> None:
    choose, held = (list(halves[half]) for half in HALVES)
    wrong = next(item for item in choose if item.twin)
    broken = [
        replace(wrong, twin=held[0].id),
        replace(next(item for item in choose if item.holds), id="x1", fault="number"),
        replace(held[0], id="x2"),
        replace(wrong, id="x3", claim=wrong.units[0]),
    ]
    said = "\n".join(problems({"choose": [*choose, *broken], "held": held}, tmp_path, with_texts=False))
    for part in (
        f"id '{wrong.id}' occurs 2 times",
        f"{wrong.id}: its twin",
        "x1: a fault is named exactly",
        f"{held[0].source.key} is cited in both halves",
        "x3: the claim is copied",
    ):
        assert part in said


def test_a_passage_is_found_across_line_ends_only_word_for_word() -> None:
    assert holds_passage("one two\nthree  four", "two three four")
    assert not holds_passage("one two three four", "two four")


def test_a_missing_folder_of_data_is_named(halves: dict[str, tuple[Keyed, ...]], tmp_path: Path) -> None:
    assert len(missing(tmp_path)) == 4
    with pytest.raises(FileNotFoundError, match="is missing"):
        text_of(tmp_path, halves["choose"][0].source)
