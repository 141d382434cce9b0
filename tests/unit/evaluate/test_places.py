"""Names of judgements, and rankings in these names."""

from __future__ import annotations

import pytest

from core.evaluate.judged import Place, names_of, place_of, ranked
from tests.contract.builders import make_document


def test_a_document_is_meant_by_any_name_that_people_use() -> None:
    one = make_document(
        "One text.", title="Trees  in the street", filename="trees.md", urls=("https://a.example/trees",)
    )
    names = names_of([one])
    for name in (one.id, "trees.md", "trees", "https://a.example/trees", "Trees in the street"):
        assert place_of(name, names) == Place(one.id), name


def test_a_name_of_two_documents_means_none() -> None:
    names = names_of([make_document("One.", filename="a.md"), make_document("Two.", filename="a.md")])
    assert place_of("a.md", names) is None
    assert len(names) >= 2


def test_a_place_is_a_document_and_its_characters() -> None:
    one = make_document("One text.")
    names = names_of([one])
    assert place_of(f"{one.id}:3-9", names) == Place(one.id, (3, 9))
    for name in (f"{one.id}:9-3", f"{one.id}:3", "gone:3-9", f"{one.id}:3-99999999999"):
        assert place_of(name, names) is None, name


def test_a_document_stands_at_its_best_passage_and_takes_one_place() -> None:
    found = [("x", 0, 5), ("a", 0, 5), ("x", 5, 9), ("a", 5, 9), ("b", 0, 5)]
    assert ranked(found, {"A": Place("a"), "B": Place("b")}) == ["x", "A", "B"]


def test_a_passage_that_shows_nothing_new_takes_a_place_where_places_are_judged() -> None:
    found = [("a", 0, 100), ("a", 100, 200), ("a", 90, 190), ("b", 0, 50)]
    judged = {"first": Place("a", (110, 130)), "second": Place("b", (10, 20))}
    assert ranked(found, judged) == ["a:0-100", "first", "a:90-190", "second"]


@pytest.mark.parametrize(("span", "held"), [((80, 119), True), ((80, 121), False), ((100, 130), False)])
def test_a_passage_shows_a_place_when_it_holds_half_of_it(span: tuple[int, int], held: bool) -> None:
    assert Place("a", span).shown_by(("a", 0, 100)) is held


def test_two_places_in_one_passage_count_the_better_one_first() -> None:
    judged = {"best": Place("a", (10, 20)), "good": Place("a", (30, 40))}
    assert ranked([("a", 0, 50), ("a", 25, 75)], judged) == ["best", "good"]
