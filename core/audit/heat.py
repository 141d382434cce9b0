"""The report in stretches of one colour each: what was judged has the colour of its citations, the rest its own.

A citation stands for its claim, which is often a part of its sentence. "Dunes cover 17 percent of it [1], and Titan is
smaller than Mercury." is two stretches: the second one is worth checking, and nobody has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from core.audit.report_model import BlockKind, Report, Sentence
from core.audit.summary import FAILING, PLAIN, UNCITED, VERIFIED, WAITING, is_citation
from core.labels import Status
from core.records import Finding, HeatSentence, Span

CheckWorthy = Callable[[str, str], tuple[bool, str]]
"""(worth checking, reason) for a sentence in a kind of block (``prose``, ``list_item`` …)."""
FEW_WORDS = 3
"""Words from which on a rest of a sentence is a stretch of its own; "However," is none."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_BREAK = re.compile(r"[\s,;:.)\]—–]*")
"""Ends a stretch: it stays with the words before it."""
_EDGES = " \t\n,;:.—–-()[]"


def heat(report: Report, findings: Sequence[Finding], check_worthy: CheckWorthy) -> list[HeatSentence]:
    """Every sentence of the report in order, cut into its stretches; headings and entries of the reference list
    included (``plain``). They cover every sentence without a gap.

    A stretch is ``failing`` as soon as one of its citations does not pass, ``waiting`` while one is not judged, else
    ``verified``. A stretch without a citation is ``uncited`` where it is worth checking.
    """
    cited: dict[int, list[Finding]] = defaultdict(list)
    unused: dict[int, list[Finding]] = defaultdict(list)
    for row in findings:
        if is_citation(row):
            if row.sentence is not None:
                cited[row.sentence].append(row)
        elif row.reference is not None:
            unused[row.reference[0]].append(row)
    coloured: list[HeatSentence] = []
    for at, sentence in enumerate(report.sentences):
        if at in cited:
            coloured += _stretches(report, sentence, cited[at], check_worthy)
        else:
            coloured.append(_uncited(report, sentence, unused, check_worthy))
    return coloured


def _stretches(
    report: Report, sentence: Sentence, rows: Sequence[Finding], check_worthy: CheckWorthy
) -> Iterator[HeatSentence]:
    """The claims of a cited sentence and the rests between them, in order."""
    words = _Words(report.text, sentence, rows)
    at = sentence.start
    claims = _claims(words, sentence, rows)
    for (start, end), mine in claims:
        if words.few(at, start):
            start = at
        else:
            yield _rest(report.text, (at, start), sentence, check_worthy)
        last = mine is claims[-1][1] and words.few(end, sentence.end)
        at = sentence.end if last else _BREAK.match(report.text, end, sentence.end).end()  # type: ignore[union-attr]
        yield _cited((start, at), mine)
    if at < sentence.end:
        yield _rest(report.text, (at, sentence.end), sentence, check_worthy)


class _Words:
    """The words of a sentence without the markers of its citations, asked for by places in the report."""

    def __init__(self, text: str, sentence: Sentence, rows: Sequence[Finding]) -> None:
        self._start = sentence.start
        letters = list(text[sentence.start : sentence.end])
        for row in rows:
            start, end = row.marker or (0, 0)
            for place in range(max(start - self._start, 0), min(end - self._start, len(letters))):
                letters[place] = " "
        self._text = "".join(letters)

    def count(self, start: int, end: int) -> int:
        """The number of words between two places."""
        return len(_WORD.findall(self._text, max(start - self._start, 0), max(end - self._start, 0)))

    def few(self, start: int, end: int) -> bool:
        """True when too few words for a stretch stand there."""
        return self.count(start, end) < FEW_WORDS


def _claims(words: _Words, sentence: Sentence, rows: Sequence[Finding]) -> list[tuple[Span, list[Finding]]]:
    """The claims inside a sentence with their rows, in order, apart from one another. A claim reaches to the end of a
    marker that follows it; one without a place in the sentence is all of it."""
    claims: list[tuple[Span, list[Finding]]] = []
    for (start, end), row in sorted(((_place(words, sentence, row), row) for row in rows), key=lambda pair: pair[0]):
        if claims and start < claims[-1][0][1]:
            (first, last), together = claims[-1]
            claims[-1] = ((first, max(last, end)), [*together, row])
        else:
            claims.append(((start, end), [row]))
    return claims


def _place(words: _Words, sentence: Sentence, row: Finding) -> Span:
    if row.claim is None:
        return sentence.start, sentence.end
    start, end = max(row.claim[0], sentence.start), min(row.claim[1], sentence.end)
    if row.marker is not None and end <= row.marker[0] <= sentence.end and not words.count(end, row.marker[0]):
        end = min(row.marker[1], sentence.end)
    return (start, end) if start < end else (sentence.start, sentence.end)


def _cited(span: Span, rows: Sequence[Finding]) -> HeatSentence:
    start, end = span
    ids = tuple(row.id for row in rows)
    failing = [row for row in rows if row.status not in (None, Status.PASS)]
    waiting = sum(row.status is None for row in rows)
    if failing:
        many = f"{len(failing)} of {len(rows)} citations do not pass: " if len(rows) > 1 else ""
        return HeatSentence(start, end, FAILING, ids, f"{many}{failing[0].explanation}")
    if waiting:
        why = f"{waiting} of {len(rows)} citations not judged yet." if len(rows) > 1 else "Not judged yet."
        return HeatSentence(start, end, WAITING, ids, why)
    return HeatSentence(start, end, VERIFIED, ids, rows[0].explanation)


def _rest(text: str, span: Span, sentence: Sentence, check_worthy: CheckWorthy) -> HeatSentence:
    """A part of a cited sentence that no citation of it was judged for."""
    start, end = span
    worthy, why = check_worthy(text[start:end].strip(_EDGES), sentence.kind.value)
    if worthy:
        return HeatSentence(
            start, end, UNCITED, (), f"This part has no citation of its own, and is worth checking: {why}."
        )
    return HeatSentence(start, end, PLAIN, (), f"No part of what was checked: {why}.")


def _uncited(
    report: Report, sentence: Sentence, unused: dict[int, list[Finding]], check_worthy: CheckWorthy
) -> HeatSentence:
    start, end = sentence.start, sentence.end
    if sentence.kind is BlockKind.REFERENCE:
        rows = unused.get(start, [])
        why = rows[0].explanation if rows else "An entry of the reference list."
        return HeatSentence(start, end, PLAIN, tuple(row.id for row in rows), why)
    worthy, why = check_worthy(report.text[start:end], sentence.kind.value)
    if worthy:
        return HeatSentence(start, end, UNCITED, (), f"Worth checking, and without a citation: {why}.")
    return HeatSentence(start, end, PLAIN, (), f"Nothing to check: {why}.")
