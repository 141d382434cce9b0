"""Review, as a person and two persons use it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from streamlit.testing.v1 import AppTest

from core.labels import DecisionKind, ItemKind, ItemState, Role
from core.records import ReviewItem, ReviewPolicy
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import texts
from tests.pages.reviewed import decide, disabled, press

Visit = Callable[..., AppTest]
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def first(opened: OpenProject, by: str = "Ann") -> ReviewItem:
    return opened.reviews.queue(by)[0]


def shown(at: AppTest) -> str:
    """Key of the item on the screen."""
    return str(at.query_params["item"][0] if isinstance(at.query_params["item"], list) else at.query_params["item"])


# ---------------------------------------------------------------- who reviews


def test_the_first_visit_asks_for_a_name_and_makes_its_bearer_the_owner(visit: Visit, audited: OpenProject) -> None:
    at = visit("review", project="trees")
    assert not at.exception
    assert "Who is reviewing?" in texts(at)
    at.text_input(key="reviewer-field").input("  Ann  Lee ")
    press(at, "Start reviewing")
    assert not at.error
    assert at.query_params["reviewer"] == ["Ann Lee"] or at.query_params["reviewer"] == "Ann Lee"
    assert [(one.name, one.role) for one in audited.reviews.people.all()] == [("Ann Lee", Role.OWNER)]
    assert "Does the source say this?" in texts(at)


def test_an_empty_name_is_refused(visit: Visit, audited: OpenProject) -> None:
    at = visit("review", project="trees")
    at.text_input(key="reviewer-field").input("   ")
    press(at, "Start reviewing")
    assert "The name is empty" in texts(at)
    assert not audited.reviews.people.all()


def test_people_who_take_part_are_offered_and_another_name_can_be_taken(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees")
    press(at, "Bob")
    assert "Bob" in texts(at)
    press(at, "Not you?")
    assert "Who is reviewing?" in texts(at)
    assert "reviewer" not in at.query_params


def test_someone_unknown_may_look_and_is_told_whom_to_ask(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Eve")
    assert "You may look, not decide. Ann can let you review" in texts(at)
    assert disabled(at, "Yes, it says so")
    assert [one.name for one in ours.reviews.people.all()] == ["Ann", "Bob", "Vi"]


def test_where_a_login_is_configured_the_name_is_that_of_the_login(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Ann")
    at.user = {"is_logged_in": False}
    at.run()
    assert "log in first" in texts(at)
    assert "Yes, it says so" not in [one.label for one in at.button]
    ours.reviews.people.set_role("dan@trees.example", Role.REVIEWER, by="Ann")
    at.user = {"is_logged_in": True, "email": "dan@trees.example", "name": "Dan"}
    at.run()
    press(at, "Yes, it says so")
    assert [one.by for one in ours.reviews.log.entries()] == ["dan@trees.example"]


# ---------------------------------------------------------------- the queue


def test_an_item_shows_the_sentence_in_its_paragraph_and_the_cited_words(visit: Visit, ours: OpenProject) -> None:
    item = next(one for one in ours.reviews.queue("Ann") if "not_mentioned" in one.reasons)
    at = visit("review", project="trees", reviewer="Ann", item=item.key)
    assert not at.exception
    assert not at.error
    seen = texts(at)
    assert "What the report says" in seen
    assert "What the cited source says" in seen
    assert "<mark>" in seen
    assert "Source does not mention it" in seen
    assert "The claim says 38 per cent, the source 28 per cent." in seen


def test_the_buttons_carry_their_keys(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Ann")
    keys = {one.label: one.proto.shortcut for one in at.button if one.proto.shortcut}
    assert keys == {
        "Yes, it says so": "a",
        "No": "x",
        "Wrong source": "s",
        "Partly": "w",
        "Later": "p",
        "Note": "n",
        "Undo": "u",
        "Redo": "y",
        "Back": "k",
        "Next": "j",
    }


def test_a_decision_is_kept_and_the_next_item_follows(visit: Visit, ours: OpenProject) -> None:
    queue = ours.reviews.queue("Ann")
    at = visit("review", project="trees", reviewer="Ann")
    assert shown(at) == queue[0].key
    press(at, "No")
    assert not at.error
    assert "Rejected: " in texts(at)
    assert shown(at) == queue[1].key
    kept = ours.reviews.log.entries()
    assert [(one.kind, one.by, one.item) for one in kept] == [(DecisionKind.REJECT, "Ann", queue[0].key)]
    press(at, "Later")
    assert shown(at) == queue[2].key
    assert ours.reviews.item(queue[1].key, "Ann").state is ItemState.POSTPONED
    assert "1 postponed" in texts(at)


def test_undo_and_redo_show_the_item_again(visit: Visit, ours: OpenProject) -> None:
    start = first(ours).key
    at = visit("review", project="trees", reviewer="Ann")
    assert disabled(at, "Undo")
    press(at, "Yes, it says so")
    press(at, "Undo")
    assert shown(at) == start
    assert ours.reviews.item(start, "Ann").decision is None
    press(at, "Redo")
    assert shown(at) == start
    decision = ours.reviews.item(start, "Ann").decision
    assert decision is not None
    assert decision.kind is DecisionKind.ACCEPT
    again = visit("review", project="trees", reviewer="Ann")
    assert not disabled(again, "Undo")


def test_next_and_back_go_through_the_queue(visit: Visit, ours: OpenProject) -> None:
    queue = ours.reviews.queue("Ann")
    at = visit("review", project="trees", reviewer="Ann")
    assert disabled(at, "Back")
    press(at, "Next")
    assert shown(at) == queue[1].key
    press(at, "Back")
    assert shown(at) == queue[0].key


def test_a_row_that_moved_meanwhile_is_told_in_words_and_nothing_is_written(visit: Visit, ours: OpenProject) -> None:
    key = first(ours).key
    at = visit("review", project="trees", reviewer="Ann", item=key)
    decide(ours, key, DecisionKind.REJECT, "Bob")
    press(at, "Yes, it says so")
    assert "While you looked at it, Bob rejected it. Nothing was written." in texts(at)
    assert shown(at) == key
    assert [(one.by, one.kind) for one in ours.reviews.log.entries()] == [("Bob", DecisionKind.REJECT)]
    press(at, "Yes, it says so")
    assert [one.by for one in ours.reviews.log.entries()] == ["Bob", "Ann"]


def test_a_row_that_is_gone_is_told_in_words(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Ann")
    ours.audits.delete(1)
    press(at, "Yes, it says so")
    assert not at.exception
    assert "is gone" in texts(at)
    assert not ours.reviews.log.entries()


def test_a_note_and_a_reason_go_with_a_decision(visit: Visit, ours: OpenProject) -> None:
    key = first(ours).key
    at = visit("review", project="trees", reviewer="Ann")
    press(at, "Note")
    assert disabled(at, "Yes, it says so")
    at.text_area(key=f"note-text-{key}").input("I read page 3.")
    at.button_group(key=f"note-why-{key}").set_value("not_mentioned")
    press_last(at, "No")
    (kept,) = ours.reviews.log.entries()
    assert (kept.kind, kept.note, kept.reason) == (DecisionKind.REJECT, "I read page 3.", "not_mentioned")


def press_last(at: AppTest, label: str) -> AppTest:
    """Press the last button with this label: that of the dialog."""
    return [one for one in at.button if one.label == label][-1].click().run()


def test_a_note_alone_leaves_the_item_where_it_is(visit: Visit, ours: OpenProject) -> None:
    key = first(ours).key
    at = visit("review", project="trees", reviewer="Ann")
    press(at, "Note")
    press(at, "Keep the note")
    assert "The note is empty" in texts(at)
    at.text_area(key=f"note-text-{key}").input("Ask Bob.")
    press(at, "Keep the note")
    assert shown(at) == key
    assert [one.note for one in ours.reviews.log.entries()] == ["Ask Bob."]
    assert "Note: Ask Bob." in texts(at)


def test_another_wording_is_typed_and_kept(visit: Visit, ours: OpenProject) -> None:
    item = first(ours)
    at = visit("review", project="trees", reviewer="Ann")
    press(at, "Partly")
    assert at.text_area(key=f"better-{item.key}").value == item.text
    press(at, "Keep this wording")
    assert "same as before" in texts(at)
    at.text_area(key=f"better-{item.key}").input("Trees cool some streets.")
    press(at, "Keep this wording")
    (kept,) = ours.reviews.log.entries()
    assert (kept.kind, kept.rewording) == (DecisionKind.REWORD, "Trees cool some streets.")
    assert shown(at) != item.key


def test_filters_stand_in_the_address_and_can_be_cleared(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Ann", state="Postponed")
    assert "Nothing waits that passes this filter" in texts(at)
    press(at, "Show everything that waits")
    assert "state" not in at.query_params
    assert "in the queue" in texts(at)


def test_a_link_to_nothing_says_so_and_shows_the_first(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Ann", item="0" * 64)
    assert not at.exception
    assert "The link names an item that is not here" in texts(at)
    assert shown(at) == first(ours).key


def test_an_empty_project_says_what_to_do(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    opened.reviews.people.set_role("Ann", Role.OWNER, by="Ann")
    at = visit("review", project="heat", reviewer="Ann")
    assert "Nothing is here to review yet" in texts(at)
    press(at, "Check a report")
    assert at.title[0].value == "Citation audit"


def test_a_row_of_the_audit_leads_to_its_item(visit: Visit, ours: OpenProject) -> None:
    finding = ours.audits.findings(1)[0]
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    press(at, "Decide on it")
    at.text_input(key="reviewer-field").input("Bob")
    press(at, "Start reviewing")
    assert shown(at) == ours.reviews.key_of_finding(finding.id)


def test_a_filter_chosen_now_takes_the_place_of_the_item(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Ann")
    press(at, "Later")
    at.button_group(key="state").set_value(["Postponed"]).run()
    assert ours.reviews.item(shown(at), "Ann").state is ItemState.POSTPONED


TWICE = """
import streamlit as st
from core.labels import DecisionKind
from pages.report.review import acts as review_acts
from pages.shared import address, notices, session

