"""How well the judge of citations agrees with people, and their decisions as judgements to take along."""

from __future__ import annotations

import streamlit as st

from core.evaluate.judge_quality import JudgeQuality
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.insight.evaluation.result import show_downloads
from pages.shared.review_calibration import show_reliability
from pages.shared.safe import plain
from pages.shared.session import REVIEW, go, guarded
from pages.words.insight import confusion_rows, quality_figures, quality_words
from pages.words.measures import precision_line


def show_judge(opened: OpenProject) -> None:
    """Figures, table, curve, files; or what to do when nobody has decided yet."""
    quality = opened.evaluations.quality()
    if not sum(quality.decided.values()):
        st.info(
            "Nobody has decided on a citation yet. Each decision in the review becomes a judgement: then you see here "
            "how often the machine is right, and how sure it should be.",
            icon=":material/lightbulb:",
        )
        if st.button("Review citations", icon=":material/how_to_reg:"):
            go(REVIEW)
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
    st.dataframe(
        confusion_rows(quality), hide_index=True, width="content", alt="Decisions by what machine and people say."
    )


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
