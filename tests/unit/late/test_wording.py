"""What a choice of the engine causes is said before it is made, and how it stands after."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from core.late.choice import LateState
from core.late.wording import choice_effects, state_lines
from core.settings.values import Models, Settings
from pages.words.settings import Extent, effects

PLAIN = LateState("", "exact", "exact", "", "my-colbert")
USED = replace(
    PLAIN, chosen="ragatouille", engine="ragatouille", built=datetime(2026, 5, 4, 10, 30, tzinfo=UTC), indexed=90,
    added=2, removed=1,
)  # fmt: skip
EXTENT = Extent(projects=2, documents=3, passages=40)


def test_the_costly_is_said_first_and_what_stays_last() -> None:
    said = choice_effects(replace(PLAIN, warning="Many passages."), "ragatouille", to_encode=90, passages=90)
    assert said[0].startswith("All passages are prepared for search by meaning")
    assert "builds an index of 90 passages" in said[1]
    assert said[-1] == "Many passages."
    assert choice_effects(PLAIN, "ragatouille", to_encode=3, passages=90)[0].startswith("3 of 90 passages are")
    back = choice_effects(USED, "exact", to_encode=0, passages=91)
    assert "from the next one on" in back[0]
    assert "stays in the project for the way back" in back[1]


def test_a_choice_that_changes_nothing_now_says_what_it_changes_later() -> None:
    assert choice_effects(PLAIN, "exact", to_encode=0, passages=9) == [
        "Searches here use the exact engine as before, whatever the installation uses."
    ]
    own = replace(PLAIN, chosen="exact")
    assert choice_effects(own, "", to_encode=0, passages=9) == [
        "Searches here use the exact engine as before, until the installation uses another."
    ]


def test_what_stands_in_the_way_is_all_that_is_said() -> None:
    state = replace(PLAIN, problem="No compiler was found.")
    assert choice_effects(state, "ragatouille", to_encode=9, passages=9) == [
        "It cannot be chosen here: No compiler was found."
    ]


def test_the_state_names_engine_checkpoint_index_and_what_failed() -> None:
    said = state_lines(replace(USED, failed="The disk is full.", rebuild="40 changes", warning="Many passages."))
    assert said == [
        "Compares word by word: RAGatouille (chosen for this project).",
        "Checkpoint of RAGatouille: my-colbert.",
        "Index: 90 passages, built 2026-05-04 10:30 UTC; since then 2 added and 1 removed.",
        "The last build failed: The disk is full.",
        "It is to be built: 40 changes.",
        "Many passages.",
    ]
    assert state_lines(replace(USED, engine="exact", chosen="exact"))[-1].endswith("It is not used now.")


def test_a_new_checkpoint_concerns_the_projects_that_use_it() -> None:
    plain, other = Settings(), Settings(models=Models(late_checkpoint="c"))
    assert effects(plain, other, EXTENT) == [
        "Projects that chose RAGatouille prepare all their passages again with its new checkpoint and build their "
        "index anew, begun by the worker at once. Until then they search with the exact engine and say so."
    ]
    used = Settings(models=Models(late_engine="ragatouille"))
    changed = Settings(models=Models(late_engine="ragatouille", late_checkpoint="c"))
    assert effects(used, changed, EXTENT)[0].startswith("All passages are prepared")
    assert any("chose an engine themselves keep it" in line for line in effects(plain, used, EXTENT))
