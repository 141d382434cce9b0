"""Entries of a source's own list of references, so that no answer quotes them as statements.

They are recognised by the section (a heading, of the document or on a line of its own) and by form: authors with
initials at the head of a line and a year where entries have it. A line in doubt counts as no entry, because losing a
sentence is worse.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import IntEnum

from core.records import Heading
from core.text.reference_headings import is_reference_heading
from core.text.sentences import sentence_spans
from core.text.verbs import has_finite_verb

_LABEL = r"[ \t>]*+(?:[-*+\u2022][ \t]++)?+(?:\[\^?\d{1,4}\]:?|\(\d{1,4}\)|\d{1,4}[.)](?=\s)|\^\d{1,4}\^?)?+[ \t]*+"
_WORD = r"[^\W\d_a-z][\w'\u2019\-]+"
_NAME = rf"(?:(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|el|al|zu|zur) ){{0,3}}{_WORD}(?: {_WORD})?"
_DOTTED = r"(?:[^\W\d_a-z]\.[ \-\u2010]?){1,4}"
_AUTHOR = rf"(?:{_NAME},[ ]{_DOTTED}|{_DOTTED}[ ]?{_NAME}|{_NAME} [^\W\d_a-z]{{1,3}}(?:-[^\W\d_a-z])?(?![\w'\u2019]))"
_JOINT = r"[ ]?(?:[,;]?[ ]?(?:&|and|und|et|y)[ ]|[,;][ ]?(?:\.{3}|\u2026)?[ ]?)"
_AUTHORS = re.compile(
    rf"{_LABEL}{_AUTHOR}(?:{_JOINT}{_AUTHOR}){{0,60}}(?:,?[ ]et al\.?)?(?:[ ]?\((?:eds?|Hrsg)\.?\))?"
    r"(?P<dated>[.,]?[ ]?\(?(?:1[5-9]|20)\d\d[a-z]?\)?[.:,]|[ ]\((?:n\.d\.|in press)\)[.:,])?[ .,:]*"
    r"(?=[\"'\u201c\u2018\u00ab*_\[(]?[^\Wa-z_])"
)
_LABELLED = re.compile(rf"\A{_LABEL}")
_NUMBERED = re.compile(r"[ \t]*\[\d{1,4}\]")
_ADDRESS = re.compile(r"<?(?:https?://|www\.)\S+|\b(?:doi|pmid|pmcid|isbn)[:\s]\s?\S+|\b10\.\d{4,9}/\S+", re.IGNORECASE)
_VISITED = re.compile(
    r"[\[(]?\b(?:accessed|retrieved|abgerufen|visited|cited|available (?:from|at))\b[^.;]*", re.IGNORECASE
)
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_IMPRINT = re.compile(
    rf"[;,.(:][ ]?(?:[A-Z][a-z]{{2,8}}\.?[ ])?{_YEAR}\)?(?:[ ][A-Z][a-z]{{2}}(?:[ ]\d{{1,2}})?)?"
    r"(?:[;:,][ ]?(?:vol|no|pp?|S)?\.?[ ]?[\d(][\w\s():;,.\u2010-\u2013\-]{0,40})?[\s.\])]*\Z"
)
"""The year at the end of an entry, with volume and pages: "; 2018.", ". 2017;18(2):71-86."."""
_END_OF_ONE = re.compile(rf";[ ]{_YEAR}[\d;:()\s,\u2013-]*\.?\Z")
_PAREN_YEAR = re.compile(rf"\({_YEAR}[^()]{{0,20}}\)[.:,]?[ ](?=[\"'\u201c\u2018\u00ab*_\[]?[^\Wa-z_])")
_LINE = re.compile(r"[^\r\n]+")
_HASHES = re.compile(r"[ \t]*#{1,6}[ \t]")
_THANKS = re.compile(r"(?:acknowledge?ments?|danksagung|remerciements|agradecimientos)", re.IGNORECASE)
_THANKING = re.compile(
    r"(?:We|I|The authors?)\b[^.]{0,40}\b(?:thank|grateful|indebted|acknowledge)|Thanks (?:to|go to)\b|Wir danken\b"
)
_MARKS = " \t#*_:.\uff1a"
_NOTES = frozenset(
    ("notes", "footnotes", "endnotes", "sources", "quellen", "literature", "literatur", "citations",
     "notes and references", "references and notes", "sources and references", "references and sources")
)  # fmt: skip
"""Headings under which there are statements too."""
_READING = re.compile(
    r"(?:(?:suggested|recommended|selected) )?(?:further |additional )?readings?(?: list)?|see also"
    r"|how to cite(?: .{0,30})?|(?:suggested|recommended) citation|cite (?:this|as).{0,30}"
    r"|weiterf\u00fchrende literatur|zum weiterlesen"
    r"|pour en savoir plus|lecturas recomendadas",
    re.IGNORECASE,
)
_LONG_LINE = 50
_LONGEST_ENTRY = 60
"""Words: what is longer says something of the work too."""
_FEW_WORDS = 12


class _Section(IntEnum):
    """The kind of section that a heading announces: anything, thanks, notes among which entries stand, or entries."""

    OTHER = 0
    THANKS = 1
    NOTES = 2
    LIST = 3


def reference_spans(
    text: str, start: int = 0, headings: Sequence[Heading] = (), language: str | None = None
) -> list[tuple[int, int]]:
    """Entries of lists of references in a passage, in order.

    Args:
        text: the passage.
        start: where it begins in its document.
        headings: those of the document.
        language: that of the document; verbs are known of English only, so in others a line without a year, an address
            or authors stays (None: English).

    Returns:
        Half-open ranges of the document, in code points.
    """
    entries: list[tuple[int, int]] = []
    english = (language or "en").lower().startswith("en")
    numbered = sum(map(_cites, text.splitlines())) > 1
    for a, b, section in _sectioned(text, start, headings):
        line = text[a:b]
        goes_on = bool(entries) and entries[-1][1] == start + a - 1  # the next line of the list, no blank line between
        if section is _Section.THANKS:
            entries += [(start + a + c, start + a + d) for c, d in sentence_spans(line) if _THANKING.match(line[c:d])]
        elif (numbered and _cites(line)) or _is_entry(line, section, goes_on, english):
            entries.append((start + a, start + b))
    return entries


def listed_entries(text: str, headings: Sequence[Heading] = ()) -> list[tuple[int, int]]:
    """Entries beyond doubt: under a heading that announces references, with authors at their head and a year or an
    address, and no longer than entries are. For callers that lose evidence when they mistake a statement for an entry.

    Args:
        text: the whole document.
        headings: those of the document.

    Returns:
        Half-open ranges of the document, in code points, in order.
    """
    return [
        (a, b)
        for a, b, section in _sectioned(text, 0, headings)
        if section is _Section.LIST and _is_sure_entry(text[a:b])
    ]


def _sectioned(text: str, start: int, headings: Sequence[Heading]) -> Iterator[tuple[int, int, _Section]]:
    """Lines that are no headings, as ranges of ``text``, and the section that the heading above them announces."""
    sections, headed = _Sections(headings), {heading.start for heading in headings}
    announced = _Section.OTHER  # by a line that is such a heading and that the document does not know as one
    for a, b in _lines(text):
        line = text[a:b]
        heading = _section_of_heading(line)
        if heading or start + a in headed or _HASHES.match(line):
            announced = heading
        else:
            yield a, b, max(sections.at(start + a), announced)


def _is_sure_entry(line: str) -> bool:
    authors = _AUTHORS.match(line)
    return bool(authors) and len(line.split()) <= _LONGEST_ENTRY and _dated(line, bool(authors and authors["dated"]))


def _dated(line: str, by_authors: bool) -> bool:
    """True when an entry has its year behind the authors or at the end, or an address."""
    return by_authors or bool(_IMPRINT.search(_without_address(line))) or bool(_ADDRESS.search(line))


def _without_address(line: str) -> str:
    return _VISITED.sub("", _ADDRESS.sub("", line)).rstrip(" .,;:<>()[]") + "."


def _cites(line: str) -> bool:
    """``[3] … https://…``: such lines make a list without a heading."""
    return bool(_NUMBERED.match(line) and _ADDRESS.search(line))


