"""The store as judging needs it: reports with their findings, judged pairs, claims. Part of ``core.ports.store``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.labels import Reason, Status
from core.records import Claim, Finding, SourceVerdict, StoredReport


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
        """ReportNotFound."""

    def report_text(self, report_id: int) -> str: ...

    def delete_report(self, report_id: int) -> None:
        """The report with its rows (this version only)."""

    def findings(
        self, report_id: int, *, statuses: Sequence[Status] = (), reasons: Sequence[Reason] = ()
    ) -> list[Finding]:
        """Rows of a report in its order."""

    def finding(self, finding_id: int) -> Finding:
        """ReportNotFound."""

    def put_findings(self, findings: Sequence[Finding], *, expect_versions: bool = False) -> list[Finding]:
        """Replace rows by id, each getting the next version. With ``expect_versions`` a row whose stored version
        differs from the given one raises RowMoved and nothing is written."""

    def verdicts(self, keys: Sequence[str]) -> dict[str, SourceVerdict]:
        """Judged pairs by content key; unknown keys are left out."""

    def keep_verdicts(self, verdicts: Mapping[str, SourceVerdict]) -> None:
        """Keep judged pairs; they go when their document is deleted."""


class ClaimStore(Protocol):
    """Claims. Each writing call is one transaction."""

    def add_claims(self, claims: Sequence[Claim]) -> list[Claim]:
        """Keep claims; ids are given here. A claim at the same place of the same report is not kept twice: the
        stored one is returned."""

    def claims(self, *, report_id: int | None = None) -> list[Claim]:
        """In the order of the report, then of adding; all claims without ``report_id``."""

    def claim(self, claim_id: int) -> Claim:
        """ClaimNotFound."""

    def put_claims(self, claims: Sequence[Claim], *, expect_versions: bool = False) -> list[Claim]:
        """Replace rows by id, as ``AuditStore.put_findings``."""

    def delete_claims(self, claim_ids: Sequence[int]) -> None: ...
