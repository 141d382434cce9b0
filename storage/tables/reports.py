"""Reports under audit: versions of one report follow one another, each with its text and its rows."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from core.errors import BlobMissing, ReportNotFound
from core.records import Finding, StoredReport
from storage.database.codec import (
    Row,
    clean,
    clean_or_none,
    damaged,
    dump,
    key_or_none,
    moment,
    reads_row,
    report_sum,
    to_stamp,
)  # fmt: skip
from storage.tables.base import insert
from storage.tables.blobs import Blobs, pack, release_unused, unpacked_text
from storage.tables.checks import check_findings, check_report
from storage.tables.findings import insert_findings

COLUMNS = (
    "id, family, version, superseded_by, name, title, media_type, content_hash, blob_hash, created, length, url, "
    "warnings, sum"
)


class Reports(Blobs):
    """The reports of one project. Nothing here changes an answer of the search, so the generation stays."""

    def add_report(
        self, report: StoredReport, text: str, findings: Sequence[Finding], *, supersedes: int | None = None
    ) -> StoredReport:
        """Keep a report with its rows, all or nothing; ids, family, version, created and length are given here.

        With ``supersedes`` it follows the newest version of that report's family.

        Raises:
            StorageError: the hash does not fit the text, or a row does not fit the report.
            BlobMissing: its bytes were not kept first (``put_blob``).
            ReportNotFound: ``supersedes`` is unknown.
        """
        check_report(report, text)
        check_findings(findings, len(text))
        raw = text.encode()
        packed = pack(raw)
        with self._db.write() as connection:
            family, version = _next_version(connection, supersedes)
            report_kept = replace(
                report, family=family, version=version, superseded_by=None, created=self._clock(), length=len(text)
            )
            number = insert_report(connection, report_kept, raw_size=len(raw), packed=packed)
            connection.execute(
                "UPDATE reports SET superseded_by = ?1 WHERE family = ?2 AND superseded_by IS NULL AND id <> ?1",
                (number, family),
            )
            insert_findings(connection, number, findings)
            return read_report(connection, number)

    def reports(self, *, superseded: bool = False) -> list[StoredReport]:
        """Newest first; ``superseded`` takes earlier versions in."""
        condition = "" if superseded else "WHERE superseded_by IS NULL"
        with self._db.read() as connection:
            rows = connection.execute(f"SELECT {COLUMNS} FROM reports {condition} ORDER BY id DESC").fetchall()
        return [_report_from(row) for row in rows]

    def report(self, report_id: int) -> StoredReport:
        with self._db.read() as connection:
            return read_report(connection, report_id)

    def report_text(self, report_id: int) -> str:
        """The text of a report (ReportNotFound, DatabaseDamaged)."""
        with self._db.read() as connection:
            row = connection.execute(
                "SELECT t.body, t.size, r.content_hash FROM report_texts t JOIN reports r ON r.id = t.report "
                "WHERE t.report = ?",
                (key_or_none(report_id),),
            ).fetchone()
            if row is None:
                read_report(connection, report_id)
        packed, size, text_hash = row or (b"", -1, "")  # a report without its text is damaged
        return unpacked_text(packed, size, f"report {report_id} in {self._db.path}", text_hash)

    def delete_report(self, report_id: int) -> None:
        """Remove this version of a report with its rows, and its bytes where nothing else refers to them. The version
        before it points to the one after it, or becomes the newest. Claims that were found in it stay, as claims
        without a place."""
        with self._db.write() as connection:
            gone = read_report(connection, report_id)
            connection.execute(
                "UPDATE reports SET superseded_by = ? WHERE superseded_by = ?", (gone.superseded_by, gone.id)
            )
            connection.execute(
                'UPDATE claims SET report = NULL, "start" = NULL, "end" = NULL, version = version + 1 WHERE report = ?',
                (gone.id,),
            )
            connection.execute("DELETE FROM reports WHERE id = ?", (gone.id,))
            released = release_unused(connection, [gone.blob_hash])
        self._drop_blob_files(released)


def read_report(connection: sqlite3.Connection, number: int) -> StoredReport:
    """One report out of an open connection. Raises ReportNotFound: no report has this id."""
    row = connection.execute(f"SELECT {COLUMNS} FROM reports WHERE id = ?", (key_or_none(number),)).fetchone()
    if row is None:
        raise ReportNotFound(f"No report {number} in this project. It may have been deleted; reload the list.")
    return _report_from(row)


def insert_report(
    connection: sqlite3.Connection, report: StoredReport, *, raw_size: int, packed: bytes, keep_id: bool = False
) -> int:
    """Store a report with its packed text; its ``id`` is used only with ``keep_id``, ``family`` 0 means its own."""
    if connection.execute("SELECT 1 FROM blobs WHERE hash = ?", (report.blob_hash,)).fetchone() is None:
        raise BlobMissing(
            f"The bytes {report.blob_hash} of report {report.name!r} are not in the project. "
            "Keep them with put_blob() before the report."
        )
    values: dict[str, object] = {
        "version": report.version, "name": clean(report.name), "title": clean_or_none(report.title),
        "media_type": clean(report.media_type), "content_hash": report.content_hash, "blob_hash": report.blob_hash,
        "created": to_stamp(report.created), "length": report.length, "url": clean_or_none(report.url),
        "warnings": dump([clean(warning) for warning in report.warnings]),
    }  # fmt: skip
    values |= {"family": report.family, "superseded_by": report.superseded_by, "sum": report_sum(values)}
    number = insert(connection, "reports", id=report.id if keep_id else None, **values)
    if report.family == 0:
        connection.execute("UPDATE reports SET family = id WHERE id = ?", (number,))
    connection.execute("INSERT INTO report_texts VALUES(?, ?, ?)", (number, raw_size, packed))
    return number


def _next_version(connection: sqlite3.Connection, supersedes: int | None) -> tuple[int, int]:
    """(family, version); family 0 for a first version."""
    if supersedes is None:
        return 0, 1
    family = read_report(connection, supersedes).family
    (newest,) = connection.execute("SELECT max(version) FROM reports WHERE family = ?", (family,)).fetchone()
    return family, newest + 1


@reads_row("The entry of a report")
def _report_from(row: Row) -> StoredReport:
    value = dict(zip(COLUMNS.split(", "), row, strict=True))
    if value.pop("sum") != report_sum(value):
        raise damaged(f"The entry of report {value['id']}", "its checksum differs")
    read = {"created": moment(value["created"]), "warnings": tuple(json.loads(value["warnings"]))}
    return StoredReport(**{**value, **read})
