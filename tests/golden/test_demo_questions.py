"""The twenty golden questions over the demo project, with the models of the default install."""

from __future__ import annotations

import re

from core import demo
from core.evaluate.measures import ndcg
from core.records import Query, SearchRequest, SearchResult, StageSwitches
from core.workbench.open_project import OpenProject

QUESTIONS = demo.questions()
WORDS_ONLY = StageSwitches(dense=False, late_interaction=False, mmr=False)


def ask(project: OpenProject, text: str, stages: StageSwitches = StageSwitches()) -> SearchResult:
    return project.search(SearchRequest((Query(text),), stages=stages, k=10))


def answered(question: dict, result: SearchResult) -> list[list[int]]:  # type: ignore[type-arg]
    """For every returned passage the golden quotes it holds whole (their numbers in the question)."""
    texts = [re.sub(r"\s+", " ", one.passage.text) for one in result.passages]
    return [[n for n, answer in enumerate(question["answers"]) if answer["quote"] in text] for text in texts]


def quality(question: dict, result: SearchResult) -> float:  # type: ignore[type-arg]
    """nDCG@10 over quotes: each counts once, at the first passage that holds it."""
    seen: list[str] = []
    for place, held in enumerate(answered(question, result)):
        new = [str(n) for n in held if str(n) not in seen]
        seen.append(new[0] if new else f"nothing at {place}")
    return ndcg(seen, {str(n): answer["relevance"] for n, answer in enumerate(question["answers"])}, 10)


def test_most_questions_are_answered_by_the_first_passage_and_nearly_all_by_the_first_five(
    project: OpenProject,
) -> None:
    found = {question["id"]: answered(question, ask(project, question["text"])) for question in QUESTIONS}
    assert sum(bool(held[0]) for held in found.values()) >= 11, found
    assert sum(any(held[:5]) for held in found.values()) >= 15, found


def test_half_as_many_relevant_passages_again_as_words_alone_find(project: OpenProject) -> None:
    def relevant(stages: StageSwitches) -> int:
        results = [answered(question, ask(project, question["text"], stages)) for question in QUESTIONS]
        return sum(bool(held) for result in results for held in result[:5])

    assert relevant(StageSwitches()) >= 1.5 * relevant(WORDS_ONLY)


def test_answers_stand_higher_than_with_words_alone(project: OpenProject) -> None:
    full = [quality(question, ask(project, question["text"])) for question in QUESTIONS]
    words = [quality(question, ask(project, question["text"], WORDS_ONLY)) for question in QUESTIONS]
    assert sum(full) > 1.3 * sum(words)


def test_every_result_says_how_it_was_found_and_where_it_stands(project: OpenProject) -> None:
    result = ask(project, QUESTIONS[0]["text"])
    assert result.notes == ()
    assert {"lexical", "dense", "late_interaction", "fusion", "mmr", "hash"} <= set(result.fingerprint)
    for one in result.passages:
        text = project.sources.text(one.document.id)
        assert text[one.passage.start : one.passage.end] == one.passage.text
        for excerpt in one.excerpts:
            inner = excerpt.text[excerpt.lead :].removesuffix("…")
            assert text[excerpt.start : excerpt.end] == inner


def test_asking_again_is_answered_from_the_cache_with_the_same_result(project: OpenProject) -> None:
    one, two = (ask(project, "Which trees survive a dry summer?") for _ in range(2))
    assert two.cached
    shown = [[(p.passage, p.score, p.trail) for p in result.passages] for result in (one, two)]
    assert shown[0] == shown[1]


def test_the_words_that_answered_are_shown(project: OpenProject) -> None:
    question = "What does the 10-20-30 rule say about species?"
    best = ask(project, question).passages[0].passage
    matches = project.explain(question, best)
    text = project.sources.text(best.document_id)
    shown = {match.query_word.lower(): match for match in matches}
    assert {"rule", "species"} <= set(shown)
    for match in matches:
        held = best.context if match.in_context else text
        assert held[match.start : match.end] == match.word