st.navigation([st.Page(address.Page.PROJECTS, default=True)], position="hidden")
item = session.current_project().reviews.queue("Ann")[0]
for _ in range(2):
    review_acts.decide(item, DecisionKind.ACCEPT)
st.text(":".join(review_acts.last_outcome()))
"""


def test_a_key_pressed_twice_before_the_page_changed_decides_once(ours: OpenProject) -> None:
    at = AppTest.from_string(TWICE, default_timeout=60)
    at.query_params["project"] = "trees"
    at.query_params["reviewer"] = "Ann"
    at.run()
    assert not at.exception
    assert at.text[0].value.startswith("moved:Decided so already")
    assert len(ours.reviews.log.entries()) == 1


def test_what_people_type_is_shown_letter_for_letter(visit: Visit, ours: OpenProject) -> None:
    evil = "![pixel](http://evil.example/b.png) <img src=x onerror=alert(1)> :rocket:"
    ours.reviews.people.set_role("*Eve* ![](http://evil.example/c.png)", Role.REVIEWER, by="Ann")
    key = first(ours).key
    decide(ours, key, DecisionKind.REWORD, "*Eve* ![](http://evil.example/c.png)", note=evil, rewording=evil)
    for section in ("Queue", "Agreement", "People and settings"):
        at = visit("review", project="trees", reviewer="Ann", item=key, section=section)
        assert not at.exception
        read = [one.value for group in (at.markdown, at.caption, at.warning, at.info) for one in group]
        read += [one.label for one in at.button] + [one.help for one in at.button]
        assert not [one for one in read if "![" in one or "<img" in one]
        assert "<img" not in "".join(one.proto.body for one in at.get("html"))


# ---------------------------------------------------------------- two people


def test_a_viewer_cannot_decide(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Vi")
    assert all(disabled(at, label) for label in ("Yes, it says so", "No", "Partly", "Later", "Note"))
    assert not disabled(at, "Next")


def test_blind_review_hides_what_others_decided(visit: Visit, ours: OpenProject) -> None:
    ours.reviews.people.set_policy(ReviewPolicy(blind=True), by="Ann")
    key = first(ours).key
    decide(ours, key, DecisionKind.REJECT, "Bob", note="Not said there.")
    at = visit("review", project="trees", reviewer="Ann", item=key)
    assert "Bob" not in texts(at)
    assert "Not said there." not in texts(at)
    press(at, "Yes, it says so")
    again = visit("review", project="trees", reviewer="Ann", item=key)
    assert "Not said there." in texts(again)


def test_a_conflict_is_settled_by_the_owner_and_agreement_is_told(visit: Visit, ours: OpenProject) -> None:
    ours.reviews.people.set_policy(ReviewPolicy(blind=True), by="Ann")
    keys = [one.key for one in ours.reviews.queue("Ann") if one.kind is ItemKind.CITATION][:3]
    for at_, key in enumerate(keys):
        decide(ours, key, DecisionKind.REJECT, "Bob")
        decide(ours, key, DecisionKind.ACCEPT if at_ == 0 else DecisionKind.REJECT, "Ann")
    at = visit("review", project="trees", reviewer="Ann", section="Agreement")
    assert not at.exception
    assert not at.error
    assert "1 conflict" in texts(at)
    assert "Ann and Bob both decided on 3 items and agree on 2 (67 %)." in texts(at)
    press_last(at, "Reject")
    assert "No conflicts" in texts(at)
    assert ours.reviews.log.entries()[-1].settles


def test_reading_a_conflict_leads_to_its_item(visit: Visit, ours: OpenProject) -> None:
    ours.reviews.people.set_policy(ReviewPolicy(blind=True), by="Ann")
    key = first(ours).key
    decide(ours, key, DecisionKind.REJECT, "Bob")
    decide(ours, key, DecisionKind.ACCEPT, "Ann")
    at = visit("review", project="trees", reviewer="Ann", section="Agreement")
    press(at, "Read it")
    assert shown(at) == key
    assert "In conflict" in texts(at)
