"""The log of decisions folded: the decisions in force, for whom, and those that can be undone. The log never changes
here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.labels import DecisionKind, ItemState, Role
from core.records import Decision, Standing

_BACK_AND_FORTH = (DecisionKind.UNDO, DecisionKind.REDO)


class Folded:
    """A log, entry by entry. Each person has a stack of what they decided and a stack of what they took back. An undo
    moves the entry that it names from the one to the other, a redo moves it back, and every other entry of that person
    empties the second."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self._entries: dict[int, Decision] = {}
        self._items: dict[str, list[Decision]] = defaultdict(list)
        self._done: dict[str, list[int]] = defaultdict(list)
        self._undone: dict[str, list[int]] = defaultdict(list)
        self._inactive: set[int] = set()
        for decision in decisions:
            self._take(decision)

    def extended(self, decisions: Iterable[Decision]) -> Folded:
        """The log with these entries after its own; this one stays as it is, for whoever still reads it."""
        longer = Folded(())
        longer._entries = dict(self._entries)
        longer._items.update((key, list(value)) for key, value in self._items.items())
        longer._done.update((key, list(value)) for key, value in self._done.items())
        longer._undone.update((key, list(value)) for key, value in self._undone.items())
        longer._inactive = set(self._inactive)
        for decision in decisions:
            longer._take(decision)
        return longer

    def _take(self, entry: Decision) -> None:
        self._entries[entry.id] = entry
        self._items[entry.item].append(entry)
        done, undone = self._done[entry.by], self._undone[entry.by]
        if entry.kind not in _BACK_AND_FORTH:
            done.append(entry.id)
            undone.clear()
        elif entry.kind is DecisionKind.UNDO and entry.target in done:
            done.remove(entry.target)
            undone.append(entry.target)
            self._inactive.add(entry.target)
        elif entry.kind is DecisionKind.REDO and entry.target in undone:
            undone.remove(entry.target)
            done.append(entry.target)
            self._inactive.discard(entry.target)

    @property
    def items(self) -> Sequence[str]:
        """Keys of all items that anybody decided on, in the order of their first entry."""
        return list(self._items)

    def entries(self, item: str) -> Sequence[Decision]:
        """All entries of an item in their order, undone ones and undo and redo themselves among them."""
        return self._items.get(item, [])

    def after(self, earlier: Folded) -> list[Decision]:
        """The entries that this log has after those of an earlier state of it."""
        return [entry for number, entry in self._entries.items() if number not in earlier._entries]

    def all_entries(self) -> Iterable[Decision]:
        return self._entries.values()

    def newest(self, item: str, by: str | None = None) -> int:
        """Id of the newest entry of an item (of one person), 0 without one."""
        return max((entry.id for entry in self.entries(item) if by is None or entry.by == by), default=0)

    def undoable(self, by: str) -> Decision | None:
        """The decision that an undo of this person would take back."""
        done = self._done.get(by)
        return self._entries[done[-1]] if done else None

    def redoable(self, by: str) -> Decision | None:
        """The decision that a redo of this person would bring back."""
        undone = self._undone.get(by)
        return self._entries[undone[-1]] if undone else None

    def active(self, item: str) -> list[Decision]:
        """Entries of an item that are not undone; notes, undo and redo are left out."""
        hidden = (*_BACK_AND_FORTH, DecisionKind.NOTE)
        return [entry for entry in self.entries(item) if entry.kind not in hidden and entry.id not in self._inactive]

    def own(self, item: str, by: str) -> Decision | None:
        """The decision of one person that is in force, a postponement too."""
        return next((decision for decision in reversed(self.active(item)) if decision.by == by), None)

    def adjudication(self, item: str) -> Decision | None:
        """The newest adjudication in force."""
        return next((decision for decision in reversed(self.active(item)) if decision.settles), None)

    def independent(self, item: str) -> dict[str, Decision]:
        """The own decision of each person: the newest that settles; adjudications do not count."""
        newest = {decision.by: decision for decision in self.active(item) if not decision.settles}
        return {by: decision for by, decision in newest.items() if decision.kind.settles}

    def on_their_own(self, item: str) -> dict[str, Decision]:
        """The decision of each person when, in blind review, they first could have seen what others decided: at the
        moment when they and another both had a decision in force. Later changes of mind are not independent of one
        another, so agreement is counted over these. Only people for whom that moment came; nothing after an
        adjudication counts."""
        first: dict[str, Decision] = {}
        standing: dict[int, Decision] = {}
        for entry in self.entries(item):
            if entry.settles:
                break
            if entry.kind is DecisionKind.UNDO:
                standing.pop(entry.target or 0, None)
            elif entry.kind is DecisionKind.REDO and entry.target in self._entries:
                standing[entry.target] = self._entries[entry.target]
            elif entry.kind not in (*_BACK_AND_FORTH, DecisionKind.NOTE):
                standing[entry.id] = entry
            newest = {standing[key].by: standing[key] for key in sorted(standing)}
            decided = {by: entry for by, entry in newest.items() if entry.kind.settles}
            if len(decided) > 1:
                first = {**decided, **first}
        return first

    def opinions(self, item: str) -> list[Decision]:
        """The decisions that count, oldest first: the newest of each person, of those since an adjudication."""
        settled = self.adjudication(item)
        since = settled.id if settled is not None else 0
        newest = {decision.by: decision for decision in self.active(item) if decision.id >= since}
        return sorted(
            (decision for decision in newest.values() if decision.kind.settles), key=lambda decision: decision.id
        )

    def sees_others(self, item: str, by: str, role: Role, *, blind: bool) -> bool:
        """True when ``by`` may know what others decided on an item. In blind review: once ``by`` and another have
        decided, or an adjudication ended it; whoever does not review (viewers) and owners, who settle conflicts, also
        once two people have decided."""
        if not blind or self.adjudication(item) is not None:
            return True
        decided = self.independent(item)
        if len(decided) < 2:
            return False
        return by in decided or role is not Role.REVIEWER

    def visible(self, item: str, by: str, role: Role, *, blind: bool) -> list[Decision]:
        """The entries of an item that ``by`` may see, in their order."""
        if self.sees_others(item, by, role, blind=blind):
            return list(self.entries(item))
        return [entry for entry in self.entries(item) if entry.by == by]

    def standing_for(
        self, item: str, by: str, role: Role, *, blind: bool, stale: dict[int, str]
    ) -> tuple[ItemState, Decision | None]:
        """The standing of an item for one reviewer, and the decision in force for them. ``stale`` has what changed
        since a decision, by its id: those ask for another look."""
        mine = self.own(item, by)
        if self.sees_others(item, by, role, blind=blind):
            opinions = self.opinions(item)
        else:
            opinions = [mine] if mine is not None and mine.kind.settles else []
        fresh = [opinion for opinion in opinions if not stale.get(opinion.id)]
        if fresh:
            last = next((opinion for opinion in reversed(fresh) if opinion.by == by), fresh[-1])
            return (ItemState.CONFLICT if len({opinion.kind for opinion in fresh}) > 1 else ItemState.DECIDED), last
        if mine is not None and mine.kind is DecisionKind.POSTPONE:
            return ItemState.POSTPONED, mine
        if opinions:
            return ItemState.STALE, next((opinion for opinion in reversed(opinions) if opinion.by == by), opinions[-1])
        return ItemState.OPEN, None


def standing_of(folded: Folded, item: str, *, blind: bool) -> Standing | None:
    """People's decision on an item, for whoever reads the result; None when nobody decided. In blind review the
    decision of one person alone stays out: another one may be about to decide."""
    opinions = folded.opinions(item)
    settled = folded.adjudication(item)
    if not opinions or (blind and settled is None and len(opinions) < 2):
        return None
    if len({opinion.kind for opinion in opinions}) > 1:
        return Standing(conflict=tuple(opinions))
    return Standing(decision=opinions[-1])
