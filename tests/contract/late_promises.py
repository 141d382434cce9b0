"""What every engine of late interaction promises of a project's searches: one list, run over each of them.

``tests/contract/test_late_engines.py`` runs it over our own engine and over a snapshot engine made for tests,
``tests/ragatouille/test_contract.py`` over RAGatouille itself. All tests of a class share one project and leave it
usable for the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from core.errors import QueryError
from core.labels import JobKind, JobState, Stage
from core.records import Filters, Query, ScoredPassage, SearchRequest, SearchResult, StageSwitches
from core.retrieve.pipeline import stand_in_note
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench

LATE_ONLY = StageSwitches(lexical=False, dense=False, late_interaction=True, mmr=False)
TREES = ("oak", "elm", "lime", "beech", "birch", "willow", "ash", "fir", "yew", "maple", "larch", "alder")
QUESTION = "Which tree stands behind the old bakery?"
HELD = 24
_PATIENCE_S = 300.0


def sentence(number: int) -> str:
    """A text of its own for each number below 120."""
    where = ("bakery", "harbour", "school", "station", "museum", "library", "pond", "tower")[number % 8]
    return f"Tree {number} is a {TREES[number % 12]}. It was planted in {1800 + number} behind the old {where}."


@dataclass
class Case:
    """An engine in use: ``bench``, where it is set, and a project in it. ``reopen`` closes the workbench and opens it
    again. ``name`` is the engine's in the notes, "" for our own. ``approximate``: with a small depth it may bring
    other candidates than the best."""

    bench: Workbench
    opened: OpenProject
    setting: str
    reopen: Callable[[], Workbench]
    name: str = ""
    approximate: bool = False

    def work(self, opened: OpenProject | None = None) -> list[JobKind]:
        """Carry out the jobs that wait; all must end well."""
        done = []
        while (job := run_next((opened or self.opened).job_context(), "test")) is not None:
            assert job.state is JobState.DONE, job.error
            done.append(job.kind)
        return done

    def new(self, name: str, texts: int) -> OpenProject:
        """Another project with so many sources of one passage."""
        opened = self.bench.open(self.bench.create(name).slug)
        if texts:
            opened.sources.add_texts([(f"Tree {number}", sentence(number)) for number in range(texts)])
        self.work(opened)
        return opened

    def ask(self, request: SearchRequest, opened: OpenProject | None = None) -> SearchResult:
        """The engine's own answer: a process that still starts is waited for."""
        start = time.monotonic()
        while True:
            result = (opened or self.opened).search(request)
            if not stood_in(result):
                return result
            assert time.monotonic() - start < _PATIENCE_S, result.notes
            time.sleep(0.5)


def stood_in(result: SearchResult) -> list[str]:
    """The notice that our own engine answered in place of the one that is set; none where that answered."""
    return [] if result.stand_in is None else [stand_in_note(result.stand_in, compared=result.encoded > 0)]


def late(
    text: str = QUESTION, filters: Filters = Filters(), *, k: int = 10, depth: int = 100, exact: bool = False
) -> SearchRequest:
    """A search by late interaction alone."""
    return SearchRequest((Query(text),), filters, LATE_ONLY, k=k, depth=depth, exact=exact)


def ids(result: SearchResult) -> list[int]:
    """What was found, in order."""
    return [one.passage.id for one in result.passages]


def late_score(one: ScoredPassage) -> float:
    """The score that late interaction gave."""
    return next(step.score for step in one.trail if step.stage is Stage.LATE_INTERACTION)


