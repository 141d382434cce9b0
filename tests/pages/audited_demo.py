"""The demo report with the outcomes that its key says an audit should give, kept through the store: pages can be
tested without a model, and always with the same rows."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from core import demo
from core.audit.report import read_markdown
from core.audit.rows import cases_of
from core.labels import Label, Reason, Status
from core.records import CheckResult, Document, Finding, Judgement, Outcome, Rescue, SourceVerdict, StoredReport
from core.text.words import title_of
from core.workbench.open_project import OpenProject

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
NUMBERS = CheckResult("numbers", Outcome.FAILED, "The claim says 38 per cent, the source 28 per cent.", veto=True)
AGREES = CheckResult("numbers", Outcome.PASSED, "Every number of the claim stands in the source.")
NOTHING = CheckResult("quotes", Outcome.NOT_APPLICABLE, "The claim quotes nothing.")


def keep_audited_report(opened: OpenProject, *, waiting: int = 0) -> StoredReport:
    """Keep the demo report with its rows, the last ``waiting`` of them not judged; its sources should be there."""
    text = demo.report()
    report = read_markdown(text)
    documents = _documents(opened)
    outcomes: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for outcome in demo.key()["citations"]:
        outcomes[outcome["marker"]["start"]].append(outcome)
    rows = []
    for case in cases_of(report):
        row = case.row
        if case.waits and row.marker is not None and outcomes[row.marker[0]]:
            row = _with_outcome(opened, documents, row, outcomes[row.marker[0]].pop(0))
        rows.append(row)
    for at in range(len(rows) - waiting, len(rows)):
        rows[at] = replace(rows[at], status=None, reasons=(), verdict=None, rescue=None, explanation="", judged=None)
    store: Any = opened.context.store
    body = text.encode()
    kept: StoredReport = store.add_report(
        StoredReport(
            id=0,
            name="briefing.md",
            title=report.title,
            media_type=report.media_type,
            content_hash=hashlib.sha256(body).hexdigest(),
            blob_hash=store.put_blob(body),
            created=NOW,
        ),
        text,
        rows,
    )
    return kept


def _documents(opened: OpenProject) -> dict[str, Document]:
    """The stored documents of the demo by file name."""
    found = {}
    for source in demo.sources():
        for document in opened.sources.documents():
            if source.url in (document.canonical_url, *document.urls):
                found[source.filename] = document
    return found


def _with_outcome(
    opened: OpenProject, documents: Mapping[str, Document], row: Finding, key: Mapping[str, Any]
) -> Finding:
    document = documents.get(key["source"] or "")
    status = Status(key["status"])
    part, claim = key["supported_part"], key["claim"]
    at = claim["start"] + claim["text"].find(part) if part else 0
    return replace(
        row,
        supported_part=(at, at + len(part)) if part else None,
        document_id=document.id if document else None,
        matched_by="url" if document else "",
        status=status if document or status is not Status.PASS else Status.SOURCE_NOT_INDEXED,
        reasons=(Reason(key["reason"]),) if key["reason"] else (),
        explanation=key["note"] or "",
        verdict=_verdict(opened, document, key["quotes"], status) if document else None,
        rescue=_rescue(opened, documents.get(key["right_source"] or ""), key["quotes"]),
        judged=NOW,
    )


def _place(opened: OpenProject, document: Document, quotes: Sequence[str]) -> tuple[str, int, int] | None:
    text = opened.sources.text(document.id)
    for quote in quotes:
        if (at := text.find(quote)) >= 0:
            return text, at, at + len(quote)
    return None


def _verdict(opened: OpenProject, document: Document, quotes: Sequence[str], status: Status) -> SourceVerdict:
    place = _place(opened, document, quotes) or (opened.sources.text(document.id), 0, 80)
    text, start, end = place
    passed = status is Status.PASS
    supports = 0.94 if passed else 0.31
    return SourceVerdict(
        document_id=document.id,
        label=Label.SUPPORTS if passed else Label.NEUTRAL,
        supports=supports,
        contradicts=0.02,
        best=Judgement(start, end, text[start:end], supports, 0.02, 0.98 - supports),
        rationale=(start, end),
        checks=(NOTHING, AGREES if passed else NUMBERS),
        sentences=40,
        judged=12,
        fingerprint="test",
    )


def _rescue(opened: OpenProject, document: Document | None, quotes: Sequence[str]) -> Rescue | None:
    place = _place(opened, document, quotes) if document else None
    if document is None or place is None:
        return None
    text, start, end = place
    title = title_of(document)
    return Rescue(
        document.id, title, start, end, text[start:end], 0.95, f"{title}. {document.canonical_url}", carries=True
    )
