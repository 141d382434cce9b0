"""Words about review."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.labels import DecisionKind, ItemKind, ItemState, Reason, Role
from core.records import Decision, DecisionBasis, ImportedDecisions, Interval, Person, ReviewItem, ReviewProgress
from pages.words.measures import (
    agreement_line,
    imported_words,
    kappa_line,
    kappa_words,
    percent_words,
    precision_line,
    preview_line,
)
from pages.words.review import (
    DECISIONS,
    OFFERED,
    STATES,
    WHY,
    cannot_decide_line,
    decided_words,
    decision_details,
    machine_words,
    may_decide,
    moved_line,
    neighbour_keys,
    pace_line,
    place_words,
    progress_line,
    reason_code_words,
    undone_ids,
)

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
BASIS = DecisionBasis(1, 1, "Trees cool.", "h", machine="REVIEW", support=0.31)


def item(key: str, **changes: object) -> ReviewItem:
    made = ReviewItem(
        key, ItemKind.CITATION, 1, 1, 0, "Trees cool.", "REVIEW", ("partial",), 0.31, 0.5, "close", ItemState.OPEN
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def entry(id: int, kind: DecisionKind, **changes: object) -> Decision:
    made = Decision(id, "a", ItemKind.CITATION, kind, "Ann", NOW - timedelta(minutes=5), BASIS)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_every_decision_has_words_and_a_key_of_its_own_that_streamlit_does_not_take() -> None:
    assert set(DECISIONS) == set(DecisionKind)
    keys = [DECISIONS[kind].key for kind in DecisionKind] + ["J", "K"]
    assert len(set(keys)) == len(keys)
    assert not {"C", "R"} & set(keys)
    assert set(OFFERED) == set(DecisionKind) - {DecisionKind.UNDO, DecisionKind.REDO}


def test_every_state_has_words() -> None:
    assert set(STATES) == set(ItemState)


def test_the_machine_is_quoted_in_the_words_of_its_kind() -> None:
    assert machine_words(item("a")).word == "Review"
    assert machine_words(item("a", machine="")).word == "Waiting"
    assert machine_words(item("a", kind=ItemKind.CLAIM, machine="contested")).word == "Contested"
    assert machine_words(item("a", kind=ItemKind.CLAIM, machine="")).word == "Not checked"


def test_reasons_of_another_version_stand_as_they_are() -> None:
    assert reason_code_words(Reason.PARTIAL.value) == "Only partly supported"
    assert reason_code_words("odd_reason") == "odd reason"
    assert all(reason_code_words(code.value) for code in WHY)


def test_the_way_through_the_queue() -> None:
    queue = [item("a"), item("b"), item("c")]
    assert neighbour_keys(queue, "b") == ("a", "c")
    assert neighbour_keys(queue, "c") == ("b", None)
    assert neighbour_keys(queue, "gone") == (None, "a")
    assert neighbour_keys([], "gone") == (None, None)
    assert place_words(queue, "b") == "2 of 3 in the queue"
    assert place_words(queue, "gone") == "not in the queue"


def test_progress_and_pace() -> None:
    assert progress_line(0, 0) == "Nothing to review yet"
    assert progress_line(3, 17) == "3 of 17 decided"
    assert progress_line(17, 17) == "All 17 decided"
    made = ReviewProgress(20, 3, postponed=2, stale=1, conflicts=1, open=13, today=5)
    line = pace_line(replace(made, median_seconds=14.2, minutes_left=9.4))
    assert line == ("1 in conflict · 1 changed since · 2 postponed · 5 by you today · about 14 s each · 9 minutes left")
    assert pace_line(ReviewProgress(1, 0, 0, 0, 0, 1, 0)) == ""
    assert "under a minute left" in pace_line(replace(made, minutes_left=0.3))
    assert "2 hours left" in pace_line(replace(made, minutes_left=130))


def test_a_decision_is_told_with_what_it_rested_on() -> None:
    rejected = entry(4, DecisionKind.REJECT, reason="number_mismatch", note="28, not 38")
    assert decided_words(rejected, NOW) == "Ann rejected it, 5 minutes ago"
    assert decided_words(rejected, NOW, me="Ann").startswith("You rejected it")
    assert decision_details(rejected) == [
        "Reason: Number differs",
        "Note: 28, not 38",
        "The machine said then: Review, support 0.31 of 1",
    ]
    assert decided_words(entry(5, DecisionKind.UNDO, target=4), NOW) == "Ann took entry 4 back, 5 minutes ago"
    assert "settled a conflict" in decided_words(entry(6, DecisionKind.ACCEPT, settles=(4, 5)), NOW)


def test_what_was_taken_back_and_brought_back_again() -> None:
    log = [entry(1, DecisionKind.ACCEPT), entry(2, DecisionKind.UNDO, target=1)]
    assert undone_ids(log) == {1}
    assert undone_ids([*log, entry(3, DecisionKind.REDO, target=1)]) == set()


def test_what_moved_is_told_in_words_and_that_nothing_was_written() -> None:
    seen = item("a")
    decided = item("a", seen=7, decision=entry(7, DecisionKind.REJECT, by="Bob"), state=ItemState.DECIDED)
    assert moved_line(seen, decided).startswith("While you looked at it, Bob rejected it. Nothing was written.")
    judged = item("a", version=2, machine="PASS")
    assert "The machine said Review and says Pass now. Nothing was written." in moved_line(seen, judged)
    assert "is gone" in moved_line(seen, None)
    assert "Nothing was written" in moved_line(seen, item("a", seen=9))


def test_roles_in_words() -> None:
    people = [Person("Ann", Role.OWNER, NOW), Person("Bob", Role.VIEWER, NOW)]
    assert may_decide(people[0])
    assert not may_decide(people[1])
    assert "Ann can let you review" in cannot_decide_line(people)


def test_agreement_in_words() -> None:
    assert agreement_line("Ann", "Bob", 20, 0.9) == "Ann and Bob both decided on 20 items and agree on 18 (90 %)."
    assert "have not decided" in agreement_line("Ann", "Bob", 0, 0.0)
    assert kappa_line(0.78, 0.5, 1.0) == "Beyond chance: 0.78 of 1, substantial (95 % interval 0.50 to 1.00)."
    assert "cannot be told" in kappa_line(None, None, None)


@pytest.mark.parametrize(("kappa", "word"), [(-0.1, "no better"), (0.5, "moderate"), (0.81, "almost"), (1.0, "almost")])
def test_kappa_in_a_word(kappa: float, word: str) -> None:
    assert word in kappa_words(kappa)


def test_precision_and_what_a_threshold_changes() -> None:
    assert percent_words(0.999) == "99 %"
    assert percent_words(0.001) == "1 %"
    assert precision_line(Interval(0, 0, None, 0, 1)).startswith("Nobody has decided")
    line = precision_line(Interval(19, 20, 0.95, 0.764, 0.991))
    assert "Of 20 citations that the machine passed and people decided on, 19 hold." in line
    assert "95 % are expected to hold" in line
    assert "between 76 % and 99 %" in line
    assert "2 citations that pass now would go to a person" in preview_line(0.9, 0.5, 2, 0)
    assert "No citation would change" in preview_line(0.9, 0.5, 0, 0)


def test_what_an_import_did() -> None:
    assert imported_words(ImportedDecisions(0, 0, 0)) == "The file holds no decision."
    assert imported_words(ImportedDecisions(1, 2, 0)) == "1 entry taken in, 2 known already."
    assert "not in this project now" in imported_words(ImportedDecisions(3, 0, 1))