class LatePromises:
    """The list. A subclass brings the fixture ``case``."""

    def test_filters_hold_before_ranking(self, case: Case) -> None:
        last = case.ask(late(k=HELD)).passages[-1].document
        only = case.ask(late(filters=Filters(documents=(last.id,)), k=1, depth=1))
        assert [one.document.id for one in only.passages] == [last.id]
        tagged = [one.id for one in case.opened.sources.documents()[:3]]
        for one in tagged:
            case.opened.sources.set_tags(one, ["kept"])
        found = case.ask(late(filters=Filters(tags=("kept",)), k=3, depth=3))
        assert {one.document.id for one in found.passages} == set(tagged)
        assert case.opened.search(late(filters=Filters(tags=("no such tag",)))).passages == ()

    def test_what_is_deleted_never_appears_again_and_leaves_no_gap(self, case: Case) -> None:
        case.opened.sources.add_text("Ginkgo", "The only ginkgo of the town stands behind the old bakery since 1911.")
        case.work()
        first = case.ask(late("ginkgo behind the old bakery")).passages[0]
        assert "ginkgo" in first.passage.text
        case.opened.sources.delete(first.document.id)
        left = case.ask(late("ginkgo behind the old bakery"))
        assert first.passage.id not in ids(left)
        assert first.document.id not in {one.document.id for one in left.passages}
        assert len(left.passages) == 10

    def test_what_is_added_appears_at_once(self, case: Case) -> None:
        case.opened.sources.add_text("Zeppelins", "Silver zeppelins hang over the harbour on Sundays.")
        case.work()
        found = case.ask(late("silver zeppelins over the harbour")).passages[0]
        assert "zeppelins" in found.passage.text
        case.opened.sources.delete(found.document.id)

    @pytest.mark.parametrize("depth", [1, 5])
    def test_it_brings_at_most_depth_candidates(self, case: Case, depth: int) -> None:
        everything = case.ask(late(k=HELD))
        found = case.ask(late(k=depth, depth=depth))
        assert len(found.candidates) == depth
        assert set(ids(found)) <= set(ids(everything))
        if not case.approximate:
            assert ids(found) == ids(everything)[:depth]

    def test_equal_scores_come_in_the_order_of_their_ids_and_the_same_each_time(self, case: Case) -> None:
        words = "Magnolias flower in April before their leaves come, behind the bakery and nowhere else in town."
        case.opened.sources.add_texts(
            [("Magnolia", " ".join([words] * 15))]
        )  # three passages of the same five sentences
        case.work()
        answers = [case.ask(late("magnolias in April", k=k)) for k in (20, 21)]
        scores = [(-late_score(one), one.passage.id) for one in answers[0].passages]
        assert scores == sorted(scores)
        assert len({score for score, _ in scores}) < len(scores), "no two passages have equal scores"
        assert ids(answers[0]) == ids(answers[1])[:20]
        case.opened.sources.delete(answers[0].passages[0].document.id)

    def test_texts_and_places_are_those_of_the_database(self, case: Case) -> None:
        for one in case.ask(late(k=HELD)).passages:
            assert case.opened.sources.text(one.document.id)[one.passage.start : one.passage.end] == one.passage.text
            assert one.passage in case.opened.sources.passages(one.document.id)

    def test_scores_are_maxsim_on_one_scale(self, case: Case) -> None:
        """Whether a passage is in an index, came since, or was brought by another stage."""
        case.opened.sources.add_text("Rowan", "A rowan stands behind the old bakery, too.")
        case.work()
        its = {one.passage.id: late_score(one) for one in case.ask(late(k=HELD)).passages}
        ours = {one.passage.id: late_score(one) for one in case.ask(late(k=HELD, exact=True)).passages}
        together = its.keys() & ours.keys()
        assert len(together) >= 0.9 * len(ours)
        for key in together:
            assert its[key] == pytest.approx(ours[key], rel=1e-5)
        rowan = case.ask(late("rowan", k=1)).passages[0]
        assert "rowan" in rowan.passage.text
        case.opened.sources.delete(rowan.document.id)

    def test_its_stage_is_named_alike_in_every_trace(self, case: Case) -> None:
        mixed = SearchRequest((Query(QUESTION),), k=5)
        for request in (late(k=5), mixed):
            result = case.ask(request)
            assert Stage.LATE_INTERACTION.value in result.fingerprint
            assert Stage.LATE_INTERACTION.value in result.timings
            for one in result.passages:
                ranks = [step.rank for step in one.trail if step.stage is Stage.LATE_INTERACTION]
                assert len(ranks) <= 1
                assert all(rank >= 1 for rank in ranks)
        told = case.ask(mixed).fingerprint[Stage.LATE_INTERACTION.value]
        assert isinstance(told, dict)
        assert told.get("engine", "") == case.name

    def test_several_queries_each_have_their_ranking(self, case: Case) -> None:
        request = SearchRequest((Query(QUESTION), Query("a larch near the tower")), stages=LATE_ONLY, k=5)
        result = case.ask(request)
        assert len(result.by_query) == 2
        assert all(len(hits) == 5 for hits in result.by_query)

    @pytest.mark.parametrize("texts", [0, 1, 2])
    def test_a_small_project_is_answered(self, case: Case, texts: int) -> None:
        opened = case.new(f"Small {texts}", texts)
        result = opened.search(late())
        assert len(result.passages) == texts
        assert sorted(ids(result)) == sorted(ids(opened.search(late(exact=True))))
        assert opened.jobs.all(active=True) == []

    @pytest.mark.parametrize("text", ["?!", "the of and", "𐐷 \u0000 zzqx", "東京 ½ 🌳", "tree " * 300])
    def test_a_query_of_odd_words_is_answered(self, case: Case, text: str) -> None:
        result = case.ask(late(text, k=5))
        assert len(result.passages) <= 5
        assert len(set(ids(result))) == len(result.passages)

    @pytest.mark.parametrize("text", ["   ", "x" * 2001])
    def test_no_query_and_one_that_is_too_long_are_refused(self, case: Case, text: str) -> None:
        with pytest.raises(QueryError):
            case.opened.search(late(text))

    def test_it_answers_the_same_after_a_restart(self, case: Case) -> None:
        before = case.ask(late(k=HELD))
        slug = case.opened.project.slug
        case.bench = case.reopen()
        case.opened = case.bench.open(slug)
        assert case.opened.late.state().engine == case.setting
        after = case.ask(late(k=HELD))
        assert not after.cached
        assert [(one.passage.id, late_score(one)) for one in after.passages] == [
            (one.passage.id, late_score(one)) for one in before.passages
        ]

    def test_claims_and_citations_look_at_every_passage(self, case: Case) -> None:
        """They ask for the exact engine, which finds its vectors whatever is set."""
        everything = case.opened.search(late(k=HELD, exact=True))
        assert stood_in(everything) == []
        assert len(everything.passages) == HELD
        encoded, searchable = case.opened.coverage()
        assert encoded == searchable >= HELD


