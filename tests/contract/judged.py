"""Small real reports, rows, verdicts and claims for tests."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from core.labels import ClaimType, Grade, Label, Reason, Status, VerdictState
from core.ports.store import ProjectStore
from core.records import (
    CheckResult,
    Claim,
    ClaimSource,
    ClaimVerdict,
    Cluster,
    Document,
    Finding,
    Judgement,
    Outcome,
    Requirement,
    Rescue,
    SourceVerdict,
    StoredReport,
)

REPORT = "Otters swim [1]. Herons wait [2]. 東京 ½ ends [3].\n\n1. Mill\n2. Pond\n"
JUDGED = datetime(2026, 1, 19, 15, 0, tzinfo=UTC)


def make_report(text: str = REPORT, **changes: Any) -> StoredReport:
    """A report whose hashes fit ``text``; its bytes are the text in UTF-8."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    report = StoredReport(0, "report.md", "Otters", "text/markdown", digest, digest, JUDGED, warnings=("A warning.",))
    return replace(report, **changes)


def make_findings(count: int = 3, **changes: Any) -> list[Finding]:
    """Rows that wait to be judged."""
    return [
        replace(
            Finding(
                0, 0, at, "numeric", f"[{at + 1}]", "Otters swim", (12, 15), (0, 11), at, str(at + 1), "Mill", (51, 57)
            ),
            **changes,
        )
        for at in range(count)
    ]


def make_verdict(document: Document, text: str, **changes: Any) -> SourceVerdict:
    """A verdict that rests on the first and last ten characters of ``text``."""
    spans = ((0, 10), (len(text) - 10, len(text)))
    said = " ".join(" ".join(text[start:end].split()) for start, end in spans)
    verdict = SourceVerdict(
        document_id=document.id,
        label=Label.SUPPORTS,
        supports=0.9,
        contradicts=0.04,
        best=Judgement(0, len(text), said, 0.9, 0.04, 0.06, spans),
        against=Judgement(0, 10, f"{document.title}: {text[:10]}", 0.2, 0.5, 0.3),
        rationale=(0, 10),
        checks=(CheckResult("numbers", Outcome.FAILED, "3 is not 4", ((0, 1),), ((0, 1),), veto=True),),
        sentences=12,
        judged=7,
        fingerprint="f",
        partial=(0, 6),
        notes=("A note.",),
    )
    return replace(verdict, **changes)


def judged(finding: Finding, document: Document, text: str, **changes: Any) -> Finding:
    """The row with an outcome."""
    row = replace(
        finding,
        url="https://a/",
        document_id=document.id,
        matched_by="url",
        candidates=(document.id,),
        status=Status.REVIEW,
        reasons=(Reason.NUMBER_MISMATCH, Reason.PARTIAL),
        explanation="3 is not 4",
        verdict=make_verdict(document, text),
        supported_part=(0, 6),
        rescue=Rescue(document.id, document.title, 0, 10, text[:10], 0.8, "[9]"),
        basis="b",
        judged=JUDGED,
    )
    return replace(row, **changes)


def make_claim(text: str = "Otters swim", **changes: Any) -> Claim:
    """A typed claim."""
    return replace(
        Claim(0, text, ClaimType.C2, "plain", True, "states a fact", JUDGED, parts=("Otters", "swim")), **changes
    )


def verdict_on(document: Document, text: str) -> ClaimVerdict:
    """What a project says about a claim."""
    source = ClaimSource(document.id, Grade.B, make_verdict(document, text), counts=True, why="A good source.")
    return ClaimVerdict(
        VerdictState.VERIFIED,
        (Requirement("sources", True, "One is enough."),),
        (source,),
        (Cluster((document.id,), ("alone",)),),
        independent=1,
        excluded=2,
        fingerprint="f",
    )


def add_report(
    store: ProjectStore, text: str = REPORT, *, rows: int = 3, supersedes: int | None = None
) -> StoredReport:
    """Keep a report with waiting rows: its bytes, then the rest."""
    store.put_blob(text.encode())
    return store.add_report(make_report(text), text, make_findings(rows), supersedes=supersedes)
