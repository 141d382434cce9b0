"""The draft of the query lab: what a person did to the variants is kept, whatever is made anew beside it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.errors import QueryError
from core.lab import draft as lab_draft
from core.labels import QueryKind
from core.records import Expansion, Question, Variant

NOW = datetime(2026, 5, 1, tzinfo=UTC)
MADE = Expansion(
    "Do trees cool streets?",
    (
        Variant("original", QueryKind.ORIGINAL, "Do trees cool streets?"),
        Variant("transform-1", QueryKind.TRANSFORM, "trees cool streets", "trees cool streets", why="content words"),
        Variant("transform-2", QueryKind.TRANSFORM, "Trees cool streets."),
        Variant("feedback-1", QueryKind.FEEDBACK, "trees shade pavement"),
    ),
    ("Nothing was left to reword.",),
)


def draft() -> lab_draft.Draft:
    return lab_draft.with_made(
        lab_draft.begin("Do trees cool streets?"), MADE, [QueryKind.TRANSFORM, QueryKind.FEEDBACK]
    )


def keys(one: lab_draft.Draft) -> list[str]:
    return [variant.key for variant in one.variants]


def test_a_draft_begins_with_the_question_and_takes_in_what_was_asked_for() -> None:
    assert keys(lab_draft.begin("Why?")) == ["original"]
    only = lab_draft.with_made(lab_draft.begin("Do trees cool streets?"), MADE, [QueryKind.TRANSFORM])
    assert keys(only) == ["original", "transform-1", "transform-2"]
    assert draft().notes == ("Nothing was left to reword.",)


def test_what_was_added_and_edited_stays_when_another_kind_is_made() -> None:
    one = lab_draft.added(lab_draft.begin("Do trees cool streets?"), "  shade of canopies ")
    one = lab_draft.with_made(one, MADE, [QueryKind.TRANSFORM])
    one = lab_draft.edited(one, "transform-1", "tree shade")
    one = lab_draft.with_made(one, MADE, [QueryKind.FEEDBACK])
    assert keys(one) == ["original", "transform-1", "transform-2", "feedback-1", "manual-1"]
    assert one.variants[1].text == "tree shade" == one.variants[1].web_text
    assert one.variants[1].edited


def test_a_kind_switched_off_takes_its_variants_and_its_notes_along() -> None:
    one = lab_draft.without(draft(), [QueryKind.TRANSFORM])
    assert keys(one) == ["original", "feedback-1"]
    assert QueryKind.TRANSFORM not in one.kinds
    assert not one.notes


def test_variants_made_twice_have_keys_of_their_own() -> None:
    twice = Expansion("q", (MADE.variants[1], MADE.variants[1]))
    assert keys(lab_draft.with_made(lab_draft.begin("q"), twice, [QueryKind.TRANSFORM])) == [
        "original",
        "transform-1",
        "transform-2",
    ]


def test_only_what_is_on_and_not_empty_runs() -> None:
    one = lab_draft.edited(lab_draft.switched(draft(), "transform-2", False), "feedback-1", "   ")
    assert [variant.key for variant in lab_draft.running(one)] == ["original", "transform-1"]
    assert lab_draft.expansion_of(one).variants == lab_draft.running(one)


def test_the_question_cannot_be_removed_but_switched_off() -> None:
    one = lab_draft.removed(lab_draft.removed(draft(), "original"), "transform-1")
    assert keys(one) == ["original", "transform-2", "feedback-1"]
    assert not lab_draft.switched(one, "original", False).variants[0].on


def test_the_web_is_asked_each_text_once_and_not_what_only_the_index_is_asked() -> None:
    assert lab_draft.web_queries(draft()) == ["Do trees cool streets?", "trees cool streets"]
    same = lab_draft.edited(draft(), "transform-1", "Do trees cool streets?")
    assert lab_draft.web_queries(same) == ["Do trees cool streets?"]
    assert lab_draft.web_queries(lab_draft.edited_web(draft(), "transform-1", "")) == ["Do trees cool streets?"]


def test_a_text_that_is_there_is_not_added_again_and_an_empty_one_is_refused() -> None:
    assert lab_draft.added(draft(), "Trees cool streets") == draft()
    for text in ("  ", "long " * 1000):
        with pytest.raises(QueryError):
            lab_draft.added(draft(), text)


def test_a_saved_question_is_unsaved_once_changed_and_keeps_its_id() -> None:
    new = draft()
    assert lab_draft.unsaved(new)
    kept = lab_draft.question_of(new, NOW)
    assert (kept.id, kept.variants) == (0, new.variants)
    opened = lab_draft.of_saved(Question(7, 3, new.question, new.variants, NOW, NOW))
    assert not lab_draft.unsaved(opened)
    changed = lab_draft.switched(opened, "transform-1", False)
    assert lab_draft.unsaved(changed)
    again = lab_draft.question_of(changed, NOW)
    assert (again.id, again.version) == (7, 3)
