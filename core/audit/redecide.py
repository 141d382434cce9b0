"""Deciding the citations of a report by another threshold, from the verdicts that they have: nothing is judged."""

from __future__ import annotations

from dataclasses import replace

from core.audit.status import Judged, passes, passing, rule
from core.errors import DocumentNotFound, RowMoved
from core.labels import Status
from core.ports.store import ProjectStore
from core.records import Finding
from core.settings.values import Verification

_ATTEMPTS = 8


def redecide(store: ProjectStore, settings: Verification, report_id: int) -> tuple[int, list[int]]:
    """Bring the rows of a report in line with the threshold that the project has now, in one transaction.

    Rows that pass still are left alone. Those that do not pass are left without a basis, because what other sources
    say about them hangs on the threshold too: the next audit finishes them with the verdicts that are kept.

    Returns:
        How many rows changed their status, and the ids of the rows to finish.

    Raises:
        RowMoved: somebody else kept writing these rows; what is written so far is nothing.
    """
    for attempt in range(_ATTEMPTS):
        effective = passing(settings, store.review_policy())
        before = {row.id: row for row in store.findings(report_id) if row.status is not None}
        fresh = [row for row in (_decided(store, old, effective) for old in before.values()) if row != before[row.id]]
        try:
            store.put_findings(fresh, expect_versions=True)
        except RowMoved:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        changed = sum(row.status is not before[row.id].status for row in fresh)
        return changed, [row.id for row in fresh if row.status is not Status.PASS]
    raise AssertionError("the last attempt returns or raises")


def _decided(store: ProjectStore, row: Finding, settings: Verification) -> Finding:
    verdict = row.verdict
    if verdict is None or row.document_id is None:
        return replace(row, basis="") if row.status is not Status.PASS and row.claim_text.strip() else row
    passes_now = passes(verdict, settings)
    if passes_now and row.status is Status.PASS:
        return row
    if not passes_now and row.status is not Status.PASS:
        return replace(row, basis="")
    try:
        judged = Judged(row.claim_text, verdict, store.document(row.document_id), store.text(row.document_id))
    except DocumentNotFound:  # the next audit tells that it is gone
        return replace(row, basis="")
    ruling = rule(judged, settings)
    return replace(
        row, status=ruling.status, reasons=ruling.reasons, explanation=ruling.explanation, supported_part=None,
        rescue=None, basis=row.basis.partition(":")[0] if ruling.status is Status.PASS else "",
    )  # fmt: skip
