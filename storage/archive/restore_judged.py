"""Filling a new project with the reports, rows and claims of a checked zip."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from core.records import Claim, ClaimSource, Finding, SourceVerdict
from storage.archive.format import aware
from storage.archive.judged import Judged
from storage.archive.read import ArchiveReader
from storage.tables.blobs import pack as packed_text
from storage.tables.claims import insert_claim
from storage.tables.findings import insert_findings
from storage.tables.record_codec import CLAIM, pack
from storage.tables.reports import insert_report


def restore_judged(reader: ArchiveReader, connection: sqlite3.Connection, judged: Judged) -> None:
    """Store everything under the ids of the zip: the log of decisions and keys made of ids stay good."""
    for report in judged.reports:
        raw = reader.text(report).encode()
        kept = replace(report, created=aware(report.created) or report.created)
        insert_report(connection, kept, raw_size=len(raw), packed=packed_text(raw), keep_id=True)
        rows = [_placed(connection, row) for row in judged.findings[report.id]]
        insert_findings(connection, report.id, rows, keep_ids=True)
    for claim in judged.claims:
        insert_claim(connection, *pack(CLAIM, _placed_claim(connection, claim)), keep_id=True)


def _placed(connection: sqlite3.Connection, row: Finding) -> Finding:
    rescue = row.rescue
    if rescue is not None:
        place = (rescue.start, rescue.end)
        rescue = replace(rescue, passage_id=passage_at(connection, rescue.document_id, place))
    return replace(row, verdict=_placed_verdict(connection, row.verdict) if row.verdict else None, rescue=rescue)


def _placed_claim(connection: sqlite3.Connection, claim: Claim) -> Claim:
    if claim.verdict is None:
        return claim
    sources: list[ClaimSource] = [
        replace(source, verdict=_placed_verdict(connection, source.verdict)) for source in claim.verdict.sources
    ]
    return replace(claim, verdict=replace(claim.verdict, sources=tuple(sources)))


def _placed_verdict(connection: sqlite3.Connection, verdict: SourceVerdict) -> SourceVerdict:
    if verdict.rationale is None:
        return verdict
    return replace(verdict, passage_id=passage_at(connection, verdict.document_id, verdict.rationale))


def passage_at(connection: sqlite3.Connection, document_id: str, place: tuple[int, int]) -> int | None:
    """The passage that holds most of a span."""
    row = connection.execute(
        'SELECT p.id FROM passages p JOIN documents d ON d.row = p.document WHERE d.id = ?1 AND p."start" < ?3 '
        'AND p."end" > ?2 ORDER BY min(p."end", ?3) - max(p."start", ?2) DESC, p.ordinal LIMIT 1',
        (document_id, *place),
    ).fetchone()
    return None if row is None else int(row[0])
