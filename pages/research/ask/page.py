"""Ask: a grounded answer, each sentence checked against what it cites."""

from collections.abc import Sequence

import streamlit as st

from core.errors import AnswerError
from core.records import Answer
from core.text.words import when_words
from core.workbench.open_project import OpenProject
from pages.research.ask.answer import delete_answer, show_answer
from pages.research.ask.form import show_form
from pages.shared.address import Page, go_button, number_in_url, turn_to
from pages.shared.notices import hint
from pages.shared.safe import plain
from pages.shared.search_form import show_questions
from pages.shared.session import current_project, guarded, now, page_heading
from pages.shared.source_view import open_reader
from pages.words.ask import answer_title, headline

A_PAGE = 10


def show_history(answers: Sequence[Answer]) -> None:
    """A line an answer, ten at a time."""
    if not answers:
        return
    st.subheader("Stored answers")
    pages = -(-len(answers) // A_PAGE)
    at = int(st.pagination(pages, key="answers-page")) if pages > 1 else 1
    for answer in answers[(at - 1) * A_PAGE : at * A_PAGE]:
        with st.container(border=True, key=f"answer-{answer.id}", gap="xsmall"):
            st.text(answer_title(answer, 160))
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.caption(plain(f"{when_words(answer.at, now())} · {headline(answer)}"))
                with st.container(horizontal=True, width="content"):
                    if st.button("Open", key=f"open-answer-{answer.id}", icon=":material/forum:"):
                        turn_to("answer", str(answer.id))
                    if st.button("Delete", key=f"drop-answer-{answer.id}", icon=":material/delete:", type="tertiary"):
                        delete_answer(answer)


def answer_in_url(opened: OpenProject) -> Answer | None:
    """The answer that the URL names, or None. A name without an answer is dropped, and the page says so."""
    named = st.query_params.get("answer")
    if not named:
        return None
    wanted = number_in_url("answer")
    try:
        if wanted is not None:
            return opened.answers.get(wanted)
    except AnswerError:
        pass
    st.query_params.pop("answer", None)
    st.warning("This project has no such answer. The link is mistyped, or the answer was deleted.")
    return None


def show_stored(opened: OpenProject, answer: Answer) -> None:
    if st.button("All answers, and a new question", icon=":material/arrow_back:", type="tertiary"):
        for key in ("answer", "doc", "passage", "mark"):
            st.query_params.pop(key, None)
        st.rerun()
    show_answer(opened, answer)


def show_all(opened: OpenProject) -> None:
    """The form and the stored answers."""
    documents = opened.sources.documents()
    answers = opened.answers.all()
    if documents:
        show_form(opened, documents, folded=bool(answers))
        if not answers and not st.session_state.get("q"):
            show_questions(opened)
    else:
        hint("This project has no sources yet. Add some first; then ask.")
        go_button("Add sources", Page.SOURCES, type="primary", icon=":material/add:")
    with guarded("listing the answers"):
        show_history(answers)


def main() -> None:
    """The page; with ``?answer=`` one stored answer."""
    opened = current_project()
    page_heading("Ask", opened)
    with guarded("opening the source"):
        open_reader(opened)
    with guarded("showing the page"):
        answer = answer_in_url(opened)
        if answer is not None:
            show_stored(opened, answer)
        else:
            show_all(opened)


main()
