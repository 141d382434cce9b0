"""The zip of a project: what is in it, and the limits on taking one in.

    manifest.json                 format, version, project, counts, SHA-256 and size of every other member
    documents.jsonl               one document a line, tags and pointers included
    passages.jsonl                one document a line: offsets, pages and contexts of its passages, no text
    acquisitions.jsonl            what was asked for
    grade_changes.jsonl           the log of overrides
    reports.jsonl                 reports under audit
    findings.jsonl                their rows
    claims.jsonl                  claims with their verdicts
    decisions.jsonl               the log of decisions, its hashes included; of a redacted entry only the hashes
    review.json                   people with their roles, and the policy of review
    questions.jsonl               saved questions
    answers.jsonl                 answers
    llm_calls.jsonl               calls of language models: tokens and money, nothing of their words
    kept.jsonl                    notes with people's work, or that were paid for (``storage.tables.notes``); only
                                  where there are any
    texts/<content hash>.txt      stored text of a document or report, UTF-8
    blobs/<sha256>                bytes as received

No database, index, vector or cache of judged pairs is in it: those are rebuilt, never taken over.
"""

import re
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from core.records import Acquisition, Document, GradeChange, Person, ReviewPolicy
from core.text.jsonable import adapter

FORMAT = "evidence-workbench project"
VERSION = 5
"""The only version that is written and read. Earlier ones were never released."""

MANIFEST = "manifest.json"
DOCUMENTS = "documents.jsonl"
PASSAGES = "passages.jsonl"
ACQUISITIONS = "acquisitions.jsonl"
GRADE_CHANGES = "grade_changes.jsonl"
REPORTS = "reports.jsonl"
FINDINGS = "findings.jsonl"
CLAIMS = "claims.jsonl"
DECISIONS = "decisions.jsonl"
REVIEW = "review.json"
QUESTIONS = "questions.jsonl"
ANSWERS = "answers.jsonl"
CALLS = "llm_calls.jsonl"
KEPT = "kept.jsonl"
LISTS = (
    DOCUMENTS, PASSAGES, ACQUISITIONS, GRADE_CHANGES, REPORTS, FINDINGS, CLAIMS, DECISIONS, REVIEW, QUESTIONS, ANSWERS,
    CALLS,
)  # fmt: skip
"""Members that every zip has."""

_HASH = "[0-9a-f]{64}"
PACK_INFO = "pack.json"
PACK_PAGE = "report.html"
EXTRAS = (PACK_INFO, PACK_PAGE)
"""Members that only an audit pack has (``storage.archive.pack``); taking it in, they are checked and left aside."""
_NAMED = "|".join(map(re.escape, (*LISTS, KEPT, *EXTRAS)))
ALLOWED_NAME = re.compile(rf"manifest\.json|{_NAMED}|texts/{_HASH}\.txt|blobs/{_HASH}")

MAX_MEMBERS = 200_000
MAX_MEMBER_BYTES = 400_000_000
MAX_TOTAL_BYTES = 20_000_000_000
MAX_RATIO = 100
"""Unpacked bytes by packed byte. Our own export stores what compresses better than half of that unpacked."""
RATIO_FREE_BYTES = 1_000_000
"""Bytes up to which a member may have any ratio: so little does no harm."""
MAX_PAGE = 10_000_000
MAX_DECISIONS = 500_000
"""More than any team decides; each takes about 2 KB of memory while a zip is checked."""
MAX_KEPT = 100_000
MAX_KEPT_BYTES = 200_000_000
"""Notes, and the bytes of all of them."""
MAX_PACK_INFO = 10_000_000
"""Bytes of ``pack.json``."""


def text_member(content_hash: str) -> str:
    """Member name of the text of a document or report."""
    return f"texts/{content_hash}.txt"


def blob_member(blob_hash: str) -> str:
    """Member name of bytes as received."""
    return f"blobs/{blob_hash}"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ProjectRecord(_Strict):
    """The project, without what belongs to a place (slug, path)."""

    name: str = Field(max_length=1000)
    created: datetime
    demo: bool = False


class MemberRecord(_Strict):
    """The hash and size that a member must have."""

    sha256: str = Field(pattern=f"^{_HASH}$")
    size: int = Field(ge=0, le=MAX_MEMBER_BYTES)


class Counts(_Strict):
    """Numbers of documents, passages and blobs."""

    documents: int = Field(ge=0)
    passages: int = Field(ge=0)
    blobs: int = Field(ge=0)


class Manifest(_Strict):
    """``manifest.json``."""

    format: str
    version: int
    exported: datetime
    project: ProjectRecord
    counts: Counts
    members: dict[str, MemberRecord]


class PassagesRecord(_Strict):
    """Passages of one document: ``spans`` are (ordinal, start, end, page or None, number of its context), and
    ``contexts`` lists each context once."""

    document: str = Field(max_length=64)
    contexts: list[str]
    spans: list[tuple[int, int, int, int | None, int]]


class DocumentRecord(_Strict):
    """A document; ``signature`` in hex."""

    document: Document
    signature: str = Field(pattern="^(?:[0-9a-f]{2})*$")

    @field_validator("document")
    @classmethod
    def _aware(cls, document: Document) -> Document:
        for moment in (document.fetched, document.created):
            if moment is not None and moment.tzinfo is None:
                raise ValueError("a time has no zone")
        return document


class ReviewRecord(_Strict):
    """``review.json``: who may do what here, in the order of adding, and how it is reviewed."""

    people: list[Person]
    policy: ReviewPolicy


ACQUISITION: TypeAdapter[Acquisition] = adapter(Acquisition)
GRADE_CHANGE: TypeAdapter[GradeChange] = adapter(GradeChange)


def aware(moment: datetime | None) -> datetime | None:
    """A time from outside; one without a zone is taken as UTC."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
