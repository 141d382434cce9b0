"""Sentences of the evidence that can stand alone in an answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.answer.draft import Evidence, Score, Span, Split, Unit, readable
from core.text.sentences import sentence_spans
from core.text.terms import index_terms

_LEAST_WORDS, _MOST_WORDS = 5, 70
_LEAST_SIGNS = 8
"""Least characters of a sentence in a script without spaces between words."""
_LETTERS = 0.55
_ENDS = ".!\u2026\u3002\uff01\u0964\u06d4"
_CLOSERS = "\"'\u2019\u201d\u00bb)]*_`\u300d\u300f"
_ASKS = "?\uff1f\u061f"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that may be quoted: ``document_text[start:end]`` are its words. ``text`` is its form for the user: on
    one line, without the source's own reference marks. ``before`` is the span of the sentence that it leans on, or
    None. ``weight`` in (0, 1] ranks its source and its kind among sentences of like relevance."""

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
        """The identity of the sentence: document and span."""
        return self.evidence.document_id, self.start, self.end

    @property
    def merit(self) -> float:
        """Relevance times weight, by which sentences are ranked."""
        return self.relevance * self.weight

    @property
    def words(self) -> int:
        """The number of words between spaces."""
        return len(self.text.split())


def candidates(
    question: str,
    evidence: Sequence[Evidence],
    split: Split,
    score: Score,
    unwanted: Callable[[str], bool] = lambda _: False,
) -> list[Sentence]:
    """The quotable sentences of the kept parts, with their relevance; best first, ties in the order given. A sentence
    is left out when it is a heading, a question, a fragment, mostly figures, an entry of a list of references,
    ``unwanted``, or a repetition of a sentence of another passage."""
    by_key: dict[tuple[str, int, int], Sentence] = {}
    for passage in evidence:
        for sentence in _of_evidence(passage, split) or _of_evidence(passage, _whole_sentences):
            if not unwanted(sentence.text):
                by_key.setdefault(sentence.key, sentence)
    listed = list({sentence.text.casefold(): sentence for sentence in reversed(list(by_key.values()))}.values())[::-1]
    values = score(question, [(sentence.text, sentence.evidence.search_score) for sentence in listed]) if listed else []
    scored = [replace(sentence, relevance=float(value)) for sentence, value in zip(listed, values, strict=True)]
    return sorted(scored, key=lambda sentence: -sentence.relevance)


def _of_evidence(passage: Evidence, split: Split) -> list[Sentence]:
    units = [
        unit for unit in split(passage) if not _listed(passage, passage.start + unit.start, passage.start + unit.end)
    ]
    sentences = []
    for at, unit in enumerate(units):
        start, end = passage.start + unit.start, passage.start + unit.end
        if not _in_parts(passage, start, end) or not quotable(passage.text, unit):
            continue
        last = units[at - 1] if at and unit.leans and quotable(passage.text, units[at - 1]) else None
        before = (passage.start + last.start, passage.start + last.end) if last and not last.leans else None
        text = readable(passage.text[unit.start : unit.end])
        sentences.append(
            Sentence(
                passage, start, end, text, frozenset(index_terms(text)), leans=unit.leans, before=before,
            )
        )  # fmt: skip
    return sentences


def _whole_sentences(passage: Evidence) -> list[Unit]:
    return [Unit(start, end) for start, end in sentence_spans(passage.text)]


def _listed(passage: Evidence, start: int, end: int) -> bool:
    """True when at least half of a sentence lies in entries of a list of references."""
    return (
        bool(passage.listed) and 2 * sum(max(0, min(end, b) - max(start, a)) for a, b in passage.listed) >= end - start
    )


def _in_parts(passage: Evidence, start: int, end: int) -> bool:
    """True when at least half of a sentence lies in the parts that refinement kept; without such parts always."""
    if not passage.parts:
        return True
    inside = sum(max(0, min(end, b) - max(start, a)) for a, b in passage.parts)
    return 2 * inside >= end - start


def quotable(text: str, unit: Unit) -> bool:
    """True for a whole statement: not a heading, a question, a fragment, a row of a table or of figures."""
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
