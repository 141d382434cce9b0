"""Query lab: one question asked in several ways, what each way newly brings, in the project and on the web."""

from collections.abc import Sequence

import streamlit as st

from core.expand.question import checked_question
from core.lab import draft as lab_draft
from core.lab.draft import Draft
from core.labels import JobKind
from core.records import Document, ExpandedSearch, Query, SearchRequest
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.research.queries.kinds import make_variants, show_kinds
from pages.research.queries.results import read_closely, show_figures, show_results
from pages.research.queries.state import draft_of, fill_from, saved_in_url, show_keep, show_saved
from pages.research.queries.variants import show_variants
from pages.research.queries.web import show_web, show_web_plan, web_job
from pages.shared.address import Page, go_button
from pages.shared.jobs import show_jobs
from pages.shared.late_engine import show_late_panel
from pages.shared.notices import hint
from pages.shared.safe import plain
from pages.shared.search_form import filter_fields, question_box, show_questions, step_fields
from pages.shared.session import current_project, guarded, load_models_early, page_heading, take_question
from pages.shared.source_view import close_reader, open_reader
from pages.words.lab import BOTH, PROJECT, WEB, WHERE
from pages.words.late_page import stood_in

_SEARCH = "lab-search"
ITS_JOBS = (JobKind.EXPAND, JobKind.WEB_SEARCH, JobKind.INDEX_LATE)
# Work whose end is told here; that of fetching too, while hits of the web are looked at.
RESULTS, FIGURES, HITS = "Passages", "Which steps help", "Web pages"


def show_question() -> tuple[str, str]:
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    question = question_box(left, "Ask one question; its variants appear below")
    where = right.segmented_control(
        "Where to look",
        list(WHERE),
        default=PROJECT,
        required=True,
        key="where",
        bind="query-params",
        help=" ".join(f"{name}: {does}" for name, does in WHERE.items()),
    )
    return " ".join(question.split()), str(where or PROJECT)


def show_options(opened: OpenProject, documents: Sequence[Document], draft: Draft) -> SearchRequest:
    """Filters and steps, folded."""
    with st.expander("Filters and search steps", icon=":material/tune:", key="panel"):
        left, right = st.columns(2, gap="large")
        with left:
            st.caption("Look only in")
            filters = filter_fields(documents)
        with right:
            st.caption("How to search")
            stages, exact, count = step_fields(engine=opened.settings.models.late_engine)
            show_late_panel(opened)
    depth = max(opened.settings.retrieval.depth, count)
    queries = tuple(Query(variant.text.strip(), variant.kind) for variant in lab_draft.running(draft))
    return SearchRequest(queries or (Query(draft.question),), filters, stages, count, depth, exact)


def show_go(opened: OpenProject, draft: Draft, where: str) -> None:
    """The button that searches, what would be sent, and saving."""
    running, texts = lab_draft.running(draft), lab_draft.web_queries(draft)
    web = where in (WEB, BOTH) and show_web_plan(opened, texts)
    local = where in (PROJECT, BOTH)
    label = {(True, False): "Search the project", (False, True): "Search the web", (True, True): "Search both"}
    with st.container(horizontal=True, vertical_alignment="center", key="lab-go"):
        pressed = st.button(
            f"{label.get((local, web), 'Search the web')} with {count_words(len(running), 'variant')}",
            type="primary",
            icon=":material/search:",
            key="lab-search-button",
            disabled=not running or not (local or web),
        )
        show_keep(opened, draft)
    if pressed:
        close_reader()
        if web:
            st.query_params["web"] = str(opened.web.start(texts).id)
        if local:
            st.query_params["ran"] = "yes"
        st.rerun()


def searched(opened: OpenProject, draft: Draft, request: SearchRequest) -> ExpandedSearch | None:
    """The result of all variants; kept for this tab until they, the steps, or the project's contents change."""
    if not st.query_params.get("ran") or not lab_draft.running(draft):
        return None
    key = (opened.project.slug, draft.question, request, opened.settings.models, opened.coverage())
    cached = st.session_state.get(_SEARCH)
    if cached and cached[0] == key:
        return cached[1]  # type: ignore[no-any-return]
    with guarded("searching"), st.spinner("Searching…"):
        search = opened.lab.run(lab_draft.expansion_of(draft), request)
        if request.stages.rerank and not search.result.reranked and search.result.passages:
            search, note = read_closely(opened, search)
            if note:
                st.caption(f":material/info: {plain(note)}")
        if not stood_in(search.result):
            st.session_state[_SEARCH] = (key, search)
        return search
    return None


def show_outcome(opened: OpenProject, search: ExpandedSearch | None, request: SearchRequest) -> None:
    """The passages, the figures of the steps, and the web pages, one part at a time."""
    job = web_job(opened)
    parts = [RESULTS, FIGURES] if search is not None else []
    if job is not None:
        parts.append(HITS)
    if not parts:
        return
    part = parts[0]
    if len(parts) > 1:
        part = str(
            st.segmented_control(
                "What to look at",
                parts,
                default=parts[0],
                required=True,
                key="part",
                bind="query-params",
                label_visibility="collapsed",
            )
            or parts[0]
        )
    if part == HITS and job is not None:
        show_web(opened, job)
    elif part == FIGURES and search is not None:
        with guarded("measuring the steps"):
            show_figures(opened, search, request)
    elif search is not None:
        show_results(opened, search)


_NOTHING_YET = "This project has no sources yet. Add some, or look on the web."
_HOW = (
    "Type one question. You see the ways in which it can be asked, and, once searched, what each way brings that no "
    "other one brought."
)


def show_hint(opened: OpenProject, *, empty: bool) -> None:
    """The hint below an empty box; ``empty``: there is nothing to search."""
    hint(f"{_NOTHING_YET} {_HOW}" if empty else _HOW)
    if empty:
        show_add()
    show_questions(opened)


def show_add() -> None:
    go_button("Add sources", Page.SOURCES, icon=":material/add:")


def main() -> None:
    """The page; with ``?q=`` a question, with ``?question=`` a saved one."""
    opened = current_project()
    page_heading("Query lab", opened)
    take_question()
    saved = saved_in_url(opened)
    with guarded("opening the question"):
        fill_from(opened, saved)
    documents = opened.sources.documents()
    with guarded("listing the saved questions"):
        show_saved(opened.lab.questions(), unfolded=not st.session_state.get("q") and not st.query_params.get("q"))
    question, where = show_question()
    with guarded("opening the source"):
        open_reader(opened, question)
    # The question and its variants come first; what makes them stands folded below, though it runs before.
    variants_place, go_place = st.container(), st.container()
    with guarded("painting the kinds of variants"):
        with st.expander("Kinds of variants and presets", icon=":material/alt_route:", key="kinds"):
            chosen = show_kinds(opened)
        show_jobs(opened, ended=(*ITS_JOBS, JobKind.ADD) if st.query_params.get("web") else ITS_JOBS)
        empty = not documents and where != WEB
        if not question:
            load_models_early()
            show_hint(opened, empty=empty)
            return
        if empty:
            hint(_NOTHING_YET)
            show_add()
        draft = make_variants(opened, draft_of(opened, checked_question(question)), chosen)
        request = show_options(opened, documents, draft)
        search = searched(opened, draft, request)
        with variants_place:
            show_variants(draft, search)
        with go_place:
            show_go(opened, draft, where)
        show_outcome(opened, search, request)


main()
