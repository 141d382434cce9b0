"""The SQLite library that is used, and the translation of its errors into the workbench's own. SQLite before 3.51.3 can
corrupt a database in WAL mode when two connections check-point at once (https://sqlite.org/wal.html#walresetbug). So:
``pysqlite3`` where it brings a newer library, else the standard ``sqlite3``; WAL only where the linked library is new
enough, a rollback journal otherwise."""

import importlib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from core.errors import DatabaseBusy, DatabaseDamaged, StorageError

SAFE_WAL = (3, 51, 3)
BUSY_TIMEOUT_S = 30.0


def _choose() -> ModuleType:
    if sqlite3.sqlite_version_info < SAFE_WAL:
        try:
            candidate = importlib.import_module("pysqlite3.dbapi2")
        except ImportError:
            return sqlite3
        if candidate.sqlite_version_info > sqlite3.sqlite_version_info:
            return candidate
    return sqlite3


_module = _choose()
SqliteError: type[sqlite3.Error] = _module.Error
IntegrityError: type[sqlite3.IntegrityError] = _module.IntegrityError
USES_WAL: bool = tuple(_module.sqlite_version_info) >= SAFE_WAL
JOURNAL_MODE = "wal" if USES_WAL else "delete"


def engine_description() -> str:
    """One sentence for start-up: the SQLite in use and its journal."""
    name = _module.__name__.partition(".")[0]
    journal = "write-ahead log" if USES_WAL else "rollback journal (a write-ahead log needs SQLite 3.51.3 or newer)"
    return f"SQLite {_module.sqlite_version} through {name}, {journal}"


def connect(path: Path, *, mode: str) -> sqlite3.Connection:
    """Open ``path`` in autocommit; ``mode`` is ``rw``, ``rwc`` or ``ro`` (an SQLite URI mode)."""
    connection: sqlite3.Connection = _module.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )
    return connection


# Primary result codes, https://sqlite.org/rescode.html
_BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _NOTADB = 5, 6, 8, 10, 11, 13, 14, 26
_ERROR, _INTERNAL, _TOOBIG, _MISMATCH, _FORMAT = 1, 2, 18, 20, 24
_CHANGED = re.compile(
    r"Could not decode to UTF-8|malformed|fts5|vtable|unsupported file|"
    r"no such (table|column|index|view|module|function)"
)
"""Of the plain errors, those that a database made by us gives only when a text or its schema was changed."""


def translate(error: sqlite3.Error, path: Path) -> Exception:
    """Our error for one of SQLite's; an error that only a programming fault can cause stays as it is."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (_BUSY, _LOCKED):
        return DatabaseBusy(
            f"{path} was locked by another process for more than {BUSY_TIMEOUT_S:.0f} s. Wait for the other work to "
            "end, or close the other program, and try again."
        )
    changed = code in (0, _ERROR) and _CHANGED.search(str(error))
    if changed or code in (_CORRUPT, _NOTADB, _INTERNAL, _TOOBIG, _MISMATCH, _FORMAT):
        return DatabaseDamaged(
            f"{path} is damaged ({error}). Restore the project from an exported zip or a backup; the fetched bytes "
            f"in {path.parent / 'blobs'} can be added again."
        )
    if code == _FULL:
        return StorageError(f"No space left to write {path}. Nothing of this step was stored; free space, try again.")
    if code in (_CANTOPEN, _READONLY, _IOERR):
        return StorageError(
            f"{path} cannot be used ({error}). Check that the project was not deleted or moved, that the folder may "
            "be read and written, and that the disk is not full."
        )
    return error


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite errors about ``path`` into typed ones."""
    try:
        yield
    except SqliteError as error:
        ours = translate(error, path)
        if ours is error:
            raise
        raise ours from error
    except MemoryError as error:  # a length that was changed asks for more than there is
        raise DatabaseDamaged(
            f"{path} is damaged, or there is too little memory to read it. Restore the project from an exported zip or "
            "a backup."
        ) from error
    except UnicodeDecodeError as error:  # SQLite checks no text, so a changed byte of one comes up when it is read
        raise DatabaseDamaged(
            f"{path} is damaged: a text in it is no UTF-8. Restore the project from an exported zip or a backup."
        ) from error
