"""A citation of a stored document that can be pasted into a report, in the style that the report uses.

A document that the report lists already gets its own number or key; another gets the next free one, with the entry
for the list on a line of its own below the marker.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from core.audit.entry import surname_of
from core.audit.report_model import Marker, Reference, ReferenceKind, Report, Style
from core.records import Document

_RAISED = str.maketrans("0123456789", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")
_MANY = 2


class ReadyCitation:
    """Writes citations for one report. ``document_of`` says which stored document a reference means, if any."""

    def __init__(self, report: Report, document_of: Callable[[Reference], str | None]) -> None:
        self._listed: dict[str, list[Reference]] = {}
        for reference in report.references:
            if document := document_of(reference):
                self._listed.setdefault(document, []).append(reference)
        numbers = [reference.number for reference in report.references if reference.number is not None]
        notes = [int(key) for key in map(_note_key, report.references) if key.isdecimal() and len(key) < 6]
        self._next_number = max(numbers, default=0) + 1
        self._next_note = max(notes, default=0) + 1
        self._usual = _usual_style(report.markers)
        self._dotted = _dotted(report)

    def write(self, document: Document, style: str) -> str:
        """The citation in ``style`` (a value of ``Style``); another style is taken to be the report's usual one."""
        styles = {item.value: item for item in Style}
        return _WRITERS[styles.get(style, self._usual)](self, document)

    def _numbered(self, document: Document, show: Callable[[int], str]) -> str:
        for reference in self._listed.get(document.id, ()):
            if reference.number is not None:
                return show(reference.number)
        number = self._next_number
        label = f"{number}." if self._dotted else f"[{number}]"
        return f"{show(number)}\n{label} {entry(document)}"

    def _square(self, document: Document) -> str:
        return self._numbered(document, lambda number: f"[{number}]")

    def _raised(self, document: Document) -> str:
        return self._numbered(document, lambda number: str(number).translate(_RAISED))

    def _footnote(self, document: Document) -> str:
        for reference in self._listed.get(document.id, ()):
            if reference.kind is ReferenceKind.FOOTNOTE:
                return f"[^{reference.key}]"
        return f"[^{self._next_note}]\n[^{self._next_note}]: {entry(document)}"

    def _pandoc(self, document: Document) -> str:
        for reference in self._listed.get(document.id, ()):
            if reference.kind is ReferenceKind.KEYED:
                return f"[@{reference.key}]"
        key = re.sub(r"\W", "", (_surnames(document) or ["source"])[0].lower()) + str(_year(document) or "")
        return f"[@{key}]\n{entry(document)}"

    def _author_year(self, document: Document) -> str:
        listed = self._listed.get(document.id, ())
        named = next((reference for reference in listed if reference.authors and reference.year), None)
        names = list(named.authors) if named else _surnames(document)
        year = named.year if named else str(_year(document) or "n.d.")
        who = names[0] if names else f"\u201c{document.title}\u201d"
        if len(names) == _MANY:
            who = f"{names[0]} & {names[1]}"
        elif len(names) > _MANY:
            who = f"{names[0]} et al."
        return f"({who}, {year})" if listed else f"({who}, {year})\n{entry(document)}"

    def _link(self, document: Document) -> str:
        url = address(document)
        return f"([{_escaped(document.title)}]({url}))" if url else self._author_year(document)

    def _bare(self, document: Document) -> str:
        return address(document) or self._author_year(document)

    def _doi(self, document: Document) -> str:
        return f"https://doi.org/{document.doi}" if document.doi else self._bare(document)


_WRITERS: Mapping[Style, Callable[[ReadyCitation, Document], str]] = {
    Style.NUMERIC: ReadyCitation._square,
    Style.FOOTNOTE: ReadyCitation._footnote,
    Style.INLINE_LINK: ReadyCitation._link,
    Style.REFERENCE_LINK: ReadyCitation._link,
    Style.BARE_URL: ReadyCitation._bare,
    Style.DOI: ReadyCitation._doi,
    Style.AUTHOR_YEAR: ReadyCitation._author_year,
    Style.AUTHOR_YEAR_NARRATIVE: ReadyCitation._author_year,
    Style.PANDOC: ReadyCitation._pandoc,
    Style.SUPERSCRIPT: ReadyCitation._raised,
    Style.TRAILING_DIGITS: ReadyCitation._raised,
}


def entry(document: Document) -> str:
    """An entry for a list of references: authors, year, title, publisher, address, as far as they are known."""
    parted = any("," in name for name in document.authors)
    authors = ("; " if parted else ", ").join(document.authors)
    year = _year(document)
    head = f"{authors} ({year})." if authors and year else f"{authors}." if authors else ""
    title = document.title.rstrip(".") + ("." if document.title[-1:] not in ".?!" else "")
    dated = f"({year})." if year and not authors else ""
    publisher = document.publisher or ""
    named = f"{publisher}." if publisher and publisher not in document.authors else ""
    where = f"https://doi.org/{document.doi}" if document.doi else address(document) or ""
    return " ".join(part for part in (head, title, dated, named, where) if part)


def address(document: Document) -> str | None:
    """An address that answers: one that was fetched, else the canonical one."""
    return next((url for url in document.urls if url.startswith(("http://", "https://"))), document.canonical_url)


def _note_key(reference: Reference) -> str:
    return (reference.key or "") if reference.kind is ReferenceKind.FOOTNOTE else ""


def _surnames(document: Document) -> list[str]:
    named = [name.strip() for name in document.authors if name.strip()]
    return [name.split(",")[0].strip() if "," in name else surname_of(name) for name in named]


def _year(document: Document) -> int | None:
    return document.published.year if document.published else None


def _escaped(title: str) -> str:
    return " ".join(title.split()).replace("[", "(").replace("]", ")")


def _usual_style(markers: tuple[Marker, ...]) -> Style:
    counts: dict[Style, int] = {}
    for marker in markers:
        counts[marker.style] = counts.get(marker.style, 0) + 1
    return max(counts, key=lambda style: counts[style], default=Style.NUMERIC)


def _dotted(report: Report) -> bool:
    """True when the list is numbered ``1.`` and not ``[1]``."""
    first = next((reference for reference in report.references if reference.number is not None), None)
    return first is None or not first.text.lstrip(" -*>").startswith("[")
