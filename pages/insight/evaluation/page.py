"""Evaluation: how well search finds, how well the judge agrees with people, how good answers are."""

from __future__ import annotations

import streamlit as st

from core.labels import JobKind
from core.workbench.open_project import OpenProject
from pages.insight.evaluation.answers import show_answers
from pages.insight.evaluation.judge import show_judge
from pages.insight.evaluation.result import chosen_measuring, show_measuring, show_measurings
from pages.insight.evaluation.start import show_start
from pages.shared.jobs import show_jobs
from pages.shared.session import SOURCES, current_project, go, guarded, page_heading

SEARCH, JUDGE, ANSWERS = "Search", "Judge", "Answers"


def show_search(opened: OpenProject) -> None:
    """Measure, and what was measured."""
    found = opened.evaluations.all()
    if not opened.sources.documents() and not found:
        st.info("This project has no sources yet, so there is nothing to find.", icon=":material/lightbulb:")
        if st.button("Add sources", icon=":material/add:"):
            go(SOURCES)
        return
    with st.expander("Measure", expanded=not found, icon=":material/straighten:", key="measure-panel"):
        show_start(opened)
    show_jobs(opened, ended=(JobKind.EVALUATE,))
    if not found:
        st.caption(
            "Nothing was measured yet. Give questions whose answers are known: then you see which way to search finds "
            "them best here, and whether the difference is more than chance."
        )
        return
    show_measurings(found)
    one = chosen_measuring(found)
    if one is not None:
        with guarded("showing the result"):
            show_measuring(opened, one)


def main() -> None:
    """The page."""
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
