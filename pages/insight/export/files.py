"""Exports of this project: those to come, those to download."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.export.exports import Export
from core.export.formats import info_of
from core.labels import JobState
from core.workbench.open_project import OpenProject
from pages.shared.reviewer import current_reviewer
from pages.shared.safe import plain, show_heading
from pages.shared.session import guarded, leave_notice, now, this_project
from pages.words.export import export_state, export_title, export_words

_FIRST = 20


def show_exports(opened: OpenProject, reports: Mapping[int, str]) -> None:
    """One card an export, newest first; ``reports`` are titles by id."""
    me = current_reviewer(opened)
    found = opened.exports.earlier(
        by=me if opened.reviews.log.withheld(me) else None
    )  # others may have been given more
    st.subheader("Files")
    if not found:
        st.caption("Nothing was written yet. What you write is kept here until you delete it.")
        return
    shown = found if st.session_state.get("export-all") else found[:_FIRST]
    for at, export in enumerate(shown):
        _card(opened, export, reports, first=at == 0)
    if len(shown) < len(found) and st.button(f"Show all {len(found):,}", type="tertiary"):
        st.session_state["export-all"] = True
        st.rerun()


def _card(opened: OpenProject, export: Export, reports: Mapping[int, str], *, first: bool) -> None:
    with st.container(border=True, key=f"export-{export.job.id}", gap="xsmall"):
        show_heading(export_title(export), 4)
        with st.container(key=f"quiet-export-{export.job.id}"):
            st.text(export_words(export, reports, now()))
            if export.sha256:
                st.text(f"SHA-256 {export.sha256}")
        if state := export_state(export):
            st.text(state)
        if export.warning:
            st.warning(plain(export.warning), icon=":material/warning:")
        if export.there:
            _actions(opened, export, first=first)


def _actions(opened: OpenProject, export: Export, *, first: bool) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Download",
            data=lambda: opened.exports.result(export.job).body,  # read when it is asked for: a pack can be large
            file_name=export.name,
            mime=info_of(export.format).media_type,
            key=f"export-download-{export.job.id}",
            icon=":material/download:",
            type="primary" if first and export.job.state is JobState.DONE else "secondary",
            on_click="ignore",
        )
        if st.button("Delete", key=f"export-delete-{export.job.id}", icon=":material/delete:", type="tertiary"):
            with guarded("deleting the file"):
                this_project().exports.forget(export.job)
                leave_notice(f"{export.name} was deleted here. Copies that you downloaded stay.")
                st.rerun()
