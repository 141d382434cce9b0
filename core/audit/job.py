"""Auditing a report as a job: each citation judged in the source that it cites, rows written as they are decided.

A row with the same basis as before is not judged again. A cancelled or killed job leaves the rows it had decided; the
next one goes on with the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from core.audit.audit_page import write_audit_page
from core.audit.redecide import redecide
from core.audit.rescue import Rescuer
from core.audit.resolve import Resolution
from core.audit.rows import Case, basis_of, with_library
from core.audit.status import (
    Judged,
    Ruling,
    error_page,
    not_checked,
    not_stored,
    other_language,
    passes,
    passing,
    rule,
    self_reference,
    with_joint_support,
    with_rescue,
)
from core.audit.stored_text import StoredShare
from core.audit.summary import is_citation
from core.audit.under_audit import Audited, open_audit
from core.errors import JobCancelled
from core.labels import Reason, Status
from core.ports.context import JobContext
from core.ports.store import Progress
from core.records import Finding, Job, SourceVerdict
from core.retrieve.sources_ready import wait_for_sources
from core.text.faults import attempted

log = logging.getLogger(__name__)

_BATCH = 50
"""Rows of one transaction, where no judging lies between them."""


def run_audit(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Audit the report ``payload["report"]``: all rows, or those of ``payload["findings"]``.

    Raises:
        ReportNotFound: the report was deleted meanwhile.
        ModelError: there is no judge; what needs none is decided all the same.
    """
    wait_for_sources(context, job, progress)
    return audit_rows(context, int(str(job.payload["report"])), findings_of(job), progress)


def findings_of(job: Job) -> list[int]:
    """The rows that a job is about; empty for all."""
    values = job.payload.get("findings")
    return [int(str(value)) for value in values] if isinstance(values, (list, tuple)) else []


def audit_rows(
    context: JobContext,
    report_id: int,
    findings: Sequence[int],
    progress: Progress,
    *,
    rescuer: Callable[[JobContext, Audited], Rescuer] = Rescuer,
) -> Mapping[str, object]:
    """Audit rows of a report (all when ``findings`` is empty) and write the page of audits; counts of what was done.
    ``rescuer`` looks for better sources for what does not pass."""
    audited = open_audit(context.store, context.engines, context.settings, report_id)
    audit = _Audit(context, audited, progress, frozenset(findings), rescuer)
    try:
        counts = audit.run()
        if passing(context.settings.verification, context.store.review_policy()) != audited.passing:
            redecide(context.store, context.settings.verification, report_id)  # the threshold moved meanwhile
        return counts
    except JobCancelled:
        audit.flush()  # what was decided stays
        raise
    finally:
        write_audit_page(context.store, context.engines.encoder_fingerprint(), context.clock())


