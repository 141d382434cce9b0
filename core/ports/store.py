"""Every seam of the engine, as a Protocol. The project's store (``ProjectStore``) keeps evidence and index in one
transaction; fusion and MaxSim live above it, once. Implementations: ``storage`` (SQLite) and the fakes in
``tests/contract``."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core import records
from core.labels import FetchState, Grade, JobKind, JobState, SourceKind
from core.ports.asking import AskingStore
from core.ports.judging import AuditStore, ClaimStore, ReviewStore

Clock = Callable[[], datetime]
T = TypeVar("T")


class Progress(Protocol):
    """Receiver of progress; raises JobCancelled when the user asked to stop."""

    def __call__(self, done: int, total: int | None, message: str = "") -> None: ...


# ---------------------------------------------------------------- models


class Encoder(Protocol):
    """Dense sentence embeddings, and token vectors out of the same forward pass when it has them."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def encode_queries(self, texts: Sequence[str]) -> records.Vector:
        """(n, dim) float32, unit length."""

    def encode_passages(self, texts: Sequence[str]) -> records.Vector:
        """(n, dim) float32, unit length."""


class LateEncoder(Protocol):
    """Token embeddings for late interaction (Khattab & Zaharia 2020)."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def encode_query_tokens(self, texts: Sequence[str]) -> list[records.TokenMatrix]: ...

    def encode_passage_tokens(self, texts: Sequence[str]) -> list[records.TokenMatrix]: ...


class JointEncoder(Encoder, LateEncoder, Protocol):
    """One forward pass that gives both. ``dim`` is the dense one; ``late_dim`` that of the tokens;
    ``fingerprint`` covers both."""

    @property
    def late_dim(self) -> int: ...

    def encode_queries_jointly(self, texts: Sequence[str]) -> tuple[records.Vector, list[records.TokenMatrix]]: ...

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[records.Vector, list[records.TokenMatrix]]: ...


class Reranker(Protocol):
    """A cross-encoder (or a heuristic in its place)."""

    @property
    def fingerprint(self) -> str: ...

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) relevance, larger is better; the scale is the model's own."""


class Entailer(Protocol):
    """Says whether evidence supports a claim, contradicts it, or neither."""

    @property
    def fingerprint(self) -> str: ...

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """(n, 3) calibrated probabilities of ``(claim, evidence)`` pairs, rows sum to 1, in the order supports,
        contradicts, neutral. Never raises on any text; an empty claim or empty evidence is neutral (0, 0, 1).
        Evidence longer than the model's window is judged in overlapping parts, never cut silently."""


@runtime_checkable
class CombiningEntailer(Entailer, Protocol):
    """An entailer whose support is combined with the words that claim and evidence share."""

    @property
    def combination(self) -> records.Combination | None:
        """Weights fitted for this model; None: what it says stands alone."""


# ---------------------------------------------------------------- sources in


class Extractor(Protocol):
    """Reads bytes into text, in a worker that can be killed. Raises UnreadableSource: with the state that says why."""

    def extract(self, fetched: records.Fetched) -> records.Extraction: ...

    def run(
        self,
        task: str,
        name: str,
        request: Mapping[str, Any],
        body: bytes,
        decode: Callable[[dict[str, Any], bytes], T],
    ) -> T:
        """The decoded answer of another task of the worker on ``body``, called ``name`` in messages."""


class Fetcher(Protocol):
    """Fetches URLs safely. Raises FetchFailed: with the state that says why."""

    def fetch(self, url: str) -> records.Fetched: ...

    def fetch_many(self, urls: Sequence[str], progress: Progress) -> Iterable[tuple[str, records.Fetched | Exception]]:
        """Each URL with its bytes or its FetchFailed, as they come in."""


# ---------------------------------------------------------------- stores


