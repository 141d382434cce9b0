"""The word patterns of ``check_worthy``, read once from ``worthy.toml`` beside this file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("worthy.toml")
_CASE = "_case"


@lru_cache(maxsize=1)
def patterns() -> tuple[Mapping[str, re.Pattern[str]], Mapping[str, re.Pattern[str]]]:
    """Patterns by name: of scripts with spaces between words, and of Chinese and Japanese."""
    table = tomllib.loads(FILE.read_text("utf-8"))
    unspaced = table.pop("unspaced")
    inserted = {f"<{name}>": "|".join(table.pop(name)) for name in ("work", "month")}
    return _compiled(table, inserted), _compiled(unspaced, {})


def _compiled(table: Mapping[str, list[str]], inserted: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    found: dict[str, re.Pattern[str]] = {}
    for name, alternatives in table.items():
        joined = "|".join(alternatives)
        for mark, words in inserted.items():
            joined = joined.replace(mark, words)
        found[name.removesuffix(_CASE)] = re.compile(joined, 0 if name.endswith(_CASE) else re.IGNORECASE)
    return found
