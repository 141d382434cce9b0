"""What the form would change: a table, what it causes, and the buttons."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from core.errors import RowMoved, WorkbenchError
from core.records import ProjectSummary
from core.settings.save import save_settings
from core.settings.values import Settings
from core.settings.view import SettingsView, checked_change
from pages.insight.settings.form import start_again
from pages.shared.safe import plain
from pages.shared.session import leave_notice, workbench
from pages.words.settings import Extent, change_rows, effects


def show_changes(root: Path, view: SettingsView, changes: Mapping[str, object | None], moved: bool) -> None:
    """The changes with what they cause; nothing when there are none."""
    if not changes:
        return
    tried, faults = checked_change(view, changes)
    with st.container(border=True, key="settings-changes"):
        st.subheader("Not saved yet")
        st.dataframe(
            change_rows(view.settings, changes), hide_index=True, width="content", alt="Settings that would change."
        )
        for said in faults.values():
            st.error(plain(said), icon=":material/error:")
        before, _ = checked_change(view, {})
        if tried is not None:
            lines = effects(before or Settings(), tried, _extent())
            st.markdown("**What it causes**")
            for line in lines:
                st.markdown(f"- {plain(line)}")
            st.caption(
                "Server and worker take it over at once; nothing needs a restart. Work that is under way ends with the "
                "settings that it began with."
            )
        with st.container(horizontal=True):
            blocked = tried is None or moved
            if st.button("Save", type="primary", icon=":material/save:", disabled=blocked, key="save-settings"):
                _save(root, view, changes)
            st.button("Discard", icon=":material/undo:", on_click=start_again, key="discard-settings")


def _save(root: Path, view: SettingsView, changes: Mapping[str, object | None]) -> None:
    try:
        save_settings(root, changes, revision=view.revision)
    except RowMoved as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Show the new values", on_click=start_again, key="show-new-values")
        return
    leave_notice("The settings were saved.")
    start_again()
    st.rerun()


def _extent() -> Extent:
    """All projects together; nothing where they cannot be counted just now."""
    try:
        summaries: list[ProjectSummary] = workbench().projects(archived=True)
    except WorkbenchError:
        summaries = []
    sound = [summary for summary in summaries if summary.problem is None]
    return Extent(len(sound), sum(one.documents for one in sound), sum(one.passages for one in sound))
