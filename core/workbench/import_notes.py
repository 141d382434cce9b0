"""What was left out, or differed, when a project's zip or an audit pack was taken in."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.ports.store import ProjectStore
from core.records import LEFT_OUT

DIFFERS = "differs-on-import"
"""The memo with what checking a pack found before it was taken in: a JSON list of sentences."""
_LINES = 10
"""Sentences of a check that are told at an import; of more their number is."""


def left_out(store: ProjectStore) -> list[str]:
    """What the zip that this project came from held and could not be taken over, one sentence each; empty for a
    project that was made here."""
    return [str(load) for load in json.loads(store.memo(LEFT_OUT) or "[]")]


def first_of(lines: Sequence[str]) -> list[str]:
    """The first ten, fit for a terminal (words of a stranger may stand in them), and how many more there are."""
    more = len(lines) - _LINES
    told = ["".join(one if one.isprintable() else " " for one in line) for line in lines[:_LINES]]
    return [*told, f"And {more} more; `workbench verify` lists them."] if more > 0 else told


def keep_differences(store: ProjectStore, lines: Sequence[str]) -> None:
    """Keep what differs in the pack that this project was made of."""
    store.set_memo(DIFFERS, json.dumps(first_of(lines)))


def import_differences(store: ProjectStore) -> list[str]:
    """What differed in the pack that this project came from, at most ten sentences and a count."""
    return [str(load) for load in json.loads(store.memo(DIFFERS) or "[]")]
