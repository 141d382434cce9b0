"""Notes with people's work, or with what was paid for, in a project's zip: judgements, judged sets, opinions, quotes,
guidance (``storage.tables.notes`` decides which). Places are named by source and characters, which are the same in
every copy of a project. Refused: what the workbench could not have written. Left out, and said: what is about a source,
citation or claim that is not in the zip."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pydantic import BaseModel, ConfigDict, Field

from core.errors import StorageError
from core.records import LEFT_OUT, Document, Opinion
from storage.archive.judged import Judged
from storage.archive.note_forms import MAX_NOTE_BYTES, Form, Places, QuotesForm, form_of, plain
from storage.archive.read import ArchiveReader
from storage.store import SqliteProjectStore
from storage.tables.notes import kind_of

_TEXTS_AT_HAND = 64
_NAMED = 3
"""Examples that are named of one kind."""


class NoteRecord(BaseModel):
    """One line of ``kept.jsonl``."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = Field(max_length=200)
    value: str = Field(max_length=MAX_NOTE_BYTES)


@dataclass(frozen=True, slots=True)
class Kept:
    """Notes of a zip, by name, as they are kept here; ``left_out``: what is not among them, one sentence each."""

    notes: Sequence[tuple[str, str]]
    left_out: Sequence[str] = ()


def kept_lines(store: SqliteProjectStore) -> list[bytes]:
    """The lines of the list. A note that this version cannot read counts as none, here as everywhere."""
    lines = []
    for name, value in store.memos("").items():
        kind = kind_of(name)
        if kind is None or not kind.in_zip:
            continue
        try:
            form = form_of(name, value)
        except StorageError:
            continue
        if form not in ("", {}, Places({})):
            lines.append(NoteRecord(name=name, value=value).model_dump_json().encode("utf-8", "replace"))
    return lines


def read_kept(reader: ArchiveReader, documents: Sequence[Document], judged: Judged) -> Kept:
    """Notes of a zip, checked against what else is in it. Raises HostileArchive: something could not have been written
    by the workbench."""
    fits = _Fitting(reader, documents, judged)
    notes: dict[str, str] = {}
    for record in reader.notes(NoteRecord.model_validate_json):
        if record.name in notes:
            raise reader.hostile(f"the note {record.name[:60]!r} occurs twice")
        try:
            given = form_of(record.name, record.value)
        except StorageError as error:
            raise reader.hostile(str(error)) from error
        form = fits.fitted(record.name, given)
        notes[record.name] = "" if form is None else plain(form)
    return Kept([(name, value) for name, value in notes.items() if value], fits.left_out())


def restore_kept(store: SqliteProjectStore, kept: Kept) -> None:
    """Store the notes, and the sentences on what was left out."""
    for name, value in kept.notes:
        store.set_memo(name, value)
    if kept.left_out:
        store.set_memo(LEFT_OUT, json.dumps(list(kept.left_out)))


class _Fitting:
    """Documents, rows and claims of a zip, to check notes against them."""

    def __init__(self, reader: ArchiveReader, documents: Sequence[Document], judged: Judged) -> None:
        self._reader = reader
        self._documents = {document.id: document for document in documents}
        self._items = {f"finding:{row.id}" for rows in judged.findings.values() for row in rows}
        self._items |= {f"claim:{claim.id}" for claim in judged.claims}
        self._left_out: dict[str, Counter[str]] = {}
        self._text: Callable[[str], str] = lru_cache(_TEXTS_AT_HAND)(
            lambda document_id: reader.text(self._documents[document_id])
        )

    def fitted(self, name: str, form: Form) -> Form | None:
        """The part of a note that is about things in the zip; None where nothing of it is."""
        if isinstance(form, Opinion):
            spans = [(quote.document_id, quote.start, quote.end, quote.quote) for quote in form.quotes]
            here = form.item in self._items and all(map(self._stands, spans))
            return form if here else self._lost(name, form.item.replace(":", " "))
        if isinstance(form, QuotesForm):
            document_id = name.partition(":")[2]
            document = self._documents.get(document_id)
            if document is None:
                return self._lost(name, f"source {document_id}")
            if document.content_hash != form.content:
                raise self._reader.hostile(f"quotes of source {document_id} are of another text")
            here = all(self._stands((document_id, quote.start, quote.end, quote.quote)) for quote in form.quotes)
            return form if here else self._lost(name, f"source {document_id}")
        return self._judgements(name, form) if isinstance(form, Places) else form

    def _judgements(self, name: str, form: Places) -> Form | None:
        grades = {}
        for place, grade in form.grades.items():
            if place[0] not in self._documents:
                self._lost(name, f"source {place[0]}, characters {place[1]} to {place[2]}, grade {grade}")
                continue
            self._inside(place)
            grades[place] = grade
        return Places(grades) if grades else None

    def _stands(self, quote: tuple[str, int, int, str]) -> bool:
        """Whether a quote is what its source says there."""
        document_id, start, end, words = quote
        if document_id not in self._documents:
            return False
        self._inside((document_id, start, end))
        return self._text(document_id)[start:end] == words

    def _inside(self, place: tuple[str, int, int]) -> None:
        if not 0 <= place[1] <= place[2] <= len(self._text(place[0])):
            raise self._reader.hostile(f"a judgement or quote lies outside the text of document {place[0]}")

    def _lost(self, name: str, about: str) -> Form | None:
        """Count what is left out; returns None, the note that stands in its place."""
        kind = kind_of(name)
        assert kind is not None
        self._left_out.setdefault(kind.what, Counter())[about] += 1
        return None

    def left_out(self) -> list[str]:
        return [_sentence(what, about) for what, about in self._left_out.items()]


def _sentence(what: str, about: Counter[str]) -> str:
    count, named = about.total(), list(about)[:_NAMED]
    more = f", and {len(about) - len(named)} more" if len(about) > len(named) else ""
    return (
        f"Of the {what} {count:,} {'was' if count == 1 else 'were'} left out, as what it is about is not in the zip or "
        f"reads differently there: {'; '.join(named)}{more}."
    )
