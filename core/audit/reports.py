"""Reports of one open project: what pages and the command line may do with them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from core.audit.heat import heat
from core.audit.ready_citation import ReadyCitation
from core.audit.report_model import Report
from core.audit.report_reader import read_bytes, reread
from core.audit.resolve import SourceBook
from core.audit.rows import Case, cases_of, copy_key
from core.audit.summary import summarise
from core.errors import ReportError
from core.labels import JobKind, Reason, Status
from core.ports.context import ProjectContext
from core.records import AuditSummary, Fetched, Finding, HeatSentence, Job, StoredReport
from core.text.hashing import hex_digest
from core.text.lru import Lru

_READ_LOCK = threading.Lock()
_LONGEST_NAME = 255
_READ: Lru[tuple[str, str], Report] = Lru(8)
"""Reports that stay read in a process: pages ask for the same one with every repaint."""


class Audits:
    """Reports, their citations, and the state of each."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store

    # ------------------------------------------------------------ reports

    def add(
        self,
        name: str,
        body: bytes,
        media_type: str = "",
        *,
        supersedes: int | None = None,
        url: str | None = None,
        read: Report | None = None,
    ) -> tuple[StoredReport, Job]:
        """Read a report, pair its citations, keep it, and ask for its audit; returns before anything is judged.

        What needs no source (dangling, ambiguous, unused, self-referring) is decided already. With ``supersedes`` the
        report is the next version of that one: rows whose claim and reference did not change keep their outcome.
        ``url``: where the report is published, if that is known (a reference to it is one to itself). ``read``: these
        bytes as they were read just now.

        Raises:
            ReportError: the bytes cannot be read as a report; nothing is kept.
            ReportNotFound: ``supersedes`` is unknown.
        """
        name = _name_of(name)
        before = self._store.report(supersedes) if supersedes is not None else None
        published_at = url or (before.url if before else None)
        return self._keep(name, body, read or self._read(name, body, media_type, published_at), before)

    def add_again(self, name: str, body: bytes, media_type: str = "") -> tuple[StoredReport, Job]:
        """``add`` for those who give a report with every change and name no earlier version, as scripts do.

        The same bytes or the same text are the report that is here already, and it is audited again; another text
        under its name, else under its title, becomes its next version; anything else is a report of its own.

        Raises:
            ReportError: the bytes cannot be read as a report; nothing is kept.
        """
        name, digest = _name_of(name), hex_digest(body)
        here = self._store.reports()
        same = [stored for stored in here if stored.blob_hash == digest]
        if same:
            return _of_name(same, name), self.audit(_of_name(same, name).id)
        report = self._read(name, body, media_type)
        same = [stored for stored in here if stored.content_hash == _hash(report.text)]
        if same:
            return _of_name(same, name), self.audit(_of_name(same, name).id)
        named = [stored for stored in here if stored.name == name]
        titled = [stored for stored in here if report.title and stored.title == report.title]
        return self._keep(name, body, report, next(iter(named or titled), None))

    def _read(self, name: str, body: bytes, media_type: str, url: str | None = None) -> Report:
        return read_bytes(Fetched(body, media_type, filename=name, url=url), self._context.engines.extractor())

    def _keep(self, name: str, body: bytes, report: Report, before: StoredReport | None) -> tuple[StoredReport, Job]:
        cases = cases_of(report)
        rows = [case.row for case in cases]
        if before is not None:
            rows = self._carried_over(report, cases, before)
        stored = self._store.add_report(
            StoredReport(
                id=0, name=name, title=report.title, media_type=report.media_type, content_hash=_hash(report.text),
                blob_hash=self._store.put_blob(body), created=self._context.clock(), length=len(report.text),
                url=report.url, warnings=report.warnings,
            ),
            report.text, rows, supersedes=before.id if before is not None else None,
        )  # fmt: skip
        return stored, self.audit(stored.id)

    def reports(self, *, superseded: bool = False) -> list[StoredReport]:
        """Reports, newest first; with ``superseded`` their earlier versions too."""
        return self._store.reports(superseded=superseded)

    def report(self, report_id: int) -> StoredReport:
        """One report (ReportNotFound)."""
        return self._store.report(report_id)

    def text(self, report_id: int) -> str:
        """The text that all offsets count in."""
        return self._store.report_text(report_id)

    def delete(self, report_id: int) -> None:
        """Remove this version of a report with its rows."""
        self._store.delete_report(report_id)

    def read(self, report_id: int) -> Report:
        """The report with its blocks, markers, references and sentences.

        Raises:
            ReportNotFound: no such report.
            ReportError: this version of the reader finds another text in it.
        """
        stored = self._store.report(report_id)
        key = (stored.content_hash, stored.media_type)
        with _READ_LOCK:
            kept = _READ.get(key)
        if kept is not None:
            return kept
        report = reread(
            stored, self._store.report_text(report_id), lambda: self._store.blob(stored.blob_hash),
            self._context.engines.extractor(),
        )  # fmt: skip
        with _READ_LOCK:
            _READ.put(key, report)
        return report

    # ------------------------------------------------------------ findings

    def findings(
        self, report_id: int, *, statuses: Sequence[Status] = (), reasons: Sequence[Reason] = ()
    ) -> list[Finding]:
        """Rows of a report in its order: its citations, then the references that nothing cites."""
        return self._store.findings(report_id, statuses=statuses, reasons=reasons)

    def finding(self, finding_id: int) -> Finding:
        """One row (ReportNotFound)."""
        return self._store.finding(finding_id)

    def summary(self, report_id: int) -> AuditSummary:
        """Counts, citation precision and recall (``core.audit.summary``)."""
        rows = self._store.findings(report_id)
        return summarise(report_id, rows, heat(self.read(report_id), rows, _check_worthy))

    def heat(self, report_id: int) -> list[HeatSentence]:
        """Every sentence with its colour, in the order of the text."""
        return heat(self.read(report_id), self._store.findings(report_id), _check_worthy)

    # ------------------------------------------------------------ work

    def audit(self, report_id: int, finding_ids: Sequence[int] = ()) -> Job:
        """Ask for (another) audit of all rows, or of some. Rows whose basis has not changed are not judged again."""
        self._store.report(report_id)
        payload = {"report": report_id, "findings": list(finding_ids)}
        return self._context.schedule(JobKind.AUDIT, payload, unique=True)

    def fetch_cited(self, report_id: int, finding_ids: Sequence[int] = ()) -> Job:
        """Ask for the cited sources that are not stored to be fetched and read, and for only the rows that cite them to
        be audited again: of all such rows, or of those given.

        Raises:
            ReportError: none of the rows waits for a source.
        """
        from core.audit.cited_sources import ask_for_sources, waiting_for_sources
        from core.audit.under_audit import open_audit

        audited = open_audit(self._store, self._context.engines, self._context.settings, report_id)
        waiting = waiting_for_sources(audited, finding_ids)
        if not waiting:
            raise ReportError("Every cited source of these rows is stored already. There is nothing to fetch.")
        wanted = ask_for_sources(self._store, audited, [case for case, _ in waiting])
        payload = {"report": report_id, "findings": [row.id for _, row in waiting], "acquisitions": wanted}
        return self._context.schedule(JobKind.CITED_SOURCES, payload)

    def audit_page(self) -> str:
        """``09_qa/retrieval_audit.md``, made anew from the database and written in its place."""
        from core.audit.audit_page import write_audit_page

        return write_audit_page(self._store, self._context.engines.encoder_fingerprint(), self._context.clock())

    # ------------------------------------------------------------ inner parts

    def _carried_over(self, report: Report, cases: Sequence[Case], before: StoredReport) -> list[Finding]:
        """The rows of a new version, each with the outcome of the row of the earlier version that it equals."""
        old_rows = {row.ordinal: row for row in self._store.findings(before.id)}
        outcomes: dict[str, list[Finding]] = {}
        for case in cases_of(self.read(before.id)):
            row = old_rows.get(case.row.ordinal)
            if row is not None and row.status is not None and case.waits:
                outcomes.setdefault(copy_key(case), []).append(row)
        book = SourceBook(self._store.documents(superseded=True), self._store.acquisitions())
        ready = ReadyCitation(report, lambda reference: book.find(reference).document_id)
        rows: list[Finding] = []
        for case in cases:
            same = outcomes.get(copy_key(case)) if case.waits else None
            rows.append(_with_outcome(case, same.pop(0), book, ready) if same else case.row)
        return rows


