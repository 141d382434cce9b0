"""Fetching the sources that a report cites and the project lacks, and auditing anew only the rows that cite them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.acquire.bring_in import bring_in
from core.audit.job import audit_rows, findings_of
from core.audit.resolve import addresses_of
from core.audit.rows import Case
from core.audit.under_audit import Audited
from core.errors import SourceError
from core.labels import FetchState, SourceKind, Status
from core.ports.context import JobContext, acquisitions_of
from core.ports.store import Progress, ProjectStore
from core.records import Acquisition, Finding, Job
from core.retrieve.sources_ready import encode_all
from core.text.urls import fetchable_url


def run_cited_sources(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Bring in ``payload["acquisitions"]`` (see ``ask_for_sources``), encode, and audit the rows
    ``payload["findings"]`` of the report ``payload["report"]`` anew. Other rows are left alone.

    What was fetched before a stop or a crash is stored; the next run asks for the rest only.
    """
    wanted = acquisitions_of(job)
    brought: Mapping[str, object] = {}
    if wanted:
        brought = bring_in(context, wanted, progress)
        encode_all(context, progress)
    rows = findings_of(job)
    report_id = int(str(job.payload["report"]))
    result = audit_rows(context, report_id, rows, progress) if rows else {"report": report_id, "rows": 0}
    return {**result, "fetched": len(wanted), **brought}


def waiting_for_sources(audited: Audited, only: Sequence[int]) -> list[tuple[Case, Finding]]:
    """The citations whose source is not stored: of the rows ``only``, or of all when it is empty."""
    rows = {row.ordinal: row for row in audited.findings}
    pairs = [(case, rows[case.row.ordinal]) for case in audited.cases]
    return [
        (case, row)
        for case, row in pairs
        if (not only or row.id in only) and (row.status is Status.SOURCE_NOT_INDEXED or row.status is None)
    ]


def ask_for_sources(store: ProjectStore, audited: Audited, cases: Sequence[Case]) -> list[int]:
    """Requests for the sources of these citations, each address once; a source that is stored is not asked for. A
    request that failed or was stopped is put back to waiting, others are made anew."""
    urls = dict.fromkeys(
        url for case in cases if audited.resolution(case).document_id is None and (url := address_to_fetch(case))
    )
    again: list[int] = []
    fresh: list[str] = []
    for url in urls:
        row = audited.book.request_for(url)
        if row is not None and _can_be_tried_again(row):
            again.append(row.id)
        elif row is None or row.state is not FetchState.QUEUED:
            fresh.append(url)
    for key in again:
        store.finish_acquisition(key, FetchState.QUEUED, "")
    rows = store.request(SourceKind.URL, [(url, None) for url in fresh]) if fresh else []
    return [*again, *(row.id for row in rows)]


def address_to_fetch(case: Case) -> str | None:
    """The first address of the reference that can be asked for; None when it gives none."""
    for url in addresses_of(case.reference) if case.reference is not None else ():
        try:
            return fetchable_url(url)
        except SourceError:
            continue
    return None


def _can_be_tried_again(row: Acquisition) -> bool:
    return row.kind is SourceKind.URL and (row.state.failed or row.state is FetchState.CANCELLED)
