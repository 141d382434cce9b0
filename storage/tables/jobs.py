"""Jobs as rows: any process adds, watches and cancels; a worker claims and reports."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from core.errors import JobNotFound
from core.labels import JobKind, JobState
from core.records import Job
from storage.database.codec import JOB_COLUMNS, clean, clean_or_none, dump, job_from, key_or_none, to_stamp
from storage.tables.base import Part, insert
from storage.tables.documents_read import marks

STALE_AFTER_S = 20.0
MAX_ATTEMPTS = 3
Silent = tuple[float, float]
_SILENT = "(heartbeat < ? OR heartbeat > ?)"
"""The worker last spoke too long ago; or in the future, for the clock was set back since, and it could be any time."""


class Jobs(Part):
    """The jobs of one project."""

    def add_job(self, kind: JobKind, payload: Mapping[str, object], *, unique: bool = False) -> Job:
        packed = dump(dict(payload))
        with self._db.write() as connection:
            number: int | None = None
            if unique:
                row = connection.execute(
                    "SELECT id FROM jobs WHERE kind = ? AND payload = ? AND state = 'pending'", (kind.value, packed)
                ).fetchone()
                number = row[0] if row else None
            if number is None:
                created = to_stamp(self._clock())
                number = insert(connection, "jobs", kind=kind.value, state="pending", payload=packed, created=created)
            return _read(connection, number)

    def job(self, job_id: int) -> Job:
        """One job (JobNotFound)."""
        with self._db.read() as connection:
            return _read(connection, job_id)

    def jobs(self, *, active: bool = False, kinds: Sequence[JobKind] = (), limit: int = 50) -> list[Job]:
        conditions = ["1"]
        if active:
            conditions.append("state IN ('pending', 'running')")
        if kinds:
            conditions.append(f"kind IN ({marks(len(kinds))})")
        with self._db.read() as connection:
            rows = connection.execute(
                f"SELECT {JOB_COLUMNS} FROM jobs WHERE {' AND '.join(conditions)} ORDER BY id DESC LIMIT ?",
                (*(kind.value for kind in kinds), limit),
            ).fetchall()
        return [job_from(row) for row in rows]

    def claim_job(self, worker: str, *, kinds: Sequence[JobKind] = ()) -> Job | None:
        now = self._clock()
        silent = (now.timestamp() - STALE_AFTER_S, now.timestamp() + STALE_AFTER_S)
        with self._db.read() as connection:  # polling must not take the write lock
            if _claimable(connection, silent, kinds) is None and not _any_hopeless(connection, silent):
                return None
        with self._db.write() as connection:
            _end_hopeless(connection, silent, now)
            number = _claimable(connection, silent, kinds)
            if number is None:
                return None
            connection.execute(
                "UPDATE jobs SET state = 'running', worker = ?, heartbeat = ?, attempts = attempts + 1, "
                "started = coalesce(started, ?) WHERE id = ?",
                (worker, now.timestamp(), to_stamp(now), number),
            )
            return _read(connection, number)

    def update_job(self, job_id: int, worker: str, done: int, total: int | None, message: str) -> bool:
        with self._db.write(durable=False) as connection:
            changed = connection.execute(
                "UPDATE jobs SET done = ?, total = ?, message = ?, heartbeat = ? "
                "WHERE id = ? AND worker = ? AND state = 'running'",
                (done, total, clean(message), self._clock().timestamp(), key_or_none(job_id), worker),
            ).rowcount
            job = _read(connection, job_id)
        return not changed or job.cancel_requested

    def finish_job(
        self,
        job_id: int,
        worker: str,
        state: JobState,
        *,
        result: Mapping[str, object] | None = None,
        error: str | None = None,
    ) -> None:
        """End a job as done, failed or cancelled. A worker that has lost the job changes nothing. Raises ValueError:
        ``state`` is not an end."""
        if state.active:
            raise ValueError(f"{state.value!r} is not the end of a job; give done, failed or cancelled")
        with self._db.write() as connection:
            connection.execute(
                "UPDATE jobs SET state = ?, result = ?, error = ?, finished = ? "
                "WHERE id = ? AND worker = ? AND state = 'running'",
                (
                    state.value,
                    dump(dict(result or {})),
                    clean_or_none(error),
                    to_stamp(self._clock()),
                    key_or_none(job_id),
                    worker,
                ),
            )
            _read(connection, job_id)

    def cancel_job(self, job_id: int) -> None:
        """Ask a job to stop; a pending one is cancelled at once, an ended one stays as it is."""
        with self._db.write() as connection:
            connection.execute(
                "UPDATE jobs SET cancel_requested = 1, finished = iif(state = 'pending', ?, finished), "
                "state = iif(state = 'pending', 'cancelled', state) WHERE id = ? AND state IN ('pending', 'running')",
                (to_stamp(self._clock()), key_or_none(job_id)),
            )
            _read(connection, job_id)


def _read(connection: sqlite3.Connection, job_id: int) -> Job:
    row = connection.execute(f"SELECT {JOB_COLUMNS} FROM jobs WHERE id = ?", (key_or_none(job_id),)).fetchone()
    if row is None:
        raise JobNotFound(f"No job {job_id} in this project. It may belong to another project.")
    return job_from(row)


def _claimable(connection: sqlite3.Connection, silent: Silent, kinds: Sequence[JobKind]) -> int | None:
    of_kind = f"AND kind IN ({marks(len(kinds))})" if kinds else ""
    row = connection.execute(
        "SELECT min(id) FROM jobs WHERE state IN ('pending', 'running') AND (state = 'pending' OR "
        f"{_SILENT}) {of_kind}",
        (*silent, *(kind.value for kind in kinds)),
    ).fetchone()
    return None if row[0] is None else int(row[0])


def _any_hopeless(connection: sqlite3.Connection, silent: Silent) -> bool:
    row = connection.execute(
        f"SELECT 1 FROM jobs WHERE state = 'running' AND {_SILENT} AND (cancel_requested = 1 OR attempts >= ?)",
        (*silent, MAX_ATTEMPTS),
    ).fetchone()
    return row is not None


def _end_hopeless(connection: sqlite3.Connection, silent: Silent, now: datetime) -> None:
    connection.execute(
        f"UPDATE jobs SET state = 'cancelled', finished = ? WHERE state = 'running' AND {_SILENT} "
        "AND cancel_requested = 1",
        (to_stamp(now), *silent),
    )
    connection.execute(
        f"UPDATE jobs SET state = 'failed', finished = ?, error = ? WHERE state = 'running' AND {_SILENT} "
        "AND attempts >= ?",
        (
            to_stamp(now),
            f"The worker went silent {MAX_ATTEMPTS} times while doing this; it may need more memory than "
            "there is. What was finished is kept. Try smaller or other sources.",
            *silent,
            MAX_ATTEMPTS,
        ),
    )
