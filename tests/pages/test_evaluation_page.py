"""Evaluation: measuring search on uploaded or own judgements, and the judge by people's decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.evaluate.judged import read_judged
from core.labels import DecisionKind, JobKind, JobState, Status
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import button, texts, work

Visit = Callable[..., AppTest]
QRELS = b"q1 0 pumps 1\nq2 0 trees.md 1\nq3 0 hostile 1\n"
QUERIES = b"q1\theat pumps in winter\nq2\tshade of street trees\nq3\twhat the parrot said\n"
RUN = b"q1 Q0 trees.md 1 1 t\nq2 Q0 pumps 1 1 t\nq3 Q0 pumps 1 1 t\n"


def table(at: AppTest, column: str) -> Any:
    return next(frame.value for frame in at.dataframe if column in frame.value)


def upload(at: AppTest, key: str, name: str, body: bytes) -> AppTest:
    return at.file_uploader(key=key).upload(name, body, "text/plain").run()


def test_a_project_without_sources_says_what_to_do(visit: Visit, bench: Workbench) -> None:
    at = visit("evaluation", project=bench.create("Heat").slug)
    assert not at.exception
    assert "nothing to find" in texts(at)


def test_uploaded_judgements_are_measured_and_the_result_stays(visit: Visit, filled: OpenProject) -> None:
    at = visit("evaluation", project="heat")
    assert "Nothing was measured yet" in texts(at)
    upload(at, "qrels-file", "mine.qrels", QRELS)
    assert "Give the texts of the queries too" in texts(at)
    upload(at, "queries-file", "queries.tsv", QUERIES)
    upload(at, "run-files", "![x](http://evil).run", RUN)
    assert "3 queries, 3 judgements, 3 of them relevant." in texts(at)
    at.button(key="measure").click().run()
    assert not at.exception
    assert not at.error
    assert filled.jobs.all(active=True)[0].kind is JobKind.EVALUATE
    assert "Measuring" in "".join(str(element.proto.text) for element in at.get("progress"))
    work(filled)
    at = visit("evaluation", project="heat")
    assert not at.exception
    assert not at.error
    rows = table(at, "nDCG at 10")
    assert rows["Way to search"].tolist() == [
        "Words (compared with)",
        "Words and meaning",
        "Words, meaning, word by word",
        "These three, with variety",
        "![x](http://evil).run",
    ]
    assert rows["nDCG at 10"][3].startswith("1 (")
    assert rows["nDCG at 10"][4].split(" (")[0].endswith("0")
    assert "3 queries are few" in texts(at)
    assert list(rows.columns) == [
        "Way to search",
        "nDCG at 10",
        "Recall at 5",
        "Recall at 100",
        "Precision at 5",
        "Median time",
    ]
    assert any("p = " in value for value in _chances(at))
    assert "![" not in "".join(element.value for element in at.markdown)


def _chances(at: AppTest) -> list[str]:
    frames = [frame.value for frame in at.dataframe if "Way to search" in frame.value]
    return [str(value) for frame in frames for value in frame.to_numpy().ravel()]


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("bad.txt", b"q1 0 pumps\n", "bad.txt, line 1: expected"),
        ("bad.txt", b"q1 0 pumps 0\n", "no judgement above 0"),
        ("![x](http://evil).txt", b"\xff\xfe", "cannot be read as UTF-8"),
        ("bad.txt", b"q1 0 pumps " + b"9" * 5000, "the grade"),
    ],
)
def test_a_hostile_file_is_refused_with_file_and_line(
    visit: Visit, filled: OpenProject, name: str, body: bytes, said: str
) -> None:
    at = visit("evaluation", project="heat")
    upload(at, "qrels-file", name, body)
    assert not at.exception
    assert said in texts(at)
    assert not any(one.key == "measure" for one in at.button)
    assert filled.evaluations.all() == []


def test_a_measuring_is_named_by_the_address_and_others_are_a_click_away(visit: Visit, filled: OpenProject) -> None:
    for measures in (["mrr"], ["map"]):
        filled.evaluations.start(read_judged(("mine", QRELS), ("q", QUERIES)), ["words"], measures)
        work(filled)
    jobs = [one.job.id for one in filled.evaluations.all()]
    at = visit("evaluation", project="heat")
    assert "MAP" in table(at, "Way to search")
    assert len(table(at, "Measuring")) == 2
    at = visit("evaluation", project="heat", measuring=str(jobs[-1]))
    assert "MRR" in table(at, "Way to search")


def test_a_stopped_and_a_failed_measuring_say_so(visit: Visit, filled: OpenProject) -> None:
    job = filled.evaluations.start(read_judged(("mine", QRELS), ("q", QUERIES)), ["words"])
    filled.jobs.cancel(job.id)
    assert "It was stopped" in texts(visit("evaluation", project="heat"))
    filled.jobs.schedule(JobKind.EVALUATE, {"judged": "gone", "combinations": ["words"], "measures": ["mrr"]})
    work(filled)
    failed = filled.evaluations.all()[0]
    assert failed.job.state is JobState.FAILED
    assert "judgements of this measuring are gone" in texts(
        visit("evaluation", project="heat", measuring=str(failed.job.id))
    )


def test_each_query_and_the_files_are_there_on_request(visit: Visit, filled: OpenProject) -> None:
    filled.evaluations.start(read_judged(("mine", QRELS), ("q", QUERIES)), ["words"], ["mrr"])
    work(filled)
    at = visit("evaluation", project="heat")
    one = filled.evaluations.all()[0]
    panel = next(one for one in at.expander if one.label.startswith("Each query"))
    assert panel.proto.expanded is False
    at.session_state[f"each-{one.job.id}"] = True
    at.run()
    assert not at.exception
    assert table(at, "Query")["Query"].tolist() == [
        "heat pumps in winter",
        "shade of street trees",
        "what the parrot said",
    ]
    labels = {element.proto.label.replace("\\", "").replace("\u2060", "") for element in at.get("download_button")}
    assert {"Judgements (TREC)", "Judgements (BEIR)", "Queries (JSON lines)", "Run: Words"} <= labels


def test_answers_are_not_pretended(visit: Visit, filled: OpenProject) -> None:
    at = visit("evaluation", project="heat", part="Answers")
    assert "There are no stored answers yet" in texts(at)
    assert table(at, "Measure")["Measure"].tolist() == ["Context relevance", "Groundedness", "Answer relevance"]


def test_without_decisions_the_judge_is_not_measured(visit: Visit, audited: OpenProject) -> None:
    at = visit("evaluation", project="trees", part="Judge")
    assert not at.exception
    assert "Nobody has decided on a citation yet" in texts(at)
    assert not at.metric


@pytest.fixture
def decided(audited: OpenProject) -> OpenProject:
    """Every citation with a verdict decided by Ada: what passed is accepted, save one, and two of the rest."""
    reviews = audited.reviews
    passed = 0
    for finding in audited.audits.findings(1):
        if finding.verdict is None or finding.status not in (Status.PASS, Status.REVIEW):
            continue
        item = reviews.item(reviews.key_of_finding(finding.id), "Ada")
        passed += finding.status is Status.PASS
        holds = finding.status is Status.PASS and passed != 1
        reviews.decide(
            item.key,
            DecisionKind.ACCEPT if holds else DecisionKind.REJECT,
            by="Ada",
            version=item.version,
            seen=item.seen,
        )
    return audited


def test_decisions_measure_the_judge_and_become_judgements(visit: Visit, decided: OpenProject) -> None:
    quality = decided.evaluations.quality()
    assert quality.counts.holds_fails == 1
    at = visit("evaluation", project="trees", part="Judge")
    assert not at.exception
    assert not at.error
    figures = {one.label: str(one.value) for one in at.metric}
    assert set(figures) == {"Decisions", "Accuracy", "Balanced accuracy", "Macro-F1"}
    assert figures["Accuracy"].startswith(".")
    counts = table(at, "The machine says")
    assert counts["People: does not hold"][0] == "1"
    assert "Chance given" in {column for frame in at.dataframe for column in frame.value}
    labels = {element.proto.label for element in at.get("download_button")}
    assert {"Judgements (TREC)", "Judgements (BEIR)", "Queries (JSON lines)"} <= labels
    judged = decided.evaluations.reviewed()
    assert judged is not None
    assert judged.relevant == quality.counts.holds_holds + quality.counts.fails_holds
    documents = {one.id for one in decided.sources.documents()}
    assert all(name.partition(":")[0] in documents for of_query in judged.qrels.values() for name in of_query)


def test_decisions_can_be_measured_with_at_once(visit: Visit, decided: OpenProject) -> None:
    at = visit("evaluation", project="trees")
    at.multiselect(key="ways").set_value(["words"]).run()
    button(at, "Measure").click().run()  # type: ignore[attr-defined]
    assert not at.error
    run_next(decided.job_context(), "test", kinds=[JobKind.EVALUATE])
    (found,) = decided.evaluations.all()
    assert found.job.state is JobState.DONE, found.job.error
    assert found.origin == "review"
    assert found.systems[0].scores["recall@100"].mean > 0.5


@pytest.mark.parametrize("params", [{"measuring": "99999"}, {"measuring": "x"}, {"part": "<script>"}, {"period": "x"}])
def test_a_stale_or_hostile_address_does_no_harm(visit: Visit, filled: OpenProject, params: dict[str, str]) -> None:
    at = visit("evaluation", project="heat", **params)
    assert not at.exception
    assert not at.error
