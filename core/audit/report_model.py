"""Frozen records of a report that is audited.

Offsets are code points into ``Report.text``, half-open ``[start, end)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """The kind of a stretch of a report."""

    PROSE = "prose"
    HEADING = "heading"
    LIST_ITEM = "list_item"
    TABLE_CELL = "table_cell"
    QUOTE = "quote"
    REFERENCE = "reference"
    CODE = "code"
    FRONT_MATTER = "front_matter"

    @property
    def citable(self) -> bool:
        """True when a marker that stands here cites something."""
        return self in (BlockKind.PROSE, BlockKind.LIST_ITEM, BlockKind.TABLE_CELL, BlockKind.QUOTE)


class Style(StrEnum):
    """The way a citation is written."""

    NUMERIC = "numeric"
    FOOTNOTE = "footnote"
    INLINE_LINK = "inline_link"
    REFERENCE_LINK = "reference_link"
    BARE_URL = "bare_url"
    DOI = "doi"
    AUTHOR_YEAR = "author_year"
    AUTHOR_YEAR_NARRATIVE = "author_year_narrative"
    PANDOC = "pandoc"
    SUPERSCRIPT = "superscript"
    TRAILING_DIGITS = "trailing_digits"


class ReferenceKind(StrEnum):
    """The place where a cited source is described."""

    NUMBERED = "numbered"
    FOOTNOTE = "footnote"
    KEYED = "keyed"
    UNNUMBERED = "unnumbered"
    LINK_DEFINITION = "link_definition"
    INLINE = "inline"


class PairingState(StrEnum):
    """The outcome of pairing one citation with a reference."""

    PAIRED = "paired"
    DANGLING = "dangling"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the report's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list item, table cell, code block or entry of a reference list.

    ``lead`` is where its line begins, list mark included. ``level`` is that of a heading (1 to 6), how deep a list item
    is nested (from 1), or the column of a cell (from 1). ``order`` is the number of an item of an ordered list, or the
    row of a cell (counted over the report; between two tables a number is left out).
    """

    kind: BlockKind
    start: int
    end: int
    lead: int
    level: int = 0
    order: int | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence (or the whole of a heading, cell, entry or code block); a marker that follows belongs to it.

    ``block`` is the index into ``Report.blocks``.
    """

    start: int
    end: int
    kind: BlockKind
    block: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A cited source as the report describes it. ``report.text[start:end] == text``.

    ``id`` is its index among the references; ``label`` is what people call it (``12``, ``^3``, ``@key``, a URL).
    ``implied`` numbers were counted, not written. ``authors`` are surnames or organisations, as written.
    ``also`` are further places that describe the same entry (a second list that gives only the addresses).
    ``is_report`` says that it points to the report itself.
    """

    id: int
    kind: ReferenceKind
    label: str
    start: int
    end: int
    text: str
    number: int | None = None
    key: str | None = None
    url: str | None = None
    doi: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    year: str | None = None
    implied: bool = False
    also: tuple[Span, ...] = ()
    is_report: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a marker names: a number, a key, an address, or authors and a year (``2020a``)."""

    number: int | None = None
    key: str | None = None
    url: str | None = None
    doi: str | None = None
    authors: tuple[str, ...] = ()
    et_al: bool = False
    year: str | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """A citation as it stands in the text: ``report.text[start:end] == text``, one or more targets.

    ``inside`` markers are part of their sentence (a narrative author-year, a linked phrase); the others follow
    what they support.
    """

    style: Style
    start: int
    end: int
    text: str
    targets: tuple[Target, ...]
    inside: bool = False


class LeftoverKind(StrEnum):
    """What was seen in a report and not understood; the value is what it is called, for one and for several."""

    MARK = "mark in brackets that no style of citation knows|marks in brackets that no style of citation knows"
    NAME_YEAR = "name with a year that may be a citation|names with a year that may be citations"
    RAISED = "raised number that may be a citation|raised numbers that may be citations"
    ENTRY = "line in a list of references that is no entry|lines in a list of references that are no entries"
    LINK = "link that leads to no web address|links that lead to no web address"
    MENU = "link of a menu|links of a menu"
    STRUCK = "citation in struck words|citations in struck words"


@dataclass(frozen=True, slots=True)
class Leftover:
    """A stretch of the report that may cite something and became no row."""

    kind: LeftoverKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Report:
    """A report with everything found in it, in the order of the text.

    ``own`` are the keys of the addresses that it says are its own, or where it was fetched (``references.keys_of``).
    ``leftovers`` is what may cite and was not understood; ``warnings`` say it in words.
    """

    text: str
    media_type: str
    title: str | None
    blocks: tuple[Block, ...]
    references: tuple[Reference, ...]
    markers: tuple[Marker, ...]
    sentences: tuple[Sentence, ...]
    url: str | None = None
    warnings: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    leftovers: tuple[Leftover, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """One marker and one of its targets, with the claim and the reference.

    ``claim`` is the sentence or clause that the marker stands for; ``sentence`` the index of the sentence it
    lies in, None where there is no claim (``claim`` is then None too). ``reference`` is an id among
    ``Pairing.references`` when the state is ``paired``; ``candidates`` are the ids when it is ``ambiguous``.
    """

    marker: int
    target: Target
    state: PairingState
    claim: Span | None
    sentence: int | None
    reference: int | None = None
    candidates: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pairing:
    """The citations of a report, and its faults.

    ``references`` are the report's own followed by those that stand inline (addresses). ``unused`` are ids of listed
    references that nothing cites.
    """

    references: tuple[Reference, ...]
    citations: tuple[Citation, ...]
    unused: tuple[int, ...]
