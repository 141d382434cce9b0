"""A report under audit: the report read again, its rows, the sources that can be cited, and the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core.audit.ready_citation import ReadyCitation
from core.audit.references import same_title
from core.audit.report_model import Reference, Report
from core.audit.report_reader import reread
from core.audit.resolve import Resolution, SourceBook
from core.audit.rows import Case, cases_of, library_of
from core.audit.status import passing
from core.audit.stored_text import StoredShare, stored_share
from core.errors import ModelError, ReportError
from core.ports.engines import Engines
from core.ports.store import ProjectStore
from core.records import Finding
from core.settings.values import Settings, Verification
from core.text.languages import SAMPLE, different_languages
from core.verify.judge import Judge


@dataclass
class Audited:
    """One report under audit."""

    report_id: int
    report: Report
    cases: Sequence[Case]
    findings: Sequence[Finding]
    book: SourceBook
    judge: Judge
    judged_by: str
    judge_problem: ModelError | None
    library: str
    store: ProjectStore
    passing: Verification
    """The settings that decide statuses, with the threshold of the project."""
    own: frozenset[str] = frozenset()
    """Ids of stored documents that are the report itself: no evidence for what it says."""
    _shares: dict[str, StoredShare] = field(default_factory=dict)
    _samples: dict[str, str] = field(default_factory=dict)
    _text: tuple[str, str] | None = None

    def resolution(self, case: Case) -> Resolution:
        """The target of a case's reference; of a case without a reference, nowhere."""
        return self.book.find(case.reference) if case.reference is not None else Resolution()

    def is_report(self, case: Case) -> bool:
        """True when a case cites the report itself, as far as the stored sources can tell: its own copy among them,
        or none at all but the report's title. What the report says of its own address is known to its rows."""
        document_id = self.resolution(case).document_id
        if document_id is not None:
            return document_id in self.own
        return case.reference is not None and same_title(case.reference.title, self.report.title)

    def languages(self, case: Case, document_id: str) -> tuple[str, str] | None:
        """The languages of a claim and of a stored source, where they surely differ."""
        document = self.book.document(document_id)
        if document_id not in self._samples:
            self._samples[document_id] = self.text(document_id)[:SAMPLE]
        return different_languages(case.claim.text, self.report.text, self._samples[document_id], document.language)

    def document_for(self, reference: Reference) -> str | None:
        """The stored document that a reference means."""
        return self.book.find(reference).document_id

    def share(self, document_id: str) -> StoredShare:
        """The share of a document that its stored text holds."""
        if document_id not in self._shares:
            document, before = self.book.document(document_id), self.book.previous(document_id)
            text = self.text(document_id) if document.length <= _SHORT else ""
            share = stored_share(document, text, before.length if before else None) if text else StoredShare.FULL
            self._shares[document_id] = share
        return self._shares[document_id]

    def text(self, document_id: str) -> str:
        """The stored text of a document; the last one is kept, because rows come source by source."""
        if self._text is None or self._text[0] != document_id:
            self._text = (document_id, self.store.text(document_id))
        return self._text[1]

    def first_citation(self, document_id: str | None) -> int:
        """The ordinal of the first row that cites a document."""
        return self._firsts.get(document_id or "", len(self.cases))

    @cached_property
    def _firsts(self) -> Mapping[str, int]:
        firsts: dict[str, int] = {}
        for case in self.cases:
            firsts.setdefault(self.resolution(case).document_id or "", case.row.ordinal)
        return firsts

    @cached_property
    def ready(self) -> ReadyCitation:
        """Writes citations in the report's own style."""
        return ReadyCitation(self.report, self.document_for)


_SHORT = 10_000
"""Longer texts are neither abstracts nor error pages, so they are not read to find out."""


def open_audit(store: ProjectStore, engines: Engines, settings: Settings, report_id: int) -> Audited:
    """Everything that auditing a stored report needs.

    Raises:
        ReportNotFound: it was deleted.
        ReportError: it reads differently now than when it was added, or takes too long.
    """
    stored = store.report(report_id)
    report = reread(stored, store.report_text(report_id), lambda: store.blob(stored.blob_hash), engines.extractor())
    cases, findings = cases_of(report), store.findings(report_id)
    if [(row.ordinal, row.marker, row.claim) for row in findings] != [
        (case.row.ordinal, case.row.marker, case.row.claim) for case in cases
    ]:
        raise ReportError(
            f"The citations of {stored.name!r} are found differently now than when it was added. Add it again."
        )
    documents = store.documents(superseded=True)
    judge = Judge(store, engines, settings)
    problem: ModelError | None = None
    judged_by = ""
    try:
        judged_by = judge.fingerprint
    except ModelError as error:
        problem = error
    return Audited(
        report_id=report_id,
        report=report,
        cases=cases,
        findings=findings,
        book=SourceBook(documents, store.acquisitions()),
        judge=judge,
        judged_by=judged_by,
        judge_problem=problem,
        library=library_of(documents, engines.encoder_fingerprint()),
        store=store,
        passing=passing(settings.verification, store.review_policy()),
        own=frozenset(
            document.id
            for document in documents
            if stored.blob_hash == document.blob_hash or stored.content_hash == document.content_hash
        ),
    )
