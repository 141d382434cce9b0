"""The page docs/architecture.md names every floor of the house, in the order of the contract, with a sentence each."""

from __future__ import annotations

import re

from tests.conftest import REPOSITORY
from tests.unit.test_layers import floors

PAGE = (REPOSITORY / "docs" / "architecture.md").read_text("utf-8")


def test_the_map_has_the_floors_of_the_contract_in_their_order() -> None:
    table = PAGE.split("## Map of the floors")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z_.]+)` \| (.+) \|$", table, flags=re.MULTILINE)
    assert [floor for floor, _ in rows] == floors()
    assert [floor for floor, sentence in rows if not sentence.endswith(".")] == []


def test_the_words_of_the_glossary_stand_once_and_in_order() -> None:
    table = PAGE.split("## Glossary")[1]
    words = [word for word, _ in re.findall(r"^\| ([^|]+) \| (.+\.) \|$", table, flags=re.MULTILINE)]
    assert len(words) > 40
    assert words == sorted(set(words), key=str.lower)
