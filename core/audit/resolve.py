"""From a reference to the stored document that it means : the cited source is looked up first.

Order: every address a document was seen at, redirects included; DOI; arXiv id; the document's own id or the name of
its file; title. A claim is never compared with
the whole index here: what a source says plays no part in whether it is there.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.audit.report_model import Reference
from core.audit.titles import Work, agreement, same_words, year_of
from core.labels import FetchState, Reason
from core.records import Acquisition, Document
from core.text.same_page import address_keys
from core.text.urls import arxiv_id_of, doi_of, parse_urls, work_of

_NO_ANSWER = frozenset({FetchState.QUEUED, FetchState.CANCELLED, FetchState.STORED, FetchState.DUPLICATE})
_UNREADABLE = frozenset({
    FetchState.UNSUPPORTED_TYPE, FetchState.NO_TEXT, FetchState.NEEDS_JAVASCRIPT, FetchState.ENCRYPTED,
    FetchState.IMAGE_ONLY, FetchState.EMPTY, FetchState.BROKEN,
})  # fmt: skip
_ID = re.compile(r"\bdocument ([0-9a-f]{16})\b")
_FILES = ("application/pdf", "application/vnd.", "application/msword")
"""Media types whose metadata come from the program that made the file."""
_ENDING = re.compile(r"[^\W_]\.[a-z][a-z0-9]{1,9}\Z")


@dataclass(frozen=True, slots=True)
class Resolution:
    """The target of a reference: a document, several ``candidates``, or neither and then, if known, ``reason``.

    ``matched_by``: ``url``, ``redirect``, ``doi``, ``arxiv``, ``id``, ``file`` or ``title``. ``why`` is one
    line for people.
    """

    document_id: str | None = None
    matched_by: str = ""
    candidates: tuple[str, ...] = ()
    reason: Reason | None = None
    why: str = ""


def reason_of(state: FetchState) -> Reason | None:
    """The reason that a failed acquisition gives a citation; None while nothing is known (waiting, stopped). That a
    link never existed is said only where an archive was asked."""
    if state in _NO_ANSWER:
        return None
    if state in (FetchState.NOT_FOUND, FetchState.GONE, FetchState.DNS_FAILURE):
        return Reason.LINK_DEAD
    if state is FetchState.NEVER_SEEN:
        return Reason.LINK_NEVER_EXISTED
    return Reason.SOURCE_UNREADABLE if state in _UNREADABLE else Reason.FETCH_FAILED


class SourceBook:
    """The stored documents (superseded ones too; pages that wait to be accepted are none) and the list of requests, by
    everything a reference can name."""

    def __init__(self, documents: Sequence[Document], acquisitions: Sequence[Acquisition]) -> None:
        self._waiting = {document.id for document in documents if not document.accepted}
        documents = [document for document in documents if document.accepted]
        self._by_id = {document.id: document for document in documents}
        self._current = [document for document in documents if document.superseded_by is None]
        self._addresses: dict[str, list[str]] = defaultdict(list)
        self._dois: dict[str, list[str]] = defaultdict(list)
        self._arxiv: dict[str, list[str]] = defaultdict(list)
        for document in documents:
            self._enter(document)
        self._requests: dict[str, Acquisition] = {}
        for row in sorted(acquisitions, key=lambda row: row.id):
            for key in address_keys(row.origin):
                self._requests[key] = row
        self._found: dict[object, Resolution] = {}

    def _enter(self, document: Document) -> None:
        for url in dict.fromkeys(filter(None, (document.canonical_url, *document.urls))):
            for key in address_keys(url):
                self._addresses[key].append(document.id)
            if doi := doi_of(url):
                self._enter_doi(doi, document.id)
            if paper := arxiv_id_of(url):
                self._arxiv[paper].append(document.id)
        if document.doi:
            self._enter_doi(document.doi.lower(), document.id)

    def _enter_doi(self, doi: str, document_id: str) -> None:
        for name in dict.fromkeys((doi, work_of(doi))):
            self._dois[name].append(document_id)

    @property
    def current_count(self) -> int:
        """Documents that are not superseded."""
        return len(self._current)

    def document(self, document_id: str) -> Document:
        """A document of this book."""
        return self._by_id[document_id]

    def current(self, document_id: str) -> str | None:
        """The newest version of a document, None when it is gone."""
        seen: set[str] = set()
        while document_id not in seen:
            seen.add(document_id)
            document = self._by_id.get(document_id)
            if document is None:
                return None
            if document.superseded_by is None:
                return document_id
            document_id = document.superseded_by
        return None

    def previous(self, document_id: str) -> Document | None:
        """The version of a document before this one; the newest of several."""
        older = [version for version in self._by_id.values() if version.superseded_by == document_id]
        return max(older, key=lambda version: (version.fetched, version.id), default=None)

    def request_for(self, url: str) -> Acquisition | None:
        """The newest request for this address."""
        return next((self._requests[key] for key in address_keys(url) if key in self._requests), None)

    def find(self, reference: Reference) -> Resolution:
        """The document that a reference means. The same reference always gets the same answer."""
        key = (reference.url, reference.doi, reference.title, reference.authors, reference.year, reference.text)
        if key not in self._found:
            self._found[key] = self._find(reference)
        return self._found[key]

    def _find(self, reference: Reference) -> Resolution:
        urls = addresses_of(reference)
        for look in (self._by_address, self._by_doi, self._by_arxiv):
            resolution = look(reference, urls)
            if resolution is not None:
                return resolution
        resolution = self._by_request(urls) or self._by_id_given(reference)
        if resolution is None and not urls:  # an entry with an address means what is there, however a file is called
            resolution = self._by_file(reference)
        return resolution or self._by_title(reference) or self._missing(reference, urls)

    def _by_address(self, _: Reference, urls: Sequence[str]) -> Resolution | None:
        for url in urls:
            for key in address_keys(url):
                ids = self._newest(self._addresses.get(key, ()))
                if ids:
                    own = self._by_id[ids[0]].canonical_url or ""
                    return Resolution(ids[0], "url" if key in address_keys(own) else "redirect")
        return None

    def _by_doi(self, reference: Reference, urls: Sequence[str]) -> Resolution | None:
        dois = [doi.lower() for doi in (reference.doi, *map(doi_of, urls)) if doi]
        for doi in dict.fromkeys((*dois, *map(work_of, dois))):
            if ids := self._newest(self._dois.get(doi, ())):
                return Resolution(self._fullest(ids), "doi")
        return None

    def _by_arxiv(self, _: Reference, urls: Sequence[str]) -> Resolution | None:
        for paper in filter(None, map(arxiv_id_of, urls)):
            if ids := self._newest(self._arxiv.get(paper, ())):
                return Resolution(self._fullest(ids), "arxiv")
        return None

    def _by_request(self, urls: Sequence[str]) -> Resolution | None:
        """A request for this address ended in a document that was known under other addresses."""
        for url in urls:
            row = self.request_for(url)
            document = self.current(row.document_id) if row and row.document_id else None
            if document:
                return Resolution(document, "redirect")
        return None

    def _by_id_given(self, reference: Reference) -> Resolution | None:
        """An entry may give the id of a stored document, as reports of answers do where there is no address."""
        for given in _ID.findall(reference.text):
            if document := self.current(given):
                return Resolution(document, "id")
        return None

    def _by_file(self, reference: Reference) -> Resolution | None:
        """The entry names the file that a document came in, as a whole and with its ending."""
        text = _folded(reference.text.replace("\\", ""))
        fits = [document for document in self._current if (name := file_name(document)) and _names_file(text, name)]
        longest = max((len(file_name(fit)) for fit in fits), default=0)
        fits = [fit for fit in fits if len(file_name(fit)) == longest and not _other_work(reference, fit)]
        if len(fits) > 1:
            names = "; ".join(f"\u201c{fit.title}\u201d" for fit in fits[:3])
            return Resolution(
                candidates=tuple(fit.id for fit in fits), reason=Reason.AMBIGUOUS_REFERENCE,
                why=f"{len(fits)} stored sources came in a file of this name: {names}.",
            )  # fmt: skip
        return Resolution(fits[0].id, "file") if fits else None

    def _by_title(self, reference: Reference) -> Resolution | None:
        if not reference.title:
            return None
        ours = _cited(reference)
        scored = [(agreement(ours, _work(document)), document) for document in self._current]
        best = max((score for score, _ in scored), default=0)
        if best == 0:
            return None
        ids = [document.id for score, document in scored if score == best and not _other_work(reference, document)]
        if len(ids) == 1:
            return Resolution(ids[0], "title")
        if not ids:
            return None
        names = "; ".join(f"\u201c{self._by_id[key].title}\u201d" for key in ids[:3])
        return Resolution(
            candidates=tuple(ids), reason=Reason.AMBIGUOUS_REFERENCE,
            why=f"{len(ids)} stored sources fit this reference equally well: {names}.",
        )  # fmt: skip

    def _missing(self, reference: Reference, urls: Sequence[str]) -> Resolution:
        for url in urls:
            row = self.request_for(url)
            if row is None:
                continue
            if row.state is FetchState.QUEUED:
                return Resolution(why="The source has been asked for and is not read yet.")
            if row.document_id in self._waiting:
                return Resolution(why="The cited source was fetched for an answer and nobody has accepted it yet.")
            if row.state is FetchState.CANCELLED:
                return Resolution(why="Fetching the source was stopped before it was read.")
            if row.state.failed:
                reason = reason_of(row.state)
                return Resolution(reason=reason, why=row.message or f"Fetching it ended with: {row.state.value}.")
        if urls:
            return Resolution(why="The cited source is not in the project; it has not been fetched yet.")
        if not reference.title:
            return Resolution(why="The reference gives neither address nor title. Add the source by hand.")
        return Resolution(why=self._namesake(reference) or "The reference gives no address, and no stored source has "
                          "its title. Add the source by hand.")  # fmt: skip

    def _namesake(self, reference: Reference) -> str:
        """A sentence on the stored document that has the title and was taken for another work; "" without one."""
        ours = _cited(reference)
        for document in self._current:
            if same_words(ours, _work(document)):
                if _other_work(reference, document):
                    why = "but another DOI"
                elif document.authors or document.published:
                    why = "but other authors or another year"
                else:
                    why = "which is short and may be that of many works, and names no authors and no date"
                return (
                    f"A stored source has this title, {why}: \u201c{document.title}\u201d. If it is the cited "
                    "one, correct its title, authors or date; else add the source by hand."
                )
        return ""

    def _newest(self, ids: Iterable[str]) -> list[str]:
        """Current versions, last fetched first."""
        alive = dict.fromkeys(filter(None, map(self.current, ids)))
        return sorted(alive, key=lambda key: (self._by_id[key].fetched, key), reverse=True)

    def _fullest(self, ids: Sequence[str]) -> str:
        """The copy with most text, of several copies of one work (landing page, full text)."""
        return max(ids, key=lambda key: (self._by_id[key].length, key))


def file_name(document: Document) -> str:
    """The name of the file that a document came in, folded, without its folders; "" without one that has an ending."""
    name = _folded((document.filename or "").replace("\\", "/").rpartition("/")[2])
    return name if _ENDING.search(name) else ""


def _names_file(text: str, name: str) -> bool:
    """True when ``text`` (folded) holds ``name`` as a whole: neither the word before nor what follows could belong to
    the name of another file."""
    match = re.search(rf"(?:\A|[^\w/.\-\s]|\.\s|\A\s*\d+\s)\s*{re.escape(name)}(?![\w/\-]|\.\w)", text)
    return match is not None


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).lower()


def addresses_of(reference: Reference) -> list[str]:
    """The addresses that a reference gives: its own first, then others in its text, then its DOI as one."""
    addresses = dict.fromkeys(filter(None, (reference.url, *parse_urls(reference.text.replace("\\_", "_")))))
    if reference.doi:
        addresses.setdefault(f"https://doi.org/{reference.doi}", None)
    return [url for url in addresses if url.lower().startswith(("http://", "https://"))]


def _cited(reference: Reference) -> Work:
    return Work(
        reference.title or "", reference.authors, _publisher(reference), year_of(reference.year), raw=reference.text
    )


def _work(document: Document) -> Work:
    """The work of a document. What a PDF or an office file says of author and date is its program's word, unless a
    person corrected it."""
    year = document.published.year if document.published else None
    by_hand = {"authors", "published"} <= set(document.mended)
    sure = by_hand or not document.media_type.startswith(_FILES)
    return Work(document.title, document.authors, document.publisher, year, sure=sure)


def _publisher(reference: Reference) -> str | None:
    """The last piece of an author-less entry often names who published it; the title's own words do not count."""
    return None if reference.authors else reference.text.replace(reference.title or "", " ")[:300] or None


def _other_work(reference: Reference, document: Document) -> bool:
    """Both have a DOI and they differ: two works of one title."""
    return bool(reference.doi and document.doi and reference.doi.lower() != document.doi.lower())
