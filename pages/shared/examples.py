"""What to do with an empty search box."""

from __future__ import annotations

import streamlit as st

from core.workbench.open_project import OpenProject
from pages.shared.safe import plain


def show_examples(opened: OpenProject) -> None:
    """A hint; for the demo project, questions to click."""
    st.info(
        "Ask a question or type a few words. You get the passages that answer it, each with its source and grade.",
        icon=":material/lightbulb:",
    )
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
    """Questions that the demo project answers."""
    from core import demo

    return [str(question["text"]) for question in demo.questions()]


def _ask(question: str) -> None:
    st.session_state["q"] = question
