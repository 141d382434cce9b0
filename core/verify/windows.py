"""Windows of sentences that are judged together.

First every chosen sentence alone and with its neighbours; then, when these have been judged, the best of them together,
because a claim often needs two or three sentences that stand far apart (WiCE, Kamoi et al. 2023).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.records.verify import Span
from core.settings import Verification
from core.verify.sentences import CitedSource
from core.verify.units import leans_back

TITLE_CHARS = 120
"""Longest title that is put in front of a window."""

Units = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Units of a source in order, and their text on one line; ``title`` tells whether the title stands in front."""

    units: Units
    text: str
    spans: tuple[Span, ...]

    @property
    def start(self) -> int:
        """Where the first unit begins in the document."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Where the last unit ends in the document."""
        return self.spans[-1][1]


def window(source: CitedSource, units: Iterable[int]) -> Window:
    """The window of these units. A window that begins with a pronoun or a linking word has the document's title in
    front."""
    order = tuple(sorted(set(units)))
    text = " ".join(source.unit_text(at) for at in order)
    title = " ".join(source.document.title.split())[:TITLE_CHARS]
    if title and leans_back(text) and title.casefold() not in text.casefold():
        text = f"{title}: {text}"
    return Window(order, text, _spans(source, order))


def first_round(source: CitedSource, chosen: Sequence[int], settings: Verification) -> list[Window]:
    """Each chosen unit alone, best first, and with its neighbours; at most about two thirds of ``settings.windows``."""
    room = max(1, settings.windows - settings.windows // 3)
    alone: list[Units] = [(at,) for at in chosen]
    beside = [_with_neighbours(source, at, settings.window_sentences) for at in chosen]
    wanted: list[Units] = []
    for rank, one in enumerate(alone):
        wanted.append(one)
        if rank * 2 < room or source.units[chosen[rank]].leans:
            wanted.append(beside[rank])
    return _made(source, wanted, (), room)


def second_round(
    source: CitedSource,
    chosen: Sequence[int],
    worth: Mapping[int, float],
    settings: Verification,
    judged: Sequence[Window],
) -> list[Window]:
    """Combinations of the best units: by their place in the ranking, and by ``worth`` (what a model said of each
    alone, larger is better); what ``judged`` holds is not made again."""
    size = settings.window_sentences
    by_worth = sorted(chosen, key=lambda at: -worth.get(at, 0.0))
    wanted: list[Units] = []
    for order in (by_worth, list(chosen)):
        for count in range(2, size + 1):
            wanted.append(tuple(order[:count]))
    best = by_worth[0] if by_worth else None
    if best is not None:
        wanted += [(best, at) for at in chosen if at != best]
    return _made(source, wanted, judged, max(0, settings.windows - len(judged)))


def _made(source: CitedSource, wanted: Iterable[Units], judged: Sequence[Window], room: int) -> list[Window]:
    held = {one.units for one in judged}
    made: list[Window] = []
    for units in wanted:
        key = tuple(sorted(set(units)))
        if key and key not in held and len(made) < room:
            held.add(key)
            made.append(window(source, key))
    return made


def _with_neighbours(source: CitedSource, at: int, size: int) -> Units:
    """The unit with those around it, ``size`` in all: before it first if it leans on them, else on both sides."""
    units = source.units
    found = [at]
    before, after = at - 1, at + 1
    back = units[at].leans
    while len(found) < size:
        if back and before >= 0 and not (units[before].heading and len(found) > 1):
            found.insert(0, before)
            before -= 1
        elif after < len(units) and not units[after].heading:
            found.append(after)
            after += 1
        elif not back and before >= 0 and not units[before].heading:
            found.insert(0, before)
            before -= 1
        else:
            break
        back = not back
    return tuple(found)


def _spans(source: CitedSource, order: Units) -> tuple[Span, ...]:
    """Spans in the document; units that follow one another make one span."""
    spans: list[Span] = []
    for place, at in enumerate(order):
        unit = source.units[at]
        if place and order[place - 1] == at - 1:
            spans[-1] = (spans[-1][0], unit.end)
        else:
            spans.append((unit.start, unit.end))
    return tuple(spans)
