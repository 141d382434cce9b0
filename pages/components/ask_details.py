"""Behind an answer, folded: what was found, what was made of it, what addressed a model, how to repeat it."""

from __future__ import annotations

import streamlit as st

from core.model import Answer
from core.opened import OpenProject
from core.present import count_words
from core.present_audit import titles_of
from pages.components.safe import plain, show_evidence


def show_details(answer: Answer) -> None:
    """What was found and what was done, and the fingerprint."""
    if answer.gathered:
        with st.expander("What was found and what was done", icon=":material/account_tree:", key="gathered"):
            st.json(dict(answer.gathered), expanded=1)
    if answer.fingerprint:
        with st.expander("What produced this answer", icon=":material/fingerprint:", key="fingerprint"):
            st.caption("The same question over the same sources is searched the same way with these settings.")
            st.json(dict(answer.fingerprint), expanded=2)


def show_flags(opened: OpenProject, answer: Answer) -> None:
    """Places in the sources that address a model instead of a reader."""
    if not answer.flags:
        return
    titles = titles_of(opened.documents(superseded=True))
    label = f"{count_words(len(answer.flags), 'place')} in the sources address a model"
    with st.expander(label, icon=":material/report:", key="flags", expanded=True):
        st.caption(
            "Text like this tries to steer a language model. It was treated as text to quote from, never as an "
            "instruction; do not take what it says for evidence."
        )
        for flag in answer.flags[:50]:
            st.caption(plain(f"{titles.get(flag.document_id, 'A source')} ({flag.where}): {flag.rule}"))
            show_evidence(flag.quote[:600])
