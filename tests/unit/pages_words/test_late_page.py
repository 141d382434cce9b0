"""What pages say about the engine that compares word by word: for each state what holds, and what to do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.labels import JobKind, JobState
from core.late.service import LateState
from core.records import Job
from core.settings.values import Models, Settings
from pages.words.late_page import (
    build_label,
    index_line,
    rebuild_line,
    standing,
    step_words,
)
from pages.words.settings import Extent, effects

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
EXACT = LateState("exact")
IN_USE = LateState("ragatouille", "", "colbertv2.0", built=NOW - timedelta(hours=2), indexed=3200)


def job(kind: JobKind, state: JobState = JobState.RUNNING) -> Job:
    return Job(1, kind, state, {}, NOW)


def test_without_the_extra_nothing_looks_like_a_fault() -> None:
    stands = standing(EXACT)
    assert (stands.badge, stands.color, stands.says) == (
        "Exact engine (built in)",
        "green",
        "The setting of this installation.",
    )
    assert index_line(EXACT, NOW) == rebuild_line(EXACT) == ""


@pytest.mark.parametrize(
    ("state", "jobs", "badge", "part"),
    [
        (IN_USE, [], "in use", "The setting of this installation."),
        (replace(IN_USE, rebuild="900 changes"), [], "to be built again", ""),
        (replace(IN_USE, built=None), [], "not built yet", "Until then searches use the exact engine and say so."),
        (replace(IN_USE, built=None), [job(JobKind.ENCODE)], "to come", "The passages are being prepared"),
        (replace(IN_USE, built=None), [job(JobKind.INDEX_LATE)], "being built", "Until then searches use the exact"),
        (IN_USE, [job(JobKind.INDEX_LATE)], "being built", "Until then the earlier one is used."),
        (IN_USE, [job(JobKind.INDEX_LATE, JobState.DONE)], "in use", ""),
        (replace(IN_USE, failed="No compiler."), [], "not built", "The earlier index is used."),
        (replace(IN_USE, built=None, failed="No compiler."), [], "not built", "use the exact engine and say so."),
        (replace(IN_USE, problem="No extra."), [], "not here", "searches use the exact engine and say so."),
    ],
)
def test_each_state_of_the_index_says_what_searches_use(
    state: LateState, jobs: list[Job], badge: str, part: str
) -> None:
    stands = standing(state, jobs)
    assert stands.badge == f"RAGatouille index: {badge}"
    assert part in stands.says


def test_the_index_is_described_with_what_changed_since() -> None:
    assert index_line(IN_USE, NOW) == "The index holds 3,200 passages, built 2 hours ago. Nothing has changed since."
    changed = replace(IN_USE, added=12, removed=1)
    assert index_line(changed, NOW).endswith("Since then 12 added and 1 removed: searches take that into account.")
    assert index_line(replace(changed, engine="exact"), NOW).endswith("kept for the way back.")
    assert rebuild_line(replace(IN_USE, rebuild="700 changes since it was built are over 20% of it")) == (
        "It should be built again: 700 changes since it was built are over 20% of it."
    )
    assert (build_label(IN_USE), build_label(EXACT)) == ("Build the index again", "Build the index now")


def test_the_switch_for_one_search_names_the_exact_engine_only_where_another_one_is_used() -> None:
    assert step_words("ragatouille")[0] == "Exact engine for this search"
    assert step_words("exact")[0] == "Compare word by word with every passage"


def test_a_change_of_engine_or_checkpoint_says_what_it_causes() -> None:
    plain, named = Settings(), Settings(models=Models(late_checkpoint="c"))
    extent = Extent(projects=2, documents=3, passages=40)
    assert effects(plain, named, extent) == [
        "Nothing changes now: the checkpoint is for RAGatouille, which is not the engine that is set."
    ]
    used = Settings(models=Models(late_engine="ragatouille"))
    changed = Settings(models=Models(late_engine="ragatouille", late_checkpoint="c"))
    assert effects(used, changed, extent)[0].startswith("All passages are prepared")
    there, back = " ".join(effects(plain, used, extent)), effects(used, plain, extent)
    assert "builds an index for each project (40 passages in 2 projects)" in there
    assert "Searches compare word by word with the exact engine again, from the next one on." in back
