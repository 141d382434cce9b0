"""What must hold of a document before it is stored."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import StorageError
from core.model import Document, Passage
from storage.hashing import content_hash


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
