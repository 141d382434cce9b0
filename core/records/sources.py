"""Sources on their way in, and what is stored of them."""

from dataclasses import dataclass
from datetime import date, datetime

from core.labels import FetchState, Grade, SourceKind


@dataclass(frozen=True, slots=True)
class Fetched:
    """Bytes of one source exactly as received, and where they came from."""

    body: bytes
    media_type: str
    url: str | None = None
    final_url: str | None = None
    seen_urls: tuple[str, ...] = ()
    filename: str | None = None
    fetched_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PageSpan:
    """A page of a paged medium: ``number`` starts at 1."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading in the stored text; ``level`` 1 is the highest."""

    level: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of reading a source: the text to store and the facts about it."""

    text: str
    media_type: str
    method: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: date | None = None
    language: str | None = None
    canonical_url: str | None = None
    publisher: str | None = None
    doi: str | None = None
    pages: tuple[PageSpan, ...] = ()
    headings: tuple[Heading, ...] = ()
    references: int = 0
    links: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GradeReason:
    """One rule that spoke: ``effect`` in grade steps (positive is better), ``text`` for people."""

    rule: str
    effect: float
    text: str


@dataclass(frozen=True, slots=True)
class Assessment:
    """A grade with every reason that led to it."""

    grade: Grade
    reasons: tuple[GradeReason, ...]


MENDABLE = ("title", "authors", "published")
"""The fields of a document that a person may correct."""
FOR_ANSWER = "answer"
"""The ``batch`` of requests that an answer makes: their documents wait to be accepted."""


@dataclass(frozen=True, slots=True)
class Document:
    """One stored source with its metadata. The text is kept beside it (``ProjectStore.text``). ``id`` is the first 16
    hex digits of ``content_hash`` (SHA-256 of the stored text, UTF-8); ``blob_hash`` is the SHA-256 of the bytes as
    received. ``signature`` is the MinHash used to find near-duplicates; ``near_duplicate_of`` names the earliest stored
    near-duplicate. ``mended`` names the fields (``MENDABLE``) that a person corrected. ``accepted`` is
    False for a page that an answer fetched and nobody has taken in: only that answer rests on it."""

    id: str
    content_hash: str
    blob_hash: str
    title: str
    media_type: str
    method: str
    fetched: datetime
    grade: Grade
    assessment: Assessment
    grade_override: Grade | None = None
    canonical_url: str | None = None
    urls: tuple[str, ...] = ()
    filename: str | None = None
    authors: tuple[str, ...] = ()
    published: date | None = None
    publisher: str | None = None
    doi: str | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    pages: tuple[PageSpan, ...] = ()
    headings: tuple[Heading, ...] = ()
    links: tuple[str, ...] = ()
    length: int = 0
    passage_count: int = 0
    signature: bytes = b""
    near_duplicate_of: str | None = None
    superseded_by: str | None = None
    created: datetime | None = None
    mended: tuple[str, ...] = ()
    accepted: bool = True

    @property
    def grade_in_force(self) -> Grade:
        """The grade that counts: a person's where there is one, else that of the rules."""
        return self.grade_override or self.grade


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a document: ``document_text[start:end] == text`` always. ``context`` is the title and the headings
    above the span (``Title › Section``); it is indexed and encoded with the text (``index_text``) but is no part of it.
    ``id`` is 0 until stored."""

    document_id: str
    ordinal: int
    start: int
    end: int
    text: str
    context: str = ""
    page: int | None = None
    id: int = 0

    @property
    def index_text(self) -> str:
        """The text that the indexes see."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class Acquisition:
    """One request to bring a source in, and what became of it."""

    id: int
    kind: SourceKind
    origin: str
    state: FetchState
    requested: datetime
    message: str = ""
    blob_hash: str | None = None
    media_type: str | None = None
    document_id: str | None = None
    finished: datetime | None = None
    batch: str = ""


@dataclass(frozen=True, slots=True)
class GradeChange:
    """A logged override of a grade (or its removal, ``grade`` None)."""

    document_id: str
    grade: Grade | None
    previous: Grade
    reason: str
    by: str
    at: datetime
