"""Sources of one open project: adding them, bringing them in again, and the stored documents that they became."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.acquire.intake import readable_files
from core.acquire.mend import mend
from core.acquire.page_picture import PagePicture, page_picture
from core.errors import SourceError
from core.labels import FetchState, Grade, JobKind, SourceKind
from core.ports.context import CHUNKING, ProjectContext, acquisitions_of, schedule_encoding
from core.records import MENDABLE, Acquisition, Document, Fetched, GradeChange, Job, Passage
from core.text.urls import fetchable_url, parse_urls

NO_REASON = "Say in a few words why the grade should be different; the reason is kept with it."


class Sources:
    """Requested sources and stored documents. Adding returns the job that reads or fetches them."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store

    # ------------------------------------------------------------ adding

    def add_files(self, files: Sequence[tuple[str, bytes, str]], *, kind: SourceKind = SourceKind.UPLOAD) -> Job:
        """Add files as (name, bytes, media type or ""); the bytes are kept before this returns."""
        if not files:
            raise SourceError("No file was given. Choose at least one.")
        received = [
            (name or "unnamed", Fetched(body=body, media_type=media_type, filename=name or "unnamed"))
            for name, body, media_type in files
        ]
        return self._request(kind, received)

    def add_text(self, title: str, text: str | bytes) -> Job:
        """Add pasted text under a title (which may be empty); the encoding of bytes is detected as for a file."""
        return self.add_texts([(title, text)])

    def add_texts(self, texts: Sequence[tuple[str, str | bytes]]) -> Job:
        """Add pasted texts, each as (title or "", text), in one job."""
        if not texts or not all(text.strip() for _, text in texts):
            raise SourceError("The pasted text is empty. Paste the text of a source first.")
        return self._request(SourceKind.PASTE, [(title.strip(), _pasted(text)) for title, text in texts])

    def add_urls(self, urls: str | Sequence[str]) -> Job:
        """Add web addresses: a list, or text in which they stand."""
        addresses = parse_urls(urls) if isinstance(urls, str) else list(dict.fromkeys(map(fetchable_url, urls)))
        if not addresses:
            raise SourceError("No web address was found. Give at least one that starts with http:// or https://.")
        return self._request(SourceKind.URL, [(address, None) for address in addresses])

    def add_snapshots(self, pages: Sequence[tuple[str, bytes, str]]) -> Job:
        """Add pages saved earlier, as (the address each came from, bytes, media type); nothing is fetched."""
        received: list[tuple[str, Fetched | None]] = [
            (fetchable_url(url), Fetched(body=body, media_type=media_type, url=url)) for url, body, media_type in pages
        ]
        return self._request(SourceKind.UPLOAD, received)

    def add_folder(self, folder: Path) -> Job:
        """Add every readable file under a folder (hidden ones left out)."""
        files = readable_files(folder, self._context.settings.parsing.max_bytes)
        return self.add_files([(name, path.read_bytes(), "") for name, path in files], kind=SourceKind.FOLDER)

    def record_failure(self, url: str, state: FetchState, message: str) -> None:
        """List an address that is known to be unavailable, with the reason, without trying it."""
        for row in self._store.request(SourceKind.URL, [(fetchable_url(url), None)]):
            self._store.finish_acquisition(row.id, state, message)

    def _request(self, kind: SourceKind, received: Sequence[tuple[str, Fetched | None]]) -> Job:
        self.catch_up()
        rows = self._store.request(kind, received)
        return self._context.schedule(JobKind.ADD, {"acquisitions": [row.id for row in rows]})

    # ------------------------------------------------------------ bringing in again

    def retry(self, acquisitions: Sequence[int]) -> Job:
        """Try failed sources once more."""
        for key in acquisitions:
            self._store.finish_acquisition(key, FetchState.QUEUED, "")
        return self._context.schedule(JobKind.ADD, {"acquisitions": list(acquisitions)})

    def refetch(self, documents: Sequence[str]) -> Job:
        """Fetch documents again from their addresses; a changed text becomes a new snapshot."""
        without = [document.title for document in map(self._store.document, documents) if not document.canonical_url]
        if without:
            raise SourceError(f"{without[0]!r} has no web address to fetch again. Upload its new version instead.")
        return self._context.schedule(JobKind.REFETCH, {"documents": list(documents)})

    def rechunk(self) -> Job:
        """Cut all documents anew under the present chunk settings."""
        return self._context.schedule(JobKind.RECHUNK, unique=True)

    def catch_up(self) -> None:
        """Ask for what is left to do: passages cut under other settings, and requests without a job."""
        before, wanted = self._store.memo(CHUNKING), self._context.settings.chunking.model_dump_json()
        if before is None:
            self._store.set_memo(CHUNKING, wanted)
        elif before != wanted:
            self.rechunk()
        planned = {key for job in self._store.jobs(active=True, limit=10_000) for key in acquisitions_of(job)}
        queued = [row.id for row in self._store.acquisitions(states=[FetchState.QUEUED]) if row.id not in planned]
        if queued:  # their job failed, or a crash came between the request and its job
            self._context.schedule(JobKind.ADD, {"acquisitions": queued})

    def acquisitions(self, *, failed_only: bool = False) -> list[Acquisition]:
        """Requested sources and what became of them, newest first."""
        states = [state for state in FetchState if state.failed] if failed_only else []
        return sorted(self._store.acquisitions(states=states), key=lambda acquisition: acquisition.id, reverse=True)

    def forget_acquisition(self, acquisition: int) -> None:
        """Remove one line of the list of requests (never a stored document)."""
        self._store.forget_acquisition(acquisition)

    # ------------------------------------------------------------ documents

    def documents(self, *, superseded: bool = False, waiting: bool = False) -> list[Document]:
        """Stored documents, newest first; ``waiting`` takes those in that wait to be accepted, ``superseded`` every
        stored one."""
        if waiting and not superseded:
            return [document for document in self._store.documents(superseded=True) if not document.superseded_by]
        return self._store.documents(superseded=superseded)

    def document(self, document_id: str) -> Document:
        """One document (DocumentNotFound)."""
        return self._store.document(document_id)

    def text(self, document_id: str) -> str:
        """The stored text of a document."""
        return self._store.text(document_id)

    def original(self, document_id: str) -> Fetched:
        """The bytes exactly as received (BlobMissing)."""
        document = self._store.document(document_id)
        return Fetched(
            body=self._store.blob(document.blob_hash),
            media_type=document.media_type,
            url=document.canonical_url,
            filename=document.filename,
            fetched_at=document.fetched,
        )

    def page_picture(self, document_id: str, span: tuple[int, int]) -> PagePicture | None:
        """The page of a PDF on which ``span`` of its stored text begins, as a picture with these words marked; None for
        what is no PDF or has no pages.

        Raises:
            UnreadableSource: the page cannot be drawn.
            DocumentNotFound, BlobMissing: the source or its bytes are gone.
        """
        document = self._store.document(document_id)
        page = next((page for page in reversed(document.pages) if page.start <= span[0]), None)
        if page is None or not document.media_type.startswith("application/pdf"):
            return None
        words = self._store.text(document_id)[span[0] : min(span[1], max(page.end, span[0]))]
        body, extractor = self._store.blob(document.blob_hash), self._context.engines.extractor()
        return page_picture(extractor, body, document.blob_hash, document.title, page.number, words)

    def passages(self, document_id: str) -> list[Passage]:
        """The passages of a document in order."""
        return self._store.passages_of(document_id)

    def delete(self, document_id: str) -> None:
        """Remove a document, its passages and its bytes."""
        self._store.delete(document_id)

    def override_grade(self, document_id: str, grade: Grade | None, *, reason: str, by: str = "") -> Document:
        """Set a grade by hand (None: back to the rules); logged with its reason, which must not be empty."""
        if not reason.strip():
            raise SourceError(NO_REASON)
        return self._store.override_grade(document_id, grade, reason.strip(), by)

    def mend(self, document_id: str, **changes: object) -> Document:
        """Correct the ``title``, the ``authors`` or the date ``published`` (None: unknown); the fields left out stay.
        Corrections are used in matching citations and hold when the source is read again. Raises SourceError."""
        if not changes or not changes.keys() <= set(MENDABLE):
            raise SourceError(f"Nothing to correct. Give one of: {', '.join(MENDABLE)}.")
        document = replace(self._store.document(document_id), **changes)  # type: ignore[arg-type]
        mended = mend(self._store, self._context.settings.chunking, document, list(changes))
        schedule_encoding(self._store)
        return mended

    def accept(self, document_id: str) -> Document:
        """Take a page that an answer fetched in among the sources (DocumentNotFound)."""
        return self._store.accept(document_id)

    def grade_changes(self, document_id: str) -> list[GradeChange]:
        """Every override of a document's grade, oldest first."""
        return self._store.grade_changes(document_id)

    def set_tags(self, document_id: str, tags: Sequence[str]) -> Document:
        """Replace a document's tags."""
        clean = dict.fromkeys(tag.strip() for tag in tags if tag.strip())
        return self._store.set_tags(document_id, list(clean))


def changed(
    sources: Sources,
    document_id: str,
    corrections: Mapping[str, object],
    *,
    grade: Grade | None = None,
    reason: str = "",
    accept: bool = False,
) -> Document:
    """The document after all that a person says of it: ``corrections`` by field (see ``Sources.mend``), a ``grade``
    with its ``reason``, and whether to ``accept`` it.

    Raises:
        SourceError: the grade has no reason, or a correction cannot be kept; then nothing is changed.
        DocumentNotFound: there is no such document.
    """
    document = sources.document(document_id)
    if grade is not None and not reason.strip():
        raise SourceError(NO_REASON)
    if corrections:
        document = sources.mend(document_id, **corrections)
    if grade is not None:
        document = sources.override_grade(document_id, grade, reason=reason)
    return sources.accept(document_id) if accept else document


def _pasted(text: str | bytes) -> Fetched:
    if isinstance(text, str):
        return Fetched(body=text.encode("utf-8", "replace"), media_type="text/plain; charset=utf-8")
    return Fetched(body=text, media_type="text/plain")
