"""Measuring a project as a job: what was judged, in several ways to search, compared with one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import demo
from core.errors import JobNotFound, ModelNotFound, QueryError
from core.evaluate.judged import read_judged
from core.evaluate.trec import EvaluationFileError
from core.labels import JobKind, JobState
from core.ports.engines import Engines
from core.settings.values import Settings
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench

TEXTS = {
    "pumps": "Heat pumps move heat from cold outdoor air into a house, also at minus ten degrees.",
    "trees": "Street trees shade the pavement and cool the air below a closed canopy.",
    "noise": "Modern outdoor units are about as loud as a quiet conversation.",
    "water": "Mains water in the city comes from two reservoirs in the hills.",
}
QUERIES = (
    "queries.tsv",
    b"q1\theat pumps in winter\nq2\ttrees that cool a street\nq3\twater supply\nq4\tnobody\n",
)
QRELS = ("qrels.txt", b"q1 0 pumps 2\nq1 0 noise 1\nq2 0 trees.txt 1\nq3 0 water 1\nq3 0 gone 1\nq4 0 pumps 0\n")
RUN = {"mine.run": b"q1 Q0 pumps 1 9 t\nq2 Q0 water 1 9 t\nq3 Q0 water 1 9 t\n"}


@pytest.fixture
def project(workbench: Workbench) -> OpenProject:
    opened = workbench.open(workbench.create("Heat").slug)
    opened.sources.add_files([(f"{name}.txt", text.encode(), "text/plain") for name, text in TEXTS.items()])
    work(opened)
    return opened


def work(opened: OpenProject) -> None:
    while run_next(opened.job_context(), "test") is not None:
        pass


def test_ways_to_search_and_an_uploaded_ranking_are_measured_on_the_same_queries(project: OpenProject) -> None:
    judged = read_judged(QRELS, QUERIES, RUN)
    job = project.evaluations.start(judged, ["words", "meaning", "variety"], ["ndcg@10", "recall@5", "mrr"])
    assert project.evaluations.get(job.id).systems == ()
    work(project)
    (found,) = project.evaluations.all()
    assert found.job.state is JobState.DONE, found.job.error
    assert [one.key for one in found.systems] == ["words", "meaning", "variety", "run:mine.run"]
    assert (found.queries, found.left_out, found.judgements, found.names, found.not_here) == (3, 1, 5, 5, 1)
    assert (found.name, found.origin, found.baseline) == ("qrels.txt", "upload", "words")
    assert found.encoder
    mine = found.systems[-1].scores["mrr"]
    assert mine.mean == pytest.approx(2 / 3)
    assert mine.low <= mine.mean <= mine.high
    assert mine.p is not None
    words = found.systems[0].scores["recall@5"]
    assert words.p is None
    # Every text is among the five best of four, save the one that is not here.
    assert found.systems[1].scores["recall@5"].mean == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert found.systems[0].ms is not None
    assert found.systems[-1].ms is None


def test_the_values_of_each_query_and_its_ranking_can_be_looked_at(project: OpenProject) -> None:
    project.evaluations.start(read_judged(QRELS, QUERIES), ["words"], ["recall@5"])
    work(project)
    (found,) = project.evaluations.all()
    detail = project.evaluations.detail(found)
    assert detail is not None
    assert detail.rankings["words"]["q1"][0] == "pumps"
    assert list(detail.values["words"]["recall@5"]) == ["q1", "q2", "q3"]
    assert detail.judged.queries["q2"] == "trees that cool a street"


def test_measuring_leaves_no_trace_among_the_searches(project: OpenProject) -> None:
    project.evaluations.start(read_judged(QRELS, QUERIES), ["words"])
    work(project)
    assert project.statistics().total_queries == 0


def test_a_ranking_can_be_measured_without_texts_or_models(project: OpenProject) -> None:
    project.evaluations.start(read_judged(QRELS, None, RUN), [])
    work(project)
    assert [one.key for one in project.evaluations.all()[0].systems] == ["run:mine.run"]


def test_it_can_be_stopped_and_keeps_nothing(project: OpenProject) -> None:
    job = project.evaluations.start(read_judged(QRELS, QUERIES), ["words"])
    project.jobs.cancel(job.id)
    work(project)
    (found,) = project.evaluations.all()
    assert (found.job.state, found.systems) == (JobState.CANCELLED, ())
    assert project.evaluations.detail(found) is None


def test_words_need_no_model_and_a_missing_model_is_said(project: OpenProject) -> None:
    def gone() -> None:
        raise ModelNotFound("The model 'x' was not found.")

    project.adopt(Settings(), Engines(gone, gone, project.context.engines.make_extractor, gone, gone))  # type: ignore[arg-type]
    project.evaluations.start(read_judged(QRELS, QUERIES), ["words"])
    project.evaluations.start(read_judged(QRELS, QUERIES), ["meaning"])
    work(project)
    failed, done = project.evaluations.all()
    assert done.job.state is JobState.DONE
    assert failed.job.state is JobState.FAILED
    assert "The model 'x' was not found." in (failed.job.error or "")


def test_half_encoded_passages_are_no_fair_measure(workbench: Workbench) -> None:
    opened = workbench.open(workbench.create("Heat").slug)
    opened.sources.add_files([("pumps.txt", TEXTS["pumps"].encode(), "text/plain")])
    run_next(opened.job_context(), "test", kinds=[JobKind.ADD])
    opened.evaluations.start(read_judged(QRELS, QUERIES), ["meaning"])
    run_next(opened.job_context(), "test", kinds=[JobKind.EVALUATE])
    assert "not prepared for search by meaning" in (opened.evaluations.all()[0].job.error or "")


@pytest.mark.parametrize(
    ("combinations", "measures", "said"),
    [
        (["nonsense"], ["mrr"], "no way to search named 'nonsense'"),
        (["words"], ["accuracy"], "Unknown measure 'accuracy'"),
        ([], ["mrr"], "at least one way"),
        (["words"], [], "at least one way"),
    ],
)
def test_what_cannot_be_measured_is_refused_at_once(
    project: OpenProject, combinations: list[str], measures: list[str], said: str
) -> None:
    with pytest.raises(QueryError, match=said):
        project.evaluations.start(read_judged(QRELS, QUERIES), combinations, measures)
    assert project.evaluations.all() == []


def test_searching_needs_the_texts_of_the_queries(project: OpenProject) -> None:
    with pytest.raises(QueryError, match="texts of the queries"):
        project.evaluations.start(read_judged(QRELS), ["words"])


def test_a_bad_file_is_named(project: OpenProject) -> None:
    with pytest.raises(EvaluationFileError, match=r"mine\.txt, line 1"):
        project.evaluations.read(("mine.txt", b"nonsense"))


def test_another_job_is_no_measuring(project: OpenProject) -> None:
    with pytest.raises(JobNotFound):
        project.evaluations.get(1)


def test_only_the_demo_brings_judged_questions(project: OpenProject, workbench: Workbench) -> None:
    assert project.evaluations.golden() is None
    empty = workbench.open(workbench.create("Demo", demo=True).slug)
    assert empty.evaluations.golden() is None
    empty.sources.add_snapshots([(source.url, source.body, source.media_type) for source in demo.sources()])
    while run_next(empty.job_context(), "test", kinds=[JobKind.ADD]) is not None:
        pass
    golden = empty.evaluations.golden()
    assert golden is not None
    quotes = sum(len(question["answers"]) for question in demo.questions())
    assert len(golden.scored) >= 15
    assert golden.judgements >= 0.9 * quotes
    for judged in golden.qrels.values():
        for name in judged:
            document_id, _, span = name.partition(":")
            start, end = map(int, span.split("-"))
            assert empty.sources.text(document_id)[start:end].strip()


def test_packed_judgements_that_are_gone_are_said(project: OpenProject, tmp_path: Path) -> None:
    project.jobs.schedule(JobKind.EVALUATE, {"judged": "gone", "combinations": ["words"], "measures": ["mrr"]})
    work(project)
    assert "judgements of this measuring are gone" in (project.evaluations.all()[0].job.error or "")


def test_a_query_that_cannot_be_searched_is_left_out_and_counted(project: OpenProject) -> None:
    queries = ("queries.tsv", QUERIES[1].replace(b"water supply", b"?!"))
    project.evaluations.start(read_judged(QRELS, queries), ["meaning", "words"], ["mrr"])
    work(project)
    (found,) = project.evaluations.all()
    assert found.job.state is JobState.DONE, found.job.error
    assert (found.queries, found.left_out, found.refused) == (2, 2, 1)
    detail = project.evaluations.detail(found)
    assert detail is not None
    assert {key: list(one) for key, one in detail.rankings.items()} == {"meaning": ["q1", "q2"], "words": ["q1", "q2"]}
