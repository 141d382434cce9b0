"""The log folded: undo and redo of any depth, what is in force, who sees what."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime

from core.labels import DecisionKind, ItemKind, ItemState, Role
from core.records import Decision, DecisionBasis
from core.review.state import Folded, standing_of

ACCEPT, REJECT, UNDO, REDO = DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.UNDO, DecisionKind.REDO
BASIS = DecisionBasis(1, 1, "Otters swim", "h")


class Log:
    """Entries as they would be appended."""

    def __init__(self) -> None:
        self.entries: list[Decision] = []

    def add(self, by: str, kind: DecisionKind, item: str = "x", **given: object) -> Decision:
        entry = Decision(
            len(self.entries) + 1,
            item,
            ItemKind.CITATION,
            kind,
            by,
            datetime(2026, 1, 1, tzinfo=UTC),
            BASIS,
            **given,  # type: ignore[arg-type]
        )
        self.entries.append(entry)
        return entry

    def undo(self, by: str) -> bool:
        target = self.folded.undoable(by)
        if target is not None:
            self.add(by, UNDO, target.item, target=target.id)
        return target is not None

    def redo(self, by: str) -> bool:
        target = self.folded.redoable(by)
        if target is not None:
            self.add(by, REDO, target.item, target=target.id)
        return target is not None

    @property
    def folded(self) -> Folded:
        return Folded(self.entries)


def test_undo_and_redo_of_any_depth_are_those_of_a_stack() -> None:
    """Against a plain stack, over random runs of two people on three items."""
    for seed in range(30):
        lot = random.Random(seed)
        log = Log()
        done: dict[str, list[int]] = {"ann": [], "ben": []}
        gone: dict[str, list[int]] = {"ann": [], "ben": []}
        for _ in range(60):
            by = lot.choice(["ann", "ben"])
            act = lot.choice(["decide", "decide", "undo", "undo", "redo"])
            if act == "decide":
                done[by].append(log.add(by, lot.choice([ACCEPT, REJECT]), lot.choice("xyz")).id)
                gone[by].clear()
            elif act == "undo":
                assert log.undo(by) is bool(done[by])
                if done[by]:
                    gone[by].append(done[by].pop())
            else:
                assert log.redo(by) is bool(gone[by])
                if gone[by]:
                    done[by].append(gone[by].pop())
        in_force = {one.id for item in "xyz" for one in log.folded.active(item)}
        assert in_force == {*done["ann"], *done["ben"]}


def test_a_hundred_decisions_are_taken_back_and_brought_back() -> None:
    log = Log()
    for number in range(100):
        log.add("ann", ACCEPT, f"item {number}")
    while log.undo("ann"):
        pass
    assert [one for number in range(100) for one in log.folded.active(f"item {number}")] == []
    while log.redo("ann"):
        pass
    assert all(log.folded.own(f"item {number}", "ann") for number in range(100))
    assert len(log.entries) == 300


def test_an_undo_shows_the_decision_before() -> None:
    log = Log()
    first = log.add("ann", ACCEPT)
    log.add("ann", REJECT)
    log.undo("ann")
    assert log.folded.own("x", "ann") == first


def test_a_log_that_repeats_an_undo_is_read_all_the_same() -> None:
    log = Log()
    first = log.add("ann", ACCEPT)
    for kind in (UNDO, UNDO, REDO, REDO):
        log.add("ann", kind, target=first.id)
    assert log.folded.own("x", "ann") == first


def test_disagreement_is_a_conflict_until_it_is_settled() -> None:
    log = Log()
    first, second = log.add("ann", ACCEPT), log.add("ben", REJECT)
    assert [one.id for one in standing_of(log.folded, "x", blind=False).conflict] == [1, 2]  # type: ignore[union-attr]
    settled = log.add("cleo", REJECT, settles=(first.id, second.id))
    assert standing_of(log.folded, "x", blind=False).decision == settled  # type: ignore[union-attr]
    assert log.folded.independent("x") == {"ann": first, "ben": second}
    log.add("ann", ACCEPT)
    assert len(standing_of(log.folded, "x", blind=False).conflict) == 2  # type: ignore[union-attr]
    log.undo("ann")
    assert standing_of(log.folded, "x", blind=False).decision == settled  # type: ignore[union-attr]
    log.undo("cleo")
    assert standing_of(log.folded, "x", blind=False).decision is None  # type: ignore[union-attr]


def test_agreement_counts_what_was_decided_before_the_other_could_be_seen() -> None:
    log = Log()
    log.add("ann", ACCEPT)
    log.undo("ann")
    mine = log.add("ann", REJECT)
    other = log.add("ben", ACCEPT)  # from here both see each other
    log.undo("ben")
    log.add("ben", REJECT)
    third = log.add("cleo", REJECT)
    assert log.folded.on_their_own("x") == {"ann": mine, "ben": other, "cleo": third}
    assert Log().folded.on_their_own("x") == {}


def test_one_who_postpones_or_takes_back_has_no_opinion() -> None:
    log = Log()
    log.add("ann", ACCEPT)
    log.add("ben", REJECT)
    log.add("ben", DecisionKind.POSTPONE)
    state, decision = log.folded.standing_for("x", "ben", Role.REVIEWER, blind=False, stale={})
    assert (state, decision.by) == (ItemState.DECIDED, "ann")  # type: ignore[union-attr]
    state, decision = log.folded.standing_for("x", "ben", Role.REVIEWER, blind=True, stale={})
    assert (state, decision.by) == (ItemState.POSTPONED, "ben")  # type: ignore[union-attr]


def test_what_changed_since_asks_for_another_look_unless_somebody_had_it() -> None:
    log = Log()
    log.add("ann", ACCEPT)
    stale = {1: "The source changed."}
    assert log.folded.standing_for("x", "ann", Role.OWNER, blind=False, stale=stale)[0] is ItemState.STALE
    log.add("ben", REJECT)
    assert log.folded.standing_for("x", "ann", Role.OWNER, blind=False, stale=stale)[0] is ItemState.DECIDED


def test_blind_reviewers_see_their_own_entries_only_whoever_comes_first() -> None:
    for order in itertools.permutations(["ann", "ben"]):
        log = Log()
        log.add(order[0], ACCEPT)
        folded = log.folded
        assert folded.visible("x", order[1], Role.REVIEWER, blind=True) == []
        assert folded.visible("x", "owner", Role.OWNER, blind=True) == []
        log.add(order[1], DecisionKind.NOTE)
        assert [one.by for one in log.folded.visible("x", order[1], Role.REVIEWER, blind=True)] == [order[1]]
        log.add(order[1], REJECT)
        for by, role in ((order[0], Role.REVIEWER), (order[1], Role.REVIEWER), ("owner", Role.OWNER)):
            assert len(log.folded.visible("x", by, role, blind=True)) == 3
        assert log.folded.visible("x", "a third", Role.REVIEWER, blind=True) == []