def _name_of(name: str) -> str:
    return " ".join(name.split())[:_LONGEST_NAME] or "report"


def _of_name(reports: Sequence[StoredReport], name: str) -> StoredReport:
    """The one of this name, else the newest."""
    return next((report for report in reports if report.name == name), reports[0])


def _with_outcome(case: Case, old: Finding, book: SourceBook, ready: ReadyCitation) -> Finding:
    """The new row with the outcome of the old one; places and suggested numbers are those of the new version."""
    part = old.supported_part
    if part is not None and old.claim is not None and case.row.claim is not None:
        shift = case.row.claim[0] - old.claim[0]
        part = (part[0] + shift, part[1] + shift)
    rescue = old.rescue
    if rescue is not None and book.current(rescue.document_id) == rescue.document_id:
        rescue = replace(rescue, citation=ready.write(book.document(rescue.document_id), case.row.style))
    return replace(
        case.row, document_id=old.document_id, matched_by=old.matched_by, candidates=old.candidates,
        status=old.status, reasons=old.reasons, explanation=old.explanation, verdict=old.verdict, supported_part=part,
        rescue=rescue, basis=old.basis, judged=old.judged,
    )  # fmt: skip


@lru_cache(maxsize=20_000)  # pages paint the same sentences again and again
def _check_worthy(sentence: str, kind: str) -> tuple[bool, str]:
    from core.verify.check_worthy import check_worthy

    return check_worthy(sentence, kind=kind)


def _hash(text: str) -> str:
    return hex_digest(text)
