"""Corrections of a stored document by a person: title, authors, date. They hold against whatever a file says of itself,
also when its text is read or fetched again."""

from collections.abc import Sequence
from dataclasses import replace

from core.acquire.chunk import chunk
from core.errors import SourceError
from core.ports.store import DocumentStore
from core.records import MENDABLE, Document, Passage
from core.settings.values import Chunking

_LONGEST_TITLE = 1000
_MOST_AUTHORS = 500


def mend(store: DocumentStore, chunking: Chunking, document: Document, fields: Sequence[str]) -> Document:
    """Keep these ``fields`` (of ``MENDABLE``) of ``document`` as corrections of the stored document of its id. A new
    title stands over its passages, which are cut anew.

    Raises:
        SourceError: the title is empty or endless, or the authors are too many.
        DocumentNotFound: it was deleted.
    """
    title = " ".join(document.title.split())
    if not title or len(title) > _LONGEST_TITLE:
        raise SourceError(f"A title has 1 to {_LONGEST_TITLE:,} characters; this one has {len(title):,}.")
    authors = tuple(dict.fromkeys(name for author in document.authors if (name := " ".join(author.split()))))
    if len(authors) > _MOST_AUTHORS:
        raise SourceError(f"{len(authors):,} authors were given; at most {_MOST_AUTHORS} are kept.")
    before = store.document(document.id)
    mended = store.mend(replace(document, title=title, authors=authors), fields)
    if mended.title != before.title:
        store.replace_passages(mended.id, passages_of(mended, store.text(mended.id), chunking))
    return store.document(mended.id)


def keep_corrections(store: DocumentStore, chunking: Chunking, before: Document, after: Document) -> Document:
    """``after``, the new version of ``before``, with what a person said of it: corrections, grade, tags."""
    if fields := [name for name in MENDABLE if name in before.mended]:
        kept = {name: getattr(before, name) for name in fields}
        after = mend(store, chunking, replace(after, **kept), fields)
    if before.grade_override and before.grade_override != after.grade_override:
        last = store.grade_changes(before.id)[-1]
        after = store.override_grade(after.id, before.grade_override, last.reason, last.by)
    if not set(before.tags) <= set(after.tags):
        after = store.set_tags(after.id, (*after.tags, *before.tags))
    return after


def passages_of(document: Document, text: str, chunking: Chunking) -> list[Passage]:
    """The passages of a stored document under the chunk settings."""
    return chunk(
        text,
        document_id=document.id,
        title=document.title,
        headings=document.headings,
        pages=document.pages,
        size=chunking.size,
        overlap=chunking.overlap,
    )
