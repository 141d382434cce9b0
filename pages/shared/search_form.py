"""The search box with its filters and switches, and what to ask while it is empty. Every choice stands in the URL, so
that a link repeats the search."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.expand.question import MAX_QUESTION_CHARS
from core.labels import Grade, Stage
from core.records import Document, Filters, Query, SearchRequest, StageSwitches
from core.text.words import STAGE_HELP, filter_words, title_of
from core.workbench.open_project import OpenProject
from pages.shared.address import put_in_url
from pages.shared.notices import hint, leave_notice
from pages.shared.safe import plain
from pages.shared.session import set_fields
from pages.words.late_page import step_words

ANY = "Any"
RESULT_COUNTS = [5, 10, 20, 50]
_DOCS = "docs-filter"


def show_examples(opened: OpenProject) -> None:
    """A hint; for the demo project, questions to click."""
    hint("Ask a question or type a few words. You get the passages that answer it, each with its source and grade.")
    show_questions(opened)


def show_questions(opened: OpenProject) -> None:
    """Questions to click that the demo project answers; nothing in any other project."""
    if not opened.project.demo:
        return
    st.caption("Questions to try")
    for number, question in enumerate(demo_questions()[:6]):
        st.button(
            plain(question, 140), key=f"example-{number}", icon=":material/search:", on_click=_ask, args=(question,)
        )


def demo_questions() -> list[str]:
    from core import demo

    return [str(question["text"]) for question in demo.questions()]


def _ask(question: str) -> None:
    st.session_state["q"] = question


def question_box(
    place: DeltaGenerator, placeholder: str, label: str = "Question", type: Literal["default", "search"] = "default"
) -> str:
    """The box for the question, whose text stands in the URL."""
    text = place.text_input(
        label, key="q", bind="query-params", type=type, placeholder=placeholder, on_change=_cut_question
    )
    return str(text or "")


def _cut_question() -> None:
    """Callback of the box for the question: cut what is too long to be searched, and say so. The question stands in the
    URL, and a URL of a hundred thousand characters could not be loaded again."""
    text = str(st.session_state.get("q") or "")
    if len(text) > MAX_QUESTION_CHARS:
        st.session_state["q"] = text[:MAX_QUESTION_CHARS]
        leave_notice(
            f"The question has {len(text):,} characters; at most {MAX_QUESTION_CHARS:,} can be searched. The rest was "
            "left out: shorten it to what you want to know.",
            "warning",
        )


def show_form(
    documents: Sequence[Document], depth: int, usual: int = 10, *, engine: str = "exact"
) -> tuple[SearchRequest | None, bool]:
    """The search asked for (None while the box is empty), and whether the button was pressed. ``usual``: how many
    results when nothing was chosen; ``engine`` compares word by word in this project."""
    box, button = st.columns([6, 1], vertical_alignment="bottom")
    placeholder = "Ask a question in your own words, or type words to find"
    text = question_box(box, placeholder, "Question or words", "search")
    pressed = button.button("Search", type="primary", icon=":material/search:", width="stretch")
    panel = st.expander("Filters and search steps", icon=":material/tune:", key="panel")
    with panel:
        left, right = st.columns(2, gap="large")
        with left:
            st.caption("Look only in")
            filters = filter_fields(documents)
        with right:
            st.caption("How to search")
            stages, exact, count = step_fields(usual, engine=engine)
    active = filter_words(filters, {document.id: document.title for document in documents})
    if active:
        with st.container(horizontal=True, vertical_alignment="center", key="active-filters"):
            st.text("Looking only in: " + "; ".join(active))
            st.button("Clear filters", icon=":material/filter_alt_off:", type="tertiary", on_click=clear_filters)
    if not text or not text.strip():
        return None, pressed
    return SearchRequest((Query(text.strip()),), filters, stages, count, max(depth, count), exact), pressed


def filter_fields(documents: Sequence[Document]) -> Filters:
    """The filters of a search; every choice stands in the URL."""
    grade = st.segmented_control(
        "Minimum grade",
        [ANY, *(grade.value for grade in Grade)],
        default=ANY,
        required=True,
        key="grade",
        bind="query-params",
        help="Only sources of this grade or better. A is best.",
    )
    titles = {document.id: title_of(document, 90) for document in documents}
    if _DOCS not in st.session_state:
        wanted = (st.query_params.get("docs") or "").split(",")
        st.session_state[_DOCS] = [key for key in wanted if key in titles]
    st.session_state[_DOCS] = [key for key in st.session_state[_DOCS] if key in titles]
    chosen = st.multiselect(
        "Sources",
        list(titles),
        format_func=lambda key: titles.get(key, key),
        key=_DOCS,
        placeholder="All sources",
        on_change=_keep_docs,
    )
    first, last = st.columns(2)
    published_from = first.date_input("Published from", value=None, key="from", bind="query-params")
    published_to = last.date_input("Published until", value=None, key="to", bind="query-params")
    languages = _choices("Language", "lang", [document.language for document in documents if document.language])
    tags = _choices("Tag", "tag", [tag for document in documents for tag in document.tags])
    return Filters(
        min_grade=Grade(grade) if grade in list(Grade) else None,
        documents=tuple(sorted(chosen)),
        published_from=published_from,
        published_to=published_to,
        languages=tuple(languages),
        tags=tuple(tags),
    )


def _choices(label: str, key: str, values: Sequence[str]) -> list[str]:
    options = sorted(set(values))
    if not options:
        return []
    return sorted(st.multiselect(label, options, key=key, bind="query-params", placeholder=f"Any {label.lower()}"))


def _keep_docs() -> None:
    put_in_url("docs", ",".join(st.session_state[_DOCS]))


def clear_filters() -> None:
    """Callback: no filter, in the form and in the URL."""
    st.session_state[_DOCS] = []
    put_in_url("docs", "")
    set_fields({"grade": ANY, "from": None, "to": None, "lang": [], "tag": []})


def step_fields(usual: int = 10, *, engine: str = "exact") -> tuple[StageSwitches, bool, int]:
    """The steps of a search: their switches, whether word by word looks at every passage, and the number of results
    (``usual``: when nothing was chosen). ``engine`` compares word by word in this project."""

    def step(label: str, key: str, default: bool, stage: Stage) -> bool:
        return st.toggle(label, value=default, key=key, bind="query-params", help=STAGE_HELP[stage])

    lexical = step("By words", "words", True, Stage.LEXICAL)
    dense = step("By meaning", "meaning", True, Stage.DENSE)
    late = step("Word by word", "wordwise", True, Stage.LATE_INTERACTION)
    mmr = step("Prefer variety", "variety", True, Stage.MMR)
    rerank = step("Read the best ones closely (slower)", "rerank", False, Stage.RERANK)
    label, hint = step_words(engine)
    exact = st.toggle(label, key="exact", bind="query-params", help=hint)
    counts = sorted({*RESULT_COUNTS, usual})
    count = st.selectbox("Results", counts, index=counts.index(usual), key="k", bind="query-params")
    return StageSwitches(lexical, dense, late, mmr, rerank), exact, int(count or usual)
