"""Evaluation: how well search finds, how well the judge agrees with people, how good answers are."""

import streamlit as st

from core.evaluate.judge_quality import JudgeQuality
from core.evaluate.measures import mean_triad
from core.labels import JobKind
from core.text.words import count_words, when_words
from core.workbench.open_project import OpenProject
from pages.insight.evaluation.result import chosen_measuring, show_downloads, show_measuring, show_measurings
from pages.insight.evaluation.start import show_start
from pages.shared.address import Page, go_button, number_in_url
from pages.shared.jobs import show_jobs
from pages.shared.keyed_table import keyed_table, show_table
from pages.shared.notices import hint
from pages.shared.review_calibration import show_reliability
from pages.shared.safe import plain
from pages.shared.session import current_project, guarded, now, page_heading
from pages.words.ask import answer_title, share_words, triad_columns
from pages.words.insight import TRIAD, confusion_rows, quality_figures, quality_words
from pages.words.measures import precision_line

SEARCH, JUDGE, ANSWERS = "Search", "Judge", "Answers"


def show_answers(opened: OpenProject) -> None:
    """The measures of stored answers; a hint while there is no answer."""
    triads = opened.answers.triads()
    if not triads:
        hint("There are no stored answers yet. Ask a question: each answer is measured as it is made, and shown here.")
        show_table(
            {"Measure": list(TRIAD), "What it asks": list(TRIAD.values())}, "The three measures of answers.", wide=False
        )
        go_button("Ask a question", Page.ASK, icon=":material/forum:")
        return
    mean = mean_triad([triad for _, triad in triads])
    values = (mean.context_relevance, mean.groundedness, mean.answer_relevance)
    with st.container(horizontal=True, key="answer-triads"):
        for (name, asks), value in zip(TRIAD.items(), values, strict=True):
            st.metric(name, share_words(value), help=asks)
    st.caption(f"Means over {count_words(len(triads), 'answer')}; 1 is best. A click on a row opens the answer below.")
    keyed_table(
        "answers",
        "answer",
        [answer.id for answer, _ in triads],
        {
            "Answer": [answer_title(answer) for answer, _ in triads],
            "When": [when_words(answer.at, now()) for answer, _ in triads],
            **triad_columns([triad for _, triad in triads]),
        },
        {"Answer": st.column_config.TextColumn(width=380)},
        "Stored answers with their three measures.",
    )
    chosen = next((answer for answer, _ in triads if answer.id == number_in_url("answer")), None)
    if chosen is not None:
        st.text(answer_title(chosen, 300))
        go_button("Open the answer", Page.ASK, type="primary", icon=":material/forum:", answer=str(chosen.id))


def show_judge(opened: OpenProject) -> None:
    """The judge beside people's decisions: figures, table, curve, files; a hint while nobody has decided."""
    quality = opened.evaluations.quality()
    if not sum(quality.decided.values()):
        hint(
            "Nobody has decided on a citation yet. Each decision in the review becomes a judgement: then you see here "
            "how often the machine is right, and how sure it should be."
        )
        go_button("Review citations", Page.REVIEW, icon=":material/how_to_reg:")
        return
    _figures(quality)
    with guarded("counting what passed"):
        st.subheader("How often does a pass hold?")
        st.text(precision_line(opened.reviews.threshold.precision()))
    with guarded("drawing the curve"):
        st.subheader("Is the machine as sure as it should be?")
        show_reliability(opened.reviews.threshold.reliability())
    with guarded("making files of the decisions"):
        _files(opened)


def _figures(quality: JudgeQuality) -> None:
    st.subheader("Machine and people")
    with st.container(horizontal=True, key="judge-figures"):
        for figure in quality_figures(quality):
            st.metric(figure.label, figure.value, help=figure.help)
    for line in quality_words(quality):
        st.caption(f":material/info: {plain(line)}")
    show_table(confusion_rows(quality), "Decisions by what machine and people say.", wide=False)


def _files(opened: OpenProject) -> None:
    judged = opened.evaluations.reviewed()
    if judged is None:
        return
    st.subheader("Decisions as judgements")
    st.caption(
        plain(
            f"{count_words(judged.judgements, 'passage')} judged by people, {judged.relevant:,} of them relevant: "
            "1 carries the claim (accepted), 0 does not (rejected, wrong source, reworded). Claims are the queries. "
            "“Search” measures with them too."
        )
    )
    with st.container(horizontal=True, key="judgement-files"):
        show_downloads(judged.qrels, judged.queries, f"{opened.project.name}-decisions", "decisions")


def show_search(opened: OpenProject) -> None:
    """The form that measures, and the evaluations that are there."""
    measurings = opened.evaluations.all()
    if not opened.sources.documents() and not measurings:
        hint("This project has no sources yet, so there is nothing to find.")
        go_button("Add sources", Page.SOURCES, icon=":material/add:")
        return
    with st.expander("Measure", expanded=not measurings, icon=":material/straighten:", key="measure-panel"):
        show_start(opened)
    show_jobs(opened, ended=(JobKind.EVALUATE,))
    if not measurings:
        st.caption(
            "Nothing was measured yet. Give questions whose answers are known: then you see which way to search finds "
            "them best here, and whether the difference is more than chance."
        )
        return
    show_measurings(measurings)
    measuring = chosen_measuring(measurings)
    if measuring is not None:
        with guarded("showing the result"):
            show_measuring(opened, measuring)


def main() -> None:
    opened = current_project()
    page_heading("Evaluation", opened)
    part = st.segmented_control(
        "What to look at",
        [SEARCH, JUDGE, ANSWERS],
        default=SEARCH,
        required=True,
        key="part",
        bind="query-params",
        label_visibility="collapsed",
    )
    if part == JUDGE:
        with guarded("looking at the decisions"):
            show_judge(opened)
    elif part == ANSWERS:
        with guarded("looking at the answers"):
            show_answers(opened)
    else:
        with guarded("looking at the measurings"):
            show_search(opened)


main()
