"""The log of decisions as it leaves a project and comes in from another copy of it."""

import codecs
from collections.abc import Set as AbstractSet

from core.errors import ReviewError
from core.labels import Role
from core.ports.context import ProjectContext
from core.records import Decision, ImportedDecisions, Person
from core.records.decision_chain import Entry, entry_from_line, faults_of, redacted, to_line
from core.review.cache import ReviewTables
from core.review.people import ReviewPeople

LONGEST_LOG = 500_000_000
"""Bytes of a log that is taken in."""


def hidden_words(count: int) -> str:
    """The reason why so many entries of an export are hashes only."""
    entries = "1 entry of somebody else stands" if count == 1 else f"{count:,} entries of others stand"
    return (
        f"Review is blind here: {entries} in the file as a number and hashes only, because you have not decided on "
        "that item yourself yet. Its chain can be verified; an owner of this project can save everything."
    )


class ReviewLog:
    """The log of one project."""

    def __init__(self, context: ProjectContext, people: ReviewPeople, tables: ReviewTables) -> None:
        self._store, self._clock = context.store, context.clock
        self._people, self._tables = people, tables

    def entries(self) -> list[Decision]:
        return self._store.decisions()

    def export(self, by: str = "") -> bytes:
        """JSON Lines (``core.records.decision_chain``): one entry a line, oldest first. What ``by`` may not see yet in
        blind review goes out as hashes only, so that the chain still verifies and the file can be taken in elsewhere.
        Entries that came redacted with an audit pack go out so too."""
        hidden = self._hidden_from(self._people.me(by))
        chain = self._store.decision_chain()
        return "".join(to_line(redacted(entry) if entry.id in hidden else entry) + "\n" for entry in chain).encode(
            "utf-8"
        )

    def hidden_in_export(self, by: str) -> int:
        """The number of entries that ``export`` gives this person as hashes only, because review is blind."""
        return len(self._hidden_from(self._people.me(by)))

    def withheld(self, by: str) -> AbstractSet[int]:
        """Ids of the entries that an export for this person leaves out, as in ``export``; where nobody is named, as
        for a reviewer who decided on nothing."""
        return self._hidden_from(self._people.me(by) if by.strip() else Person("", Role.REVIEWER, self._clock()))

    def withheld_of(self, report_id: int, by: str) -> int:
        """The number of withheld entries about this report, or another version of it (ReportNotFound)."""
        report, hidden = self._store.report(report_id), self.withheld(by)
        family = report.family or report.id
        entries = self.entries() if hidden else []
        return sum(entry.id in hidden and entry.basis.report_family == family for entry in entries)

    def _hidden_from(self, person: Person) -> AbstractSet[int]:
        """Ids of the entries that a person does not get: in blind review those of others on items that the person may
        not see them on, as on the page. Owners, who can end blind review, get all."""
        if not self._store.review_policy().blind or person.role is Role.OWNER:
            return frozenset()
        log = self._tables.log()
        unseen = [item for item in log.items if not log.sees_others(item, person.name, person.role, blind=True)]
        return {entry.id for item in unseen for entry in log.entries(item) if entry.by != person.name}

    def take_in(self, body: bytes, *, by: str) -> ImportedDecisions:
        """Add the decisions of another copy of this project; those that are here already are left alone. Raises
        NotAllowed (``by`` is no owner) or ReviewError (it is no log, or its chain is broken; nothing is taken over)."""
        self._people.require(by, owner=True)
        entries = [entry for entry in _read_log(body) if isinstance(entry, Decision)]
        added = self._store.import_decisions(entries)
        unknown = {entry.item for entry in added} - set(self._tables.of().keys)
        return ImportedDecisions(len(added), len(entries) - len(added), len(unknown))


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