class _Audit:
    def __init__(
        self,
        context: JobContext,
        audited: Audited,
        progress: Progress,
        only: frozenset[int],
        rescuer: Callable[[JobContext, Audited], Rescuer],
    ) -> None:
        self._context, self._audited, self._progress = context, audited, progress
        self._rescuer = rescuer
        self._settings = audited.passing
        self._rows = {row.ordinal: row for row in audited.findings}
        self._targets = [case for case in audited.cases if not only or self._rows[case.row.ordinal].id in only]
        self._steps = 0
        self._judged = self._unchanged = 0
        self._unwritten: list[int] = []
        self._failed: set[int] = set()

    def run(self) -> Mapping[str, object]:
        """Decide the rows that need no judge, judge the others source by source, then look for better sources of those
        that did not pass."""
        self._tell("Reading the report")
        waiting = [case for case in self._targets if not self._attempted(case, partial(self._settle, case))]
        self.flush()
        judge_missing = self._audited.judge_problem
        if judge_missing is not None and (waiting or self._unfinished()):
            raise judge_missing
        for case in sorted(waiting, key=self._by_source):
            self._tell(f"Citation {case.row.ordinal + 1} of {len(self._audited.cases)}: {_short(case.claim.text)}")
            self._attempted(case, partial(self._judge, case))
        self._finish()
        self._steps = 2 * len(self._targets)
        self._tell("Done")
        return self._counts()

    def _tell(self, message: str) -> None:
        self._progress(self._steps, 2 * len(self._targets), message)

    def _row(self, case: Case) -> Finding:
        return self._rows[case.row.ordinal]

    def _attempted(self, case: Case, step: Callable[[], bool]) -> bool:
        """The answer of a step on one row; True where the program failed on its words, and the row says so. Such a row
        has no basis, so the next audit tries again."""
        answer = attempted(step)
        if isinstance(answer, Exception):
            self._failed.add(case.row.ordinal)
            self._write(case, _ruled(case.row, not_checked(answer)), "", at_once=True)
            return True
        return answer

    def _settle(self, case: Case) -> bool:
        """True when a row is done without the judge: it has not changed, or reading or resolving decides it."""
        row, resolution = self._row(case), self._audited.resolution(case)
        basis = self._basis(case)
        if row.status is not None and row.basis == with_library(basis, row.status, self._audited.library):
            self._unchanged += 1
            self._steps += 2
            return True
        if not case.waits:
            candidates = tuple(dict.fromkeys(filter(None, map(self._audited.document_for, case.possible))))
            fresh = replace(case.row, candidates=candidates or resolution.candidates)
            self._write(case, fresh, "")
            return True
        document_id = resolution.document_id
        if self._audited.is_report(case):
            ruling = self_reference(stored=document_id is not None)
            self._write(case, _ruled(self._found(case, resolution), ruling), "")
            return True
        if document_id is None:
            self._write(case, _ruled(case.row, not_stored(resolution), candidates=resolution.candidates), "")
            return True
        document = self._audited.book.document(document_id)
        if self._audited.share(document_id) is StoredShare.ERROR_PAGE:
            ruling = error_page(document, self._audited.book.previous(document_id))
            self._write(case, _ruled(self._found(case, resolution), ruling), "")
            return True
        languages = self._audited.languages(case, document_id)
        if languages is not None:
            self._write(case, _ruled(self._found(case, resolution), other_language(document, languages)), "")
            return True
        return False

    def _found(self, case: Case, resolution: Resolution) -> Finding:
        return replace(case.row, document_id=resolution.document_id, matched_by=resolution.matched_by)

    def _by_source(self, case: Case) -> tuple[int, int]:
        """Citations of one source together, so that it is read once; sources in the order of the report."""
        document = self._audited.resolution(case).document_id
        return self._audited.first_citation(document), case.row.ordinal

    def _judge(self, case: Case) -> bool:
        resolution = self._audited.resolution(case)
        assert resolution.document_id is not None, "cases without a source are settled before"
        verdict = self._verdict(case, resolution.document_id, case.names)
        document = self._audited.book.document(resolution.document_id)
        judged = Judged(
            case.claim.text, verdict, document, self._audited.text(document.id), self._audited.share(document.id)
        )
        ruling = rule(judged, self._settings)
        row = replace(
            _ruled(case.row, ruling), document_id=document.id, matched_by=resolution.matched_by, verdict=verdict,
            supported_part=case.claim.in_report(ruling.partial) if ruling.partial else None,
        )  # fmt: skip
        self._judged += 1
        self._write(case, row, self._basis(case) if ruling.status is Status.PASS else "", at_once=True)
        return True

    def _verdict(self, case: Case, document_id: str, names: Sequence[str]) -> SourceVerdict:
        return self._audited.judge.verdict(case.claim.text, document_id, context=case.context, names=names)

    def _unfinished(self) -> bool:
        """True when a decided row needs the judge, because other sources are still to be compared."""
        return any(self._wants_rescue(case) for case in self._targets)

    def _wants_rescue(self, case: Case) -> bool:
        row = self._row(case)
        if case.row.ordinal in self._failed:
            return False
        return row.status not in (None, Status.PASS) and not row.basis and bool(case.claim.text.strip())

    def _finish(self) -> None:
        """Look in other sources for claims that did not pass; only after that a row gets its basis."""
        rescuer = self._rescuer(self._context, self._audited)
        joined: dict[int, tuple[Finding, bool]] = {}
        for case in filter(self._wants_rescue, self._targets):
            self._tell(f"Comparing citation {case.row.ordinal + 1} with the others at its place")
            joined[case.row.ordinal] = self._with_others(case, self._row(case))
        compared = [(case, *joined[case.row.ordinal]) for case in self._targets if case.row.ordinal in joined]
        alone = [(case, row) for case, row, carried in compared if not carried]
        rescuer.prepare(alone, lambda: self._tell("Looking for other sources of what did not pass"))
        for case in self._targets:
            row = self._row(case)
            if row.status in (None, Status.PASS) or row.basis or case.row.ordinal in self._failed:
                continue
            if case.row.ordinal in joined:
                self._tell(f"Looking for another source for citation {case.row.ordinal + 1}")
                row, carried = joined[case.row.ordinal]
                if not carried:
                    row = with_rescue(row, rescuer.find(case, row), self._settings)
            basis = with_library(self._basis(case), row.status, self._audited.library)
            self._write(case, row, basis)
        self.flush()

    def _with_others(self, case: Case, row: Finding) -> tuple[Finding, bool]:
        """The ruling in the light of the other citations at the same place: one of them may carry the claim."""
        if row.status is not Status.REVIEW or row.verdict is None or row.reasons[0] in _AGAINST:
            return row, False
        others: list[tuple[str, SourceVerdict]] = []
        for beside in (self._audited.cases[ordinal] for ordinal in case.beside):
            document = self._audited.resolution(beside).document_id
            differs = document not in (None, row.document_id, *self._audited.own)
            if beside.waits and differs and self._audited.languages(case, str(document)) is None:
                verdict = attempted(partial(self._verdict, case, str(document), beside.names))
                if not isinstance(verdict, Exception):
                    others.append((_label(beside.row), verdict))
        carrying = [label for label, verdict in others if passes(verdict, self._settings)]
        if carrying:
            return with_joint_support(row, carrying, carried=True), True
        if others and self._together(case, row.verdict, [verdict for _, verdict in others]):
            return with_joint_support(row, [label for label, _ in others], carried=False), False
        return row, False

    def _together(self, case: Case, own: SourceVerdict, others: Sequence[SourceVerdict]) -> bool:
        """True when the deciding words of all cited sources, read one after the other, support the claim."""
        words = [verdict.best.text for verdict in (own, *others) if verdict.best is not None]
        scores = self._context.engines.entailer().judge([(case.claim.text, " ".join(words))])
        own_part = own.supports >= self._settings.mentioned or own.partial is not None
        return own_part and float(scores[0][0]) > self._settings.pass_support and not own.vetoed

    def _basis(self, case: Case) -> str:
        beside = [self._audited.resolution(self._audited.cases[ordinal]) for ordinal in case.beside]
        return basis_of(case, self._audited.resolution(case), self._audited.judged_by, beside)

    def _write(self, case: Case, row: Finding, basis: str, *, at_once: bool = False) -> None:
        """Put a row in place of the stored one. Without a basis it is seen, and looked at once more in the end. Rows
        that cost nothing to decide are written a batch at a time, judged ones ``at_once``."""
        stored = self._row(case)
        fresh = replace(
            row, id=stored.id, report_id=stored.report_id, version=stored.version, basis=basis,
            judged=self._context.clock(),
        )  # fmt: skip
        self._rows[case.row.ordinal] = fresh
        self._unwritten.append(case.row.ordinal)
        self._steps += 2 if row.status is Status.PASS else 1
        if at_once or len(self._unwritten) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the rows that were decided and are not stored yet."""
        if self._unwritten:
            for row in self._context.store.put_findings([self._rows[ordinal] for ordinal in self._unwritten]):
                self._rows[row.ordinal] = row
            self._unwritten.clear()

    def _counts(self) -> Mapping[str, object]:
        rows = [self._row(case) for case in self._targets]
        cited = [row for row in rows if is_citation(row)]  # the others are entries that nothing cites
        states = {status.value: sum(row.status is status for row in cited) for status in Status}
        return {
            "report": self._audited.report_id, "rows": len(rows), "judged": self._judged, "unchanged": self._unchanged,
            "states": states,
        }  # fmt: skip


_AGAINST = (Reason.CONTRADICTED, Reason.QUOTE_ALTERED, Reason.NUMBER_MISMATCH, Reason.CHECK_FAILED)


def _ruled(row: Finding, ruling: Ruling, candidates: tuple[str, ...] = ()) -> Finding:
    return replace(
        row, status=ruling.status, reasons=ruling.reasons, explanation=ruling.explanation, candidates=candidates
    )


def _label(row: Finding) -> str:
    label = row.reference_label or row.marker_text
    return f"[{label}]" if label.isdecimal() else f"\u201c{_short(label, 60)}\u201d"


def _short(text: str, width: int = 60) -> str:
    return text if len(text) <= width else text[: width - 1] + "\u2026"
