"""The store as judging and review need it: reports with their findings, judged pairs, claims, the log of decisions,
people, policy. Part of ``core.ports.store``."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.labels import Reason, Status
from core.records import Claim, Decision, Finding, Person, Redacted, ReviewPolicy, SourceVerdict, StoredReport


class AuditStore(Protocol):
    """Reports, their findings, and judged pairs. Each writing call is one transaction."""

    def add_report(
        self, report: StoredReport, text: str, findings: Sequence[Finding], *, supersedes: int | None = None
    ) -> StoredReport:
        """Keep a report with its rows; ids, family, version and created of ``report`` are given here. With
        ``supersedes`` it is the next version of that report. The blob must be kept before (``put_blob``)."""

    def reports(self, *, superseded: bool = False) -> list[StoredReport]:
        """Newest first."""

    def report(self, report_id: int) -> StoredReport:
        """One report (ReportNotFound)."""

    def report_text(self, report_id: int) -> str: ...

    def delete_report(self, report_id: int) -> None:
        """The report with its rows (this version only)."""

    def findings(
        self, report_id: int, *, statuses: Sequence[Status] = (), reasons: Sequence[Reason] = ()
    ) -> list[Finding]:
        """Rows of a report in its order."""

    def finding(self, finding_id: int) -> Finding:
        """One row (ReportNotFound)."""

    def put_findings(self, findings: Sequence[Finding], *, expect_versions: bool = False) -> list[Finding]:
        """Replace rows by id, each getting the next version, all or nothing; returns them as stored. With
        ``expect_versions`` a row whose stored version differs from the given one is not overwritten. Raises
        ReportNotFound (a row is not there), RowMoved (a row has another version than the caller saw) or StorageError (a
        row names another report or place than the stored one, or a span outside the report)."""

    def verdicts(self, keys: Sequence[str]) -> dict[str, SourceVerdict]:
        """Judged pairs by content key; unknown keys are left out."""

    def keep_verdicts(self, verdicts: Mapping[str, SourceVerdict]) -> None:
        """Keep judged pairs, in place of earlier ones under the same keys; they go when their document is deleted. A
        pair whose document is not there (any more) is not kept."""


class ClaimStore(Protocol):
    """Claims. Each writing call is one transaction."""

    def add_claims(self, claims: Sequence[Claim]) -> list[Claim]:
        """Keep claims, all or none; ids are given here, versions start at 1. A claim at the same place of the same
        report is not kept twice: the stored one is returned. Raises ReportNotFound (a claim names a report that is not
        there) or StorageError (a place is not inside its report)."""

    def claims(self, *, report_id: int | None = None) -> list[Claim]:
        """In the order of the report, then of adding; without ``report_id`` all claims, typed ones last. Raises
        ReportNotFound: no report has this id."""

    def claim(self, claim_id: int) -> Claim:
        """One claim (ClaimNotFound)."""

    def put_claims(self, claims: Sequence[Claim], *, expect_versions: bool = False) -> list[Claim]:
        """Replace rows by id, as ``AuditStore.put_findings``."""

    def delete_claims(self, claim_ids: Sequence[int]) -> None: ...


class ReviewStore(Protocol):
    """The append-only log of decisions. Each writing call is one transaction, on disk when it returns."""

    def append_decisions(
        self, decisions: Sequence[Decision], *, seen: Mapping[str, int] | None = None, seen_by: str | None = None
    ) -> list[Decision]:
        """Append entries; ``id``, ``previous`` and ``hash`` are given here, inside the transaction. ``seen`` maps an
        item to the newest entry on it that the caller saw (0: none); with ``seen_by`` only entries of that person count
        (blind review). The row that an entry's basis names must still have ``row_version``. Raises RowMoved: an item
        has a newer entry, or its row another version or is gone; nothing is written."""

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
