"""The rows of a report: one for each citation."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.errors import ReportNotFound, StorageError
from core.labels import Reason, Status
from core.records import Finding, SourceVerdict
from storage.database.codec import Row, clean, clean_or_none, damaged, dump, key_or_none
from storage.tables.base import Part, require_version, stored_versions
from storage.tables.checks import check_findings
from storage.tables.documents_read import marks
from storage.tables.record_codec import FINDING, VERDICT, pack, unpack

_COLUMNS = "f.id, f.report, f.ordinal, f.version, f.body, f.status, f.document_id, f.reasons"
_BODY = "substr(f.body, 1, length(f.body) - 8)"
_DIFFERS = (
    f"CASE WHEN json_valid({_BODY}) AND json_valid(f.reasons) THEN f.status IS NOT json_extract({_BODY}, '$.status') "
    f"OR f.reasons IS NOT json_extract({_BODY}, '$.reasons') ELSE 1 END"
)
"""A row whose columns say another thing than its value. A filtered list reads it too, so that it is told as damage and
not left out without a word."""
_INSERT = (
    "INSERT INTO findings(id, report, ordinal, version, status, document_id, reasons, body) "
    "VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
)


class Findings(Part):
    """Reading and replacing rows. Nothing here changes an answer of the search, so the generation stays."""

    def findings(
        self, report_id: int, *, statuses: Sequence[Status] = (), reasons: Sequence[Reason] = ()
    ) -> list[Finding]:
        """Rows of a report in its order: of one of ``statuses``, and with at least one of ``reasons``, where given.
        Raises ReportNotFound: no report has this id."""
        values = [key_or_none(report_id), *map(str, statuses), *map(str, reasons)]
        wanted = "1"
        if statuses:
            wanted += f" AND f.status IN ({marks(len(statuses))})"
        if reasons:
            wanted += f" AND EXISTS (SELECT 1 FROM json_each(f.reasons) WHERE value IN ({marks(len(reasons))}))"
        condition = f"f.report = ? AND ({wanted}{f' OR {_DIFFERS}' if statuses or reasons else ''})"
        with self._db.read() as connection:
            rows = _read(connection, f"WHERE {condition} ORDER BY f.ordinal", values)
            if not rows:
                _require_report(connection, report_id)
        return rows

    def finding(self, finding_id: int) -> Finding:
        with self._db.read() as connection:
            rows = _read(connection, "WHERE f.id = ?", (key_or_none(finding_id),))
        if not rows:
            raise _unknown(finding_id)
        return rows[0]

    def put_findings(self, findings: Sequence[Finding], *, expect_versions: bool = False) -> list[Finding]:
        packed = [pack(FINDING, finding) for finding in findings]  # needs no lock
        kept: list[Finding] = []
        with self._db.write() as connection:
            columns = "report, ordinal, (SELECT length FROM reports r WHERE r.id = report)"
            stored = stored_versions(connection, "findings", columns, [finding.id for finding in findings])
            for finding, _ in packed:
                if finding.id not in stored:
                    raise _unknown(finding.id)
                version, report, ordinal, length = stored[finding.id]
                if (report, ordinal) != (finding.report_id, finding.ordinal):
                    raise StorageError(
                        f"Row {finding.id} is row {ordinal} of report {report}, not {finding.ordinal} of "
                        f"{finding.report_id}. Nothing was stored; read the rows again."
                    )
                if expect_versions:
                    require_version("Row", finding.id, version, finding.version)
                check_findings((finding,), length)
                kept.append(replace(finding, version=version + 1))
            connection.executemany(
                "UPDATE findings SET version = ?, status = ?, document_id = ?, reasons = ?, body = ? WHERE id = ?",
                [
                    (finding.version, *_keys(finding), body, finding.id)
                    for finding, (_, body) in zip(kept, packed, strict=True)
                ],
            )
        return kept


def insert_findings(
    connection: sqlite3.Connection, report: int, findings: Sequence[Finding], *, keep_ids: bool = False
) -> None:
    """Store the rows of a new report; their ids are given by the database, or kept; their versions start at 1."""
    rows = [(finding.id if keep_ids else None, finding, pack(FINDING, finding)[1]) for finding in findings]
    connection.executemany(_INSERT, [(number, report, one.ordinal, 1, *_keys(one), body) for number, one, body in rows])


def _keys(finding: Finding) -> tuple[str | None, str | None, str]:
    status = finding.status.value if finding.status else None
    return status, clean_or_none(finding.document_id), dump([reason.value for reason in finding.reasons])


def _read(connection: sqlite3.Connection, rest: str, values: Sequence[object]) -> list[Finding]:
    return [_finding_from(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM findings f {rest}", values)]


def _finding_from(row: Row) -> Finding:
    number, report, ordinal, version, body, *keys = row
    finding = unpack(FINDING, body, f"Row {number} of report {report}")
    if (ordinal, *keys) != (finding.ordinal, *_keys(finding)):
        raise damaged(f"Row {number} of report {report}", "its columns differ from it")
    return replace(finding, id=number, report_id=report, ordinal=ordinal, version=version)


def _require_report(connection: sqlite3.Connection, number: int) -> None:
    if connection.execute("SELECT 1 FROM reports WHERE id = ?", (key_or_none(number),)).fetchone() is None:
        raise ReportNotFound(f"No report {number} in this project. It may have been deleted; reload the list.")


def _unknown(number: int) -> ReportNotFound:
    return ReportNotFound(f"No row {number} of a report in this project. The report may have been deleted; reload it.")


_KEYS_AT_ONCE = 500


class Verdicts(Part):
    """The cache of one project. It is derived: a zip does not hold it."""

    def verdicts(self, keys: Sequence[str]) -> dict[str, SourceVerdict]:
        wanted = list(dict.fromkeys(map(clean, keys)))
        found: dict[str, SourceVerdict] = {}
        with self._db.read() as connection:
            for at in range(0, len(wanted), _KEYS_AT_ONCE):
                part = wanted[at : at + _KEYS_AT_ONCE]
                for key, body in connection.execute(
                    f"SELECT key, body FROM verdicts WHERE key IN ({marks(len(part))})", part
                ):
                    found[key] = unpack(VERDICT, body, f"The judged pair {key}")
        return found

    def keep_verdicts(self, verdicts: Mapping[str, SourceVerdict]) -> None:
        rows = [
            (clean(key), clean(verdict.document_id), pack(VERDICT, verdict)[1]) for key, verdict in verdicts.items()
        ]
        with self._db.write(durable=False) as connection:
            connection.executemany(
                "INSERT INTO verdicts SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM documents WHERE id = ?2) "
                "ON CONFLICT DO UPDATE SET document_id = excluded.document_id, body = excluded.body",
                rows,
            )