class PassageIndex(Protocol):
    """The store as retrieval needs it: candidates, tokens, texts."""

    def generation(self) -> int:
        """Grows with every committed change that can change an answer."""

    def lexical(self, terms: Sequence[str], filters: records.Filters, depth: int) -> list[records.Hit]:
        """BM25 (k1 1.2, b 0.75) over stemmed ``terms`` (``core.text.terms.index_terms``), best first,
        ties by passage id. Superseded documents are left out here and in ``dense``."""

    def dense(self, vector: records.Vector, encoder: str, filters: records.Filters, depth: int) -> list[records.Hit]:
        """Exact inner product over all encoded passages; ``vector`` (dim,), ``encoder`` a fingerprint. Vectors are kept
        as float16, so a score may differ from the encoder's own by about 1e-3."""

    def vectors(self, passage_ids: Sequence[int], encoder: str) -> dict[int, records.Vector]:
        """Dense vectors by passage id, (dim,) float32; those not encoded yet are left out."""

    def tokens(self, passage_ids: Sequence[int], encoder: str) -> dict[int, records.QuantizedTokens]:
        """Token matrices by passage id; those not encoded yet are left out."""

    def passage_ids(self, filters: records.Filters) -> list[int]:
        """All searchable passages under the filters, ascending."""

    def passages(self, passage_ids: Sequence[int]) -> dict[int, records.Passage]: ...

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, records.Document]: ...

    def coverage(self, encoder: str) -> tuple[int, int]:
        """(encoded, searchable) passages."""


class DocumentStore(Protocol):
    """Documents, passages, acquisitions, blobs. Each writing call is one transaction."""

    def put(
        self,
        document: records.Document,
        text: str,
        passages: Sequence[records.Passage],
        *,
        acquisition: int | None = None,
        supersedes: str | None = None,
    ) -> records.Document:
        """Store a document with its passages and index terms, and finish its acquisition, all or nothing.

        A document whose content hash is already there is not stored twice: its URLs and file name are merged into the
        stored one, the acquisition becomes ``duplicate``, and the stored one is returned. Had that one been superseded,
        it becomes current again (a page that went back to an earlier text).

        ``supersedes`` leaves the search, but its text, bytes and passages stay readable.

        Raises:
            StorageError: the document does not fit its text, or the acquisition is unknown.
            BlobMissing: its bytes were not kept first (``put_blob``).
            DocumentNotFound: ``supersedes`` is unknown.
        """

    def delete(self, document_id: str) -> None: ...

    def document(self, document_id: str) -> records.Document: ...

    def documents(
        self, filters: records.Filters = records.Filters(), *, superseded: bool = False
    ) -> list[records.Document]:
        """Documents under the filters, in the order of storing. Pages that wait to be accepted are left out, unless
        the filters name them; ``superseded`` takes every stored document in, also those."""

    def by_url(self, url: str) -> records.Document | None:
        """The current document that was seen at this URL (any of its URLs); the newest, if there are several."""

    def text(self, document_id: str) -> str: ...

    def passages_of(self, document_id: str) -> list[records.Passage]: ...

    def touch(self, document_id: str, *, urls: Sequence[str], fetched: datetime) -> records.Document:
        """The same content was seen again: remember where and when."""

    def replace_passages(self, document_id: str, passages: Sequence[records.Passage]) -> None: ...

    def override_grade(self, document_id: str, grade: Grade | None, reason: str, by: str) -> records.Document: ...

    def grade_changes(self, document_id: str | None = None) -> list[records.GradeChange]: ...

    def set_tags(self, document_id: str, tags: Sequence[str]) -> records.Document: ...

    def mend(self, document: records.Document, fields: Sequence[str]) -> records.Document:
        """Keep these ``fields`` (of ``MENDABLE``) of ``document`` as a person's corrections of the stored one."""

    def accept(self, document_id: str) -> records.Document:
        """Take a page that an answer fetched in among the sources."""

    def signatures(self) -> dict[str, bytes]:
        """MinHash signature of every document, in order of storing. Kept in memory; only new ones are read."""

    def request(
        self, kind: SourceKind, origins: Sequence[tuple[str, records.Fetched | None]], batch: str = ""
    ) -> list[records.Acquisition]:
        """Register sources to bring in; bytes that are already here are kept as blobs first."""

    def acquisition(self, acquisition_id: int) -> records.Acquisition: ...

    def acquisitions(self, *, states: Sequence[FetchState] = ()) -> list[records.Acquisition]: ...

    def finish_acquisition(
        self,
        acquisition_id: int,
        state: FetchState,
        message: str,
        *,
        blob_hash: str | None = None,
        document_id: str | None = None,
    ) -> None: ...

    def forget_acquisition(self, acquisition_id: int) -> None: ...

    def put_blob(self, body: bytes) -> str:
        """Keep bytes; returns their SHA-256. Keeping the same bytes twice stores them once."""

    def problems(self, progress: Progress | None = None) -> list[str]:
        """Faults of what is stored, one sentence each: texts, passages, files, reports and decisions against their
        hashes, the index of words against the passages, and the structure of the databases. Empty when all is whole.
        Raises JobCancelled: from ``progress``."""

    def blob(self, blob_hash: str) -> bytes:
        """The bytes, checked against their hash. Raises BlobMissing: no such bytes, or they differ from their
        SHA-256."""


