"""Evidence, and the draft of an answer made from it, before it is checked. Pure values. Offsets are code points,
half-open: of evidence into the stored text of its document, of claims into the draft's text or one of its bullets. At
the end citation markers: ``[1]``, ``[1, 3]``, ``[2-4]``."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from core.labels import AnswerMode, Grade
from core.records import AnswerCitation, Strip
from core.text.sentences import sentence_spans

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that an answer may rest on. ``number`` is its marker, from 1. ``parts`` are those that refinement kept
    (offsets in the document), and ``relevance`` in [0, 1] is that of the best part. ``search_score`` is given as a
    share of the best score. ``grade`` is that of its document, or None. ``listed`` are its parts (offsets in the
    document) in a list of references and the like, which state nothing."""

    number: int
    passage_id: int
    document_id: str
    title: str
    start: int
    end: int
    text: str
    relevance: float = 0.0
    url: str | None = None
    parts: tuple[Span, ...] = ()
    near_duplicate_of: str | None = None
    search_score: float = 0.5
    grade: Grade | None = None
    listed: tuple[Span, ...] = ()


_GAP = "\n\u2026\n"
"""The mark between parts of a passage that do not follow one another."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The text of a passage that a model is shown: the parts that refinement kept. A part is (start in ``text``, start
    in the document, length)."""

    text: str
    parts: tuple[tuple[int, int, int], ...]

    def place(self, start: int, end: int) -> Span | None:
        """The range in the document of a range of ``text``, cut at the end of its first part. None for a range outside
        of all parts."""
        for at, origin, length in self.parts:
            a, b = max(start, at), min(end, at + length)
            if a < b:
                return origin + a - at, origin + b - at
        return None


def shown(passage: Evidence) -> Shown:
    """The kept parts of a passage in order, neighbours joined; the whole passage without kept parts."""
    joined: list[list[int]] = []
    for start, end in sorted(passage.parts or ((passage.start, passage.end),)):
        a, b = max(start, passage.start), min(end, passage.end)
        if joined and (
            a <= joined[-1][1] or not passage.text[joined[-1][1] - passage.start : a - passage.start].strip()
        ):
            joined[-1][1] = max(joined[-1][1], b)
        elif a < b:
            joined.append([a, b])
    text, parts = "", []
    for a, b in joined:
        text += _GAP if text else ""
        parts.append((len(text), a, b - a))
        text += passage.text[a - passage.start : b - passage.start]
    return Shown(text, tuple(parts))


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence of evidence, with offsets into its text. ``heading`` is True for a heading; ``leans`` for a sentence
    that can hardly be understood without the one before it."""

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
    """An answer that is not checked yet. ``missing`` says why there is no answer, or is ""."""

    mode: AnswerMode
    text: str = ""
    bullets: tuple[str, ...] = ()
    citations: tuple[AnswerCitation, ...] = ()
    claims: tuple[DraftClaim, ...] = ()
    notes: tuple[str, ...] = ()
    disputed: tuple[tuple[int, int], ...] = ()
    missing: str = ""

    def claim_text(self, claim: DraftClaim) -> str:
        text = self.text if claim.bullet is None else self.bullets[claim.bullet]
        return text[claim.start : claim.end]


Split = Callable[[Evidence], Sequence[Unit]]
"""Cuts evidence into units, in order."""
Score = Callable[[str, Sequence[tuple[str, float]]], Sequence[float]]
"""(question, sentences, each with the search score of its passage) → the relevance of each sentence in [0, 1]."""
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
    """The evidence of strips, grouped by passage, best first, numbered from 1; at most ``limit`` passages.

    Args:
        passages: id → (start, end, text). A strip of a passage that is gone is evidence by itself.
        documents: id → (title, address, id of the document it nearly repeats). Other strips are left out.
        scores: passage id → search score, where it has one.
        grades: document id → its grade.
    """
    by_passage: dict[tuple[str, int], list[Strip]] = {}
    for strip in strips:
        if strip.document_id in documents:
            place = strip.passage_id if strip.passage_id in passages else -strip.start - 1
            by_passage.setdefault((strip.document_id, place), []).append(strip)
    scored = scores or {}
    top = max(scored.values(), default=0.0)
    evidence = []
    for number, ((document_id, place), strips_of_passage) in enumerate(list(by_passage.items())[:limit], start=1):
        first = strips_of_passage[0]
        start, end, text = passages.get(place, (first.start, first.end, first.text))
        title, url, near = documents[document_id]
        parts = tuple(sorted((strip.start, strip.end) for strip in strips_of_passage))
        best = max(strip.relevance for strip in strips_of_passage)
        evidence.append(
            Evidence(number, max(place, 0), document_id, title, start, end, text, best, url, parts, near,
                scored.get(place, top / 2) / top if top > 0 else 0.5, (grades or {}).get(document_id))
        )  # fmt: skip
    return evidence


_MARKER = re.compile(r"[ \t]*\[(\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3}){0,20})\]")
_OWN_MARK = re.compile(
    r"""[ \t]?\[\^?\d{1,4}(?:\s*[,;\u2013-]\s*\d{1,4}){0,20}\]
    | (?<=[a-z][a-z][a-z][a-z.,;:!?)"\u201d\u2019])[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+(?=[.,;]?(?:\s|\Z))""",
    re.VERBOSE,
)
_SPACE = re.compile(r"\s+")
_MOST = 50
"""Most numbers of a range."""


def numbers_of(text: str) -> tuple[int, ...]:
    """The numbers in the markers of ``text``, each once, in order; ranges are written out."""
    numbers: dict[int, None] = {}
    for match in _MARKER.finditer(text):
        numbers.update(dict.fromkeys(_numbers(match[1])))
    return tuple(numbers)


def without_markers(text: str) -> str:
    """The words of ``text`` on one line."""
    return _SPACE.sub(" ", _MARKER.sub("", text)).strip()


def with_known(text: str, citations: Collection[int]) -> tuple[str, tuple[int, ...]]:
    """The text with only the markers of known numbers, each number in its own brackets; and the unknown numbers."""
    unknown: dict[int, None] = {}

    def write(match: re.Match[str]) -> str:
        numbers = list(dict.fromkeys(_numbers(match[1])))
        unknown.update(dict.fromkeys(number for number in numbers if number not in citations))
        markers = "".join(f"[{number}]" for number in numbers if number in citations)
        return f" {markers}" if markers and match.start() else markers

    return _MARKER.sub(write, text), tuple(unknown)


def readable(text: str) -> str:
    """A sentence of a source on one line, without the source's own reference marks: a reader would take them for
    markers of the answer."""
    return _SPACE.sub(" ", _OWN_MARK.sub("", text)).strip()


def claim_spans(text: str) -> list[tuple[int, int]]:
    """The spans of the sentences of an answer, each with the markers behind it."""
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        bare = without_markers(text[start:end])
        if spans and not any(map(str.isalnum, bare)):  # markers that were cut off from their sentence
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _numbers(inner: str) -> list[int]:
    numbers: list[int] = []
    for part in re.split(r"[,;]", inner):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _MOST:
            numbers.extend(range(ends[0], ends[1] + 1))
        else:
            numbers.extend(ends)
    return numbers
