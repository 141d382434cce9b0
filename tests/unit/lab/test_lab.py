"""The query lab on a real project: what each variant newly brings, judgements, figures, batches, costs, saving."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core import demo
from core.errors import AnswerError, JobNotFound, QueryError, RowMoved
from core.expand.job import run_expand
from core.lab.judged import LabJudgements
from core.lab.lab import QueryLab
from core.labels import JobKind, JobState, QueryKind
from core.ports.engines import Engines
from core.records import (
    REVIEW,
    Expansion,
    JudgedQueries,
    Passage,
    Query,
    Question,
    SearchRequest,
    StageSwitches,
    Variant,
    place_name,
)
from core.retrieve import pipeline
from core.settings.values import Settings
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from storage.tables.base import utc_now
from tests.helpers.llm_using import llm_settings, with_writer
from tests.servers.messages_api import MessagesApi, Reply, messages_api

TEXTS = {
    "trees": "Street trees shade a pavement and cool the air below a closed canopy. The urban heat island (UHI) fades.",
    "pumps": "Heat pumps move heat from cold outdoor air into a house, also at minus ten degrees.",
    "noise": "Modern outdoor units are about as loud as a quiet conversation in a library.",
    "water": "Mains water in the city comes from two reservoirs in the hills above the town.",
    "roofs": "White roofs reflect sunlight, so rooms under them stay cooler on hot summer days.",
}
RULES = frozenset({QueryKind.TRANSFORM, QueryKind.FEEDBACK})
WORDS = StageSwitches(dense=False, late_interaction=False, mmr=False)
NEVER = replace(WORDS, lexical=False)
TWO = '["Does urban greenery cool cities?", "effect of tree canopy on summer heat"]'


@pytest.fixture
def project(workbench: Workbench) -> OpenProject:
    opened = workbench.open(workbench.create("Heat").slug)
    opened.sources.add_files([(f"{name}.txt", text.encode(), "text/plain") for name, text in TEXTS.items()])
    work(opened)
    return opened


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with messages_api(lambda request: TWO if "JSON array" in request.prompt else "Trees cool. They shade.") as made:
        yield made


@pytest.fixture
def with_model(project: OpenProject, engines: Engines, api: MessagesApi, tmp_path: Path) -> OpenProject:
    settings = llm_settings(api)
    project.adopt(settings, with_writer(engines, settings, tmp_path))
    return project


def work(opened: OpenProject) -> None:
    while run_next(opened.job_context(), "test") is not None:
        pass


def passage_of(opened: OpenProject, name: str) -> int:
    document = next(one for one in opened.sources.documents() if one.filename == f"{name}.txt")
    return opened.sources.passages(document.id)[0].id


def place_of_passage(passage: Passage) -> str:
    return place_name(passage.document_id, passage.start, passage.end)


def hand_made(*texts: str) -> Expansion:
    variants = [Variant("original", QueryKind.ORIGINAL, texts[0])]
    variants += [Variant(f"manual-{at}", QueryKind.MANUAL, text) for at, text in enumerate(texts[1:], start=1)]
    return Expansion(texts[0], tuple(variants))


def test_rules_and_feedback_need_no_model_and_no_job(project: OpenProject) -> None:
    made = project.lab.expand("How do street trees cool the air?", RULES)
    assert made.variants[0].text == "How do street trees cool the air?"
    assert {one.kind for one in made.variants} == {QueryKind.ORIGINAL, *RULES}
    assert project.jobs.all(active=True) == []


def test_a_short_form_is_written_out_as_the_projects_sources_define_it(project: OpenProject) -> None:
    made = project.lab.expand("What shrinks the UHI?", {QueryKind.TRANSFORM})
    assert "urban heat island" in made.variants[1].text


def test_each_variant_says_what_no_earlier_one_brought(project: OpenProject) -> None:
    made = hand_made("street trees", "white roofs", "roofs white", "heat pumps and white roofs", "zebra")
    found = project.lab.run(made, SearchRequest((), stages=WORDS))
    trees, roofs, pumps = (passage_of(project, name) for name in ("trees", "roofs", "pumps"))
    brought = {one.variant: (one.passages, one.new_passages) for one in found.yields}
    assert brought["original"] == (1, (trees,))
    assert brought["manual-1"] == (1, (roofs,))
    assert brought["manual-2"] == (1, ())
    assert set(brought["manual-3"][1]) == {pumps, passage_of(project, "trees")} - {trees} | {pumps}
    assert brought["manual-4"] == (0, ())
    ids = [one.passage.id for one in found.result.passages]
    assert len(ids) == len(set(ids))
    documents = [document for one in found.yields for document in one.new_documents]
    assert len(documents) == len(set(documents)) == 3


def test_what_a_variant_brings_is_what_it_finds_by_itself(project: OpenProject) -> None:
    made = project.lab.expand("How do street trees cool the air?", RULES)
    found = project.lab.run(made, SearchRequest((), k=2))
    for variant, one in zip(made.variants, found.yields, strict=True):
        alone = project.search(
            SearchRequest((Query(variant.text, variant.kind),), stages=StageSwitches(mmr=False), k=2)
        )
        assert one.passages == len(alone.passages)


def test_a_variant_that_is_off_does_not_run(project: OpenProject) -> None:
    made = hand_made("street trees", "white roofs")
    off = Expansion(made.question, (made.variants[0], replace(made.variants[1], on=False)))
    found = project.lab.run(off, SearchRequest((), stages=WORDS))
    assert [one.variant for one in found.yields] == ["original"]
    with pytest.raises(QueryError, match="switched on"):
        project.lab.run(Expansion("q", tuple(replace(one, on=False) for one in made.variants)), SearchRequest(()))


def test_the_words_of_a_made_up_answer_are_not_put_to_the_keyword_index(project: OpenProject) -> None:
    asked = Variant("original", QueryKind.ORIGINAL, "street trees")
    supposed = Variant("hyde", QueryKind.HYDE, "street trees reservoirs reservoirs")
    found = project.lab.run(Expansion("street trees", (asked, supposed)), SearchRequest((), stages=WORDS))
    assert [one.passages for one in found.yields] == [1, 0]
    assert "not searched" in " ".join(found.result.notes)
    both = project.lab.run(Expansion("street trees", (asked, supposed)), SearchRequest(()))
    assert both.yields[1].passages > 0
    with pytest.raises(QueryError, match="meaning only"):
        project.lab.run(Expansion("street trees", (supposed,)), SearchRequest((), stages=WORDS))


# ------------------------------------------------------------ judgements


def test_judgements_of_a_question_are_kept_whatever_its_punctuation(project: OpenProject) -> None:
    trees, roofs = passage_of(project, "trees"), passage_of(project, "roofs")
    project.lab.judge("How do trees cool?", trees, 3)
    project.lab.judge("how do trees  cool", roofs, 0)
    assert project.lab.judgements("How do trees cool?") == {trees: 3, roofs: 0}
    project.lab.judge("How do trees cool?", roofs, None)
    assert project.lab.judgements("How do trees cool?") == {trees: 3}
    assert project.lab.judgements("Another question") == {}


def test_judgements_outlive_a_new_cut_of_the_sources(workbench: Workbench, project: OpenProject) -> None:
    project.lab.judge("trees", passage_of(project, "trees"), 2)
    project.sources.rechunk()
    work(project)
    assert project.lab.judgements("trees") == {passage_of(project, "trees"): 2}


@pytest.mark.parametrize("grade", [-1, 4, 10**9, True, False, 1.0, "2", float("nan")])
def test_a_grade_is_a_whole_number_of_a_range(project: OpenProject, grade: int) -> None:
    with pytest.raises(QueryError, match="grade"):
        project.lab.judge("q", passage_of(project, "trees"), grade)
    assert project.lab.judgements("q") == {}


@pytest.mark.parametrize("bad", ["true", "1.5", "9", '"3"', "null", "[]"])
def test_a_stored_grade_that_is_none_is_left_out_and_the_others_stay(project: OpenProject, bad: str) -> None:
    trees = passage_of(project, "trees")
    project.lab.judge("q", trees, 2)
    key, kept = next(iter(project.context.store.memos("lab-judged:").items()))
    for stored in (kept[:-1] + f', "elsewhere": {bad}}}', bad, "{"):
        project.context.store.set_memo(key, stored)
        assert project.lab.judgements("q") == ({trees: 2} if stored.startswith('{"') else {})


def test_a_passage_that_is_gone_cannot_be_judged(project: OpenProject) -> None:
    with pytest.raises(QueryError, match="no longer there"):
        project.lab.judge("q", 10**9, 1)


def test_figures_tell_which_stages_and_variants_find_what_is_judged(project: OpenProject) -> None:
    made = hand_made("shade of street trees", "white roofs")
    assert project.lab.compare(made, [WORDS]) == []
    project.lab.judge(made.question, passage_of(project, "trees"), 3)
    project.lab.judge(made.question, passage_of(project, "water"), 0)
    searches = project.statistics().total_queries
    rows = project.lab.compare(made, [WORDS, StageSwitches(), NEVER])
    assert project.statistics().total_queries == searches
    figures = {(row.variant, row.stages): row for row in rows}
    assert figures["", WORDS].ndcg == figures["original", WORDS].ndcg == 1.0
    assert figures["manual-1", WORDS].recall == 0.0
    assert figures["", StageSwitches()].at_top == 1
    assert {row.relevant for row in rows} == {1}
    assert figures["", NEVER].ndcg is None
    assert "switched off" in figures["", NEVER].problem


def test_golden_questions_count_as_judgements(workbench: Workbench) -> None:
    asked = demo.questions()[0]
    wanted = {answer["source"] for answer in asked["answers"]}
    opened = workbench.open(workbench.create("Demo", demo=True).slug)
    sources = [one for one in demo.sources() if one.filename in wanted]
    opened.sources.add_snapshots([(source.url, source.body, source.media_type) for source in sources])
    while run_next(opened.job_context(), "test", kinds=[JobKind.ADD]) is not None:
        pass
    question = str(asked["text"])
    assert any(grade > 0 for grade in opened.lab.judgements(question).values())
    together, alone = opened.lab.compare(hand_made(question), [WORDS])
    assert together.ndcg == alone.ndcg
    assert together.relevant >= 1


def test_decisions_of_people_count_as_judgements(project: OpenProject) -> None:
    passage = project.sources.passages(project.sources.documents()[0].id)[0]
    held = JudgedQueries("Decisions of people", REVIEW, {"i": {place_of_passage(passage): 1}}, {"i": "Trees cool."})
    judged = LabJudgements(project.context)
    judged._evaluations.reviewed = lambda: held  # type: ignore[method-assign]
    assert judged.grades("trees cool") == {passage.id: 1}
    judged.judge("Trees cool?", passage.id, 0)
    assert judged.grades("trees cool") == {passage.id: 0}


# ------------------------------------------------------------ models, batches, costs


def test_a_job_makes_what_needs_a_model_and_every_call_is_on_record(with_model: OpenProject, api: MessagesApi) -> None:
    kinds = {*RULES, QueryKind.HYDE, QueryKind.MULTI_QUERY}
    job = with_model.lab.start_expand(["How do street trees cool the air?"], kinds)
    assert with_model.lab.expanded(job.id) == []
    work(with_model)
    (made,) = with_model.lab.expanded(job.id)
    assert {one.kind for one in made.variants} == {QueryKind.ORIGINAL, *kinds}
    assert made.notes == ()
    assert len(api.requests) == with_model.language_model.spending().calls == 2
    assert with_model.language_model.spending().spent_usd > 0
    assert with_model.lab.run(made, SearchRequest((), k=3)).result.passages


def test_the_cost_is_told_before_and_covers_what_was_spent(with_model: OpenProject, api: MessagesApi) -> None:
    questions, kinds = ["How do trees cool?", "Are pumps loud?", "How do trees cool?"], {QueryKind.HYDE}
    told = with_model.lab.estimate(questions, kinds)
    assert told is not None
    assert api.requests == []
    with_model.lab.start_expand(questions, kinds)
    work(with_model)
    assert len(api.requests) == 2  # the same question is asked once
    assert told.cost_usd is not None
    assert 0 < with_model.language_model.spending().spent_usd <= told.cost_usd
    assert with_model.lab.estimate(questions, RULES) is None


def test_without_a_model_nothing_costs_and_the_question_goes_on(project: OpenProject) -> None:
    kinds = {QueryKind.HYDE, QueryKind.MULTI_QUERY}
    assert project.lab.estimate(["a question"], kinds) is None
    job = project.lab.start_expand(["a question", "another"], kinds)
    work(project)
    made = project.lab.expanded(job.id)
    assert [len(one.variants) for one in made] == [1, 1]
    assert all(len(one.notes) == 2 for one in made)
    at_once = project.lab.expand("a question", kinds)
    assert len(at_once.variants) == 1
    assert len(at_once.notes) == 2


FAULTS = {
    "a bad key": Reply(status=401),
    "a bad request": Reply(status=400),
    "a refusal": Reply("I cannot.", stop_reason="refusal"),
    "no JSON": Reply("Here you are: one, two."),
    "one": Reply('["one alternative"]'),
    "five": Reply('["a b","c d","e f","g h","i j"]'),
    "a cut reply": Reply('["one alternative", "an', stop_reason="max_tokens"),
    "an empty reply": Reply(""),
}


@pytest.mark.parametrize("reply", FAULTS.values(), ids=FAULTS)
def test_a_model_that_fails_over_http_costs_its_kind_only(
    project: OpenProject, engines: Engines, tmp_path: Path, reply: Reply
) -> None:
    with messages_api(reply) as api:
        settings = llm_settings(api, attempts=1)
        project.adopt(settings, with_writer(engines, settings, tmp_path))
        job = project.lab.start_expand(["How do street trees cool?"], {QueryKind.MULTI_QUERY, QueryKind.TRANSFORM})
        work(project)
        assert project.jobs.get(job.id).state is JobState.DONE
        (made,) = project.lab.expanded(job.id)
    assert {one.kind for one in made.variants} == {QueryKind.ORIGINAL, QueryKind.TRANSFORM}
    assert "goes on with the question itself" in made.notes[0]


def test_a_budget_that_is_used_up_sends_nothing(
    project: OpenProject, engines: Engines, api: MessagesApi, tmp_path: Path
) -> None:
    settings = llm_settings(api, budget_usd=0.000001)
    project.adopt(settings, with_writer(engines, settings, tmp_path))
    job = project.lab.start_expand([f"question number {at}" for at in range(5)], {QueryKind.HYDE})
    work(project)
    assert api.requests == []
    assert all("budget" in one.notes[0].lower() for one in project.lab.expanded(job.id))


@pytest.mark.parametrize("questions", [[], [""], ["x" * 100_000], ["q"] * 201])
def test_what_cannot_be_expanded_is_refused_before_a_job_is_made(project: OpenProject, questions: list[str]) -> None:
    with pytest.raises(QueryError):
        project.lab.start_expand(questions, RULES)
    assert project.jobs.all(active=True) == []


def test_a_batch_that_is_stopped_keeps_what_was_paid_and_does_not_pay_again(
    with_model: OpenProject, api: MessagesApi
) -> None:
    questions = [f"How do trees cool street {at}?" for at in range(12)]
    job = with_model.lab.start_expand(questions, {QueryKind.HYDE})
    context = with_model.job_context()

    def dies_at_seven(done: int, *_: object) -> None:
        if done == 7:
            raise RuntimeError("the process died")

    with pytest.raises(RuntimeError):
        run_expand(context, job, dies_at_seven)
    assert [one.question for one in with_model.lab.expanded(job.id)] == questions[:7]
    run_expand(context, job, lambda *_: None)
    assert [one.question for one in with_model.lab.expanded(job.id)] == questions
    assert len(api.requests) == len(questions)


def test_another_job_made_no_variants(project: OpenProject) -> None:
    other = next(job for job in project.jobs.all() if job.kind is not JobKind.EXPAND)
    with pytest.raises(JobNotFound):
        project.lab.expanded(other.id)
    with pytest.raises(JobNotFound):
        project.lab.expanded(10**6)


# ------------------------------------------------------------ saved questions


def test_a_saved_question_keeps_its_variants_and_its_version(project: OpenProject) -> None:
    made = project.lab.expand("How do street trees cool the air?", RULES)
    draft = Question(0, 0, made.question, made.variants, utc_now(), utc_now())
    saved = project.lab.save(draft)
    assert project.lab.question(saved.id).variants == made.variants
    changed = project.lab.save(replace(saved, variants=made.variants[:1]))
    assert changed.version > saved.version
    with pytest.raises(RowMoved):
        project.lab.save(saved)
    assert [one.id for one in project.lab.questions()] == [saved.id]
    project.lab.delete(saved.id)
    with pytest.raises(AnswerError):
        project.lab.question(saved.id)
    with pytest.raises(QueryError):
        project.lab.save(replace(draft, text="  "))


def test_the_lab_is_that_of_the_settings_of_now(project: OpenProject) -> None:
    assert isinstance(project.lab, QueryLab)
    few = Settings.model_validate({"expansion": {"transform_variants": 3}})
    project.adopt(few, project.context.engines)
    made = project.lab.expand("What is the effect of urban trees on air temperature?", {QueryKind.TRANSFORM})
    assert len(made.variants) == 4


def test_variants_together_count_what_the_settings_say(project: OpenProject, engines: Engines) -> None:
    store, settings = project.job_context().store, Settings().retrieval
    queries = (Query("street trees"), Query("white roofs", QueryKind.TRANSFORM), Query("roofs", QueryKind.TRANSFORM))
    request = SearchRequest(queries, stages=WORDS)
    light = pipeline.search(request, store, None, settings.model_copy(update={"weight_variants": 0.1}))
    heavy = pipeline.search(request, store, None, settings.model_copy(update={"weight_variants": 3.0}))
    assert light.passages[0].passage.id == passage_of(project, "trees")
    assert heavy.passages[0].passage.id == passage_of(project, "roofs")
    assert light.fingerprint["hash"] != heavy.fingerprint["hash"]


def test_words_of_a_made_up_answer_are_not_marked_in_excerpts(project: OpenProject) -> None:
    asked = Variant("original", QueryKind.ORIGINAL, "street trees")
    supposed = Variant("hyde", QueryKind.HYDE, "street trees shade pavement")
    found = project.lab.run(Expansion("street trees", (asked, supposed)), SearchRequest(()))
    best = next(one for one in found.result.passages if one.passage.id == passage_of(project, "trees"))
    marked = {best.excerpts[0].text[start:end].lower() for start, end in best.excerpts[0].matches}
    assert marked == {"street", "trees"}
