"""The tables of words in ``tables.toml``, as sets of lemmas."""

from __future__ import annotations

import tomllib
from pathlib import Path

_READ = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))
TABLES: dict[str, frozenset[str]] = {
    name: frozenset(words.split()) for name, words in _READ.items() if isinstance(words, str)
}
RANKS: dict[str, int] = {word: int(rank) for rank, words in _READ["amounts"].items() for word in words.split()}
"""Words of how many and how often, 0 (none) to 5 (all)."""
