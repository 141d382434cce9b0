"""A report with rows whose every foreign text is chosen by the test, for what writes exports."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.audit.report import read_markdown
from core.audit.summary import summarise
from core.export.content import Content
from core.labels import (
    ClaimType,
    DecisionKind,
    Grade,
    ItemKind,
    Label,
    Reason,
    Status,
)
from core.records import (
    Assessment,
    CheckResult,
    Claim,
    Decision,
    DecisionBasis,
    Document,
    Finding,
    HeatSentence,
    Judgement,
    Outcome,
    PageSpan,
    Rescue,
    SourceVerdict,
    Standing,
    StoredReport,
)

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def content_of(texts: Sequence[str], *, title: str = "A report", sources: bool = True) -> Content:
    """One row for each text; the text stands in every foreign field of its row. The last row is an unused reference,
    the one before it waits."""
    body = "".join(f"Sentence {at} about it [{at}].\n\n" for at in range(len(texts)))
    read = read_markdown(body)
    documents = [_document(at, text) for at, text in enumerate(texts)]
    rows = [_row(at, text, documents[at]) for at, text in enumerate(texts)]
    if len(rows) > 2:
        rows[-2] = replace(rows[-2], status=None, reasons=(), verdict=None, judged=None, rescue=None)
        rows[-1] = replace(
            rows[-1], style="unused", status=Status.REVIEW, reasons=(Reason.UNUSED_REFERENCE,), verdict=None,
            rescue=None,
        )  # fmt: skip
    heat = [
        HeatSentence(one.start, one.end, "verified", (rows[at % len(rows)].id,), texts[at % len(texts)])
        for at, one in enumerate(read.sentences)
    ]
    report = StoredReport(
        1, "report.md", title, "text/markdown", hashlib.sha256(body.encode()).hexdigest(), "b" * 64, NOW, 1, 1,
        len(body),
    )  # fmt: skip
    return Content(
        project=texts[0] if texts else "P", report=report, read=read, findings=rows,
        summary=summarise(1, rows, heat), heat=heat, documents={one.id: one for one in documents},
        text_of=lambda key: texts[int(key)], made=NOW, claims=[_claim(at, text) for at, text in enumerate(texts)],
        standing={row.id: Standing(_decision(row, texts[row.ordinal])) for row in rows},
        settings={"verification": {"pass_support": 0.7}}, models={"entailer": "e"}, sources=sources,
        decisions=[_decision(row, texts[row.ordinal]) for row in rows],
    )  # fmt: skip


def _document(at: int, text: str) -> Document:
    return Document(
        id=str(at), content_hash=f"{at:064x}", blob_hash="c" * 64, title=text, media_type="text/plain", method="m",
        fetched=NOW, grade=Grade.B, assessment=Assessment(Grade.B, ()), pages=(PageSpan(1, 0, 3), PageSpan(2, 3, 9)),
    )  # fmt: skip


def _row(at: int, text: str, document: Document) -> Finding:
    passed = at % 2 == 0
    window = Judgement(0, len(text), text, 0.9 if passed else 0.3, 0.05, 0.05)
    return Finding(
        id=at + 10, report_id=1, ordinal=at, style="numeric", marker_text=text, claim_text=text, claim=(0, 5),
        reference_label="1", reference_text=text, url=text, doi=text, document_id=document.id, matched_by="url",
        status=Status.PASS if passed else Status.REVIEW, reasons=() if passed else (Reason.NUMBER_MISMATCH,),
        explanation=text, judged=NOW,
        verdict=SourceVerdict(
            document.id, Label.SUPPORTS if passed else Label.NEUTRAL, window.supports, 0.05, best=window,
            rationale=(0, len(text)), fingerprint="f",
            checks=(CheckResult("numbers", Outcome.FAILED, text.replace("\n", " ")),),
        ),
        rescue=None if passed else Rescue(document.id, text, 0, len(text), text, 0.9, text, carries=True),
    )  # fmt: skip


def _claim(at: int, text: str) -> Claim:
    return Claim(at + 1, text, ClaimType.C1, "r", True, "c", NOW, report_id=1, start=at, end=at + 1)


def _decision(row: Finding, text: str) -> Decision:
    return Decision(
        row.ordinal + 1, f"citation:{row.id}", ItemKind.CITATION, DecisionKind.REJECT, text[:50], NOW,
        DecisionBasis(row.id, row.version, row.claim_text, "h", report_id=1), note=text, rewording=text,
    )  # fmt: skip
