"""The sources of an audit pack read once more from their bytes: text, title, grade and whatever else reading gives."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from core.acquire.grade import Grader
from core.acquire.intake import Intake
from core.errors import SourceError
from core.labels import SourceKind
from core.ports.store import Clock, DocumentStore, Extractor
from core.records import Acquisition, Document, Fetched, PackStep
from core.settings.values import Chunking
from core.text.words import count_words

FIELDS = (
    "title", "grade", "authors", "published", "publisher", "doi", "language", "media_type", "method", "warnings",
    "pages", "headings", "links",
)  # fmt: skip
"""Fields of a document that reading the bytes gives beside the text."""
_CHARSETS = (
    "windows-1252",
    "iso-8859-15",
    "windows-1251",
    "koi8-r",
    "shift_jis",
    "euc-jp",
    "gb18030",
    "big5",
    "euc-kr",
)
"""A server's word about the encoding is not kept with the bytes, so where the text differs these are tried."""
_ADDRESSES = 4
GRADE_RULES = "grade_rules.toml"
"""File of grading rules in the folder of the projects."""

Tell = Callable[[int, int | None, str], None]
Way = tuple[Fetched, SourceKind, str | None]
"""The ways in which bytes may have come in: with which addresses and names, how, under which title given by a
person."""


class SourceReader:
    """Reads sources as ``core.acquire.intake`` does, and keeps nothing. ``rules`` is the file of grading rules of this
    installation; one that is not there means the usual rules."""

    def __init__(self, extractor: Extractor, rules: Path, clock: Clock) -> None:
        grader = Grader(rules if rules.is_file() else None)
        self._intake = Intake(cast(DocumentStore, _Nowhere()), extractor, grader, Chunking(), clock)

    def compare(
        self,
        documents: Sequence[Document],
        acquisitions: Sequence[Acquisition],
        blob: Callable[[str], bytes],
        tell: Tell,
    ) -> PackStep:
        """Differences by source. ``blob`` gives the bytes of a hash."""
        differing: list[str] = []
        for done, document in enumerate(documents):
            tell(done, len(documents), "Reading the sources again")
            differing += self._compare(document, acquisitions, blob(document.blob_hash))
        checks = (
            f"text, title, grade and metadata of {count_words(len(documents), 'source')}, read again from the bytes",
        )
        return PackStep(differences=tuple(differing), made=checks if documents else ())

    def _compare(self, document: Document, acquisitions: Sequence[Acquisition], body: bytes) -> list[str]:
        ways = list(_as_acquired(document, acquisitions, body)) or list(_as_stored(document, body))
        least, text_fits, reason = self._least(document, ways)
        if not text_fits and document.media_type.startswith("text/"):
            (fetched, kind, title), given = ways[0], document.media_type
            others = [
                (replace(fetched, media_type=f"{given}; charset={charset}"), kind, title) for charset in _CHARSETS
            ]
            closer, text_fits, _ = self._least(document, others)
            least = closer if text_fits else least
        return [f"{_named(document)}: its bytes cannot be read here ({reason})."] if least is None else least

    def _least(self, document: Document, ways: Sequence[Way]) -> tuple[list[str] | None, bool, str]:
        """The fewest differences of all ways (None where no way could be read), True when the text came out alike, and
        the reason why a way could not be read."""
        least: list[str] | None = None
        text_fits, reason = False, ""
        for fetched, kind, title in ways:
            try:
                again = self._intake.take_in(fetched, kind=kind, blob_hash=document.blob_hash, title=title)
            except SourceError as error:
                reason = str(error)
                continue
            text_fits = text_fits or again.content_hash == document.content_hash
            differing = list(_differences(document, again))
            if least is None or len(differing) < len(least):
                least = differing
            if not least:
                break
        return least, text_fits, reason


def _as_acquired(document: Document, acquisitions: Sequence[Acquisition], body: bytes) -> Iterator[Way]:
    """As the list of requests says (``core.acquire.bring_in``)."""
    for acquisition in acquisitions:
        if acquisition.document_id != document.id or acquisition.blob_hash not in (None, document.blob_hash):
            continue
        given = Fetched(body=body, media_type=acquisition.media_type or "")
        if acquisition.kind is SourceKind.PASTE:
            yield given, acquisition.kind, acquisition.origin or None
        elif acquisition.kind is SourceKind.URL:
            for url in _addresses(document):
                yield replace(given, url=acquisition.origin, final_url=url), acquisition.kind, None
        elif acquisition.origin.startswith(("http://", "https://")):
            yield replace(given, url=acquisition.origin), acquisition.kind, None
        else:
            yield replace(given, filename=acquisition.origin), acquisition.kind, None


def _as_stored(document: Document, body: bytes) -> Iterator[Way]:
    """The origin of a document without a request (fetched anew, or taken off the list), by its own record."""
    given = Fetched(body=body, media_type=document.media_type)
    for url in _addresses(document):
        yield replace(given, url=url), SourceKind.URL, None
        yield replace(given, url=url), SourceKind.UPLOAD, None
    if document.filename:
        yield replace(given, filename=document.filename), SourceKind.UPLOAD, None
    yield given, SourceKind.PASTE, document.title


def _addresses(document: Document) -> list[str]:
    return list(dict.fromkeys(filter(None, (*document.urls, document.canonical_url))))[-_ADDRESSES:]


def _differences(document: Document, again: Document) -> Iterator[str]:
    if document.content_hash != again.content_hash:
        yield f"{_named(document)}: its text is not the one that its bytes give here."
    for field in FIELDS:
        mine, theirs = getattr(document, field), getattr(again, field)
        if mine != theirs:
            yield (
                f"{_named(document)}: {field.replace('_', ' ')} is {_shown(mine)} in the pack, {_shown(theirs)} by its "
                "bytes."
            )
    if document.grade == again.grade and document.assessment != again.assessment:
        yield f"{_named(document)}: the reasons of its grade are others here."


def _named(document: Document) -> str:
    return f"Source {document.id} (“{' '.join(document.title.split())[:80]}”)"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return f"{len(value)}: {'; '.join(map(str, value[:3]))[:120]}" if value else "empty"
    return f"“{str(value)[:120]}”" if value not in (None, "") else "empty"


class _Nowhere:
    """The part of a store that ``Intake`` needs, keeping nothing."""

    def signatures(self) -> dict[str, bytes]:
        return {}

    def put(self, document: Document, *_rest: Any, **_more: Any) -> Document:
        return document
