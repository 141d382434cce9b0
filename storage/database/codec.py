"""Records of ``core.records`` to database rows and back."""

import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, date, datetime
from functools import wraps
from typing import Any, TypeVar

from core import records
from core.errors import DatabaseDamaged
from core.labels import FetchState, Grade, JobKind, JobState, SourceKind

Row = Sequence[Any]
_Read = TypeVar("_Read")
ADD_AGAIN = "is not what was stored. Add the source again."
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

DOCUMENT_COLUMNS = tuple(field.name for field in fields(records.Document) if field.name not in ("urls", "tags"))
_TEXTS = ("title", "media_type", "method", "canonical_url", "filename", "publisher", "doi", "language")
"""Columns of a document with foreign text."""
ACQUISITION_COLUMNS = "id, kind, origin, state, requested, message, blob_hash, media_type, document_id, finished, batch"
JOB_COLUMNS = (
    "id, kind, state, payload, created, done, total, message, result, error, started, finished, attempts, "
    "cancel_requested, heartbeat"
)
PASSAGE_COLUMNS = 'd.id, p.ordinal, p."start", p."end", t.text, t.context, p.page, p.id, t.sum'
_CHANGING = ("fetched", "grade_override", "canonical_url", "filename", "passage_count", "near_duplicate_of",
    "superseded_by", "accepted")  # fmt: skip
"""Columns of a document that change after it was stored; the others are under its checksum."""
REPORT_SUMMED = (
    "version", "name", "title", "media_type", "content_hash", "blob_hash", "created", "length", "url", "warnings"
)  # fmt: skip
"""Columns of a report that never change; ``sum`` is their checksum."""


def clean(text: str) -> str:
    """``text`` as SQLite can keep it: NUL and lone surrogates become U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text) if _UNSTORABLE.search(text) else text


def clean_or_none(text: str | None) -> str | None:
    return None if text is None else clean(text)


def checksum(*values: object) -> int:
    """The CRC-32 of values as they are stored (texts, numbers, None, bytes). SQLite keeps none of its own, so this is
    how a changed byte of a row is seen."""
    plain = [str(value) if isinstance(value, str) else value for value in values]  # an enumeration is its value
    return zlib.crc32(repr(plain).encode("utf-8", "surrogatepass"))


def vector_sum(text_hash: bytes, vector: bytes) -> int:
    """The CRC-32 of a vector and of the text that it belongs to; -1 for values that are no bytes."""
    if not isinstance(text_hash, bytes) or not isinstance(vector, bytes):
        return -1
    return zlib.crc32(vector, zlib.crc32(text_hash))


def document_sum(values: Mapping[str, object]) -> int:
    """The checksum of the columns of a document that never change."""
    return checksum(*(values[name] for name in DOCUMENT_COLUMNS if name not in _CHANGING))


def report_sum(values: Mapping[str, object]) -> int:
    """The checksum of the columns of a report that never change."""
    return checksum(*(values[name] for name in REPORT_SUMMED))


def sealed(body: str) -> str:
    """A JSON value followed by its CRC-32 in eight hexadecimal digits."""
    return f"{body}{zlib.crc32(body.encode()):08x}"


def passage_sum(ordinal: int, start: int, end: int, page: int | None, text: str, context: str) -> int:
    """The checksum of the place and the words of a passage."""
    return checksum(ordinal, start, end, page, text, context)


def damaged(what: str, why: object) -> DatabaseDamaged:
    """The error for a row that is not as it was stored."""
    return DatabaseDamaged(
        f"{what} is not as it was stored ({why}). Restore the project from an exported zip or a backup."
    )


def reads_row(what: str) -> Callable[[Callable[[Row], _Read]], Callable[[Row], _Read]]:
    """A decorator for a function that makes a record of a row: what no stored row can hold is told as damage."""

    def decorate(read: Callable[[Row], _Read]) -> Callable[[Row], _Read]:
        @wraps(read)
        def reading(row: Row) -> _Read:
            try:
                return read(row)
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
                raise damaged(what, error) from error

        return reading

    return decorate


def key_or_none(number: int) -> int | None:
    """A row number as SQLite can look it up; None, which no row has, beyond 64 bits."""
    return number if -(2**63) <= number < 2**63 else None


def to_stamp(moment: datetime) -> str:
    """An aware time as ISO 8601 in UTC; equal widths, so that text order is time order."""
    if moment.tzinfo is None:
        raise ValueError(f"time without a zone: {moment!r}; give an aware time")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def from_stamp(stamp: str | None) -> datetime | None:
    """The aware UTC time of a stamp."""
    return None if stamp is None else moment(stamp)


def moment(stamp: str) -> datetime:
    """The aware UTC time of a stamp that is there (DatabaseDamaged: it is none)."""
    try:
        return datetime.fromisoformat(stamp)
    except (ValueError, TypeError) as error:
        raise damaged(f"The time {stamp!r}", error) from error


def dump(value: object) -> str:
    """Compact JSON with sorted keys: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def document_values(document: records.Document) -> dict[str, object]:
    """Column values of a document; URLs and tags have tables of their own."""
    reasons = [[reason.rule, reason.effect, clean(reason.text)] for reason in document.assessment.reasons]
    values: dict[str, object] = {
        **{name: getattr(document, name) for name in DOCUMENT_COLUMNS},
        **{name: clean_or_none(getattr(document, name)) for name in _TEXTS},
        "fetched": to_stamp(document.fetched),
        "grade": document.grade.value,
        "grade_override": document.grade_override.value if document.grade_override else None,
        "published": document.published.isoformat() if document.published else None,
        "created": to_stamp(document.created) if document.created else None,
        "authors": dump([clean(author) for author in document.authors]),
        "mended": dump(document.mended),
        "accepted": int(document.accepted),
        "warnings": dump([clean(warning) for warning in document.warnings]),
        "assessment": dump([document.assessment.grade.value, reasons]),
        "pages": dump([[page.number, page.start, page.end] for page in document.pages]),
        "headings": dump([[head.level, head.start, head.end, clean(head.text)] for head in document.headings]),
        "links": dump([clean(link) for link in document.links]),
    }
    return {**values, "sum": document_sum(values)}


