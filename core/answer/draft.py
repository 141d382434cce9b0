"""What an answer is made from and of, before it is checked. Pure values.

Offsets are code points, half-open: of evidence into the stored text of its document, of claims into the draft's text
or one of its bullets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.labels import AnswerMode, Grade
from core.records import AnswerCitation, Strip

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that an answer may rest on. ``number`` is its marker from 1; ``kept`` are the parts of it that
    refinement kept (in the document), ``relevance`` in [0, 1] that of the best of them. ``found``: how well the passage
    was found, 1 for the best one; ``grade`` of its document, None where it is not told. ``listed`` are the parts of it
    (in the document) that are entries of a list of references and the like: no statements to quote."""

    number: int
    passage_id: int
    document_id: str
    title: str
    start: int
    end: int
    text: str
    relevance: float = 0.0
    url: str | None = None
    kept: tuple[Span, ...] = ()
    near_duplicate_of: str | None = None
    found: float = 0.5
    grade: Grade | None = None
    listed: tuple[Span, ...] = ()


_GAP = "\n\u2026\n"
"""Between parts of a passage that do not follow one another."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a model is shown of a passage: the parts that refinement kept. ``parts``: (start in ``text``, start in the
    document, length)."""

    text: str
    parts: tuple[tuple[int, int, int], ...]

    def place(self, start: int, end: int) -> Span | None:
        """Where a range of ``text`` stands in the document; what lies beyond its first part is left out. None for a
        range that holds nothing of a part."""
        for at, origin, length in self.parts:
            a, b = max(start, at), min(end, at + length)
            if a < b:
                return origin + a - at, origin + b - at
        return None


def shown(one: Evidence) -> Shown:
    """The kept parts of a passage in order, neighbours joined; all of it where none is told."""
    joined: list[list[int]] = []
    for start, end in sorted(one.kept or ((one.start, one.end),)):
        a, b = max(start, one.start), min(end, one.end)
        if joined and (a <= joined[-1][1] or not one.text[joined[-1][1] - one.start : a - one.start].strip()):
            joined[-1][1] = max(joined[-1][1], b)
        elif a < b:
            joined.append([a, b])
    text, parts = "", []
    for a, b in joined:
        text += _GAP if text else ""
        parts.append((len(text), a, b - a))
        text += one.text[a - one.start : b - one.start]
    return Shown(text, tuple(parts))


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence of evidence: offsets into the evidence's text. ``heading``: it is one; ``leans``: it can hardly be
    understood without what stands before it."""

    start: int
    end: int
    heading: bool = False
    leans: bool = False


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A sentence of a draft with the markers it carries. ``bullet`` counts from 0, None in the text."""

    start: int
    end: int
    markers: tuple[int, ...]
    bullet: int | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer that was written and not yet checked. ``missing`` says why there is none."""

    mode: AnswerMode
    text: str = ""
    bullets: tuple[str, ...] = ()
    citations: tuple[AnswerCitation, ...] = ()
    claims: tuple[DraftClaim, ...] = ()
    notes: tuple[str, ...] = ()
    disputed: tuple[tuple[int, int], ...] = ()
    missing: str = ""

    def claim_text(self, claim: DraftClaim) -> str:
        """The words of a claim."""
        text = self.text if claim.bullet is None else self.bullets[claim.bullet]
        return text[claim.start : claim.end]


Split = Callable[[Evidence], Sequence[Unit]]
"""Cuts evidence into units, in order."""
Score = Callable[[str, Sequence[tuple[str, float]]], Sequence[float]]
"""(question, sentences, each with how well its passage was found) → how far each answers the question, in [0, 1]."""
Contradicts = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Pairs (claim, evidence) → probability that the evidence contradicts the claim."""


def evidence_of(
    strips: Sequence[Strip],
    passages: Mapping[int, tuple[int, int, str]],
    documents: Mapping[str, tuple[str, str | None, str | None]],
    limit: int,
    scores: Mapping[int, float] | None = None,
    grades: Mapping[str, Grade] | None = None,
) -> list[Evidence]:
    """Strips gathered by passage, best first, numbered from 1; at most ``limit`` passages.

    Args:
        passages: id → (start, end, text); a strip of a passage that is gone stands for itself.
        documents: id → (title, address, id of the document it nearly repeats); strips of others are left out.
        scores: passage id → score of the search, where it has one.
        grades: document id → its grade.
    """
    by_passage: dict[tuple[str, int], list[Strip]] = {}
    for strip in strips:
        if strip.document_id in documents:
            place = strip.passage_id if strip.passage_id in passages else -strip.start - 1
            by_passage.setdefault((strip.document_id, place), []).append(strip)
    known = scores or {}
    top = max(known.values(), default=0.0)
    found = []
    for number, ((document_id, place), held) in enumerate(list(by_passage.items())[:limit], start=1):
        first = held[0]
        start, end, text = passages.get(place, (first.start, first.end, first.text))
        title, url, near = documents[document_id]
        kept = tuple(sorted((one.start, one.end) for one in held))
        best = max(one.relevance for one in held)
        found.append(
            Evidence(number, max(place, 0), document_id, title, start, end, text, best, url, kept, near,
                known.get(place, top / 2) / top if top > 0 else 0.5, (grades or {}).get(document_id))
        )  # fmt: skip
    return found