class VectorStore(Protocol):
    """Vectors by content: a text is encoded once, whatever passage carries it."""

    def missing(self, encoder: str, limit: int, *, tokens: bool = True) -> list[tuple[str, str]]:
        """Up to ``limit`` (text hash, index text) of passages without a vector (or token matrix)."""

    def put_vectors(
        self,
        encoder: str,
        hashes: Sequence[str],
        vectors: records.Vector,
        tokens: Sequence[records.QuantizedTokens] | None,
    ) -> None: ...


class JobStore(Protocol):
    """Jobs as rows: any process may add, watch and cancel; a worker claims."""

    def add_job(self, kind: JobKind, payload: Mapping[str, object], *, unique: bool = False) -> records.Job:
        """Add a pending job. With ``unique``, an equal pending job is returned instead of a second one."""

    def job(self, job_id: int) -> records.Job: ...

    def jobs(self, *, active: bool = False, kinds: Sequence[JobKind] = (), limit: int = 50) -> list[records.Job]:
        """Newest first; ``active``: only pending and running ones; only of these ``kinds`` if any are given."""

    def claim_job(self, worker: str, *, kinds: Sequence[JobKind] = ()) -> records.Job | None:
        """Take the oldest pending job, or a running one whose worker has been silent for 20 s (at most 3 attempts, then
        it is failed with that as its error; where a stop was asked for, it is cancelled); only of these ``kinds`` if
        any are given. Hopeless jobs of every kind are ended, whatever is claimed."""

    def update_job(self, job_id: int, worker: str, done: int, total: int | None, message: str) -> bool:
        """Heartbeat with progress; True when the worker must stop: it was asked to, or has lost the job."""

    def finish_job(
        self,
        job_id: int,
        worker: str,
        state: JobState,
        *,
        result: Mapping[str, object] | None = None,
        error: str | None = None,
    ) -> None: ...

    def cancel_job(self, job_id: int) -> None: ...


class QueryLog(Protocol):
    """Statistics and the result cache."""

    def record_query(self, record: records.QueryRecord) -> None: ...

    def queries(self, *, limit: int = 10_000) -> list[records.QueryRecord]:
        """The newest searches of the log, oldest first; it keeps 10,000 one by one."""

    def statistics(self, encoder: str) -> records.Statistics: ...

    def cached(self, key: str) -> bytes | None:
        """A cached value stored under this key at the current generation."""

    def cache(self, key: str, value: bytes, *, keep: int) -> None: ...


class ProjectStore(
    PassageIndex,
    DocumentStore,
    VectorStore,
    JobStore,
    QueryLog,
    AuditStore,
    ClaimStore,
    ReviewStore,
    AskingStore,
    Protocol,
):
    """Everything of one project. Safe to share between threads; several processes may open one project."""

    @property
    def project(self) -> records.Project: ...

    def memo(self, key: str) -> str | None:
        """A short note of the engine about this project, by name."""

    def memos(self, prefix: str) -> dict[str, str]:
        """The notes whose name begins with ``prefix``, by name and in its order."""

    def set_memo(self, key: str, value: str) -> None:
        """Keep a note, in place of an earlier one."""

    def detached(self) -> bool:
        """Whether the folder no longer holds the files that are open here: deleted, or made anew under its name."""

    def close(self) -> None: ...
