"""The sentences of one document, ranked as evidence for a claim.

BM25 over all sentences, dense and late interaction over those that may matter, fused by ranks; then the best are
chosen so that together they cover the words of the claim. A short source is encoded whole. Of a long one the sentences
of the passages that stand nearest to the claim (by their stored vectors and token matrices) and the best sentences by
words are encoded, so that 300 pages cost little more than one. The constants were chosen on SciFact train and one half
of WiCE dev (docs/decisions/0009-evidence-inside-a-source.md).
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import zip_longest

from core.errors import ModelError
from core.ports.parsing import Parser
from core.ports.store import JointEncoder, PassageIndex
from core.records import Document, EvidenceSentence, Passage, Span
from core.verify.by_vectors import UnitVectors
from core.verify.by_words import UnitWords, spread
from core.verify.checks.abbreviations import abbreviations
from core.verify.source_units import Unit, units_of

CLOSE = 60
"""Most sentences of one source that are encoded for one claim."""
PASSAGES = 8
"""Nearest passages, by dense and by late interaction each, whose sentences are candidates."""
RRF_K = 3
"""k of reciprocal rank fusion; smaller than the usual 60, because the rankings are short."""
LEAST_WORDS = 5
"""Words that a source needs outside of its ``no_evidence``; with fewer, all of its text is read."""
COVERAGE = 2.0
"""How much a newly covered word of the claim counts beside relevance (``core.verify.by_words``)."""
NO_ENCODER = "Sentences were chosen by words only: no encoder is there."
"""The note on a verdict of a source that was read without an encoder."""
_SPACE = re.compile(r"\s+")


class CitedSource:
    """One document, read once and searched for many claims. Safe to share between threads.

    Args:
        document: the stored document.
        text: its stored text.
        passages: its stored passages, if it has any.
        index: the index with vectors and token matrices of the passages; None: they are not used.
        encoder: None: sentences are ranked by words only, and the notes say so.
        meaning: an encoder with its memory, in place of ``encoder``, to share it between sources.
        no_evidence: half-open ranges of the text whose sentences are not chosen (entries of a list of references),
            unless the text has next to nothing else.
        parser: None: claims are not laid beside sentences word by word.
    """

    def __init__(
        self,
        document: Document,
        text: str,
        passages: Sequence[Passage] = (),
        *,
        index: PassageIndex | None = None,
        encoder: JointEncoder | None = None,
        meaning: UnitVectors | None = None,
        no_evidence: Sequence[Span] = (),
        parser: Parser | None = None,
    ) -> None:
        self.document = document
        self.text = text
        self.parser = parser
        self.passages = sorted(passages, key=lambda passage: (passage.start, passage.ordinal))
        self._index = index
        self._no_evidence = sorted(no_evidence)
        self._meaning = meaning if meaning is not None or encoder is None else UnitVectors(encoder)
        self._lock = threading.RLock()
        self.incomplete = False
        """True when vectors were missing at the last choice that may be there later."""

    @cached_property
    def abbreviations(self) -> dict[str, str]:
        """The long form of each abbreviation that the text defines."""
        return abbreviations(self.text)

    @cached_property
    def units(self) -> list[Unit]:
        """The sentences, headings, list items and table rows that are evidence, in order."""
        every = units_of(self.text, self.document.headings)
        evidence = [unit for unit in every if not self._is_no_evidence(unit)]
        words = sum(len(self.text[unit.start : unit.end].split()) for unit in evidence if not unit.heading)
        return evidence if words >= LEAST_WORDS else every

    def _is_no_evidence(self, unit: Unit) -> bool:
        at = bisect_right(self._no_evidence, unit.start, key=lambda span: span[0])
        return at > 0 and unit.end <= self._no_evidence[at - 1][1]

    @cached_property
    def _words(self) -> UnitWords:
        return UnitWords([self.text[unit.start : unit.end] for unit in self.units])

    def unit_text(self, at: int) -> str:
        """The text of a unit on one line."""
        unit = self.units[at]
        return _SPACE.sub(" ", self.text[unit.start : unit.end])

    def unit_at(self, start: int) -> int:
        """The index of the unit that begins at ``start``."""
        return bisect_left(self.units, start, key=lambda unit: unit.start)

    def passage_at(self, start: int, end: int) -> int | None:
        """The id of the stored passage that has most of a span, or None."""
        overlaps = [
            (min(end, passage.end) - max(start, passage.start), -passage.ordinal, passage.id)
            for passage in self.passages
        ]
        best = max(overlaps, default=(0, 0, 0))
        return best[2] if best[0] > 0 and best[2] else None

    def select(self, claim: str, k: int) -> list[EvidenceSentence]:
        """The ``k`` sentences nearest to ``claim``, best first; ties by place. Empty only for a source without text.

        ``ranks`` holds ``bm25`` (sentences that share a word with the claim), ``dense`` and ``late``.
        """
        return self.select_with_notes(claim, k)[0]

    def select_with_notes(self, claim: str, k: int) -> tuple[list[EvidenceSentence], list[str]]:
        """As ``select``, with notes for the user: which data was not used, and why."""
        with self._lock:
            if not self.units:
                return [], ["The source has no text."]
            words = self._words.scores(claim)
        by_words = sorted((at for at in range(len(self.units)) if words[at] > 0), key=lambda at: (-words[at], at))
        rankings = {"bm25": by_words}
        self.incomplete = False
        notes = [NO_ENCODER]
        if self._meaning is not None:
            try:
                notes = self._add_meaning(self._meaning, claim, by_words, rankings)
            except ModelError as error:  # a model is read at its first text: what words find is still found
                notes = [f"Sentences were chosen by words only: {error}"]
                self.incomplete = True
        return self._fused(claim, rankings, k), notes

    def _add_meaning(
        self, meaning: UnitVectors, claim: str, by_words: list[int], rankings: dict[str, list[int]]
    ) -> list[str]:
        close, notes = self._candidates(meaning, claim, by_words)
        if not close:
            return notes
        dense, late = meaning.of_units(claim, [self.unit_text(at) for at in close])
        for name, scores in (("dense", dense), ("late", late)):
            by_unit = dict(zip(close, scores.tolist(), strict=True))
            rankings[name] = sorted(close, key=lambda at: (-by_unit[at], at))
        return notes

    def _candidates(self, meaning: UnitVectors, claim: str, by_words: list[int]) -> tuple[list[int], list[str]]:
        """The units to encode, in order of the text, and notes for the user."""
        if len(self.units) <= CLOSE:
            return list(range(len(self.units))), []
        near: list[list[int]] = []
        notes = []
        if self._index is not None and self.passages:
            scored = meaning.of_passages(claim, self.passages, self._index)
            by_id = {passage.id: passage for passage in self.passages}
            for scores in scored:
                best = sorted(scores, key=lambda key: (-scores[key], key))[:PASSAGES]
                near.append([at for key in best for at in self._units_of(by_id[key])])
            missing = len(self.passages) - len(scored[0])
            if missing:
                self.incomplete = True
                notes.append(
                    f"{missing} of {len(self.passages)} passages of the source are not encoded yet: there, sentences "
                    "were found by words only."
                )
        else:
            notes.append("The source has no index of passages: its sentences were found by words first.")
        chosen: dict[int, None] = {}
        for row in _interleaved([by_words, *near]):
            chosen[row] = None
            if len(chosen) == CLOSE:
                break
        return sorted(chosen), notes

    def _units_of(self, passage: Passage) -> Iterable[int]:
        first = bisect_left(self.units, passage.start, key=lambda unit: unit.start)
        last = bisect_left(self.units, passage.end, key=lambda unit: unit.start)
        return range(max(0, first - 1) if first and self.units[first - 1].end > passage.start else first, last)

    def _fused(self, claim: str, rankings: dict[str, list[int]], k: int) -> list[EvidenceSentence]:
        """Reciprocal rank fusion (Cormack, Clarke & Büttcher, SIGIR 2009), then spread over the words of the claim."""
        scores: dict[int, float] = {}
        ranks: dict[int, dict[str, int]] = {}
        for name, ranking in rankings.items():
            for rank, at in enumerate(ranking, start=1):
                scores[at] = scores.get(at, 0.0) + 1 / (RRF_K + rank)
                ranks.setdefault(at, {})[name] = rank
        best = sorted(scores, key=lambda at: (-scores[at], at))[: max(CLOSE, k)]
        if len(best) < k:  # too few share a word with the claim, and no encoder ranks the rest: in order of the text
            best += [at for at in range(min(len(self.units), 2 * k)) if at not in scores][: k - len(best)]
        top = max(scores.values(), default=1.0)
        with self._lock:
            covered = self._words.covered(claim, best)
        chosen = spread([scores.get(at, 0.0) / top for at in best], covered, COVERAGE, k)
        return [self._evidence(best[place], score, ranks.get(best[place], {})) for place, score in chosen]

    def _evidence(self, at: int, score: float, ranks: dict[str, int]) -> EvidenceSentence:
        start, end = self.units[at].start, self.units[at].end
        return EvidenceSentence(start, end, self.text[start:end], score, ranks)


def _interleaved(rankings: Sequence[Sequence[int]]) -> Iterable[int]:
    """The first of each ranking, then the second of each, and so on."""
    for row in zip_longest(*rankings):
        yield from (at for at in row if at is not None)
