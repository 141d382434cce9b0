"""Passing a report on: one file that opens anywhere, and a view of it without the menu of the application."""

import streamlit as st

from core.export.formats import ExportFormat, info_of
from core.records import StoredReport
from core.workbench.open_project import OpenProject
from pages.shared.reviewer import current_reviewer

PARAM, READ = "view", "read"


def reading() -> bool:
    """Whether this is the view for readers (``?view=read``): no menu, no sidebar."""
    return st.query_params.get(PARAM) == READ


def share_button(opened: OpenProject, stored: StoredReport, *, key: str) -> None:
    """One click gives one HTML file of the report as it stands now, named after the report and the day."""
    by = current_reviewer(opened)
    st.download_button(
        "Share",
        data=lambda: opened.exports.shared(stored.id, by=by).body,  # made when it is asked for
        file_name=opened.exports.name_to_share(stored),
        mime=info_of(ExportFormat.HTML).media_type,
        key=key,
        icon=":material/share:",
        on_click="ignore",
        help="One web page with the outcome, the report in colour and all evidence. It opens offline and prints.",
    )


def hide_the_application() -> None:
    """Take away what surrounds the page: header and sidebar of the application."""
    st.html("<style>[data-testid='stSidebar'], [data-testid='stHeader'] {display: none}</style>")
