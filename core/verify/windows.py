"""Windows: sentences of a source that are judged together.

Views are the best sentences together, in the order of the text: two, three, and so on up to the limit of the settings.
A claim often needs two or three sentences that stand far apart (WiCE, Kamoi et al. 2023), and the probabilities of the
same evidence with a little more or less around it tell how sure the model is. The other windows are the best sentences
alone and with their neighbours. They show where the evidence is, and which sentence contradicts the claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.records import Span
from core.settings.values import Verification
from core.verify.sentences import CitedSource
from core.verify.source_units import leans_back

TITLE_CHARS = 120
"""Characters of a title that is put in front of a window."""
VIEWS = (2, 3, 4, 5, 6, 8, 10, 12)
"""Numbers of sentences of the views."""

Units = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Units of a source in order, and their text on one line. ``view`` is True for a window that decides the label."""

    units: Units
    text: str
    spans: tuple[Span, ...]
    view: bool = False

    @property
    def start(self) -> int:
        """The place in the document where the first unit begins."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """The place in the document where the last unit ends."""
        return self.spans[-1][1]


def window(source: CitedSource, units: Iterable[int], *, view: bool = False) -> Window:
    """The window of ``units``. The title of the document stands in front where the text begins with a pronoun or a
    linking word."""
    order = tuple(sorted(set(units)))
    text = " ".join(source.unit_text(at) for at in order)
    title = " ".join(source.document.title.split())[:TITLE_CHARS]
    if title and leans_back(text) and title.casefold() not in text.casefold():
        text = f"{title}: {text}"
    return Window(order, text, _spans(source, order), view)


def windows_of(source: CitedSource, chosen: Sequence[int], settings: Verification) -> list[Window]:
    """The views, then the sentences alone and with their neighbours, best first; at most ``settings.windows``.

    Args:
        chosen: at least one unit, best first.
    """
    sizes = [size for size in VIEWS if size <= settings.window_sentences and size <= len(chosen)]
    if len(chosen) < VIEWS[-1] and len(chosen) <= settings.window_sentences and len(chosen) not in sizes:
        sizes.append(len(chosen))
    views: list[Units] = [tuple(chosen[:size]) for size in sizes[: settings.windows]] or [(chosen[0],)]
    others: list[Units] = []
    for at in chosen:
        others += [(at,), _with_neighbours(source, at)]
    windows: dict[Units, Window] = {}
    for wanted, view in ((views, True), (others, False)):
        for units in wanted:
            key = tuple(sorted(set(units)))
            if key not in windows and len(windows) < settings.windows:
                windows[key] = window(source, key, view=view)
    return list(windows.values())


def _with_neighbours(source: CitedSource, at: int) -> Units:
    """The unit with its neighbours: the two before it if it leans on them, else one on each side, not beyond a
    heading."""
    units = source.units
    before = [near for near in (at - 1, at - 2) if near >= 0]
    after = [at + 1] if at + 1 < len(units) and not units[at + 1].heading else []
    if units[at].leans:
        return (at, *before)
    near = [] if not before or units[before[0]].heading else before[:1]
    return (at, *near, *after)


def _spans(source: CitedSource, order: Units) -> tuple[Span, ...]:
    """The spans of the units in the document; units that follow one another make one span."""
    spans: list[Span] = []
    for place, at in enumerate(order):
        unit = source.units[at]
        if place and order[place - 1] == at - 1:
            spans[-1] = (spans[-1][0], unit.end)
        else:
            spans.append((unit.start, unit.end))
    return tuple(spans)
