"""Excerpts: the parts of a passage around the words that were asked for."""

import re
from collections.abc import Collection, Sequence

from core.records import Excerpt
from core.text.terms import STOP_WORDS, is_sign, terms

ELLIPSIS = "…"
_LOOK = 40  # characters searched for a word border before a window is cut inside a word
_SPACE = re.compile(r"\s")


def wanted_stems(queries: Sequence[str]) -> frozenset[str]:
    """The stems that excerpts and highlights look for: those of all queries, function words left out: the index knows
    some of them ("were"), but a reader looks for what the question is about."""
    words = [(query[term.start : term.end].lower(), term.stem) for query in queries for term in terms(query)]
    telling = frozenset(stem for word, stem in words if word not in STOP_WORDS)
    return telling or frozenset(stem for _, stem in words)


def highlights(text: str, stems: Collection[str]) -> tuple[tuple[int, int], ...]:
    """Spans of ``text`` whose stem is wanted, in order, touching ones merged (pairs of unspaced scripts overlap)."""
    hits = [(term.start, term.end) for term in terms(text) if term.stem in stems] if stems else []
    signs = {stem for stem in stems if is_sign(stem)}
    hits += [(at, at + 1) for at, letter in enumerate(text) if letter in signs] if signs else []
    spans: list[tuple[int, int]] = []
    for start, end in sorted(hits):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
        else:
            spans.append((start, end))
    return tuple(spans)


def excerpts(text: str, stems: Collection[str], around: int = 350, offset: int = 0) -> tuple[Excerpt, ...]:
    """Windows of ``around`` characters on both sides of each matched word, overlapping ones merged.

    A window is cut at a word border, with an ellipsis where text was left out. When nothing matches there is
    one plain excerpt, the beginning, twice ``around`` long. Together the windows never hold more than ``text``.

    Args:
        text: the passage.
        stems: what to look for (``wanted_stems``); inflected forms share a stem.
        offset: where ``text`` starts in its document.
    """
    if not text:
        return ()
    matches = highlights(text, stems)
    if not matches:
        return (_cut(text, 0, _left_border(text, min(len(text), 2 * around)), (), offset),)
    windows: list[list[int]] = []
    for start, end in matches:
        low = _right_border(text, max(0, start - around), start)
        high = max(end, _left_border(text, min(len(text), end + around)))
        if windows and low <= windows[-1][1] + 1:
            windows[-1][1] = max(windows[-1][1], high)
        else:
            windows.append([low, high])
    return tuple(
        _cut(text, low, high, tuple(span for span in matches if low <= span[0] and span[1] <= high), offset)
        for low, high in windows
    )


def _right_border(text: str, at: int, limit: int) -> int:
    """The first start of a word at or after ``at``, not beyond ``limit``."""
    if at == 0 or text[at - 1].isspace():
        return at
    space = _SPACE.search(text, at, min(limit, at + _LOOK))
    return space.end() if space else at


def _left_border(text: str, at: int) -> int:
    """The last end of a word at or before ``at``."""
    if at >= len(text) or text[at].isspace():
        return at
    for back in range(at, max(0, at - _LOOK), -1):
        if text[back - 1].isspace():
            return back - 1
    return at


def _cut(text: str, low: int, high: int, spans: Sequence[tuple[int, int]], offset: int) -> Excerpt:
    # White space at a cut is no content: the ellipsis stands right at a word.
    while low < high and low > 0 and text[low].isspace():
        low += 1
    while high > low and high < len(text) and text[high - 1].isspace():
        high -= 1
    lead = ELLIPSIS if low > 0 else ""
    tail = ELLIPSIS if high < len(text) else ""
    shift = len(lead) - low
    matches = tuple((start + shift, end + shift) for start, end in spans)
    return Excerpt(lead + text[low:high] + tail, low + offset, high + offset, matches, len(lead))
