"""Files under a folder that may be sources."""

from __future__ import annotations

from pathlib import Path

from core.errors import SourceError

MAX_FILES = 10_000
SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".pdf", ".docx", ".md", ".markdown", ".txt", ".text", ".xml", ".nxml"})


def readable_files(folder: Path, max_bytes: int) -> list[tuple[str, Path]]:
    """(relative name, path) of files with a known ending, sorted; hidden ones and links that leave the folder are
    passed over.

    Raises:
        SourceError: the folder is missing, holds none, or holds more than 10,000 of them or one over ``max_bytes``.
    """
    if not folder.is_dir():
        raise SourceError(f"{folder} is not a folder. Give the path of a folder on this machine.")
    base = folder.resolve()
    found: list[tuple[str, Path]] = []
    for path in sorted(base.rglob("*")):
        name = path.relative_to(base)
        hidden = any(part.startswith(".") for part in name.parts)
        if hidden or path.suffix.lower() not in SUFFIXES or not path.is_file():
            continue
        if not path.resolve().is_relative_to(base):
            continue
        if path.stat().st_size > max_bytes:
            raise SourceError(
                f"{name} is over {max_bytes:,} bytes. Split it, or raise parsing.max_bytes in the settings."
            )
        found.append((name.as_posix(), path))
    if not found:
        raise SourceError(f"{folder} holds no readable file ({', '.join(sorted(SUFFIXES))}).")
    if len(found) > MAX_FILES:
        raise SourceError(f"{folder} holds {len(found):,} files; {MAX_FILES:,} at most can be added at once.")
    return found
