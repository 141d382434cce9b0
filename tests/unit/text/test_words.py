"""Words and tables for people."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from core.labels import FetchState, Grade, JobKind, JobState, SourceKind, Stage
from core.records import Acquisition, Assessment, Document, Filters, Heading, Job, Passage, StageRank
from core.text import words as present

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def document(**changes: object) -> Document:
    values: dict[str, object] = {
        "id": "d1",
        "content_hash": "c",
        "blob_hash": "b",
        "title": "A title",
        "media_type": "text/html",
        "method": "test",
        "fetched": NOW,
        "grade": Grade.B,
        "assessment": Assessment(Grade.B, ()),
    }
    return Document(**(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("state", list(FetchState))
def test_every_fetch_state_has_plain_words_and_a_failure_says_what_to_do(state: FetchState) -> None:
    assert present.state_words(state)
    assert "_" not in present.state_words(state)
    if state.failed:
        assert present.state_advice(state).endswith(".")


@pytest.mark.parametrize("stage", list(Stage))
def test_every_stage_has_a_name_and_a_help_text(stage: Stage) -> None:
    assert present.STAGE_NAMES[stage]
    assert present.STAGE_HELP[stage].endswith(".")


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 B"), (999, "999 B"), (12_400, "12 kB"), (3_400_000, "3.4 MB"), (20_000_000_000, "20 GB")]
)
def test_sizes_come_in_the_unit_people_read(size: int, words: str) -> None:
    assert present.size_words(size) == words


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=3), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(days=1), "yesterday"),
        (timedelta(days=4), "4 days ago"),
        (timedelta(days=40), "2026-03-22"),
        (timedelta(days=-1), (NOW + timedelta(days=1)).date().isoformat()),
    ],
)
def test_times_are_told_coarsely(ago: timedelta, words: str) -> None:
    assert present.when_words(NOW - ago, NOW) == words


def test_a_time_that_never_was_is_never() -> None:
    assert present.when_words(None, NOW) == "never"


def test_a_source_is_named_by_its_host_else_its_file_else_as_pasted() -> None:
    assert present.site_of(document(canonical_url="https://www.example.org/a?b=c")) == "example.org"
    assert present.site_of(document(filename="notes.md")) == "notes.md"
    assert present.site_of(document()) == "pasted text"


def test_an_untitled_document_is_named_by_where_it_is_from() -> None:
    assert present.title_of(document(title="  ", filename="notes.md")) == "notes.md"


def test_active_filters_are_said_one_by_one() -> None:
    filters = Filters(Grade.B, ("d1",), date(2020, 1, 1), None, ("en",), ("heat",))
    assert present.filter_words(filters, {"d1": "A title"}) == [
        "grade B or better",
        "only “A title”",
        "from 2020-01-01",
        "language en",
        "tag heat",
    ]


def test_failures_are_grouped_by_state_the_most_frequent_first_and_cancelled_ones_belong_to_them() -> None:
    states = [FetchState.NOT_FOUND, FetchState.TIMEOUT, FetchState.TIMEOUT, FetchState.STORED, FetchState.CANCELLED]
    items = [Acquisition(number, SourceKind.URL, "x", state, NOW) for number, state in enumerate(states)]
    groups = present.grouped_failures(items)
    assert [(state, len(group)) for state, group in groups] == [
        (FetchState.TIMEOUT, 2),
        (FetchState.NOT_FOUND, 1),
        (FetchState.CANCELLED, 1),
    ]


def test_the_outcome_of_adding_counts_stored_known_and_unreadable() -> None:
    job = Job(1, JobKind.ADD, JobState.DONE, {}, NOW, result={"states": {"stored": 2, "duplicate": 1, "broken": 3}})
    assert present.ended_words(job) == "2 sources stored, 1 already here, 3 could not be read"


@pytest.mark.parametrize(
    ("kind", "result", "words"),
    [
        (JobKind.AUDIT, {"states": {"PASS": 2, "REVIEW": 1, "SOURCE_NOT_INDEXED": 0}}, "2 pass, 1 to review"),
        (JobKind.CITED_SOURCES, {"states": {"stored": 1, "not_found": 2}}, "1 stored, 2 not found"),
        (JobKind.VERIFY, {"outcomes": {"verified": 3}}, "3 verified"),
        (JobKind.ENCODE, {"encoded": 5}, ""),
    ],
)
def test_the_outcome_of_judging_is_told_by_its_own_states(kind: JobKind, result: dict[str, object], words: str) -> None:
    assert present.ended_words(Job(1, kind, JobState.DONE, {}, NOW, result=result)) == words


def test_over_several_queries_the_best_rank_of_a_stage_counts_and_stages_keep_their_order() -> None:
    trail = [
        StageRank(Stage.FUSION, 1, 0.5),
        StageRank(Stage.LEXICAL, 9, 1.0, 0),
        StageRank(Stage.LEXICAL, 2, 7.0, 1),
    ]
    cells = present.stage_cells(trail)
    assert [(cell.stage, cell.rank, cell.score) for cell in cells.values()] == [
        (Stage.LEXICAL, 2, 7.0),
        (Stage.FUSION, 1, 0.5),
    ]


@pytest.mark.parametrize(
    ("number", "words"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (22, "22nd"), (113, "113th")]
)
def test_ordinals(number: int, words: str) -> None:
    assert present.ordinal(number) == words


def test_search_by_meaning_says_how_far_it_has_got_and_is_silent_when_complete() -> None:
    assert present.encoding_words(10, 10) == ""
    assert "3 of 10" in present.encoding_words(3, 10)
    assert "by words" in present.encoding_words(0, 10)


def test_the_section_of_a_passage_is_the_heading_above_it_or_the_one_it_begins_with() -> None:
    text = "A title\n\nMethods\n\nWe measured.\n\nResults\n\nNights\n\nIt was cool."
    headings = tuple(
        Heading(level, text.index(words), text.index(words) + len(words), words)
        for level, words in ((1, "A title"), (2, "Methods"), (2, "Results"), (3, "Nights"))
    )
    paper = document(headings=headings)

    def section(first: str, last: str) -> str:
        start, end = text.index(first), text.index(last) + len(last)
        return present.section_of(Passage("d1", 0, start, end, text[start:end]), paper)

    assert section("We measured.", "We measured.") == "Methods"
    assert section("Results", "It was cool.") == "Nights"
    assert section("We measured.", "It was cool.") == "Methods"
    assert section("A title", "A title") == ""
    assert present.section_of(Passage("d1", 0, 0, 5, text[:5]), document()) == ""


def test_results_whose_scores_do_not_fall_are_not_called_best_first_alone() -> None:
    assert present.order_words([0.9, 0.5, 0.5]) == present.order_words([]) == "best first"
    assert "adds something new" in present.order_words([0.9, 0.3, 0.5])
