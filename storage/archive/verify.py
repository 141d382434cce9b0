"""Telling what is wrong with a project's zip, without taking anything in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from core.errors import HostileArchive
from storage.archive.asked import read_asked
from storage.archive.judged import read_judged
from storage.archive.notes import read_kept
from storage.archive.read import ArchiveReader
from storage.archive.review import read_review


def verify(path: Path) -> list[str]:
    """What is wrong with a zip, one sentence each; empty when it is sound. Every member is unpacked and checked
    against the manifest, every text and blob against the hash it is named by, every passage against its text, the
    log of decisions against its hashes."""
    problems: list[str] = []

    def attempt(check: Callable[[], object]) -> None:
        try:
            check()
        except HostileArchive as error:
            problems.append(str(error))

    try:
        with ArchiveReader(path) as reader:
            reader.check()
            for name in reader.names():
                attempt(lambda name=name: _check_bytes(reader, name))  # type: ignore[misc]
            if not problems:
                attempt(lambda: _check_records(reader))
    except HostileArchive as error:
        problems.append(str(error))
    return problems


def _check_bytes(reader: ArchiveReader, name: str) -> None:
    body = reader.read(name)
    folder, _, rest = name.partition("/")
    if folder in ("texts", "blobs") and hashlib.sha256(body).hexdigest() != rest.removesuffix(".txt"):
        raise HostileArchive(f"{name}: its bytes differ from the SHA-256 in its name.")


def _check_records(reader: ArchiveReader) -> None:
    passages = reader.passages()
    documents = reader.documents()
    reader.check_references(documents, reader.acquisitions(), reader.reports())
    reader.grade_changes()
    for document in documents:
        reader.cut(document, reader.text(document), passages.get(document.id))
    judged = read_judged(reader, documents)
    read_review(reader)
    read_asked(reader, documents)
    read_kept(reader, documents, judged)
