"""What Streamlit runs for every view: the menu, the frame, and the page that the URL names."""

from __future__ import annotations

import streamlit as st

from pages.shared.session import (
    ASK,
    CITATIONS,
    CLAIMS,
    EVALUATION,
    EVIDENCE,
    EXPORT,
    OVERVIEW,
    PROJECTS,
    QUERIES,
    REVIEW,
    SETTINGS,
    SHARED,
    SOURCES,
    USAGE,
    guarded,
)
from pages.shared.sidebar import paint_sidebar

ICON = SHARED / "icon.png"

# A named icon would be fetched from a remote host.
st.set_page_config(page_title="Evidence workbench", page_icon=ICON, layout="wide")
st.html(SHARED / "style.css")
st.logo(ICON, size="large")
page = st.navigation(
    {
        "Research": [
            st.Page(PROJECTS, title="Projects", icon=":material/folder:", url_path="projects", default=True),
            st.Page(SOURCES, title="Sources", icon=":material/library_books:", url_path="sources"),
            st.Page(EVIDENCE, title="Evidence", icon=":material/manage_search:", url_path="evidence"),
            st.Page(QUERIES, title="Query lab", icon=":material/science:", url_path="queries"),
            st.Page(ASK, title="Ask", icon=":material/forum:", url_path="ask"),
        ],
        "Report": [
            st.Page(CITATIONS, title="Citation audit", icon=":material/fact_check:", url_path="citations"),
            st.Page(CLAIMS, title="Claims", icon=":material/rule:", url_path="claims"),
            st.Page(REVIEW, title="Review", icon=":material/how_to_reg:", url_path="review"),
            st.Page(OVERVIEW, title="Overview", icon=":material/summarize:", url_path="overview"),
        ],
        "Insight": [
            st.Page(EXPORT, title="Export", icon=":material/ios_share:", url_path="export"),
            st.Page(EVALUATION, title="Evaluation", icon=":material/insights:", url_path="evaluation"),
            st.Page(USAGE, title="Usage", icon=":material/monitoring:", url_path="usage"),
            st.Page(SETTINGS, title="Settings", icon=":material/settings:", url_path="settings"),
        ],
    },
    expanded=True,
)
with guarded("painting the sidebar"):
    paint_sidebar()
with guarded("painting the page"):
    page.run()
