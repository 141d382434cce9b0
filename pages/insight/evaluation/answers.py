"""How good the stored answers are: context relevance, groundedness, answer relevance, of each and on average."""

from __future__ import annotations

import streamlit as st

from core.evaluate.triad import mean_triad
from core.text.words import count_words, when_words
from core.workbench.open_project import OpenProject
from pages.shared.keyed_table import keyed_table
from pages.shared.session import ASK, go, now, number_in_url
from pages.words.ask import answer_title, share_words, triad_columns
from pages.words.insight import TRIAD


def show_answers(opened: OpenProject) -> None:
    """The figures; or what to do while nothing was asked."""
    found = opened.answers.triads()
    if not found:
        st.info(
            "There are no stored answers yet. Ask a question: each answer is measured as it is made, and shown here.",
            icon=":material/lightbulb:",
        )
        st.dataframe(
            {"Measure": list(TRIAD), "What it asks": list(TRIAD.values())},
            hide_index=True,
            width="content",
            alt="The three measures of answers.",
        )
        if st.button("Ask a question", icon=":material/forum:"):
            go(ASK)
        return
    mean = mean_triad([one for _, one in found])
    values = (mean.context_relevance, mean.groundedness, mean.answer_relevance)
    with st.container(horizontal=True, key="answer-triads"):
        for (name, asks), value in zip(TRIAD.items(), values, strict=True):
            st.metric(name, share_words(value), help=asks)
    st.caption(f"Means over {count_words(len(found), 'answer')}; 1 is best. A click on a row opens the answer below.")
    keyed_table(
        "answers",
        "answer",
        [answer.id for answer, _ in found],
        {
            "Answer": [answer_title(answer) for answer, _ in found],
            "When": [when_words(answer.at, now()) for answer, _ in found],
            **triad_columns([one for _, one in found]),
        },
        {"Answer": st.column_config.TextColumn(width=380)},
        "Stored answers with their three measures.",
    )
    chosen = next((answer for answer, _ in found if answer.id == number_in_url("answer")), None)
    if chosen is not None:
        st.text(answer_title(chosen, 300))
        if st.button("Open the answer", type="primary", icon=":material/forum:"):
            go(ASK, answer=str(chosen.id))
