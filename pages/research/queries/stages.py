"""Which steps of the search, and which variants, help for this question: on the passages that people judged."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.lab.figures import Figures
from core.records import ExpandedSearch, SearchRequest, StageSwitches
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.shared.safe import plain
from pages.words.insight import measure_help
from pages.words.lab import LEAST_JUDGED, engine_problems, figure_rows, judged_words, usual_stages, variant_figures

_KEPT = "lab-figures"


def show_figures(opened: OpenProject, search: ExpandedSearch, request: SearchRequest) -> None:
    """nDCG and recall for each combination of steps, and for each variant; what to do while nothing is judged."""
    judged = opened.lab.judgements(search.expansion.question)
    st.caption(plain(judged_words(judged)))
    relevant = sum(grade > 0 for grade in judged.values())
    if len(judged) < LEAST_JUDGED or not relevant:
        missing = max(LEAST_JUDGED - len(judged), 0)
        more = f"Judge at least {count_words(missing, 'more passage')}" if missing else "Find at least one that answers"
        st.info(
            f"{more} under “Passages” to see figures: then you see which steps and which variants bring what answers "
            "this question to the top. Decisions of reviewers on the same words count too.",
            icon=":material/lightbulb:",
        )
        return
    close = st.toggle(
        "With close reading (slower)", key="figures-close", value=request.stages.rerank, help="A few seconds each."
    )
    named = usual_stages(request.stages, close_reading=close)
    figures = _measured(opened, search, request, named, judged)
    st.subheader("Steps, all variants together")
    st.dataframe(
        figure_rows(figures, named),
        hide_index=True,
        column_config={
            "Steps": st.column_config.TextColumn(width=215),
            "Which": st.column_config.TextColumn(width=330),
        },
        alt="Each combination of steps with how well it finds what was judged relevant.",
    )
    for problem in engine_problems(figures):
        st.caption(f":material/info: {plain(problem)}")
    st.subheader("Variants, each by itself, with the steps as switched")
    st.dataframe(
        variant_figures(figures, next(iter(named.values())), search.expansion.variants),
        hide_index=True,
        width="content",
        alt="Each variant with how well it finds what was judged relevant.",
    )
    st.caption(
        f"nDCG: {measure_help('ndcg')} Recall: {measure_help('recall')} One question says little by itself: measure "
        "many under “Evaluation”. What nobody judged counts as not relevant."
    )


def _measured(
    opened: OpenProject,
    search: ExpandedSearch,
    request: SearchRequest,
    named: Mapping[str, StageSwitches],
    judged: Mapping[int, int],
) -> list[Figures]:
    engine = opened.settings.models.late_engine
    asked = (search.expansion, request.filters, tuple(named.values()), tuple(sorted(judged.items())))
    key = (opened.project.slug, engine, opened.generation(), *asked)
    kept = st.session_state.get(_KEPT)
    if kept and kept[0] == key:
        return kept[1]  # type: ignore[no-any-return]
    with st.spinner("Measuring…"):
        figures = opened.lab.compare(search.expansion, list(named.values()), request.filters)
    if not any(figure.problem for figure in figures):  # an engine that still starts can answer the next time
        st.session_state[_KEPT] = (key, figures)
    return figures
