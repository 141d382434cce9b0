"""The demo report with the rows that its key says an audit should give, kept through the store: pages can be tested
without a model, and always with the same rows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from core import demo
from core.audit.records import Sentence
from core.audit.report import read_markdown
from core.labels import Label, Reason, Status
from core.model import CheckResult, Document, Finding, Judgement, Outcome, Rescue, SourceVerdict, StoredReport
from core.opened import OpenProject
from core.present import title_of

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
NUMBERS = CheckResult("numbers", Outcome.FAILED, "The claim says 38 per cent, the source 28 per cent.", veto=True)
AGREES = CheckResult("numbers", Outcome.PASSED, "Every number of the claim stands in the source.")
NOTHING = CheckResult("quotes", Outcome.NOT_APPLICABLE, "The claim quotes nothing.")


def keep_audited_report(opened: OpenProject, *, waiting: int = 0) -> StoredReport:
    """Keep the demo report with its rows, the last ``waiting`` of them not judged; its sources should be there."""
    text, key = demo.report(), demo.key()
    documents = _documents(opened)
    sentences = read_markdown(text).sentences
    rows = [_finding(opened, documents, number, row) for number, row in enumerate(key["citations"])]
    rows = [replace(row, sentence=_sentence(sentences, row)) for row in rows]
    rows += [_unused(len(rows) + number, row) for number, row in enumerate(key["unused_references"])]
    for at in range(len(key["citations"]) - waiting, len(key["citations"])):
        rows[at] = _untouched(rows[at])
    store: Any = opened._store
    body = text.encode()
    report = StoredReport(
        id=0,
        name="briefing.md",
        title="Do street trees cool a city? What Port Merrin's planting programme shows",
        media_type="text/markdown",
        content_hash=hashlib.sha256(body).hexdigest(),
        blob_hash=store.put_blob(body),
        created=NOW,
        length=len(text),
    )
    kept: StoredReport = store.add_report(report, text, rows)
    return kept


def _sentence(sentences: Sequence[Sentence], row: Finding) -> int | None:
    assert row.claim is not None
    return next((at for at, one in enumerate(sentences) if one.start <= row.claim[0] < one.end), None)


def _documents(opened: OpenProject) -> dict[str, Document]:
    """The stored documents of the demo by file name."""
    found = {}
    for source in demo.sources():
        for document in opened.documents():
            if source.url in (document.canonical_url, *document.urls):
                found[source.filename] = document
    return found


def _finding(opened: OpenProject, documents: Mapping[str, Document], number: int, row: Mapping[str, Any]) -> Finding:
    document = documents.get(row["source"] or "")
    reference = row["reference"] or {}
    status = Status(row["status"]) if document or row["status"] != "PASS" else Status.SOURCE_NOT_INDEXED
    reasons = (Reason(row["reason"]),) if row["reason"] else ()
    return Finding(
        id=0,
        report_id=0,
        ordinal=number,
        style=row["style"],
        marker_text=row["marker"]["text"],
        claim_text=row["claim"]["text"],
        marker=(row["marker"]["start"], row["marker"]["end"]),
        claim=(row["claim"]["start"], row["claim"]["end"]),
        reference_label=reference.get("label", ""),
        reference_text=reference.get("text", ""),
        reference=(reference["start"], reference["end"]) if reference else None,
        url=row["url"],
        document_id=document.id if document else None,
        matched_by="url" if document else "",
        status=status,
        reasons=reasons,
        explanation=row["note"] or "",
        verdict=_verdict(opened, document, row["quotes"], status) if document else None,
        rescue=_rescue(opened, documents.get(row["right_source"] or ""), row["quotes"]),
        judged=NOW,
    )


def _place(opened: OpenProject, document: Document, quotes: Sequence[str]) -> tuple[str, int, int] | None:
    text = opened.text(document.id)
    for quote in quotes:
        if (at := text.find(quote)) >= 0:
            return text, at, at + len(quote)
    return None


def _verdict(opened: OpenProject, document: Document, quotes: Sequence[str], status: Status) -> SourceVerdict:
    place = _place(opened, document, quotes) or (opened.text(document.id), 0, 80)
    text, start, end = place
    passed = status is Status.PASS
    supports = 0.94 if passed else 0.31
    best = Judgement(start, end, text[start:end], supports, 0.02, 0.98 - supports)
    return SourceVerdict(
        document_id=document.id,
        label=Label.SUPPORTS if passed else Label.NEUTRAL,
        supports=supports,
        contradicts=0.02,
        best=best,
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
    return Rescue(document.id, title, start, end, text[start:end], 0.95, f"{title}. {document.canonical_url}")


def _unused(number: int, row: Mapping[str, Any]) -> Finding:
    return Finding(
        id=0,
        report_id=0,
        ordinal=number,
        style="",
        marker_text="",
        claim_text="",
        reference_label=row["label"],
        reference_text=row["text"],
        reference=(row["start"], row["end"]),
        status=Status.REVIEW,
        reasons=(Reason.UNUSED_REFERENCE,),
        explanation="Nothing in the report cites this reference.",
    )


def _untouched(row: Finding) -> Finding:
    return replace(row, status=None, reasons=(), verdict=None, rescue=None, explanation="", judged=None)
