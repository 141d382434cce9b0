"""Reports, their rows, judged pairs and claims of the store in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.errors import BlobMissing, ClaimNotFound, ReportNotFound, RowMoved, StorageError
from core.labels import Reason, Status
from core.ports.store import Clock
from core.records import Claim, Finding, SourceVerdict, StoredReport
from tests.contract.memory_queries import MemoryQueries


class MemoryAudits(MemoryQueries):
    """``AuditStore`` and ``ClaimStore`` in dictionaries."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._report_texts: dict[int, str] = {}
        self._findings: dict[int, Finding] = {}
        self._claims: dict[int, Claim] = {}

    # ------------------------------------------------------------ reports

    def add_report(
        self, report: StoredReport, text: str, findings: Sequence[Finding], *, supersedes: int | None = None
    ) -> StoredReport:
        if report.content_hash != hashlib.sha256(text.encode()).hexdigest():
            raise StorageError(f"Report {report.name} does not fit its text.")
        spans = [span for one in findings for span in (one.marker, one.claim, one.reference) if span is not None]
        if not all(0 <= start <= end <= len(text) for start, end in spans):
            raise StorageError("A row does not fit its report.")
        if len({one.ordinal for one in findings}) < len(findings):
            raise StorageError("An ordinal occurs twice.")
        if report.blob_hash not in self._blobs:
            raise BlobMissing(f"Keep the bytes of {report.name} first.")
        with self._lock:
            number = next(self._numbers)
            family = number if supersedes is None else self.report(supersedes).family
            before = [one for one in self._reports.values() if one.family == family]
            for one in before:
                if one.superseded_by is None:
                    self._reports[one.id] = replace(one, superseded_by=number)
            self._reports[number] = replace(
                report,
                id=number,
                family=family,
                version=1 + max((one.version for one in before), default=0),
                created=self._clock(),
                length=len(text),
                superseded_by=None,
            )
            self._report_texts[number] = text
            for finding in findings:
                row = next(self._numbers)
                self._findings[row] = replace(finding, id=row, report_id=number, version=1)
            return self._reports[number]

    def reports(self, *, superseded: bool = False) -> list[StoredReport]:
        return [one for one in reversed(self._reports.values()) if superseded or one.superseded_by is None]

    def report(self, report_id: int) -> StoredReport:
        if report_id not in self._reports:
            raise ReportNotFound(f"No report {report_id}.")
        return self._reports[report_id]

    def report_text(self, report_id: int) -> str:
        return self._report_texts[self.report(report_id).id]

    def delete_report(self, report_id: int) -> None:
        with self._lock:
            gone = self.report(report_id)
            del self._reports[report_id], self._report_texts[report_id]
            self._findings = {n: one for n, one in self._findings.items() if one.report_id != report_id}
            for report in list(self._reports.values()):
                if report.superseded_by == report_id:
                    self._reports[report.id] = replace(report, superseded_by=gone.superseded_by)
            for claim in list(self._claims.values()):
                if claim.report_id == report_id:
                    self._claims[claim.id] = replace(
                        claim, report_id=None, start=None, end=None, version=claim.version + 1
                    )
            self._release(gone.blob_hash)

    # ------------------------------------------------------------ rows

    def findings(
        self, report_id: int, *, statuses: Sequence[Status] = (), reasons: Sequence[Reason] = ()
    ) -> list[Finding]:
        self.report(report_id)
        found = [
            one
            for one in self._findings.values()
            if one.report_id == report_id
            and (not statuses or one.status in statuses)
            and (not reasons or set(reasons) & set(one.reasons))
        ]
        return sorted(found, key=lambda one: one.ordinal)

    def finding(self, finding_id: int) -> Finding:
        if finding_id not in self._findings:
            raise ReportNotFound(f"No row {finding_id}.")
        return self._findings[finding_id]

    def put_findings(self, findings: Sequence[Finding], *, expect_versions: bool = False) -> list[Finding]:
        with self._lock:
            stored = [self.finding(one.id) for one in findings]
            if len({one.id for one in findings}) < len(findings):
                raise StorageError("A row is given twice.")
            for old, new in zip(stored, findings, strict=True):
                if (old.report_id, old.ordinal) != (new.report_id, new.ordinal):
                    raise StorageError(f"Row {old.id} belongs elsewhere.")
                if expect_versions and old.version != new.version:
                    raise RowMoved(f"Row {old.id} was changed meanwhile.")
            kept = [replace(new, version=old.version + 1) for old, new in zip(stored, findings, strict=True)]
            self._findings |= {one.id: one for one in kept}
            return kept

    # ------------------------------------------------------------ judged pairs

    def verdicts(self, keys: Sequence[str]) -> dict[str, SourceVerdict]:
        return {key: self._verdicts[key] for key in keys if key in self._verdicts}

    def keep_verdicts(self, verdicts: Mapping[str, SourceVerdict]) -> None:
        self._verdicts |= {key: one for key, one in verdicts.items() if one.document_id in self._documents}

    # ------------------------------------------------------------ claims

    def add_claims(self, claims: Sequence[Claim]) -> list[Claim]:
        with self._lock:
            for claim in claims:
                fits = claim.start is None and claim.end is None
                if claim.report_id is not None:
                    length = self.report(claim.report_id).length
                    fits = None not in (claim.start, claim.end) and 0 <= claim.start <= claim.end <= length
                if not fits:
                    raise StorageError("A claim does not fit its report.")
            return [self._add_claim(claim) for claim in claims]

    def _add_claim(self, claim: Claim) -> Claim:
        for known in self._claims.values():
            place = (known.report_id, known.start, known.end)
            if claim.report_id is not None and place == (claim.report_id, claim.start, claim.end):
                return known
        number = next(self._numbers)
        self._claims[number] = replace(claim, id=number, version=1)
        return self._claims[number]

    def claims(self, *, report_id: int | None = None) -> list[Claim]:
        if report_id is not None:
            self.report(report_id)
        found = [one for one in self._claims.values() if report_id is None or one.report_id == report_id]
        return sorted(found, key=lambda one: (one.report_id is None, one.report_id or 0, one.start or 0, one.id))

    def claim(self, claim_id: int) -> Claim:
        if claim_id not in self._claims:
            raise ClaimNotFound(f"No claim {claim_id}.")
        return self._claims[claim_id]

    def put_claims(self, claims: Sequence[Claim], *, expect_versions: bool = False) -> list[Claim]:
        with self._lock:
            stored = [self.claim(one.id) for one in claims]
            if len({one.id for one in claims}) < len(claims):
                raise StorageError("A claim is given twice.")
            for old, new in zip(stored, claims, strict=True):
                if expect_versions and old.version != new.version:
                    raise RowMoved(f"Claim {old.id} was changed meanwhile.")
            kept = [
                replace(new, version=old.version + 1, report_id=old.report_id, start=old.start, end=old.end)
                for old, new in zip(stored, claims, strict=True)
            ]
            self._claims |= {one.id: one for one in kept}
            return kept

    def delete_claims(self, claim_ids: Sequence[int]) -> None:
        for number in claim_ids:
            self._claims.pop(number, None)
