"""Rows that rest on sources which were deleted since: what every export of them has to say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from core.records import Finding

_LISTED = 10


def rows_without_source(findings: Iterable[Finding], documents: Collection[str]) -> list[int]:
    """Numbers (from 1) of the rows whose source, or better source, is not among ``documents`` (ids) any more."""
    present = {None, *documents}
    return [
        row.ordinal + 1
        for row in findings
        if {row.document_id, row.verdict and row.verdict.document_id, row.rescue and row.rescue.document_id} - present
    ]


def gone_words(rows: Sequence[int], *, pack: bool = False) -> str:
    """A sentence on the missing sources, "" where none is missing; ``pack``: of an audit pack, which then fails its
    check."""
    if not rows:
        return ""
    listed = ", ".join(map(str, rows[:_LISTED])) + (" and more" if len(rows) > _LISTED else "")
    which = f"row {listed} was" if len(rows) == 1 else f"rows {listed} were"
    if pack:
        outcome = "so a check of this pack will fail"
    else:
        outcome = "so its title and grade are missing; the words that were judged are kept"
    return (
        f"A source by which {which} judged is not in the project any more, {outcome}. "
        "Audit the report again, or add the source again, then export."
    )
