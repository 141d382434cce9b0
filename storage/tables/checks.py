"""What must hold of a document, a report, a claim before it is stored."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import StorageError
from core.records import Claim, Document, Finding, Passage, StoredReport
from storage.database.hashing import content_hash

MAX_COUNT = 2**31
"""Ordinals, versions and the like are smaller."""


def check_document(document: Document, text: str, passages: Sequence[Passage]) -> None:
    """Refuse what would later read wrong.

    Raises:
        StorageError: id, hash, or a passage does not fit the text.
    """
    try:
        computed = content_hash(text)
    except UnicodeEncodeError as error:
        raise StorageError(
            f"The text of {document.title!r} cannot be stored ({error}). Replace lone surrogates."
        ) from error
    if document.content_hash != computed or document.id != computed[:16]:
        raise StorageError(
            f"Document {document.id!r}: content_hash {document.content_hash!r} does not fit its text (SHA-256 "
            f"{computed}); the id must be its first 16 hex digits."
        )
    check_passages(document.id, text, passages)


def check_passages(document_id: str, text: str, passages: Sequence[Passage]) -> None:
    """Offsets in bounds, ``text[start:end] == passage.text``, ordinals distinct."""
    seen: set[int] = set()
    for passage in passages:
        where = f"Passage {passage.ordinal} of document {document_id}"
        if passage.document_id != document_id:
            raise StorageError(f"{where} names another document, {passage.document_id!r}.")
        if not 0 <= passage.start < passage.end <= len(text):
            raise StorageError(f"{where}: offsets {passage.start}–{passage.end} are not inside the text ({len(text)}).")
        if text[passage.start : passage.end] != passage.text:
            raise StorageError(f"{where}: its text is not the document's text at {passage.start}–{passage.end}.")
        if passage.ordinal in seen:
            raise StorageError(f"{where}: the ordinal occurs twice.")
        seen.add(passage.ordinal)


def check_report(report: StoredReport, text: str) -> None:
    """Refuse a report whose hash does not fit its text.

    Raises:
        StorageError: as said.
    """
    try:
        computed = content_hash(text)
    except UnicodeEncodeError as error:
        raise StorageError(
            f"The text of report {report.name!r} cannot be stored ({error}). Replace lone surrogates."
        ) from error
    if report.content_hash != computed:
        raise StorageError(
            f"Report {report.name!r}: content_hash {report.content_hash!r} does not fit its text (SHA-256 {computed})."
        )


def check_findings(findings: Sequence[Finding], length: int) -> None:
    """Ordinals distinct and not negative, every span inside the report's text of ``length`` characters.

    Raises:
        StorageError: as said.
    """
    seen: set[int] = set()
    for finding in findings:
        if finding.ordinal in seen or not 0 <= finding.ordinal < MAX_COUNT:
            raise StorageError(f"Row {finding.ordinal} of a report: this ordinal occurs twice or is out of range.")
        seen.add(finding.ordinal)
        for name in ("marker", "claim", "reference", "supported_part"):
            span = getattr(finding, name)
            if span is not None and not inside(span, length):
                raise StorageError(f"Row {finding.ordinal} of a report: its {name} {span} is not inside the text.")
        if finding.sentence is not None and not 0 <= finding.sentence < MAX_COUNT:
            raise StorageError(f"Row {finding.ordinal} of a report: there is no sentence {finding.sentence}.")


def check_claim(claim: Claim, length: int | None) -> None:
    """A claim has a place (inside the ``length`` characters of its report) exactly when it has a report.

    Raises:
        StorageError: as said.
    """
    if length is None:
        fits = claim.start is None and claim.end is None
    else:
        fits = claim.start is not None and claim.end is not None and inside((claim.start, claim.end), length)
    if not fits:
        raise StorageError(
            f"The claim {claim.text[:60]!r} stands at {claim.start}–{claim.end}, which is no place in its report."
        )


def inside(span: tuple[int, int], length: int) -> bool:
    """Whether a half-open span lies inside a text."""
    return 0 <= span[0] <= span[1] <= length
