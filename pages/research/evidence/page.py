"""Evidence browser: find the passage that answers, see why it was found, open it in its place."""

from collections.abc import Sequence

import streamlit as st

from core.errors import ModelError
from core.records import ScoredPassage, SearchRequest, SearchResult
from core.text.words import count_words, short, size_words, timing_names, when_words
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, go, go_button
from pages.shared.keyed_table import show_table
from pages.shared.notices import hint
from pages.shared.safe import plain
from pages.shared.search_form import clear_filters, show_examples, show_form
from pages.shared.search_results import show_source, show_waterfall
from pages.shared.session import current_project, guarded, load_models_early, now, page_heading, this_project
from pages.shared.source_view import close_reader, open_reader
from pages.words.evidence import by_source

_SEARCH = "search"


def show_statistics(opened: OpenProject) -> None:
    """Counts, then time per step, then the latest searches."""
    numbers = opened.statistics()
    for column, (label, value) in zip(
        st.columns(6),
        {
            "Searches": f"{numbers.total_queries:,}",
            "Without a result": f"{numbers.zero_result_queries:,}",
            "Results a search": f"{numbers.avg_results_per_query:.1f}",
            "From memory": f"{numbers.cache_hit_rate:.0%}",
            "Found by meaning": f"{numbers.encoded / max(1, numbers.passages):.0%}",
            "On disk": size_words(numbers.bytes_on_disk),
        }.items(),
        strict=True,
    ):
        column.metric(label, value)
    if numbers.latency:
        names = timing_names(numbers.latency)
        st.caption("How long a search takes, step by step, in milliseconds")
        show_table(
            {
                "Step": list(names.values()),
                "Half are faster than": [round(numbers.latency[step][0], 1) for step in names],
                "95 of 100 are faster than": [round(numbers.latency[step][1], 1) for step in names],
            },
            "Median and 95th percentile of the time of each step.",
            wide=False,
        )
    if numbers.recent:
        st.caption("Latest searches")
        show_table(
            {
                "Question": [short(record.query, 120) for record in numbers.recent],
                "Results": [record.results for record in numbers.recent],
                "When": [when_words(record.at, now()) for record in numbers.recent],
            },
            "The latest searches with their number of results.",
        )


def answer(opened: OpenProject, request: SearchRequest, again: bool) -> SearchResult | None:
    """The result of a search; kept for this tab until the question or the project's contents change."""
    key = (opened.project.slug, request, opened.settings.models, opened.coverage())
    cached = st.session_state.get(_SEARCH)
    if cached and cached[0] == key and not again:
        return cached[1]  # type: ignore[no-any-return]
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
    """The notes and cards of a result, and the panels behind them."""
    status = st.empty()
    for note in result.notes:
        st.caption(":material/info: " + plain(note))
    if not result.passages:
        nothing_found(result)
    question = result.request.queries[0].text
    sources = by_source(result.passages)
    for number, hits in enumerate(sources, 1):
        with guarded("painting a result"):
            _source(opened, number, hits, result)
    if result.passages:
        _steps(result)
    go_on(question)
    wants_rerank = result.request.stages.rerank and not result.reranked and result.passages
    words = (
        f"{count_words(len(result.passages), 'passage')} of {count_words(len(sources), 'source')}, the source with the "
        "best passage first"
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
def _source(opened: OpenProject, number: int, hits: Sequence[ScoredPassage], result: SearchResult) -> None:
    show_source(opened, number, hits, result)


def go_on(question: str) -> None:
    """The buttons that take the same question to other pages."""
    with st.container(horizontal=True, key="evidence-go-on"):
        if st.button("Ask for an answer", icon=":material/forum:", help="A written answer with citations."):
            go(Page.ASK, text=question)
        if st.button(
            "Try other wordings", icon=":material/science:", help="Variants of the question, and what each brings."
        ):
            go(Page.QUERIES, text=question)


def nothing_found(result: SearchResult) -> None:
    """The next step where no passage was found."""
    st.info("No passage was found. Use other words, or look in more sources.", icon=":material/search_off:")
    with st.container(horizontal=True):
        st.button("Clear filters", on_click=clear_filters, key="clear-empty", icon=":material/filter_alt_off:")
        go_button("Add sources", Page.SOURCES, icon=":material/add:")


def footer(result: SearchResult | None) -> None:
    """The statistics, and the fingerprint of this answer."""
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
    opened = current_project()
    page_heading("Evidence", opened)
    documents = opened.sources.documents()
    if not documents:
        hint("This project has no sources yet. Add some first; then ask.")
        go_button("Add sources", Page.SOURCES, type="primary", icon=":material/add:")
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
