"""Files that are there whole or not at all, and locks between processes."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make renames inside ``folder`` survive a power cut (fsync of the directory)."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_synced(path: Path, body: bytes) -> None:
    """Write a new file and force it to disk."""
    with path.open("xb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())


def temporary_beside(path: Path) -> Path:
    """An unused hidden name in the folder of ``path``."""
    return path.with_name(f".{path.name[:80]}.{secrets.token_hex(6)}.tmp")


def write_atomically(path: Path, body: bytes) -> None:
    """Replace ``path``: readers see the old content or the new one. Not forced to disk: only for files that are
    checked and made again when the project is opened, because forcing costs more than storing a document."""
    temporary = temporary_beside(path)
    try:
        temporary.write_bytes(body)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold an advisory lock on the file ``path`` (created if its folder exists).

    Yields False, at once, when ``wait`` is off and another process or thread holds it. The operating system
    drops the lock when the process ends, however it ends.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
            return
        yield True
    finally:
        os.close(descriptor)


def folder_bytes(folder: Path) -> int:
    """Sum of the sizes of all files under ``folder``; files that vanish meanwhile or may not be seen count 0."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except (FileNotFoundError, PermissionError):
                continue
    return total
