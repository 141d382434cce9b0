"""What the variants found together: each passage with the variant that brought it, its way through the steps for each
variant, and buttons by which a person says whether it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from core.errors import ModelError
from core.records import ExpandedSearch, ScoredPassage
from core.text.words import count_words, order_words
from core.workbench.open_project import OpenProject
from pages.research.queries.variants import brought_by
from pages.shared.result_card import show_card
from pages.shared.safe import plain
from pages.shared.session import SOURCES, go, guarded, this_project
from pages.shared.waterfall import show_waterfall
from pages.words.lab import GRADES, RELEVANT, judged_words, of_query, query_index, variant_name, variant_rows

_ALL = "All variants, the best place of each"


def show_results(opened: OpenProject, search: ExpandedSearch) -> None:
    """Notes, cards, the waterfall."""
    result = search.result
    for note in result.notes:
        st.caption(":material/info: " + plain(note))
    if not result.passages:
        st.info("No passage was found. Word it otherwise, or look in more sources.", icon=":material/search_off:")
        if st.button("Add sources", icon=":material/add:", key="lab-add-sources"):
            go(SOURCES)
        return
    judged = opened.lab.judgements(search.expansion.question)
    reranked = " Reordered after close reading." if result.reranked else ""
    ran = count_words(len(result.request.queries), "variant")
    order = order_words([passage.score for passage in result.passages])
    found = f"{count_words(len(result.passages), 'passage')} by {ran}, {order}.{reranked}"
    st.caption(
        plain(f"{found} {judged_words(judged)} Say of each whether it answers: the figures of the steps rest on that.")
    )
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
                st.dataframe(
                    variant_rows(scored, search),
                    hide_index=True,
                    width="content",
                    alt=f"Place of result {scored.rank} at each step, for each variant.",
                )

    with guarded("painting a result"):
        show_card(this_project(), scored, search.expansion.question, beside, below)


def _judge(scored: ScoredPassage, question: str, grade: int | None) -> None:
    now = min(grade, RELEVANT) if grade is not None else None
    said = st.segmented_control(
        "Does it answer the question?",
        list(GRADES),
        default=now,
        format_func=lambda one: f":material/{GRADES[one][1]}: {GRADES[one][0]}",
        key=f"judge-{scored.passage.id}-{now}",
        label_visibility="collapsed",
        width="content",
    )
    if said != now:
        this_project().lab.judge(question, scored.passage.id, None if said is None else int(said))
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
            variant.key: variant_name(variants, variant.key)
            for variant in variants
            if query_index(search, variant.key) is not None
        }
        chosen = st.selectbox(
            "Shown for", ["", *names], format_func=lambda key: names.get(key, _ALL), key="waterfall-variant"
        )
        at = query_index(search, chosen) if chosen else None
        result = search.result if at is None else of_query(search.result, at)
        if result.passages:
            show_waterfall(result)
        else:
            st.caption("This variant found none of the passages shown.")
