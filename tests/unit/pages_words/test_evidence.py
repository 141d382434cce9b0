"""Hits as a person reads them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from core.labels import Grade, Stage
from core.records import Assessment, Document, Passage, Query, ScoredPassage, SearchRequest, SearchResult, StageRank
from core.retrieve.stretch import excerpts, wanted_stems
from pages.words.evidence import by_source, citation_words, lines_of, match_words, place_words, source_line

PAPER = Document(
    id="a" * 16, content_hash="a" * 64, blob_hash="b" * 64, title="Pumps in winter", media_type="application/pdf",
    method="read", fetched=datetime(2026, 1, 1, tzinfo=UTC), grade=Grade.B, assessment=Assessment(Grade.B, ()),
    canonical_url="https://pumps.example/winter", authors=("Ann Berg", "Bo Dahl", "Cy Elm", "Di Foss"),
    published=date(2024, 5, 1),
)  # fmt: skip
OTHER = replace(PAPER, id="c" * 16, title="Noise", authors=(), published=None)


def hit(
    rank: int, score: float, document: Document = PAPER, text: str = "Pumps work.", **more: object
) -> ScoredPassage:
    trail = (StageRank(Stage.LEXICAL, 2, 9.1, 0), StageRank(Stage.DENSE, 1, 0.8, 0), StageRank(Stage.FUSION, 1, score))
    passage = Passage(document.id, rank, 0, len(text), text, page=3, id=rank)
    return replace(ScoredPassage(passage, document, rank, score, trail), **more)  # type: ignore[arg-type]


def result(*hits: ScoredPassage, fusion: str = "scores", queries: int = 1) -> SearchResult:
    request = SearchRequest(tuple(Query(f"pumps {number}") for number in range(queries)))
    return SearchResult(request, hits, {"fusion": {"stages by": fusion}}, {}, 1, 1)


def test_hits_of_a_source_stand_together_in_the_order_of_the_best() -> None:
    first, second, third = hit(1, 0.9), hit(2, 0.8, OTHER), hit(3, 0.7)
    assert by_source([first, second, third]) == [[first, third], [second]]


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (0.8, "Very close match"),
        (0.6, "Close match"),
        (0.4, "Partial match"),
        (0.2, "Loose match"),
        (-1, "Loose match"),
    ],
)
def test_a_score_is_said_in_words_beside_the_best_one(score: float, words: str) -> None:
    wanted = hit(2, score)
    assert match_words(wanted, result(hit(1, 0.8), wanted)) == words


def test_joined_ranks_are_not_called_close_or_loose() -> None:
    wanted = hit(1, 0.03)
    for found in (result(wanted, fusion="ranks"), result(wanted, queries=2)):
        assert match_words(wanted, found) == "Found by words (2nd), meaning (1st)"
    assert match_words(replace(wanted, trail=()), result(wanted, fusion="ranks")) == ""


def test_the_lines_shown_are_those_with_the_words_that_were_asked_for() -> None:
    text = "Nothing here. " * 30 + "The pumps kept their heat. Pumps\nfroze at night. " + "Nothing more. " * 30
    found = excerpts(text, wanted_stems(["pumps heat froze"]))
    shown, marks = lines_of(hit(1, 0.9, text=text, excerpts=found))
    assert shown.startswith("… The pumps kept their heat. Pumps froze at night.")
    assert shown.endswith("…")
    assert len(shown) <= 303
    assert [shown[start:end] for start, end in marks] == ["pumps", "heat", "Pumps", "froze"]


def test_a_short_hit_is_shown_whole_and_one_without_a_word_from_its_beginning() -> None:
    assert lines_of(hit(1, 0.9)) == ("Pumps work.", [])
    shown, marks = lines_of(hit(1, 0.9, text="word " * 200))
    assert (shown[:9], shown[-5:], marks) == ("word word", "word…", [])


def test_the_lines_never_begin_or_end_inside_a_word() -> None:
    text = f"{'abcdefghij ' * 40}pumps {'klmnopqrst ' * 40}"
    shown, _ = lines_of(hit(1, 0.9, text=text, excerpts=excerpts(text, wanted_stems(["pumps"]))))
    assert set(shown.strip("… ").split()) == {"abcdefghij", "pumps", "klmnopqrst"}


def test_a_citation_names_who_when_what_page_and_where() -> None:
    where = "Ann Berg, Bo Dahl, Cy Elm et al., 2024, Pumps in winter, p. 3, https://pumps.example/winter"
    assert citation_words(hit(1, 0.9, text="Pumps\nwork.")) == f"“Pumps work.” ({where})"
    bare = replace(OTHER, canonical_url=None, doi="10.1/x")
    assert citation_words(hit(1, 0.9, bare)) == "“Pumps work.” (Noise, p. 3, https://doi.org/10.1/x)"


def test_a_source_and_a_place_are_named_by_what_is_known_of_them() -> None:
    assert source_line(PAPER) == "Ann Berg and others · 2024-05-01 · pumps.example"
    assert source_line(OTHER) == "pumps.example"
    assert place_words(hit(1, 0.9)) == "Page 3"
