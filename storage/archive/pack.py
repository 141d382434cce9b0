"""An audit pack: the zip of a project cut down to what one report rests on, with two members more.

    pack.json      under which settings and models it was judged, by which version
    report.html    the outcome for people

Everything else is as ``storage.archive.format`` says, so the reader of projects takes a pack in and refuses a hostile
one. The log of decisions is there whole, because each entry seals the one before; of those about other reports, and of
those that whoever asked may not see yet (blind review), there are only their hashes.
"""

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path
from typing import cast
from urllib.parse import unquote

from core import records
from core.labels import Role
from core.records.decision_chain import Entry, redacted
from core.records.pack_listing import LISTED, listing
from core.text.urls import canonical_or_none, parse_urls
from storage.archive.format import MAX_PACK_INFO, PACK_INFO, PACK_PAGE
from storage.archive.read import ArchiveReader
from storage.archive.write import ArchiveWriter, write_members, write_zip
from storage.store import SqliteProjectStore


def write_pack(
    store: SqliteProjectStore, report_id: int, target: Path, extras: Mapping[str, bytes], hidden: AbstractSet[int]
) -> None:
    """Write the pack of a report, whole or not at all. Of the entries of the log with an id in ``hidden`` there are
    only the hashes, as of those about other reports. Raises ReportNotFound (no such report), ArchiveError (the target
    cannot be written) or BlobMissing (bytes of a source are gone; the message names them)."""
    part = _OneReport(store, report_id, hidden)

    def fill(archive: ArchiveWriter) -> None:
        for name, body in extras.items():
            archive.add(name, part.listed_in(body) if name == PACK_INFO else body)
        write_members(archive, cast(SqliteProjectStore, part))  # it reads no more of a store than the part has

    write_zip(target, fill)


def read_pack(path: Path) -> records.PackContents:
    """The contents of a pack, unpacked under the limits of safe import; ``verify`` tells whether they hold. Raises
    HostileArchive: it breaks a rule, or is a project's zip and no pack."""
    with ArchiveReader(path) as reader:
        info = reader.check().members.get(PACK_INFO)
        if info is None or info.size > MAX_PACK_INFO:
            raise reader.hostile(f"{PACK_INFO!r} is missing or has more than {MAX_PACK_INFO} bytes")
        documents = {document.id: document for document in reader.documents()}
        review = reader.review()
        return records.PackContents(
            info=reader.read(PACK_INFO),
            page=reader.read(PACK_PAGE) if PACK_PAGE in reader.names() else None,
            reports=tuple(reader.reports()),
            findings=tuple(reader.findings()),
            documents=documents,
            texts={key: reader.text(document) for key, document in documents.items()},
            project=reader.check().project.name,
            log=tuple(reader.decisions()),
            people=tuple(review.people),
            policy=review.policy,
            claims=tuple(reader.claims()),
            acquisitions=tuple(reader.acquisitions()),
            grade_changes=tuple(reader.grade_changes()),
            contexts={key: tuple(passage.contexts) for key, passage in reader.passages().items()},
        )


def is_pack(path: Path) -> bool:
    """Whether a zip calls itself a pack; False for what is no zip."""
    try:
        with zipfile.ZipFile(path) as archive:
            return PACK_INFO in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


_ARCHIVED = re.compile(r".(https?):/+(.+)", re.I)
_NEVER_TELLS = re.compile(r"^https?://(?:www\.)?")


