"""Ask: a grounded answer, each sentence checked against what it cites."""

from __future__ import annotations

import streamlit as st

from core.errors import AnswerError
from core.records import Answer
from core.workbench.open_project import OpenProject
from pages.research.ask.answer import show_answer
from pages.research.ask.form import show_form
from pages.research.ask.history import show_history
from pages.shared.examples import show_questions
from pages.shared.reader import open_reader
from pages.shared.session import SOURCES, current_project, go, guarded, number_in_url, page_heading


def answer_in_url(opened: OpenProject) -> Answer | None:
    """The answer that the URL names; a name that means nothing any more is dropped and said."""
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


def show_one(opened: OpenProject, answer: Answer) -> None:
    """One answer, and the way back."""
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
        st.info("This project has no sources yet. Add some first; then ask.", icon=":material/lightbulb:")
        if st.button("Add sources", type="primary", icon=":material/add:"):
            go(SOURCES)
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
            show_one(opened, answer)
        else:
            show_all(opened)


main()
