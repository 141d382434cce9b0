"""Reading a project's zip that may come from an enemy: nothing is believed, everything is bounded."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from core import records
from core.errors import HostileArchive, ReviewError
from core.records.decision_chain import Entry, entry_from_line
from core.text.hashing import hex_digest
from storage.archive import format as form
from storage.tables.record_codec import ANSWER, CLAIM, FINDING, LLM_CALL, QUESTION, REPORT, first_fault

_CHUNK = 1 << 20
_END_RECORD = 22
"""Bytes of a zip's end record without a comment (APPNOTE 4.3.16)."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)
Record = TypeVar("Record")


class ArchiveReader:
    """One zip, opened for reading. Every method raises HostileArchive with the reason."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError as error:
            raise HostileArchive(f"There is no file {path}. Choose a project's zip.") from error
        except _BROKEN as error:
            raise HostileArchive(f"{path.name} is not a whole zip file ({error}). Export the project again.") from error
        self._manifest: form.Manifest | None = None

    def __enter__(self) -> ArchiveReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    # ------------------------------------------------------------ members

    def check(self) -> form.Manifest:
        """Check names and sizes of all members and the manifest; no member but the manifest is unpacked."""
        infos = self._zip.infolist()
        if len(infos) > form.MAX_MEMBERS:
            raise self.hostile(f"it has {len(infos)} members; at most {form.MAX_MEMBERS} are allowed")
        for name, count in Counter(info.filename for info in infos).items():
            if count > 1:
                raise self.hostile(f"the name {name[:100]!r} occurs {count} times")
        for info in infos:
            self._check_member(info)
        if sum(info.file_size for info in infos) > form.MAX_TOTAL_BYTES:
            raise self.hostile(f"it unpacks to more than {form.MAX_TOTAL_BYTES} bytes")
        self._check_overlap(infos)
        self._check_edges(infos)
        if self._manifest is None:
            self._manifest = self._read_manifest()
        self._check_listed({info.filename for info in infos}, self._manifest)
        return self._manifest

    def _check_member(self, info: zipfile.ZipInfo) -> None:
        shown = repr(info.orig_filename[:100])
        if info.filename != info.orig_filename or not form.ALLOWED_NAME.fullmatch(info.filename):
            raise self.hostile(f"the member {shown} does not belong into a project's zip")
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise self.hostile(f"the member {shown} is not an ordinary file")
        if info.flag_bits & 0x1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.hostile(f"the member {shown} is encrypted or packed in an unknown way")
        if info.file_size > form.MAX_MEMBER_BYTES:
            raise self.hostile(
                f"the member {shown} unpacks to {info.file_size} bytes; {form.MAX_MEMBER_BYTES} are allowed"
            )
        if info.file_size > form.RATIO_FREE_BYTES and info.file_size > form.MAX_RATIO * info.compress_size:
            raise self.hostile(f"the member {shown} unpacks to more than {form.MAX_RATIO} times its size (a zip bomb)")

    def _check_overlap(self, infos: list[zipfile.ZipInfo]) -> None:
        """Members that share packed bytes multiply them (Fifield 2019, "A better zip bomb")."""
        end = 0
        for info in sorted(infos, key=lambda info: info.header_offset):
            if info.header_offset < end:
                raise self.hostile(f"the member {info.filename!r} overlaps another one (a zip bomb)")
            end = info.header_offset + 30 + len(info.filename) + info.compress_size

    def _check_edges(self, infos: list[zipfile.ZipInfo]) -> None:
        """Nothing stands before the first member or after the end record: such a file can be another kind of file,
        or another zip, for another reader."""
        if self._zip.comment or (infos and min(info.header_offset for info in infos) > 0):
            raise self.hostile("something stands in front of its first member, or it carries a comment")
        opened = self._zip.fp
        if opened is not None:
            opened.seek(-_END_RECORD, os.SEEK_END)
            if opened.read(4) != b"PK\x05\x06":
                raise self.hostile("something follows its end record")

    def read(self, name: str) -> bytes:
        """Unpack one member, stopping at the limits whatever its header says, and check its hash."""
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            raise self.hostile(f"the member {name!r} is missing") from None
        limit = min(form.MAX_MEMBER_BYTES, max(form.RATIO_FREE_BYTES, form.MAX_RATIO * info.compress_size))
        parts: list[bytes] = []
        size = 0
        try:
            with self._zip.open(info) as member:
                while part := member.read(_CHUNK):
                    size += len(part)
                    if size > limit:
                        raise self.hostile(f"the member {name!r} unpacks to more than {limit} bytes (a zip bomb)")
                    parts.append(part)
        except _BROKEN as error:
            raise self.hostile(f"the member {name!r} is damaged ({error})") from error
        body = b"".join(parts)
        if self._manifest is not None:
            expected = self._manifest.members[name]
            if len(body) != expected.size or hex_digest(body) != expected.sha256:
                raise self.hostile(f"the member {name!r} differs from the manifest's SHA-256")
        return body

    def names(self) -> list[str]:
        """All members but the manifest."""
        return [name for name in self._zip.namelist() if name != form.MANIFEST]

    def _read_manifest(self) -> form.Manifest:
        try:
            manifest = form.Manifest.model_validate_json(self.read(form.MANIFEST))
        except ValidationError as error:
            raise self.hostile(f"its manifest is wrong: {first_fault(error)}") from error
        if (manifest.format, manifest.version) != (form.FORMAT, form.VERSION):
            raise self.hostile(
                f"its format is {manifest.format[:60]!r} version {manifest.version}; this workbench "
                f"reads {form.FORMAT!r} version {form.VERSION}"
            )
        return manifest

    def _check_listed(self, present: set[str], manifest: form.Manifest) -> None:
        listed = set(manifest.members) | {form.MANIFEST}
        for name in sorted(present ^ listed)[:1]:
            state = "missing" if name in listed else "not in the manifest"
            raise self.hostile(f"the member {name[:100]!r} is {state}")
        for name in form.LISTS:
            if name not in listed:
                raise self.hostile(f"the member {name!r} is missing")

    # ------------------------------------------------------------ records

    def documents(self) -> list[records.Document]:
        """All documents, each checked against its text's and bytes' member names."""
        documents = [
            self._document(record) for record in self.lines(form.DOCUMENTS, form.DocumentRecord.model_validate_json)
        ]
        ids = {document.id for document in documents}
        if len(ids) < len(documents):
            raise self.hostile("a document occurs twice")
        for document in documents:
            for pointer in (document.near_duplicate_of, document.superseded_by):
                if pointer is not None and pointer not in ids:
                    raise self.hostile(f"document {document.id} points to {pointer[:64]!r}, which is not in it")
        return documents

    def _document(self, record: form.DocumentRecord) -> records.Document:
        document = record.document
        names = self._zip.NameToInfo
        if document.id != document.content_hash[:16] or form.text_member(document.content_hash) not in names:
            raise self.hostile(f"document {document.id[:64]!r} has no text in it or a wrong id")
        if form.blob_member(document.blob_hash) not in names:
            raise self.hostile(f"the bytes of document {document.id} are not in it")
        return replace(document, signature=bytes.fromhex(record.signature))

    def passages(self) -> dict[str, form.PassagesRecord]:
        """Offsets of the passages by document id."""
        return {
            record.document: record for record in self.lines(form.PASSAGES, form.PassagesRecord.model_validate_json)
        }

    def acquisitions(self) -> list[records.Acquisition]:
        return list(self.lines(form.ACQUISITIONS, form.ACQUISITION.validate_json))

    def grade_changes(self) -> list[records.GradeChange]:
        return list(self.lines(form.GRADE_CHANGES, form.GRADE_CHANGE.validate_json))

    def reports(self) -> list[records.StoredReport]:
        """Reports as they stand in the zip, by id."""
        reports = self._judged_lines(form.REPORTS, REPORT)
        return sorted(reports, key=lambda report: report.id)

    def findings(self) -> list[records.Finding]:
        return self._judged_lines(form.FINDINGS, FINDING)

    def claims(self) -> list[records.Claim]:
        return self._judged_lines(form.CLAIMS, CLAIM)

    def decisions(self) -> list[Entry]:
        """The log of decisions as it stands in the zip; of each entry alone it is known that it is possible."""
        count = self.read(form.DECISIONS).count(b"\n")
        if count > form.MAX_DECISIONS:
            raise self.hostile(f"its log has {count} decisions; at most {form.MAX_DECISIONS} are allowed")
        return list(self.lines(form.DECISIONS, entry_from_line))

    def review(self) -> form.ReviewRecord:
        """People and policy as they stand in the zip."""
        try:
            return form.ReviewRecord.model_validate_json(self.read(form.REVIEW), strict=True, extra="forbid")
        except ValidationError as error:
            raise self.hostile(f"{form.REVIEW!r} is wrong: {first_fault(error)}") from error

    def questions(self) -> list[records.Question]:
        return self._judged_lines(form.QUESTIONS, QUESTION)

    def answers(self) -> list[records.Answer]:
        return self._judged_lines(form.ANSWERS, ANSWER)

    def calls(self) -> list[records.LlmCall]:
        return self._judged_lines(form.CALLS, LLM_CALL)

    def notes(self, parse: Callable[[bytes], Record]) -> list[Record]:
        if form.KEPT not in self._zip.NameToInfo:
            return []
        if self._zip.getinfo(form.KEPT).file_size > form.MAX_KEPT_BYTES:
            raise self.hostile(f"its notes have more than {form.MAX_KEPT_BYTES} bytes")
        if self.read(form.KEPT).count(b"\n") > form.MAX_KEPT:
            raise self.hostile(f"it has more than {form.MAX_KEPT} notes")
        return list(self.lines(form.KEPT, parse))

    def _judged_lines(self, name: str, adapter: TypeAdapter[Record]) -> list[Record]:
        return list(self.lines(name, lambda line: adapter.validate_json(line, strict=True, extra="forbid")))

    def check_references(
        self,
        documents: list[records.Document],
        acquisitions: list[records.Acquisition],
        reports: list[records.StoredReport],
    ) -> set[str]:
        """Every blob and text belongs to something, and every blob is there; returns the hashes of the blobs."""
        with_text: list[records.Document | records.StoredReport] = [*documents, *reports]
        hashes = {record.blob_hash for record in with_text} | {
            acquisition.blob_hash for acquisition in acquisitions if acquisition.blob_hash
        }
        wanted = {form.blob_member(record) for record in hashes} | {
            form.text_member(record.content_hash) for record in with_text
        }
        present = {name for name in self.names() if name not in (*form.LISTS, form.KEPT, *form.EXTRAS)}
        for name in sorted(wanted ^ present)[:1]:
            state = "belongs to nothing in it" if name in present else "is missing"
            raise self.hostile(f"the member {name[:100]!r} {state}")
        return hashes

    def text(self, of: records.Document | records.StoredReport) -> str:
        """The text of a document or report; its name is its hash."""
        what = f"{'document' if isinstance(of, records.Document) else 'report'} {of.id}"
        body = self.read(form.text_member(of.content_hash))
        if hex_digest(body) != of.content_hash:
            raise self.hostile(f"the text of {what} differs from its SHA-256")
        try:
            return body.decode()
        except UnicodeDecodeError as error:
            raise self.hostile(f"the text of {what} is not UTF-8") from error

    def cut(self, document: records.Document, text: str, record: form.PassagesRecord | None) -> list[records.Passage]:
        """Passages by offsets into the text; no passage text is taken from outside."""
        passages: list[records.Passage] = []
        for ordinal, start, end, page, context in record.spans if record else ():
            if not (
                0 <= start < end <= len(text)
                and 0 <= context < len(record.contexts if record else ())
                and ordinal == len(passages)
                and (page is None or 0 < page < form.MAX_PAGE)
            ):
                raise self.hostile(f"a passage of document {document.id} lies outside its text or is out of order")
            assert record is not None
            passages.append(
                records.Passage(document.id, ordinal, start, end, text[start:end], record.contexts[context], page)
            )
        spans = [(page.start, page.end) for page in document.pages]
        spans += [(heading.start, heading.end) for heading in document.headings]
        for start, end in spans:
            if not 0 <= start <= end <= len(text):
                raise self.hostile(f"a page or heading of document {document.id} lies outside its text")
        return passages

    def lines(self, name: str, parse: Callable[[bytes], Record]) -> Iterator[Record]:
        """The records of a list, one a line."""
        for number, line in enumerate(self.read(name).splitlines(), 1):
            try:
                yield parse(line)
            except ValidationError as error:
                raise self.hostile(f"line {number} of {name!r} is wrong: {first_fault(error)}") from error
            except ReviewError as error:
                raise self.hostile(f"line {number} of {name!r} is wrong: {error}") from error

    def hostile(self, reason: str) -> HostileArchive:
        return HostileArchive(
            f"{self._name} was not taken in: {reason}. Nothing of it was stored; export the project "
            "again where it came from."
        )
