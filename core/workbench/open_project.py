"""One open project: sources, jobs, search. Every method is safe to call from any thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.acquire.grade import Grader
from core.acquire.intake import Intake, readable_files
from core.acquire.reference_lists import Referencing
from core.answer.answers import Asking
from core.audit.reports import Auditing
from core.claims.claims import Claiming
from core.errors import QueryError, SourceError
from core.evaluate.evaluations import Evaluating
from core.evaluate.usage import Using
from core.export.exports import Exporting
from core.lab.lab import Lab
from core.labels import FetchState, Grade, JobKind, JobState, SourceKind
from core.late.service import ProjectLateEngine
from core.llm.budget import LlmUsing
from core.opinion.opinion import Opinions
from core.opinion.quotes import Quoting
from core.ports.context import CHUNKING, JobContext, PackWriter, acquisitions_of, no_pack_writer
from core.ports.engines import Engines
from core.ports.store import Clock, ProjectStore
from core.records import (
    Acquisition,
    Document,
    Fetched,
    GradeChange,
    Job,
    Passage,
    Project,
    SearchRequest,
    SearchResult,
    Statistics,
    WordMatch,
)
from core.retrieve import late_interaction, pipeline
from core.retrieve.search import run_search
from core.review.review import Reviewing
from core.settings.values import Settings
from core.text.urls import fetchable_url, parse_urls
from core.web.search import WebSearching
from core.workbench.import_notes import import_differences, left_out


class OpenProject:
    """What can be done with one project."""

    def __init__(
        self,
        store: ProjectStore,
        engines: Engines,
        settings: Settings,
        clock: Clock,
        grader: Grader,
        *,
        wake: Callable[[], None],
        write_pack: PackWriter = no_pack_writer,
    ) -> None:
        self.settings = settings
        self._store = store
        self._engines = engines
        self._clock = clock
        self._grader = grader
        self._wake = wake
        self._write_pack = write_pack

    def adopt(self, settings: Settings, engines: Engines) -> None:
        """Use other settings from now on; what is under way goes on with those it began with."""
        self.settings, self._engines = settings, engines

    @property
    def project(self) -> Project:
        """The project's record."""
        return self._store.project

    @property
    def detached(self) -> bool:
        """Whether the project was deleted (and perhaps made anew) since it was opened; open it again then."""
        return self._store.detached()

    # ------------------------------------------------------------ sources in

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
        """Add pasted text under a title (which may be empty); of bytes the encoding is found as for a file."""
        return self.add_texts([(title, text)])

    def add_texts(self, texts: Sequence[tuple[str, str | bytes]]) -> Job:
        """Add pasted texts, each as (title or "", text), in one job."""
        if not texts or not all(text.strip() for _, text in texts):
            raise SourceError("The pasted text is empty. Paste the text of a source first.")
        return self._request(SourceKind.PASTE, [(title.strip(), _pasted(text)) for title, text in texts])

    def add_urls(self, urls: str | Sequence[str]) -> Job:
        """Add web addresses: a list, or text in which they stand."""
        found = parse_urls(urls) if isinstance(urls, str) else list(dict.fromkeys(map(fetchable_url, urls)))
        if not found:
            raise SourceError("No web address was found. Give at least one that starts with http:// or https://.")
        return self._request(SourceKind.URL, [(url, None) for url in found])

    def add_snapshots(self, pages: Sequence[tuple[str, bytes, str]]) -> Job:
        """Add pages saved earlier, as (the address each came from, bytes, media type); nothing is fetched."""
        received: list[tuple[str, Fetched | None]] = [
            (fetchable_url(url), Fetched(body=body, media_type=media_type, url=url)) for url, body, media_type in pages
        ]
        return self._request(SourceKind.UPLOAD, received)

    def record_failure(self, url: str, state: FetchState, message: str) -> None:
        """List an address that is known not to be had, with the reason, without trying it."""
        for row in self._store.request(SourceKind.URL, [(fetchable_url(url), None)]):
            self._store.finish_acquisition(row.id, state, message)

    @property
    def references(self) -> Referencing:
        """Lists of references (BibTeX, RIS, CSL-JSON, sitemaps, DOIs, arXiv ids) as sources."""
        return Referencing(self._store, self.schedule)

    def add_folder(self, folder: Path) -> Job:
        """Add every readable file under a folder (hidden ones left out)."""
        files = readable_files(folder, self.settings.parsing.max_bytes)
        return self.add_files([(name, path.read_bytes(), "") for name, path in files], kind=SourceKind.FOLDER)

    def _request(self, kind: SourceKind, received: Sequence[tuple[str, Fetched | None]]) -> Job:
        self.catch_up()
        rows = self._store.request(kind, received)
        return self.schedule(JobKind.ADD, {"acquisitions": [row.id for row in rows]})

    def retry(self, acquisitions: Sequence[int]) -> Job:
        """Try failed sources once more."""
        for key in acquisitions:
            self._store.finish_acquisition(key, FetchState.QUEUED, "")
        return self.schedule(JobKind.ADD, {"acquisitions": list(acquisitions)})

    def refetch(self, documents: Sequence[str]) -> Job:
        """Fetch documents again from their addresses; a changed text becomes a new snapshot."""
        without = [doc.title for doc in map(self._store.document, documents) if not doc.canonical_url]
        if without:
            raise SourceError(f"{without[0]!r} has no web address to fetch again. Upload its new version instead.")
        return self.schedule(JobKind.REFETCH, {"documents": list(documents)})

    def rechunk(self) -> Job:
        """Cut all documents anew under the present chunk settings."""
        return self.schedule(JobKind.RECHUNK, unique=True)

    def acquisitions(self, *, failed_only: bool = False) -> list[Acquisition]:
        """Requested sources and what became of them, newest first."""
        states = [state for state in FetchState if state.failed] if failed_only else []
        return sorted(self._store.acquisitions(states=states), key=lambda acquisition: acquisition.id, reverse=True)

    def forget_acquisition(self, acquisition: int) -> None:
        """Remove one line of the list of requests (never a stored document)."""
        self._store.forget_acquisition(acquisition)

    # ------------------------------------------------------------ documents

    def documents(self, *, superseded: bool = False) -> list[Document]:
        """Stored documents, newest first."""
        return self._store.documents(superseded=superseded)

    def document(self, document_id: str) -> Document:
        """One document (DocumentNotFound)."""
        return self._store.document(document_id)

    def text(self, document_id: str) -> str:
        """The stored text."""
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

    def passages(self, document_id: str) -> list[Passage]:
        """The passages of a document in order."""
        return self._store.passages_of(document_id)

    def delete_document(self, document_id: str) -> None:
        """Remove a document, its passages and its bytes."""
        self._store.delete(document_id)

    def override_grade(self, document_id: str, grade: Grade | None, *, reason: str, by: str = "") -> Document:
        """Set a grade by hand (None: back to the rules); logged with its reason, which must not be empty."""
        if not reason.strip():
            raise SourceError("Say in a few words why the grade should be different; the reason is kept with it.")
        return self._store.override_grade(document_id, grade, reason.strip(), by)

    def grade_changes(self, document_id: str) -> list[GradeChange]:
        """Every override of a document's grade, oldest first."""
        return self._store.grade_changes(document_id)

    def set_tags(self, document_id: str, tags: Sequence[str]) -> Document:
        """Replace a document's tags."""
        clean = dict.fromkeys(tag.strip() for tag in tags if tag.strip())
        return self._store.set_tags(document_id, list(clean))

    # ------------------------------------------------------------ jobs

    def schedule(
        self, kind: JobKind, payload: Mapping[str, object] | None = None, *, unique: bool | None = None
    ) -> Job:
        """Add a job and wake the worker."""
        alone = kind is JobKind.ENCODE if unique is None else unique
        job = self._store.add_job(kind, payload or {}, unique=alone)
        self._wake()
        return job

    def jobs(self, *, active: bool = False) -> list[Job]:
        """Jobs, newest first."""
        return self._store.jobs(active=active)

    def job(self, job_id: int) -> Job:
        """One job (JobNotFound)."""
        return self._store.job(job_id)

    def cancel(self, job_id: int) -> None:
        """Ask a job to stop; what it finished stays."""
        self._store.cancel_job(job_id)
        job = self._store.job(job_id)
        if job.state is JobState.CANCELLED:  # it had not begun, so nobody else will say so of its sources
            for key in acquisitions_of(job):
                if self._store.acquisition(key).state is FetchState.QUEUED:
                    self._store.finish_acquisition(key, FetchState.CANCELLED, "Stopped before it was read.")

    def job_context(self) -> JobContext:
        """What carrying out jobs of this project needs (worker, command line)."""
        self.late.heed_note()
        intake = Intake(self._store, self._engines.extractor(), self._grader, self.settings.chunking, self._clock)
        return JobContext(self._store, intake, self._engines, self.settings, self._clock, self._write_pack)

    # ------------------------------------------------------------ judging

    @property
    def audits(self) -> Auditing:
        """Reports and their citations."""
        return Auditing(self._store, self._engines, self.settings, self._clock, self.schedule)

    @property
    def claiming(self) -> Claiming:
        """Claims and what the sources say about them."""
        return Claiming(self._store, self._engines, self.settings, self._clock, self.schedule)

    @property
    def evaluating(self) -> Evaluating:
        """How well search and judge do here."""
        return Evaluating(self._store, self.schedule, lambda report: self.reviews.standing(report))

    @property
    def exports(self) -> Exporting:
        """Reports written out as files."""
        return Exporting(self._store, self.schedule)

    @property
    def using(self) -> Using:
        """How it is used, over time."""
        return Using(self._store, self._clock)

    @property
    def reviews(self) -> Reviewing:
        """What people decide about citations and claims."""
        return Reviewing(self._store, self._engines, self.settings, self._clock, self.schedule)

    # ------------------------------------------------------------ asking

    @property
    def llm(self) -> LlmUsing:
        """Whether a language model would be asked, what it costs, and what was spent."""
        return LlmUsing(self._store, self._engines, self.settings, self._clock)

    @property
    def opinions(self) -> Opinions:
        """A language model's opinions beside the judge's verdicts."""
        return Opinions(self._store, self._engines, self.settings, self._clock, self.schedule)

    @property
    def quoting(self) -> Quoting:
        """Words of one source that a language model finds, kept only where they stand in it."""
        return Quoting(self._store, self._engines, self.settings, self._clock, self.schedule)

    @property
    def lab(self) -> Lab:
        """Questions, their variants, and what each variant brings."""
        return Lab(self._store, self._engines, self.settings, self._clock, self.schedule, self.search)

    @property
    def web(self) -> WebSearching:
        """Searches of the web, and what of them to fetch."""
        return WebSearching(self._store, self._engines, self.settings, self._clock, self.schedule)

    @property
    def asking(self) -> Asking:
        """Grounded answers."""
        return Asking(self._store, self._engines, self.settings, self._clock, self.schedule)

    # ------------------------------------------------------------ search

    @property
    def late(self) -> ProjectLateEngine:
        """The late engine: how it stands here, and its index."""
        return ProjectLateEngine(self._store, self._engines, self.schedule, self._wake)

    def search(self, request: SearchRequest) -> SearchResult:
        """Answer a search (without the cross-encoder, see ``rerank``) and count it.

        Raises:
            QueryError: an empty or oversized query.
        """
        result = run_search(request, self._store, self._engines, self.settings.retrieval, self._clock)
        self.late.encode_after(result)
        return result

    def rerank(self, result: SearchResult) -> SearchResult:
        """Let the cross-encoder speak on a result (ModelError when there is none)."""
        return pipeline.rerank(result, self._engines.reranker(), self.settings.retrieval)

    def explain(self, query: str, passage: Passage) -> list[WordMatch]:
        """Which words of a passage answered which words of the query (ModelError)."""
        if not query.strip():
            raise QueryError("The query is empty. Type a question or a few words.")
        return late_interaction.explain(query, passage, self._engines.encoder())

    def statistics(self) -> Statistics:
        """Counts, query statistics and latencies."""
        return self._store.statistics(self._engines.encoder_fingerprint())

    def left_out(self) -> list[str]:
        """What the zip that this project was imported from held and could not be taken over, a sentence each."""
        return left_out(self._store)

    def import_differences(self) -> list[str]:
        """What did not hold in the audit pack that this project was imported from, a sentence each, at most ten and a
        count; the pack was taken in all the same."""
        return import_differences(self._store)

    def generation(self) -> int:
        """Grows with every committed change that can change an answer."""
        return self._store.generation()

    def coverage(self) -> tuple[int, int]:
        """(encoded, searchable) passages."""
        return self._store.coverage(self._engines.encoder_fingerprint())

    def catch_up(self) -> None:
        """Ask for what is left to do: sources without a job, passages cut under other settings, or not encoded."""
        kept, wanted = self._store.memo(CHUNKING), self.settings.chunking.model_dump_json()
        if kept is None:
            self._store.set_memo(CHUNKING, wanted)
        elif kept != wanted:
            self.schedule(JobKind.RECHUNK, unique=True)
        held = {key for job in self._store.jobs(active=True, limit=10_000) for key in acquisitions_of(job)}
        queued = [row.id for row in self._store.acquisitions(states=[FetchState.QUEUED]) if row.id not in held]
        if queued:  # their job failed, or a crash came between the request and its job
            self.schedule(JobKind.ADD, {"acquisitions": queued})
        encoded, searchable = self.coverage()
        if encoded < searchable:
            self.schedule(JobKind.ENCODE)
        else:
            self.late.build_if_due()
        self.reviews.catch_up()

    def close(self) -> None:
        """Close the store."""
        self._store.close()


def _pasted(text: str | bytes) -> Fetched:
    if isinstance(text, str):
        return Fetched(body=text.encode("utf-8", "replace"), media_type="text/plain; charset=utf-8")
    return Fetched(body=text, media_type="text/plain")
