"""Sentences of the evidence that can stand in an answer for themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.answer.draft import Evidence, Score, Span, Split, Unit
from core.answer.markers import readable
from core.text.sentences import sentence_spans
from core.text.terms import index_terms

_LEAST_WORDS, _MOST_WORDS = 5, 70
_LEAST_SIGNS = 8
"""Signs of a sentence in a script that puts no spaces between words."""
_LETTERS = 0.55
_ENDS = ".!\u2026\u3002\uff01\u0964\u06d4"
_CLOSERS = "\"'\u2019\u201d\u00bb)]*_`\u300d\u300f"
_ASKS = "?\uff1f\u061f"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that may be quoted: ``document_text[start:end]`` are its words. ``text`` is how it is shown: on one
    line, without the source's own reference marks. ``before`` is the sentence that it leans on, if it needs one.
    ``weight`` in (0, 1] is what its source and its kind are worth among sentences of like relevance."""

    evidence: Evidence
    start: int
    end: int
    text: str
    stems: frozenset[str]
    relevance: float = 0.0
    leans: bool = False
    before: Span | None = None
    weight: float = 1.0

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from all others."""
        return self.evidence.document_id, self.start, self.end

    @property
    def merit(self) -> float:
        """Relevance times weight: what sentences are put in order by."""
        return self.relevance * self.weight

    @property
    def words(self) -> int:
        """Words between spaces."""
        return len(self.text.split())


def candidates(
    question: str,
    evidence: Sequence[Evidence],
    split: Split,
    score: Score,
    unwanted: Callable[[str], bool] = lambda _: False,
) -> list[Sentence]:
    """Every sentence of the kept parts that can be quoted, with its relevance; best first, ties in the order given.

    A sentence is left out when it is a heading, a question, a fragment, mostly figures, of a list of references,
    ``unwanted``, or said already in the same words by another passage.
    """
    found: dict[tuple[str, int, int], Sentence] = {}
    for one in evidence:
        for sentence in _of_evidence(one, split) or _of_evidence(one, _whole_sentences):
            if not unwanted(sentence.text):
                found.setdefault(sentence.key, sentence)
    listed = list({sentence.text.casefold(): sentence for sentence in reversed(list(found.values()))}.values())[::-1]
    values = score(question, [(one.text, one.evidence.found) for one in listed]) if listed else []
    scored = [replace(one, relevance=float(value)) for one, value in zip(listed, values, strict=True)]
    return sorted(scored, key=lambda one: -one.relevance)


def _of_evidence(one: Evidence, split: Split) -> list[Sentence]:
    units = [unit for unit in split(one) if not _listed(one, one.start + unit.start, one.start + unit.end)]
    found = []
    for at, unit in enumerate(units):
        start, end = one.start + unit.start, one.start + unit.end
        if not _kept(one, start, end) or not quotable(one.text, unit):
            continue
        before = units[at - 1] if at and unit.leans and quotable(one.text, units[at - 1]) else None
        leads = before is not None and not before.leans
        text = readable(one.text[unit.start : unit.end])
        found.append(
            Sentence(
                one, start, end, text, frozenset(index_terms(text)), leans=unit.leans,
                before=(one.start + before.start, one.start + before.end) if before is not None and leads else None,
            )
        )  # fmt: skip
    return found


def _whole_sentences(one: Evidence) -> list[Unit]:
    return [Unit(start, end) for start, end in sentence_spans(one.text)]


def _listed(one: Evidence, start: int, end: int) -> bool:
    """Whether at least half of a sentence lies in entries of a list of references."""
    return bool(one.listed) and 2 * sum(max(0, min(end, b) - max(start, a)) for a, b in one.listed) >= end - start


def _kept(one: Evidence, start: int, end: int) -> bool:
    """Whether at least half of a sentence lies in the parts that refinement kept (all of them when none is told)."""
    if not one.kept:
        return True
    inside = sum(max(0, min(end, b) - max(start, a)) for a, b in one.kept)
    return 2 * inside >= end - start


def quotable(text: str, unit: Unit) -> bool:
    """Whether a unit is a whole statement: not a heading, a question, a fragment, a row of a table or of figures."""
    piece = text[unit.start : unit.end].strip()
    bare = readable(piece).rstrip(_CLOSERS)
    if unit.heading or not bare or bare[-1] in _ASKS or "|" in bare or bare[-1] not in _ENDS:
        return False
    letters = sum(map(str.isalpha, bare))
    if letters < _LETTERS * len(bare.replace(" ", "")):
        return False
    first = next((sign for sign in bare if sign.isalnum()), "")
    if first.islower():  # the rest of a sentence that was cut
        return False
    words = len(bare.split())
    if words <= _MOST_WORDS and first.lower() == first.upper() and not first.isdigit():  # a script without capitals
        return len(bare) >= _LEAST_SIGNS
    return _LEAST_WORDS <= words <= _MOST_WORDS
