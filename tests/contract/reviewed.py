"""Small real decisions for tests."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.labels import DecisionKind, ItemKind
from core.ports.store import ProjectStore
from core.records import Claim, Decision, DecisionBasis, Finding
from tests.contract.builders import START

HASH = hashlib.sha256(b"Otters swim").hexdigest()


def basis_of(row: Finding | Claim, **changes: Any) -> DecisionBasis:
    """What a decision on a row rests on."""
    basis = DecisionBasis(
        row_id=row.id,
        row_version=row.version,
        claim_text="Otters swim",
        claim_hash=HASH,
        report_id=row.report_id,
        report_family=row.report_id,
        report_hash=HASH,
        marker_text="[1]",
        reference_text="Mill, 東京 ½ \u2028 <b>",
        document_id=HASH[:16],
        source_hash=HASH,
        start=0,
        end=11,
        passage_hash=HASH,
        machine="REVIEW",
        reasons=("low_support", "partial"),
        support=0.1 + 0.2,
        threshold=0.7,
        fingerprint="f",
    )
    return replace(basis, **changes)


def decide(row: Finding | Claim, kind: DecisionKind = DecisionKind.ACCEPT, by: str = "ann", **changes: Any) -> Decision:
    """An entry that has not been appended yet; its item is called after the row."""
    what = ItemKind.CITATION if isinstance(row, Finding) else ItemKind.CLAIM
    return replace(Decision(0, f"{what}:{row.id}", what, kind, by, START, basis_of(row), note="Seen."), **changes)


def take_back(entry: Decision, kind: DecisionKind = DecisionKind.UNDO, **changes: Any) -> Decision:
    """The entry that takes ``entry`` back, or (``REDO``) brings it back."""
    fresh = replace(entry, id=0, kind=kind, target=entry.id, note="", rewording="", settles=(), previous="", hash="")
    return replace(fresh, **changes)


def decide_all(store: ProjectStore, rows: Sequence[Finding | Claim], **changes: Any) -> list[Decision]:
    """Accept every row."""
    return store.append_decisions([decide(row, **changes) for row in rows])
