"""Notes of an import: parts of the zip that were left out, and differences in an audit pack."""

import json
from collections.abc import Sequence

from core.ports.store import ProjectStore
from core.records import LEFT_OUT

DIFFERS = "differs-on-import"
"""The memo with what checking a pack found before it was taken in: a JSON list of sentences."""
_LINES = 10
"""Sentences of a check that are told at an import; of more their number is."""


def import_notes(store: ProjectStore) -> list[str]:
    """Parts of the imported zip that were left out, as sentences for the user. Empty for a project made here."""
    return [str(load) for load in json.loads(store.memo(LEFT_OUT) or "[]")]


def first_of(lines: Sequence[str]) -> list[str]:
    """The first ten, fit for a terminal (words of a stranger may stand in them), and how many more there are."""
    more = len(lines) - _LINES
    shown = ["".join(letter if letter.isprintable() else " " for letter in line) for line in lines[:_LINES]]
    return [*shown, f"And {more} more; `workbench verify` lists them."] if more > 0 else shown


def keep_differences(store: ProjectStore, lines: Sequence[str]) -> None:
    """Keep what differs in the pack that this project was made of."""
    store.set_memo(DIFFERS, json.dumps(first_of(lines)))


def import_differences(store: ProjectStore) -> list[str]:
    """Differences in the imported pack: at most ten sentences and a count."""
    return [str(load) for load in json.loads(store.memo(DIFFERS) or "[]")]
