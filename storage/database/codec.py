"""Records of ``core.records`` to database rows and back."""

import json
import re
from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, date, datetime
from typing import Any

from core import records
from core.labels import FetchState, Grade, JobKind, JobState, SourceKind

Row = Sequence[Any]
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

DOCUMENT_COLUMNS = tuple(field.name for field in fields(records.Document) if field.name not in ("urls", "tags"))
_TEXTS = ("title", "media_type", "method", "canonical_url", "filename", "publisher", "doi", "language")
"""Columns of a document with foreign text."""
ACQUISITION_COLUMNS = "id, kind, origin, state, requested, message, blob_hash, media_type, document_id, finished, batch"
JOB_COLUMNS = (
    "id, kind, state, payload, created, done, total, message, result, error, started, finished, attempts, "
    "cancel_requested, heartbeat"
)
PASSAGE_COLUMNS = 'd.id, p.ordinal, p."start", p."end", t.text, t.context, p.page, p.id'


def clean(text: str) -> str:
    """``text`` as SQLite can keep it: NUL and lone surrogates become U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text) if _UNSTORABLE.search(text) else text


def clean_or_none(text: str | None) -> str | None:
    return None if text is None else clean(text)


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
    return None if stamp is None else datetime.fromisoformat(stamp)


def moment(stamp: str) -> datetime:
    """The aware UTC time of a stamp that is there."""
    return datetime.fromisoformat(stamp)


def dump(value: object) -> str:
    """Compact JSON with sorted keys: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def document_values(document: records.Document) -> dict[str, object]:
    """Column values of a document; URLs and tags have tables of their own."""
    reasons = [[reason.rule, reason.effect, clean(reason.text)] for reason in document.assessment.reasons]
    return {
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


def document_from(row: Row, urls: Sequence[str], tags: Sequence[str]) -> records.Document:
    """A document from its columns (in the order of DOCUMENT_COLUMNS), URLs and tags."""
    value = dict(zip(DOCUMENT_COLUMNS, row, strict=True))
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


def passage_from(row: Row) -> records.Passage:
    """A passage from PASSAGE_COLUMNS."""
    document_id, ordinal, start, end, text, context, page, number = row
    return records.Passage(document_id, ordinal, start, end, text, context, page, number)


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


def grade_change_from(row: Row) -> records.GradeChange:
    """A grade change from (document_id, grade, previous, reason, by, at)."""
    document_id, grade, previous, reason, by, at = row
    return records.GradeChange(document_id, Grade(grade) if grade else None, Grade(previous), reason, by, moment(at))


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
