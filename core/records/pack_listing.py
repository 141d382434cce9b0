"""The records that ``pack.json`` of an audit pack lists once more: whoever changes a source's title or grade, a
person or a decision in one of the two places is found by the other. Pure: made of records alone, both times."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from core.records import Document, Person, Redacted, ReviewPolicy, StoredReport
from core.records.decision_chain import Entry

LISTED = "listed"
"""The member of ``pack.json``; packs of earlier versions have none."""
_LONGEST = 500
"""Characters of a title: a list of many sources stays small."""

Listing = dict[str, dict[str, object]]


def listing(
    project: str, report: StoredReport, documents: Iterable[Document], people: Iterable[Person], policy: ReviewPolicy,
    log: Sequence[Entry], *, rows: int, claims: int,
) -> Listing:  # fmt: skip
    """Plain JSON values, by what they are about: ``project``, ``report``, ``review``, ``decisions``, then one entry a
    source (``source`` and its id) and a person (``person`` and the name)."""
    records: Listing = {
        "project": {"name": project},
        "report": {
            "name": report.name, "title": report.title, "version": report.version, "text": report.content_hash,
            "bytes": report.blob_hash, "rows": rows, "claims": claims,
        },
        "review": asdict(policy),
        "decisions": {
            "entries": len(log), "redacted": sum(isinstance(entry, Redacted) for entry in log),
            "newest": log[-1].hash if log else "",
        },
    }  # fmt: skip
    records |= {f"source {document.id}": _source(document) for document in documents}
    return records | {f"person {person.name}": {"role": person.role.value} for person in people}


def compared(listed: Mapping[str, object], own: Listing) -> list[str]:
    """Differences of two listings, one sentence each. ``listed`` is the value in ``pack.json``, of any shape."""
    differences: list[str] = []
    for name in [*own, *(name for name in listed if name not in own)]:
        mine, theirs = own.get(name), listed.get(name)
        if mine is None:
            differences.append(f"pack.json lists the {_called(name)}, which is not among the records.")
        elif not isinstance(theirs, dict):
            differences.append(f"The {_called(name)} is among the records and not in the list of pack.json.")
        else:
            differences += [
                f"{field} of the {_called(name)} is {_shown(mine.get(field))} by its record, "
                f"{_shown(theirs.get(field))} by pack.json."
                for field in [*mine, *(their for their in theirs if their not in mine)]
                if mine.get(field) != theirs.get(field)
            ]
    return differences


def _source(document: Document) -> dict[str, object]:
    return {
        "title": document.title[:_LONGEST], "grade": document.grade.value,
        "grade by hand": document.grade_override.value if document.grade_override else None,
        "authors": "; ".join(document.authors)[:_LONGEST], "address": (document.canonical_url or "")[:_LONGEST],
        "doi": document.doi, "published": document.published.isoformat() if document.published else None,
        "text": document.content_hash, "bytes": document.blob_hash,
    }  # fmt: skip


def _called(name: str) -> str:
    return " ".join(name.split())[:120]


def _shown(value: object) -> str:
    text = " ".join(str(value).split())
    return f"“{text[:120]}”" if value not in (None, "") else "empty"
