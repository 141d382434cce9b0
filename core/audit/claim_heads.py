"""What stands elsewhere and belongs to a claim: the heads of a cell, the words before a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.audit.claim_text import ClaimText
from core.audit.report_model import Block, BlockKind, Report, Span
from core.audit.tables import heads_of, row_of
from core.text.verbs import has_finite_verb

_LONGEST = 300
_MOST_ITEMS = 200
_FEWEST_WORDS = 4

Reader = Callable[[Span], ClaimText]
"""Reads a stretch of the report as a claim is read."""


def with_heads(report: Report, claim: Span, sentence: int | None, read: Reader) -> ClaimText:
    """The text of a claim. A cell has the head of its row in front, and that of its column unless it is a sentence; an
    item of a list that is none has the words that announce the list."""
    own = read(claim)
    if sentence is None or not own.text:
        return own
    block = report.sentences[sentence].block
    kind = report.blocks[block].kind
    if kind is BlockKind.TABLE_CELL:
        return _cells(report, claim, block, read)
    lead = _announcement(report, sentence) if kind is BlockKind.LIST_ITEM and not _says(own.text) else None
    announced = read(lead).text.rstrip(" :*_") if lead else ""
    return _joined([_at(announced, own.places[0]), own], ": ") if announced else own


def _cells(report: Report, claim: Span, index: int, read: Reader) -> ClaimText:
    row, heads = row_of(report.blocks, index), heads_of(report.blocks, index)
    parts: list[ClaimText] = []
    for at, cell in enumerate(row):
        words = read(Span(max(cell.start, claim.start), min(cell.end, claim.end))) if _overlaps(cell, claim) else None
        if at == 0 and heads and words is None:
            words = _at(read(Span(cell.start, cell.end)).text, claim.start)
        if words is None or not words.text:
            continue
        head = heads.get(cell.level) if at and not _says(words.text) else None
        named = read(Span(head.start, head.end)).text if head else ""
        parts.append(_joined([_at(named, words.places[0]), words], ": ") if named else words)
    return _joined(parts, ", ")


def _at(text: str, place: int) -> ClaimText:
    """Words from elsewhere; in the report they are shown where the claim begins."""
    return ClaimText(text, (place,) * len(text))


def _joined(parts: Sequence[ClaimText], separator: str) -> ClaimText:
    text = ""
    places: tuple[int, ...] = ()
    for part in parts:
        between = _at(separator, part.places[0]) if text else ClaimText("", ())
        text, places = text + between.text + part.text, places + between.places + part.places
    return ClaimText(text, places)


def _overlaps(cell: Block, claim: Span) -> bool:
    return cell.start < claim.end and claim.start < cell.end


def _says(text: str) -> bool:
    return len(text.split()) >= _FEWEST_WORDS and has_finite_verb(text)


def _announcement(report: Report, sentence: int) -> Span | None:
    """The last sentence before the list that the sentence of an item stands in, when it ends in a colon."""
    at = sentence
    while at and sentence - at < _MOST_ITEMS and report.sentences[at].kind is BlockKind.LIST_ITEM:
        at -= 1
    last = report.sentences[at]
    ends = report.text[last.start : last.end].rstrip(" *_").endswith((":", "\uff1a"))
    return (
        Span(last.start, last.end)
        if ends and last.kind is BlockKind.PROSE and last.end - last.start <= _LONGEST
        else None
    )
