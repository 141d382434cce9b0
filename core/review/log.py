"""The log of decisions as it leaves a project and comes in from another copy of it."""

from __future__ import annotations

import codecs
from collections.abc import Set as AbstractSet

from core.errors import ReviewError
from core.labels import Role
from core.ports.store import ProjectStore
from core.records import Decision, Person
from core.records.decision_chain import Entry, entry_from_line, faults_of, redacted, to_line
from core.review.cache import ReviewCache

LONGEST_LOG = 500_000_000
"""Bytes of a log that is taken in."""


def hidden_words(count: int) -> str:
    """The sentence on entries that stand as hashes only in an exported log."""
    entries = "1 entry of somebody else stands" if count == 1 else f"{count:,} entries of others stand"
    return (
        f"Review is blind here: {entries} in the file as a number and hashes only, because you have not decided on "
        "that item yourself yet. Its chain can be verified; an owner of this project can save everything."
    )


class ReviewLog:
    """The log of one project."""

    def __init__(self, store: ProjectStore, cache: ReviewCache) -> None:
        self._store, self._cache = store, cache

    def export(self, person: Person) -> bytes:
        """JSON Lines (``core.records.decision_chain``): one entry a line, oldest first.

        What this person may not see goes out as hashes only (``hidden_from``), so that the chain still verifies and
        the file can be taken in elsewhere. Entries that came redacted with an audit pack go out so too.
        """
        hidden = self.hidden_from(person)
        chain = self._store.decision_chain()
        return "".join(to_line(redacted(entry) if entry.id in hidden else entry) + "\n" for entry in chain).encode(
            "utf-8"
        )

    def hidden_from(self, person: Person) -> AbstractSet[int]:
        """Ids of the entries that a person does not get: in blind review those of others on items that the person may
        not see them on, as on the page. Owners, who can end blind review, get all."""
        if not self._store.review_policy().blind or person.role is Role.OWNER:
            return frozenset()
        log = self._cache.folded(self._store)
        unseen = [item for item in log.items if not log.sees_others(item, person.name, person.role, blind=True)]
        return {entry.id for item in unseen for entry in log.entries(item) if entry.by != person.name}

    def take_in(self, body: bytes) -> tuple[list[Decision], int]:
        """Add the entries of another copy; returns the new ones, and how many were here already.

        Raises:
            ReviewError: it is no log, or its chain is broken; nothing is taken over.
        """
        entries = [entry for entry in _read_log(body) if isinstance(entry, Decision)]
        added = self._store.import_decisions(entries)
        return added, len(entries) - len(added)


def _read_log(body: bytes) -> list[Entry]:
    if len(body) > LONGEST_LOG:
        raise ReviewError(f"The log has {len(body):,} bytes; at most {LONGEST_LOG:,} are read.")
    entries: list[Entry] = []
    text = body.removeprefix(codecs.BOM_UTF8)  # some editors put it before what they save
    for number, line in enumerate(text.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            entries.append(entry_from_line(line))
        except ReviewError as error:
            raise ReviewError(f"Line {number}: {error} Nothing was taken over.") from error
    if faults := faults_of(entries):
        more = f" ({len(faults) - 1} more faults)" if len(faults) > 1 else ""
        raise ReviewError(f"{faults[0]}{more} Nothing was taken over; export the log again where it came from.")
    return entries
