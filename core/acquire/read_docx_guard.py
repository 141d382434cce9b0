"""Checks on a DOCX before it is opened, and the repair of the Strict variant."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any

from core.errors import UnreadableSource
from core.labels import FetchState

MAX_MEMBERS = 10_000
MAX_UNPACKED = 1 << 30
MAX_XML = 256 << 20
MAX_RATIO = 200
"""Packed to unpacked. Text packs about 10 to 1; only a bomb passes this with a size worth speaking of."""
_RATIO_FROM = 10 << 20

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_STRICT = b"http://purl.oclc.org/ooxml/"
_TRANSITIONAL = (
    (
        b"http://purl.oclc.org/ooxml/wordprocessingml/main",
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    ),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", b"http://schemas.openxmlformats.org/officeDocument/2006/math"),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
    (b"http://purl.oclc.org/ooxml/drawingml/main", b"http://schemas.openxmlformats.org/drawingml/2006/main"),
)


def open_docx(body: bytes, *, name: str) -> Any:
    """The document of python-docx.

    Raises:
        UnreadableSource: as for ``check_zip``.
    """
    import docx

    body = check_zip(body, name=name)
    try:
        document = docx.Document(io.BytesIO(body))
        settle_alternatives(document.element)
        return document
    except Exception as error:  # on damaged files python-docx, lxml and zlib raise whatever the damage hits
        raise UnreadableSource(
            FetchState.BROKEN, f"{name} is a damaged DOCX, or no Word document ({error}). Get the file again."
        ) from error


def settle_alternatives(root: Any) -> None:
    """Keep one form of everything that stands in a part of a DOCX twice, for newer and for older programs: the newest
    with words, or else the newest."""
    for alternative in list(root.iter(f"{_MC}AlternateContent")):
        forms = list(alternative)
        kept = next((form for form in forms if _has_words(form)), None)
        for form in forms[1:] if kept is None else forms:
            if form is not kept:
                alternative.remove(form)


def _has_words(element: Any) -> bool:
    return any((words.text or "").strip() for words in element.iter(f"{_W}t", f"{_M}t"))


def check_zip(body: bytes, *, name: str) -> bytes:
    """``body`` if it is safe to open, in the Transitional form that python-docx reads.

    Raises:
        UnreadableSource: ``too_large`` for a zip bomb (by member count, declared size or ratio), ``encrypted``,
            ``broken``.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            members = archive.infolist()
            _refuse_bomb(members, name)
            if any(member.flag_bits & 1 for member in members):
                raise UnreadableSource(FetchState.ENCRYPTED, f"{name} is protected by a password. Save it without one.")
            rels = next((m for m in members if m.filename == "_rels/.rels"), None)
            if rels is not None and rels.file_size < 1 << 20 and _STRICT in archive.read(rels):
                return _as_transitional(archive, members)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError, ValueError) as error:
        raise UnreadableSource(FetchState.BROKEN, f"{name} is a damaged DOCX ({error}). Get the file again.") from error
    return body


def _refuse_bomb(members: list[zipfile.ZipInfo], name: str) -> None:
    unpacked = sum(member.file_size for member in members)
    reason = None
    if len(members) > MAX_MEMBERS:
        reason = f"it has {len(members):,} parts"
    elif unpacked > MAX_UNPACKED:
        reason = f"it unpacks to {unpacked >> 20:,} MB"
    for member in members:
        if member.filename.endswith((".xml", ".rels")) and member.file_size > MAX_XML:
            reason = f"its part {member.filename[:80]} unpacks to {member.file_size >> 20:,} MB"
        elif member.file_size > _RATIO_FROM and member.file_size > MAX_RATIO * max(1, member.compress_size):
            reason = f"its part {member.filename[:80]} unpacks to more than {MAX_RATIO} times its packed size"
    if reason:
        raise UnreadableSource(FetchState.TOO_LARGE, f"{name} was not opened because {reason}, as a zip bomb does.")


def _as_transitional(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for member in members:
            data = archive.read(member)
            if member.filename.endswith((".xml", ".rels")):
                for strict, transitional in _TRANSITIONAL:
                    data = data.replace(strict, transitional)
            copy.writestr(member.filename, data)
    return target.getvalue()
