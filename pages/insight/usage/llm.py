"""What language models were asked for in this project: calls, tokens, money, time to the first token, failures."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from core.workbench.open_project import OpenProject
from pages.shared.safe import plain
from pages.shared.session import SETTINGS
from pages.words.llm import page_words
from pages.words.usage_llm import (
    budget_line,
    cache_words,
    calls_since,
    failure_rows,
    first_token_words,
    nothing_words,
    task_rows,
)


def show_language_models(opened: OpenProject, since: datetime | None, now: datetime) -> None:
    """The part of the page about language models; ``since`` begins the period (None: everything)."""
    st.subheader("Language models")
    status = opened.language_model.status()
    spending = opened.language_model.spending()
    if not spending.calls:
        st.info(plain(nothing_words(status)), icon=":material/cloud_off:" if not status.on else ":material/cloud:")
        st.page_link(SETTINGS, label="Language model in the settings", icon=":material/settings:")
        return
    calls = calls_since(opened.language_model.calls(), since)
    st.caption(plain(f"{budget_line(spending)} The budget counts everything since the project began."))
    if status.reason:
        st.caption(f":material/cloud_off: {plain(page_words(status.reason))}")
    if not calls:
        st.caption("No language model was asked in this time.")
        return
    with st.container(horizontal=True, key="usage-llm-totals"):
        st.metric("Calls", f"{len(calls):,}")
        st.metric("First token", first_token_words(calls), help="The usual time until a reply begins (median).")
        st.metric(
            "From the cache",
            cache_words(calls),
            help="The share of the tokens sent that the API still had from an earlier call: cheaper and faster.",
        )
    st.dataframe(task_rows(calls), hide_index=True, alt="Calls of language models by task: tokens, money, times.")
    failures = failure_rows(calls, now)
    if failures["Calls"]:
        st.markdown("**Calls that did not end well**")
        st.dataframe(failures, hide_index=True, alt="Failed calls by how they ended, with the newest message.")
