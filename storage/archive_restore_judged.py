"""Filling a new project with the reports, rows and claims of a checked zip."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from core.model import Claim, ClaimSource, Finding, SourceVerdict
from storage.archive import aware
from storage.archive_judged import Judged
from storage.archive_read import ArchiveReader
from storage.blobs import pack as packed_text
from storage.claims import insert_claim
from storage.findings import insert_findings
from storage.record_codec import CLAIM, pack
from storage.reports import insert_report


def restore_judged(reader: ArchiveReader, connection: sqlite3.Connection, judged: Judged) -> None:
    """Store everything under new ids; the first version of a report that is here gives its family the number."""
    numbers: dict[int, int] = {}
    families: dict[int, int] = {}
    for report in judged.reports:
        raw = reader.text(report).encode()
        fresh = replace(
            report,
            family=families.get(report.family, 0),
            superseded_by=None,
            created=aware(report.created) or report.created,
        )
        numbers[report.id] = insert_report(connection, fresh, raw_size=len(raw), packed=packed_text(raw))
        families.setdefault(report.family, numbers[report.id])
        rows = [_placed(connection, row) for row in judged.findings[report.id]]
        insert_findings(connection, numbers[report.id], rows)
    for report in judged.reports:
        if report.superseded_by is not None:
            connection.execute(
                "UPDATE reports SET superseded_by = ? WHERE id = ?", (numbers[report.superseded_by], numbers[report.id])
            )
    for claim in judged.claims:
        report_id = None if claim.report_id is None else numbers[claim.report_id]
        kept = _placed_claim(connection, replace(claim, report_id=report_id))
        insert_claim(connection, *pack(CLAIM, kept))


def _placed(connection: sqlite3.Connection, row: Finding) -> Finding:
    rescue = row.rescue
    if rescue is not None:
        place = (rescue.start, rescue.end)
        rescue = replace(rescue, passage_id=_passage_at(connection, rescue.document_id, place))
    return replace(row, verdict=_placed_verdict(connection, row.verdict) if row.verdict else None, rescue=rescue)


def _placed_claim(connection: sqlite3.Connection, claim: Claim) -> Claim:
    if claim.verdict is None:
        return claim
    sources: list[ClaimSource] = [
        replace(one, verdict=_placed_verdict(connection, one.verdict)) for one in claim.verdict.sources
    ]
    return replace(claim, verdict=replace(claim.verdict, sources=tuple(sources)))


def _placed_verdict(connection: sqlite3.Connection, verdict: SourceVerdict) -> SourceVerdict:
    if verdict.rationale is None:
        return verdict
    return replace(verdict, passage_id=_passage_at(connection, verdict.document_id, verdict.rationale))


def _passage_at(connection: sqlite3.Connection, document_id: str, place: tuple[int, int]) -> int | None:
    """The passage that holds most of a span."""
    row = connection.execute(
        'SELECT p.id FROM passages p JOIN documents d ON d.row = p.document WHERE d.id = ?1 AND p."start" < ?3 '
        'AND p."end" > ?2 ORDER BY min(p."end", ?3) - max(p."start", ?2) DESC, p.ordinal LIMIT 1',
        (document_id, *place),
    ).fetchone()
    return None if row is None else int(row[0])
