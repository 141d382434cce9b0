"""Stored answers of the project, newest first."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.records import Answer
from core.text.words import when_words
from pages.research.ask.answer import delete_answer
from pages.shared.safe import plain
from pages.shared.session import now
from pages.words.ask import answer_title, headline

A_PAGE = 10


def show_history(answers: Sequence[Answer]) -> None:
    """A line an answer, ten at a time."""
    if not answers:
        return
    st.subheader("Stored answers")
    pages = -(-len(answers) // A_PAGE)
    at = int(st.pagination(pages, key="answers-page")) if pages > 1 else 1
    for one in answers[(at - 1) * A_PAGE : at * A_PAGE]:
        with st.container(border=True, key=f"answer-{one.id}", gap="xsmall"):
            st.text(answer_title(one, 160))
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.caption(plain(f"{when_words(one.at, now())} · {headline(one)}"))
                with st.container(horizontal=True, width="content"):
                    if st.button("Open", key=f"open-answer-{one.id}", icon=":material/forum:"):
                        st.query_params["answer"] = str(one.id)
                        st.rerun()
                    if st.button("Delete", key=f"drop-answer-{one.id}", icon=":material/delete:", type="tertiary"):
                        delete_answer(one)