class _Sections:
    """The section of a place in a document: that of the nearest heading, or of the headings above it."""

    def __init__(self, headings: Sequence[Heading]) -> None:
        self._headings = sorted(headings, key=lambda heading: heading.end)
        self._ends = [heading.end for heading in self._headings]
        self._top = min((heading.level for heading in headings), default=0)

    def at(self, place: int) -> _Section:
        """The section of ``place``, a code point of the document."""
        level: int | None = None
        for number in range(bisect_right(self._ends, place) - 1, -1, -1):
            heading = self._headings[number]
            if level is None or heading.level < level:
                level = heading.level
                if section := _section_of_heading(heading.text):
                    return section
                if level == self._top:
                    break
        return _Section.OTHER


def _section_of_heading(line: str) -> _Section:
    bare = line.strip(_MARKS).casefold()
    if len(bare) > _LONG_LINE or not bare:
        return _Section.OTHER
    if _THANKS.fullmatch(bare):
        return _Section.THANKS
    if _READING.fullmatch(bare):
        return _Section.NOTES
    if is_reference_heading(line):
        return _Section.NOTES if bare.lstrip("0123456789. ") in _NOTES else _Section.LIST
    return _Section.OTHER


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Lines, an entry that was wrapped together with its further lines."""
    begin: int | None = None
    last = (0, 0)
    for match in _LINE.finditer(text):
        a, b = match.start(), match.start() + len(match.group().rstrip())
        if a == b or not match.group().strip():
            continue
        goes_on = (
            begin is not None
            and text.count("\n", last[1], a) == 1
            and last[1] - last[0] >= _LONG_LINE
            and text[last[1] - 1] not in ".!?:"
            and not _AUTHORS.match(text, a, b)
            and not _NUMBERED.match(text, a, b)
        )
        if begin is not None and not goes_on:
            yield begin, last[1]
        begin = begin if goes_on else a
        last = (a, b)
    if begin is not None:
        yield begin, last[1]


def _is_entry(line: str, section: _Section, goes_on: bool, english: bool) -> bool:
    authors = _AUTHORS.match(line)
    bare = _without_address(line)
    imprint, addressed = bool(_IMPRINT.search(bare)), bool(_ADDRESS.search(line))
    if authors and (authors["dated"] or imprint or addressed):
        return True
    short = len(line.split()) <= _FEW_WORDS
    if section is _Section.OTHER:
        return short and bool(_END_OF_ONE.search(bare)) and _verbless(bare, english)
    sign = bool(authors) or imprint or addressed or bool(_PAREN_YEAR.search(line))
    if section is _Section.LIST:
        return sign or (short and goes_on) or _verbless(line, english)
    head = _LABELLED.sub("", line).split(". ", 1)[0]
    return (sign and _verbless(head, english)) or (short and _verbless(line, english))


def _verbless(piece: str, english: bool) -> bool:
    return english and not has_finite_verb(piece)