class _OneReport:
    """The part of a project that one report rests on, with the methods of a store that the writer of zips calls."""

    def __init__(self, store: SqliteProjectStore, report_id: int, hidden: AbstractSet[int]) -> None:
        self._store = store
        self._hidden = hidden
        self._report = store.report(report_id)
        self._findings = store.findings(report_id)
        self._claims = store.claims(report_id=report_id)
        every = store.documents(superseded=True)
        wanted = _connected(every, {*_documents_of(self._findings), *_sources_of(self._claims)})
        self._documents = [document for document in every if document.id in wanted]
        self._ids = {document.id for document in self._documents}
        self._family = self._report.family or self._report.id
        # Read once: nothing may come between what is listed and what is written.
        self._chain = [entry if self._is_about(entry) else redacted(entry) for entry in store.decision_chain()]
        self._people, self._policy = store.people(), store.review_policy()

    def listed_in(self, info: bytes) -> bytes:
        """``pack.json`` with the list of what the pack holds (``core.records.pack_listing``)."""
        listed = listing(
            self.project.name, self.reports()[0], self._documents, self.people(), self.review_policy(),
            self.decision_chain(), rows=len(self._findings), claims=len(self._claims),
        )  # fmt: skip
        return (json.dumps({**json.loads(info), LISTED: listed}, ensure_ascii=False, indent=1) + "\n").encode()

    @property
    def project(self) -> records.Project:
        return self._store.project

    def documents(self, *, superseded: bool = False) -> list[records.Document]:
        return self._documents

    def acquisitions(self) -> list[records.Acquisition]:
        """Acquisitions of these sources, and of cited addresses that could not be had or read (saved pages too): a
        citation may wait for one of those. What was asked for on account of other reports is left out."""
        cited = {key for row in self._findings for url in _addresses(row) for key in _keys(url)}
        return [
            acquisition
            for acquisition in self._store.acquisitions()
            if acquisition.document_id in self._ids
            or (acquisition.state.failed and not cited.isdisjoint(_keys(acquisition.origin)))
        ]

    def passages_of(self, document_id: str) -> list[records.Passage]:
        return self._store.passages_of(document_id)

    def grade_changes(self) -> list[records.GradeChange]:
        return [change for change in self._store.grade_changes() if change.document_id in self._ids]

    def reports(self, *, superseded: bool = False) -> list[records.StoredReport]:
        return [replace(self._report, superseded_by=None)]

    def findings(self, report_id: int) -> list[records.Finding]:
        return self._findings

    def claims(self) -> list[records.Claim]:
        return self._claims

    def decision_chain(self) -> list[Entry]:
        """The whole log, so that it can be checked; what people decided on other reports is left out of it."""
        return self._chain

    def _is_about(self, entry: Entry) -> bool:
        """Whether an entry is a decision about this report, or an earlier version of it, and not hidden."""
        if entry.id in self._hidden:
            return False
        return isinstance(entry, records.Decision) and entry.basis.report_family == self._family

    def people(self) -> list[records.Person]:
        """Those who decided about this report, and the owners, without whom no project is taken in."""
        deciding = {entry.by for entry in self.decision_chain() if isinstance(entry, records.Decision)}
        return [person for person in self._people if person.name in deciding or person.role is Role.OWNER]

    def review_policy(self) -> records.ReviewPolicy:
        return self._policy

    def text(self, document_id: str) -> str:
        return self._store.text(document_id)

    def report_text(self, report_id: int) -> str:
        return self._store.report_text(report_id)

    def blob(self, blob_hash: str) -> bytes:
        return self._store.blob(blob_hash)


def _addresses(row: records.Finding) -> list[str]:
    """Addresses that a row, or the reference it cites, gives."""
    given = [row.url, f"https://doi.org/{row.doi}" if row.doi else None]
    return [*filter(None, given), *parse_urls(row.reference_text.replace("\\_", "_"))]


def _keys(url: str) -> Iterator[str]:
    """Looser forms of a web address than any by which a reference finds its source; of an archive's copy also those of
    the page that it is a copy of."""
    for address in (url, *(f"{scheme}://{rest}" for scheme, rest in _ARCHIVED.findall(url))):
        if address.lower().startswith(("http://", "https://")):
            yield _NEVER_TELLS.sub("", unquote(canonical_or_none(address) or address).lower()).rstrip("/")


def _documents_of(findings: Sequence[records.Finding]) -> Iterator[str]:
    for row in findings:
        yield from filter(None, (row.document_id, *row.candidates))
        if row.verdict is not None:
            yield row.verdict.document_id
        if row.rescue is not None:
            yield row.rescue.document_id


def _sources_of(claims: Sequence[records.Claim]) -> Iterator[str]:
    for claim in claims:
        if claim.verdict is not None:
            yield from (source.document_id for source in claim.verdict.sources)
            yield from (document for cluster in claim.verdict.clusters for document in cluster.documents)


def _connected(documents: Sequence[records.Document], wanted: set[str]) -> set[str]:
    """``wanted`` with their earlier and later versions and what they are near-duplicates of."""
    pairs = [
        (document.id, other)
        for document in documents
        for other in (document.superseded_by, document.near_duplicate_of)
        if other is not None
    ]
    connected, grown = set(wanted), True
    while grown:
        versions = {other for document_id, other in pairs if document_id in connected}
        earlier = {document.id for document in documents if document.superseded_by in connected}
        grown = not versions | earlier <= connected
        connected |= versions | earlier
    return connected