class SnapshotPromises(LatePromises):
    """For engines beside our own. ``fail`` makes the engine fail until ``mend``."""

    def fail(self, case: Case) -> None:
        raise NotImplementedError

    def mend(self, case: Case) -> None:
        raise NotImplementedError

    def test_its_best_are_those_of_the_exact_engine(self, case: Case) -> None:
        for number in range(0, HELD, 5):
            question = f"Where does tree {number} stand, the {TREES[number % 12]}?"
            assert ids(case.ask(late(question, k=3))) == ids(case.ask(late(question, k=3, exact=True)))

    def test_failing_it_leaves_the_exact_answer_with_a_notice(self, case: Case) -> None:
        case.ask(late())
        exact = case.opened.search(late(k=7, exact=True))
        self.fail(case)
        answer = case.opened.search(late(k=7))
        assert answer.stand_in is not None
        assert answer.stand_in.engine == case.name
        assert stood_in(answer)[0] in answer.notes
        assert [(one.passage.id, late_score(one)) for one in answer.passages] == [
            (one.passage.id, late_score(one)) for one in exact.passages
        ]
        self.mend(case)
        assert ids(case.ask(late(k=7)))[:3] == ids(exact)[:3]

    def test_a_small_project_is_answered_with_a_notice(self, case: Case) -> None:
        opened = case.new("Two", 2)
        assert "at least 3 passages" in stood_in(opened.search(late()))[0]
