"""Evidence browser: find the passage that answers, see why it was found, open it in its place."""

from __future__ import annotations

import streamlit as st

from core.errors import ModelError
from core.records import SearchRequest, SearchResult
from core.text.words import count_words, order_words
from core.workbench.open_project import OpenProject
from pages.research.evidence.search_statistics import show_statistics
from pages.shared.examples import show_examples
from pages.shared.reader import close_reader, open_reader
from pages.shared.result_card import show_card
from pages.shared.safe import plain
from pages.shared.search_form import clear_filters, show_form
from pages.shared.session import (
    ASK,
    QUERIES,
    SOURCES,
    current_project,
    go,
    guarded,
    load_models_early,
    page_heading,
    this_project,
)
from pages.shared.waterfall import show_waterfall

_SEARCH = "search"


def answer(opened: OpenProject, request: SearchRequest, again: bool) -> SearchResult | None:
    """The result of a search; kept for this tab until the question or the project's contents change."""
    key = (opened.project.slug, request, opened.settings.models, opened.coverage())
    kept = st.session_state.get(_SEARCH)
    if kept and kept[0] == key and not again:
        return kept[1]  # type: ignore[no-any-return]
    with guarded("searching"), st.spinner("Searching…"):
        result = opened.search(request)
        st.session_state[_SEARCH] = (key, result)
        return result
    return None


def read_closely(opened: OpenProject, result: SearchResult) -> None:
    """Let the cross-encoder speak after the results are on the screen, then paint them in the new order."""
    try:
        better = opened.rerank(result)
    except ModelError as error:
        st.session_state["rerank-note"] = f"Close reading is off: {error}"
        return
    key, _ = st.session_state[_SEARCH]
    st.session_state[_SEARCH] = (key, better)
    st.rerun()


def show_result(opened: OpenProject, result: SearchResult) -> None:
    """Notes, cards, and what is behind them."""
    status = st.empty()
    for note in result.notes:
        st.caption(":material/info: " + plain(note))
    if not result.passages:
        nothing_found(result)
    question = result.request.queries[0].text
    for scored in result.passages:
        with guarded("painting a result"):
            _card(opened, scored, question)
    if result.passages:
        _steps(result)
    go_on(question)
    wants_rerank = result.request.stages.rerank and not result.reranked and result.passages
    words = (
        f"{count_words(len(result.passages), 'passage')}, {order_words([passage.score for passage in result.passages])}"
    )
    if result.reranked:
        status.caption(f"{words}. Reordered after close reading.")
    elif wants_rerank:
        status.caption(f"{words}. Close reading is under way; the order may change in a moment.")
    elif result.passages:
        status.caption(f"{words}.")
    footer(result)
    if wants_rerank:
        read_closely(opened, result)
        status.caption(plain(f"{words}. {st.session_state.pop('rerank-note', '')}"))


@st.fragment
def _card(opened: OpenProject, scored: object, question: str) -> None:
    show_card(opened, scored, question)  # type: ignore[arg-type]


def go_on(question: str) -> None:
    """Where the same question can be taken."""
    with st.container(horizontal=True, key="evidence-go-on"):
        if st.button("Ask for an answer", icon=":material/forum:", help="A written answer with citations."):
            go(ASK, text=question)
        if st.button(
            "Try other wordings", icon=":material/science:", help="Variants of the question, and what each brings."
        ):
            go(QUERIES, text=question)


def nothing_found(result: SearchResult) -> None:
    """No passage: the next step."""
    st.info("No passage was found. Use other words, or look in more sources.", icon=":material/search_off:")
    with st.container(horizontal=True):
        st.button("Clear filters", on_click=clear_filters, key="clear-empty", icon=":material/filter_alt_off:")
        if st.button("Add sources", icon=":material/add:"):
            go(SOURCES)


def footer(result: SearchResult | None) -> None:
    """Statistics, and what produced this answer."""
    _statistics()
    if result is not None:
        with st.expander("What produced this answer", icon=":material/fingerprint:", key="fingerprint"):
            st.caption("The same question over the same sources gives the same answer with these models and settings.")
            st.json(dict(result.fingerprint), expanded=2)
            total = sum(result.timings.values())
            origin = "The answer was kept from an earlier search." if result.cached else f"It took {total:.0f} ms."
            st.caption(origin)


# The panels below cost time (charts, counts), so each is made when it is opened, and alone.


@st.fragment
def _steps(result: SearchResult) -> None:
    panel = st.expander(
        "How the steps ranked these passages", icon=":material/waterfall_chart:", key="waterfall", on_change="rerun"
    )
    if panel.open:
        with panel, guarded("painting the steps"):
            show_waterfall(result)


@st.fragment
def _statistics() -> None:
    panel = st.expander("Statistics of this project", icon=":material/monitoring:", key="statistics", on_change="rerun")
    if panel.open:
        with panel, guarded("counting"):
            show_statistics(this_project())


def main() -> None:
    """The page."""
    opened = current_project()
    page_heading("Evidence", opened)
    documents = opened.sources.documents()
    if not documents:
        st.info("This project has no sources yet. Add some first; then ask.", icon=":material/lightbulb:")
        if st.button("Add sources", type="primary", icon=":material/add:"):
            go(SOURCES)
        footer(None)
        return
    retrieval, engine = opened.settings.retrieval, opened.settings.models.late_engine
    request, pressed = show_form(documents, retrieval.depth, retrieval.k, engine=engine)
    if pressed:
        close_reader()
    with guarded("opening the source"):
        open_reader(opened, request.queries[0].text if request else "")
    if request is None:
        load_models_early()
        show_examples(opened)
        footer(None)
        return
    result = answer(opened, request, pressed)
    if result is not None:
        show_result(opened, result)


main()
