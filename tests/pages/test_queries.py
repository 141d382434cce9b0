"""The query lab: variants side by side, what each brings, judging, saving, and what a reload keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.labels import JobKind, QueryKind
from core.records import Question, Variant
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import button, texts
from tests.pages.reviewed import press

Visit = Callable[..., AppTest]
QUESTION = "Do heat pumps still work when it is freezing?"


DIALOG = """
import streamlit as st
from pages.research.queries.state import delete_question
from pages.shared.session import workbench

st.query_params["project"] = "heat"
for question in workbench().open("heat").lab.questions():
    delete_question(question)
"""


def variants(at: AppTest) -> dict[str, str]:
    """Labels and texts of the cards that can be edited."""
    return {one.label: one.value for one in at.text_area if one.label.startswith("Text of")}


def cards(at: AppTest, name: str) -> list[Any]:
    """The switches (``on-``) or bins (``remove-``) of the variants, in their order."""
    return [one for one in (*at.toggle, *at.button) if str(one.key).startswith(name)]


def searched(visit: Visit, **params: str) -> AppTest:
    return press(
        visit("queries", project="heat", q=QUESTION, **params, feedback="false", transform="false"),
        "Search the project with 1 variant",
    )


def titles(at: AppTest) -> list[str]:
    return [element.proto.body for element in at.get("html") if element.proto.body.startswith("<h2>")]


def test_without_sources_or_question_the_page_says_what_to_do(visit: Visit, bench: Workbench) -> None:
    at = visit("queries", project=bench.create("Heat").slug)
    assert not at.exception
    assert not at.error
    assert "Type one question" in texts(at)
    assert "no sources yet" in texts(at)
    press(at, "Add sources")
    assert at.title[0].value == "Sources"


def test_each_kind_says_what_it_does_and_those_without_a_model_are_off_with_a_way_to_enable(
    visit: Visit, filled: OpenProject
) -> None:
    at = visit("queries", project="heat", q=QUESTION, hyde="true", feedback="false", transform="false")
    assert not at.exception
    assert not at.error
    off = {one.label: one.disabled for one in at.toggle if one.key in {kind.value for kind in QueryKind}}
    assert off == {
        "Reworded by rules": False,
        "Related words": False,
        "Two other phrasings": True,
        "A supposed answer": True,
    }
    assert "switched off" in texts(at)
    assert "Everything else here works without one" in texts(at)
    assert not variants(at)


def test_the_kinds_that_the_settings_name_are_on_when_nothing_else_was_asked_for(
    visit: Visit, filled: OpenProject
) -> None:
    at = visit("queries", project="heat", q=QUESTION)
    assert {one.key: one.value for one in at.toggle if one.key in ("transform", "feedback", "multi_query", "hyde")} == {
        "transform": True,
        "feedback": True,
        "multi_query": False,
        "hyde": False,
    }
    assert variants(at)


def test_variants_by_rules_and_feedback_appear_at_once_and_follow_from_the_address(
    visit: Visit, filled: OpenProject
) -> None:
    at = visit("queries", project="heat", q=QUESTION, feedback="false", transform="false")
    at.toggle(key="transform").set_value(True).run()
    by_rules = variants(at)
    assert 3 <= len(by_rules) <= 5
    assert all("Reworded by rules" in label for label in by_rules)
    again = visit("queries", project="heat", q=QUESTION, transform="true", feedback="false")
    assert variants(again) == by_rules
    at.toggle(key="transform").set_value(False).run()
    assert not variants(at)


def test_a_variant_is_edited_switched_off_removed_and_added(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", q=QUESTION, transform="true", feedback="false")
    many = len(variants(at))
    first = next(one for one in at.text_area if one.label.startswith("Text of"))
    first.set_value("cold outdoor air").run()
    assert "cold outdoor air" in variants(at).values()
    assert "changed by you" in texts(at)
    cards(at, "on-")[1].set_value(False).run()
    assert "Off: not searched with." in texts(at)
    assert button(at, f"Search the project with {count(many)}")
    cards(at, "remove-")[-1].click().run()
    assert len(variants(at)) == many - 1
    at.text_area(key="new-variant").set_value("quiet conversation")
    press(at, "Add variant")
    assert "quiet conversation" in variants(at).values()
    assert not at.exception


def count(number: int) -> str:
    return f"{number} variant{'' if number == 1 else 's'}"


def test_an_empty_variant_by_hand_is_refused_with_a_reason(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", q=QUESTION, feedback="false", transform="false")
    at.text_area(key="new-variant").set_value("   ")
    press(at, "Add variant")
    assert "empty" in " ".join(one.value for one in at.warning)
    assert not variants(at)


def test_a_search_shows_passages_what_each_variant_brings_and_its_way(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", q=QUESTION, transform="true", feedback="false")
    press(at, next(one.label for one in at.button if one.key == "lab-search-button"))
    assert not at.exception
    assert not at.error
    assert titles(at)[0] == "<h2>1. Heat pumps in winter</h2>"
    assert "Finds " in texts(at)
    assert "none of them new" in texts(at)
    assert at.query_params["ran"] in ("yes", ["yes"])
    for panel in ("waterfall", *(one.key for one in at.expander if one.key and one.key.startswith("by-variant"))):
        at.session_state[panel] = True
    at.run()
    columns = [list(frame.value.columns) for frame in at.dataframe]
    assert any(names[0] == "Variant" and "Words" in names for names in columns)
    assert any({"rank", "title", "lexical"} <= set(names) for names in columns)


def test_a_reload_shows_the_same_search_again(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", q=QUESTION, transform="true", ran="yes", feedback="false")
    assert titles(at)[0] == "<h2>1. Heat pumps in winter</h2>"
    assert filled.jobs.all(active=True) == []


def test_figures_wait_for_judgements_and_then_compare_steps_and_variants(visit: Visit, filled: OpenProject) -> None:
    at = searched(visit)
    at.segmented_control(key="part").set_value("Which steps help").run()
    assert "Judge at least 3 more passages" in texts(at)
    at.segmented_control(key="part").set_value("Passages").run()
    for grade in (2, 0, 1):
        asked = next(one for one in at.segmented_control if one.key.startswith("judge-") and one.key.endswith("-None"))
        asked.set_value(grade).run()
    assert sorted(filled.lab.judgements(QUESTION).values()) == [0, 1, 2]
    assert "3 passages judged: 1 relevant, 1 partly, 1 not." in texts(at)
    at.segmented_control(key="part").set_value("Which steps help").run()
    assert not at.exception
    assert not at.error
    rows = at.dataframe[0].value
    assert rows["Steps"][0] == "As switched on this page"
    assert "Words" in list(rows["Steps"])
    assert at.dataframe[1].value["Variant"][0] == "All together"


def test_a_judgement_can_be_taken_back(visit: Visit, filled: OpenProject) -> None:
    at = searched(visit)
    next(one for one in at.segmented_control if one.key.startswith("judge-")).set_value(2).run()
    assert filled.lab.judgements(QUESTION)
    next(one for one in at.segmented_control if one.key.endswith("-2")).set_value(None).run()
    assert not filled.lab.judgements(QUESTION)


def test_a_question_is_saved_changed_opened_from_the_address_and_deleted(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", q=QUESTION, transform="true", feedback="false")
    press(at, "Save question")
    assert not at.error
    kept = filled.lab.questions()[0]
    assert kept.text == QUESTION
    assert {one.kind for one in kept.variants} == {QueryKind.ORIGINAL, QueryKind.TRANSFORM}
    assert button(at, "Save changes").disabled  # type: ignore[attr-defined]
    next(one for one in at.text_area if one.label.startswith("Text of")).set_value("cold outdoor air").run()
    assert "Changes not saved" in texts(at)
    press(at, "Save changes")
    assert filled.lab.question(kept.id).version > kept.version
    again = visit("queries", project="heat", question=str(kept.id))
    assert not again.error
    assert "cold outdoor air" in variants(again).values()
    assert again.text_input(key="q").value == QUESTION
    assert [one.value for one in again.toggle if one.key == "transform"] == [True]
    press(again, "Delete")
    assert "judgements and sources stay" in texts(again)
    # Held open: the test runner cannot run a dialog alone, as the browser does.
    held = AppTest.from_string(DIALOG, default_timeout=60).run()
    press(held, "Delete")
    assert not filled.lab.questions()


def test_a_question_changed_elsewhere_is_told_and_not_overwritten(visit: Visit, filled: OpenProject) -> None:
    kept = filled.lab.save(_question("Are they loud?"))
    at = visit("queries", project="heat", question=str(kept.id))
    filled.lab.save(kept)
    at.text_area(key="new-variant").set_value("noise of outdoor units")
    press(at, "Add variant")
    press(at, "Save changes")
    assert "changed in another window" in texts(at)
    assert len(filled.lab.question(kept.id).variants) == 1


def _question(text: str) -> Question:
    from datetime import UTC, datetime

    moment = datetime(2026, 5, 1, tzinfo=UTC)
    return Question(0, 0, text, (Variant("original", QueryKind.ORIGINAL, text, text),), moment, moment)


def test_the_web_is_off_with_a_reason_and_nothing_is_asked(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", q=QUESTION, where="Web", feedback="false", transform="false")
    assert not at.exception
    assert "switched off" in texts(at)
    assert button(at, "Search the web with 1 variant").disabled  # type: ignore[attr-defined]
    at.segmented_control(key="where").set_value("Both").run()
    press(at, "Search the project with 1 variant")
    assert titles(at)
    assert not [job for job in filled.jobs.all() if job.kind is JobKind.WEB_SEARCH]


def test_presets_set_the_switches_and_ones_own_are_kept_and_deleted(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", q=QUESTION, feedback="false", transform="false")
    press(at, "On this computer")
    assert {one.key: one.value for one in at.toggle if one.key in ("transform", "feedback", "hyde")} == {
        "transform": True,
        "feedback": True,
        "hyde": False,
    }
    assert variants(at)
    at.toggle(key="feedback").set_value(False).run()
    at.toggle(key="meaning").set_value(False).run()
    at.text_input(key="preset-name").set_value("![x](http://e) mine")
    press(at, "Keep as a preset")
    assert not at.error
    press(at, "Question only")
    at.toggle(key="meaning").set_value(True).run()
    assert not variants(at)
    at.button(key="preset-![x](http://e) mine").click().run()
    assert variants(at)
    assert not at.toggle(key="meaning").value
    at.button(key="drop-preset-![x](http://e) mine").click().run()
    assert "was deleted" in texts(at)
    assert not [one for one in at.button if one.key == "preset-![x](http://e) mine"]


def test_a_preset_without_a_name_is_refused(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", q=QUESTION, feedback="false", transform="false")
    press(at, "Keep as a preset")
    assert "needs a name" in " ".join(one.value for one in at.error)


def test_evidence_leads_here_with_its_question(visit: Visit, filled: OpenProject) -> None:
    at = visit("evidence", project="heat", q=QUESTION)
    press(at, "Try other wordings")
    assert at.title[0].value == "Query lab"
    assert at.text_input(key="q").value == QUESTION


def test_a_question_goes_on_to_an_answer_with_its_saved_variants(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", q=QUESTION, feedback="false", transform="false")
    press(at, "Ask for an answer")
    assert at.title[0].value == "Ask"
    assert at.text_input(key="q").value == QUESTION
    at = visit("queries", project="heat", q=QUESTION, transform="true", feedback="false")
    press(at, "Save question")
    press(at, "Ask for an answer")
    assert at.text_input(key="q").value == QUESTION
    assert "variants are searched with" in texts(at)


@pytest.mark.parametrize(
    "params",
    [
        {"question": "999"},
        {"question": "../x"},
        {"web": "999", "ran": "yes"},
        {"web": "nonsense"},
        {"expanding": "999", "hyde": "true"},
        {"where": "Moon"},
        {"part": "Nowhere", "ran": "yes"},
        {"transform": "perhaps"},
        {"doc": "nonsense", "passage": "-1"},
    ],
)
def test_a_stale_or_hostile_address_does_no_harm(visit: Visit, filled: OpenProject, params: dict[str, str]) -> None:
    at = visit("queries", project="heat", q=QUESTION, **params)
    assert not at.exception
    assert not at.error
    assert button(at, "Save question")


def test_a_question_of_a_hundred_thousand_characters_is_cut_and_said(visit: Visit, filled: OpenProject) -> None:
    at = visit("queries", project="heat", feedback="false", transform="false")
    at.text_input(key="q").set_value("why " * 25_000).run()
    assert not at.exception
    assert "at most 2,000" in texts(at)
    assert len(at.text_input(key="q").value) == 2000
    assert "at most 2,000" in texts(
        visit("queries", project="heat", q="why " * 1000, feedback="false", transform="false")
    )


def test_hostile_text_stays_text(visit: Visit, filled: OpenProject) -> None:
    evil = "![x](http://evil.example/a.png) <script>alert(1)</script> parrot"
    at = visit("queries", project="heat", q=evil, transform="true", ran="yes", feedback="false")
    assert not at.exception
    painted = "".join(str(one.value) for one in (*at.markdown, *at.caption, *at.info, *at.warning))
    assert "![x](http" not in painted
    assert "<script>" not in "".join(element.proto.body for element in at.get("html"))
