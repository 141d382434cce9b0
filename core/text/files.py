"""Files that are there whole or not at all, and locks between processes."""

import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

Body = bytes | Callable[[Path], object]
"""The content of a file, or a function that writes it to the path it is given."""


def write_whole(path: Path, body: Body, *, durable: bool = False, mode: int | None = None) -> None:
    """Replace ``path``: readers see the old content or the new one. On any error the old content stays. ``durable``:
    the new content is on disk when this returns. It costs two forced writes, so files that are checked and made again
    anyway do without. ``mode``: the permissions of the file; without it, those that new files get."""
    move_into_place(write_beside(path, body, durable=durable, mode=mode), path, durable=durable)


def write_beside(path: Path, body: Body, *, durable: bool = False, mode: int | None = None) -> Path:
    """A new hidden file in the folder of ``path`` with this content, for ``move_into_place``."""
    temporary = path.with_name(f".{secrets.token_hex(12)}.tmp")
    try:
        if isinstance(body, bytes):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            with os.fdopen(os.open(temporary, flags, 0o666 if mode is None else 0o600), "wb") as file:
                file.write(body)
        else:
            body(temporary)
        if mode is not None:
            temporary.chmod(mode)
        if durable:
            _sync(temporary, os.O_RDWR)
    except BaseException:
        _remove(temporary)
        raise
    return temporary


def move_into_place(temporary: Path, path: Path, *, durable: bool = False) -> None:
    """Rename a file of ``write_beside`` to ``path``; it is removed where that fails."""
    try:
        os.replace(temporary, path)
    except BaseException:
        _remove(temporary)
        raise
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames inside ``folder`` survive a power cut (fsync of the directory)."""
    _sync(folder, os.O_RDONLY | os.O_DIRECTORY)


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold an advisory lock on the file ``path`` (created if its folder exists). Yields False, at once, when ``wait``
    is off and another process or thread holds it. The operating system drops the lock when the process ends, however it
    ends."""
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
    """The sum of the sizes of all files under ``folder``; files that vanish meanwhile or may not be seen count 0."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError, PermissionError):
                total += os.lstat(os.path.join(parent, name)).st_size
    return total


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(temporary: Path) -> None:
    with suppress(OSError):  # the error that led here says more
        temporary.unlink()
