"""The passages that all variants found: each with the variant that brought it and buttons to judge it; how well each
step and each variant did."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from core.errors import ModelError
from core.lab.figures import Figures
from core.records import ExpandedSearch, ScoredPassage, SearchRequest, StageSwitches
from core.text.words import count_words, order_words
from core.workbench.open_project import OpenProject
from pages.research.queries.variants import brought_by
from pages.shared.address import Page, go_button
from pages.shared.keyed_table import show_table
from pages.shared.notices import hint
from pages.shared.safe import plain
from pages.shared.search_results import show_card, show_waterfall
from pages.shared.session import guarded, this_project
from pages.words import lab as wording
from pages.words.insight import measure_help

_ALL = "All variants, the best place of each"

_FIGURES = "lab-figures"


def show_results(opened: OpenProject, search: ExpandedSearch) -> None:
    """Notes, cards, the waterfall."""
    result = search.result
    for note in result.notes:
        st.caption(":material/info: " + plain(note))
    if not result.passages:
        st.info("No passage was found. Word it otherwise, or look in more sources.", icon=":material/search_off:")
        go_button("Add sources", Page.SOURCES, icon=":material/add:", key="lab-add-sources")
        return
    judged = opened.lab.judgements(search.expansion.question)
    reranked = " Reordered after close reading." if result.reranked else ""
    ran = count_words(len(result.request.queries), "variant")
    order = order_words([passage.score for passage in result.passages])
    summary = (
        f"{count_words(len(result.passages), 'passage')} by {ran}, {order}.{reranked} {wording.judged_words(judged)}"
    )
    st.caption(plain(f"{summary} Say of each whether it answers: the figures of the steps rest on that."))
    for scored in result.passages:
        with guarded("painting a result"):
            _card(scored, search, judged)
    _steps(search)


@st.fragment
def _card(scored: ScoredPassage, search: ExpandedSearch, judged: Mapping[int, int]) -> None:
    def beside() -> None:
        _judge(scored, search.expansion.question, judged.get(scored.passage.id))
        if words := brought_by(search, scored.passage.id):
            st.badge(plain(words), icon=":material/alt_route:", color="gray")

    def below() -> None:
        panel = st.expander("By variant", key=f"by-variant-{scored.passage.id}", on_change="rerun", type="compact")
        if panel.open:
            with panel:
                show_table(
                    wording.variant_rows(scored, search),
                    f"Place of result {scored.rank} at each step, for each variant.",
                    wide=False,
                )

    with guarded("painting a result"):
        show_card(this_project(), scored, search.result, search.expansion.question, beside, below)


def _judge(scored: ScoredPassage, question: str, grade: int | None) -> None:
    now = min(grade, wording.RELEVANT) if grade is not None else None
    chosen = st.segmented_control(
        "Does it answer the question?",
        list(wording.GRADES),
        default=now,
        format_func=lambda value: f":material/{wording.GRADES[value][1]}: {wording.GRADES[value][0]}",
        key=f"judge-{scored.passage.id}-{now}",
        label_visibility="collapsed",
        width="content",
    )
    if chosen != now:
        this_project().lab.judge(question, scored.passage.id, None if chosen is None else int(chosen))
        st.rerun(scope="app")


def read_closely(opened: OpenProject, search: ExpandedSearch) -> tuple[ExpandedSearch, str]:
    """The search after close reading, and a sentence where that cannot be had."""
    try:
        with st.spinner("Reading the best ones closely…"):
            return replace(search, result=opened.rerank(search.result)), ""
    except ModelError as error:
        return search, f"Close reading is off: {error}"


@st.fragment
def _steps(search: ExpandedSearch) -> None:
    panel = st.expander(
        "How the steps ranked these passages, for each variant",
        icon=":material/waterfall_chart:",
        key="waterfall",
        on_change="rerun",
    )
    if not panel.open:
        return
    with panel, guarded("painting the steps"):
        variants = search.expansion.variants
        names = {
            variant.key: wording.variant_name(variants, variant.key)
            for variant in variants
            if wording.query_index(search, variant.key) is not None
        }
        chosen = st.selectbox(
            "Shown for", ["", *names], format_func=lambda key: names.get(key, _ALL), key="waterfall-variant"
        )
        at = wording.query_index(search, chosen) if chosen else None
        result = search.result if at is None else wording.of_query(search.result, at)
        if result.passages:
            show_waterfall(result)
        else:
            st.caption("This variant found none of the passages shown.")


def show_figures(opened: OpenProject, search: ExpandedSearch, request: SearchRequest) -> None:
    """nDCG and recall for each combination of steps, and for each variant; what to do while nothing is judged."""
    judged = opened.lab.judgements(search.expansion.question)
    st.caption(plain(wording.judged_words(judged)))
    relevant = sum(grade > 0 for grade in judged.values())
    if len(judged) < wording.LEAST_JUDGED or not relevant:
        missing = max(wording.LEAST_JUDGED - len(judged), 0)
        more = f"Judge at least {count_words(missing, 'more passage')}" if missing else "Find at least one that answers"
        hint(
            f"{more} under “Passages” to see figures: then you see which steps and which variants bring what answers "
            "this question to the top. Decisions of reviewers on the same words count too."
        )
        return
    close = st.toggle(
        "With close reading (slower)", key="figures-close", value=request.stages.rerank, help="A few seconds each."
    )
    named = wording.usual_stages(request.stages, close_reading=close)
    figures = _measured(opened, search, request, named, judged)
    st.subheader("Steps, all variants together")
    st.dataframe(
        wording.figure_rows(figures, named),
        hide_index=True,
        column_config={
            "Steps": st.column_config.TextColumn(width=215),
            "Which": st.column_config.TextColumn(width=330),
        },
        alt="Each combination of steps with how well it finds what was judged relevant.",
    )
    for problem in wording.engine_problems(figures):
        st.caption(f":material/info: {plain(problem)}")
    st.subheader("Variants, each by itself, with the steps as switched")
    show_table(
        wording.variant_figures(figures, next(iter(named.values())), search.expansion.variants),
        "Each variant with how well it finds what was judged relevant.",
        wide=False,
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
    conditions = (search.expansion, request.filters, tuple(named.values()), tuple(sorted(judged.items())))
    key = (opened.project.slug, engine, opened.generation(), *conditions)
    cached = st.session_state.get(_FIGURES)
    if cached and cached[0] == key:
        return cached[1]  # type: ignore[no-any-return]
    with st.spinner("Measuring…"):
        figures = opened.lab.compare(search.expansion, list(named.values()), request.filters)
    if not any(figure.problem for figure in figures):  # an engine that still starts can answer the next time
        st.session_state[_FIGURES] = (key, figures)
    return figures