def document_from(row: Row, urls: Sequence[str], tags: Sequence[str]) -> records.Document:
    """A document from its columns (in the order of DOCUMENT_COLUMNS, then its checksum), URLs and tags."""
    value = dict(zip(DOCUMENT_COLUMNS, row[:-1], strict=True))
    if document_sum(value) != row[-1]:
        raise damaged(f"The entry of document {value['id']}", "its checksum differs")
    return _document_of((value, urls, tags))


@reads_row("The entry of a document")
def _document_of(given: Row) -> records.Document:
    value, urls, tags = given
    grade, reasons = json.loads(value["assessment"])
    read = {
        "fetched": moment(value["fetched"]),
        "grade": Grade(value["grade"]),
        "assessment": records.Assessment(Grade(grade), tuple(records.GradeReason(*reason) for reason in reasons)),
        "grade_override": Grade(value["grade_override"]) if value["grade_override"] else None,
        "authors": tuple(json.loads(value["authors"])),
        "mended": tuple(json.loads(value["mended"])),
        "accepted": bool(value["accepted"]),
        "published": date.fromisoformat(value["published"]) if value["published"] else None,
        "warnings": tuple(json.loads(value["warnings"])),
        "pages": tuple(records.PageSpan(*page) for page in json.loads(value["pages"])),
        "headings": tuple(records.Heading(*heading) for heading in json.loads(value["headings"])),
        "links": tuple(json.loads(value["links"])),
        "created": from_stamp(value["created"]),
    }
    return records.Document(**{**value, **read, "urls": tuple(urls), "tags": tuple(tags)})


@reads_row("A passage")
def passage_from(row: Row) -> records.Passage:
    """A passage from PASSAGE_COLUMNS."""
    document_id, ordinal, start, end, text, context, page, number, stored = row
    if passage_sum(ordinal, start, end, page, text, context) != stored:
        raise DatabaseDamaged(
            f"Passage {ordinal + 1} of document {document_id} is not what was stored. Add the source again."
        )
    return records.Passage(document_id, ordinal, start, end, text, context, page, number)


@reads_row("The entry of a source that was asked for")
def acquisition_from(row: Row) -> records.Acquisition:
    """An acquisition from ACQUISITION_COLUMNS."""
    value = dict(zip(ACQUISITION_COLUMNS.split(", "), row, strict=True))
    read = {
        "kind": SourceKind(value["kind"]),
        "state": FetchState(value["state"]),
        "requested": moment(value["requested"]),
        "finished": from_stamp(value["finished"]),
    }
    return records.Acquisition(**{**value, **read})


@reads_row("A change of a grade")
def grade_change_from(row: Row) -> records.GradeChange:
    """A grade change from (document_id, grade, previous, reason, by, at)."""
    document_id, grade, previous, reason, by, at = row
    return records.GradeChange(document_id, Grade(grade) if grade else None, Grade(previous), reason, by, moment(at))


@reads_row("A job")
def job_from(row: Row) -> records.Job:
    """A job from JOB_COLUMNS."""
    value = dict(zip(JOB_COLUMNS.split(", "), row, strict=True))
    heartbeat = value["heartbeat"]
    read = {
        "kind": JobKind(value["kind"]),
        "state": JobState(value["state"]),
        "payload": json.loads(value["payload"]),
        "created": moment(value["created"]),
        "result": json.loads(value["result"]),
        "started": from_stamp(value["started"]),
        "finished": from_stamp(value["finished"]),
        "cancel_requested": bool(value["cancel_requested"]),
        "heartbeat": None if heartbeat is None else datetime.fromtimestamp(heartbeat, UTC),
    }
    return records.Job(**{**value, **read})
