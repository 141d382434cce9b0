"""Which decision is in force on each item: undone ones do not count, an adjudication settles, disagreement is said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from core.export.content import Standing
from core.labels import DecisionKind
from core.model import Decision


def standings(decisions: Sequence[Decision], *, blind: bool = False) -> dict[str, Standing]:
    """What stands on each item that somebody decided, by its key. ``decisions`` is the log in its order.

    Of each person the newest decision counts that was not undone. An adjudication (it ``settles`` others) that came
    after them ends a disagreement. With ``blind`` an item that only one person has decided yet is left out: what that
    one thinks must not reach the other.
    """
    by_item: dict[str, list[Decision]] = defaultdict(list)
    for one in decisions:
        by_item[one.item].append(one)
    found = {item: _standing(list(active(entries)), blind) for item, entries in by_item.items()}
    return {item: one for item, one in found.items() if one is not None}


def active(entries: Iterable[Decision]) -> Iterable[Decision]:
    """The entries of one item that are not undone, in their order; undo and redo themselves are left out."""
    entries = list(entries)
    gone: set[int] = set()
    for one in entries:
        if one.target is not None and one.kind is DecisionKind.UNDO:
            gone.add(one.target)
        elif one.target is not None and one.kind is DecisionKind.REDO:
            gone.discard(one.target)
    hidden = (DecisionKind.UNDO, DecisionKind.REDO)
    return [one for one in entries if one.kind not in hidden and one.id not in gone]


def _standing(entries: Sequence[Decision], blind: bool) -> Standing | None:
    settling = [one for one in entries if one.kind.settles]
    verdict = next((one for one in reversed(settling) if one.settles), None)
    if verdict is not None and not any(one.id > verdict.id for one in settling):
        return Standing(verdict)
    newest: Mapping[str, Decision] = {one.by: one for one in settling}
    opinions = sorted(newest.values(), key=lambda one: one.id)
    if not opinions or (blind and len(opinions) < 2):
        return None
    if len({one.kind for one in opinions}) > 1:
        return Standing(conflict=tuple(opinions))
    return Standing(opinions[-1])
