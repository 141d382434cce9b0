"""Claims: statements to verify, found in a report or typed."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from core.errors import ClaimNotFound
from core.records import Claim
from storage.database.codec import Row, damaged, key_or_none
from storage.tables.base import Part, insert, require_version, stored_versions
from storage.tables.checks import check_claim
from storage.tables.record_codec import CLAIM, pack, unpack
from storage.tables.reports import read_report

_COLUMNS = 'id, report, "start", "end", version, body'
_ORDER = 'ORDER BY report IS NULL, report, "start", id'


class Claims(Part):
    """The claims of one project. Nothing here changes an answer of the search, so the generation stays."""

    def add_claims(self, claims: Sequence[Claim]) -> list[Claim]:
        packed = [pack(CLAIM, claim) for claim in claims]
        with self._db.write() as connection:
            return [_add(connection, claim, body) for claim, body in packed]

    def claims(self, *, report_id: int | None = None) -> list[Claim]:
        condition, values = ("", ()) if report_id is None else ("WHERE report = ?", (key_or_none(report_id),))
        with self._db.read() as connection:
            if report_id is not None:
                read_report(connection, report_id)
            return _read(connection, f"{condition} {_ORDER}", values)

    def claim(self, claim_id: int) -> Claim:
        with self._db.read() as connection:
            return _read_one(connection, claim_id)

    def put_claims(self, claims: Sequence[Claim], *, expect_versions: bool = False) -> list[Claim]:
        """Replace claims by id, each getting the next version, all or nothing; returns them as stored. A claim keeps
        its place: the report may have been deleted since the caller read it. Raises ClaimNotFound (a claim is not
        there) or RowMoved (with ``expect_versions``, a claim has another version than the caller saw)."""
        kept: list[tuple[Claim, str]] = []
        with self._db.write() as connection:
            stored = stored_versions(connection, "claims", 'report, "start", "end"', [claim.id for claim in claims])
            for claim in claims:
                if claim.id not in stored:
                    raise _unknown(claim.id)
                version, *place = stored[claim.id]
                if expect_versions:
                    require_version("Claim", claim.id, version, claim.version)
                report, start, end = place
                kept.append(pack(CLAIM, replace(claim, version=version + 1, report_id=report, start=start, end=end)))
            connection.executemany(
                "UPDATE claims SET version = ?, body = ? WHERE id = ?",
                [(claim.version, body, claim.id) for claim, body in kept],
            )
        return [claim for claim, _ in kept]

    def delete_claims(self, claim_ids: Sequence[int]) -> None:
        """Remove claims; those that are not there any more are passed over."""
        with self._db.write() as connection:
            connection.executemany(
                "DELETE FROM claims WHERE id = ?", [(key_or_none(claim_id),) for claim_id in claim_ids]
            )


def insert_claim(connection: sqlite3.Connection, claim: Claim, body: str, *, keep_id: bool = False) -> int:
    """Store a new claim as version 1; returns its id, which is its own with ``keep_id``."""
    place = {"report": claim.report_id, "start": claim.start, "end": claim.end}
    return insert(connection, "claims", id=claim.id if keep_id else None, **place, version=1, body=body)


def _add(connection: sqlite3.Connection, claim: Claim, body: str) -> Claim:
    length = None if claim.report_id is None else read_report(connection, claim.report_id).length
    check_claim(claim, length)
    if claim.report_id is not None:
        place = (claim.report_id, claim.start, claim.end)
        claims_there = _read(connection, 'WHERE report = ? AND "start" = ? AND "end" = ?', place)
        if claims_there:
            return claims_there[0]
    return _read_one(connection, insert_claim(connection, claim, body))


def _read(connection: sqlite3.Connection, rest: str, values: Sequence[object]) -> list[Claim]:
    return [_claim_from(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM claims {rest}", values)]


def _read_one(connection: sqlite3.Connection, number: int) -> Claim:
    claims = _read(connection, "WHERE id = ?", (key_or_none(number),))
    if not claims:
        raise _unknown(number)
    return claims[0]


def _claim_from(row: Row) -> Claim:
    number, report, start, end, version, body = row
    claim = unpack(CLAIM, body, f"Claim {number}")
    if report is not None and (report, start, end) != (claim.report_id, claim.start, claim.end):
        raise damaged(f"Claim {number}", "its place in the report differs from it")
    return replace(claim, id=number, report_id=report, start=start, end=end, version=version)


def _unknown(number: int) -> ClaimNotFound:
    return ClaimNotFound(f"No claim {number} in this project. It may have been deleted; reload the list.")
