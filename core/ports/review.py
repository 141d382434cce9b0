"""The store as review needs it: the log of decisions, people, policy. Part of ``core.ports.store``."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.records import Decision, Person, Redacted, ReviewPolicy


class ReviewStore(Protocol):
    """The append-only log of decisions. Each writing call is one transaction, on disk when it returns."""

    def append_decisions(
        self, decisions: Sequence[Decision], *, seen: Mapping[str, int] | None = None, seen_by: str | None = None
    ) -> list[Decision]:
        """Append entries; ``id``, ``previous`` and ``hash`` are given here, inside the transaction.

        ``seen`` maps an item to the newest entry on it that the caller saw (0: none); with ``seen_by`` only entries of
        that person count (blind review). The row that an entry's basis names must still have ``row_version``. Raises
        RowMoved: an item has a newer entry, or its row another version or is gone; nothing is written.
        """

    def import_decisions(self, decisions: Sequence[Decision]) -> list[Decision]:
        """Append entries of another copy of this project as they were decided (person, time, basis kept), after
        those that are here; entries already here (same item, kind, person, time) are left out. ``target`` and
        ``settles`` are mapped to the new ids."""

    def decisions(self, *, item: str | None = None, by: str | None = None, after: int = 0) -> list[Decision]:
        """Entries in their order, those with an id above ``after``; of one item, of one person where given."""

    def decision_chain(self) -> list[Decision | Redacted]:
        """The whole log in its order. A project that came out of an audit pack also has entries of which only the
        hashes were handed over; ``decisions`` leaves those out."""

    def decision_head(self) -> tuple[int, str]:
        """Id and hash of the newest entry; ``(0, "")`` for an empty log."""

    def review_stamp(self) -> tuple[int, ...]:
        """A few numbers that are others after any change to reports, their rows, claims or documents, by whatever
        process; decisions, people and policy are left out. Equal ones: the rows are as they were."""

    def people(self) -> list[Person]:
        """In the order in which they were added; empty while nobody was named."""

    def put_person(self, person: Person) -> None:
        """Add someone, or give them another role (``created`` of the first stays). Raises ReviewError: nobody can be
        called that, the time has no zone, or the last owner would be none any more."""

    def remove_person(self, name: str) -> None:
        """Take away someone's role; their decisions stay. Nobody of that name is no error. Raises ReviewError: the last
        owner would leave others behind."""

    def review_policy(self) -> ReviewPolicy: ...

    def set_review_policy(self, policy: ReviewPolicy) -> None: ...
