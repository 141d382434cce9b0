"""The script that Streamlit runs for every view: the menu, the sidebar, and the page that the URL names."""

from pathlib import Path

import streamlit as st

from core.errors import WorkbenchError
from core.text.words import count_words
from pages.shared.address import Page, project_in_url
from pages.shared.safe import plain
from pages.shared.session import guarded, workbench
from pages.shared.share import hide_the_application, reading

SHARED = Path(__file__).resolve().parent
ICON = SHARED / "icon.png"


def paint_sidebar() -> None:
    """A fault of the settings on disk, the project in hand, and "About this installation"."""
    with st.sidebar:
        if problem := workbench().settings_problem:
            st.warning(f"The settings on disk have a fault; the earlier ones stay. {plain(problem)}")
        slug = project_in_url()
        if slug:
            _paint_project(slug)
        with st.expander("About this installation", icon=":material/info:"):
            bench = workbench()
            st.caption("Projects are kept in")
            st.code(str(bench.root), language=None, wrap_lines=True)
            st.caption(plain(bench.storage_note))
            online = bench.settings.models.allow_downloads
            st.caption(
                f"Models: {plain(bench.settings.models.encoder)} finds by meaning, "
                f"{plain(bench.settings.models.reranker)} reads closely. "
                + ("Models may be downloaded." if online else "No model is downloaded.")
            )


def _paint_project(slug: str) -> None:
    try:
        opened = workbench().open(slug)
        numbers = opened.statistics()
    except WorkbenchError:
        return  # the page itself says what is wrong with this project
    with st.container(key="sidebar-project", border=True, gap="xxsmall"):
        st.caption("Open project")
        st.text(" ".join(opened.project.name.split())[:120])
        st.caption(f"{count_words(numbers.documents, 'source')}, {count_words(numbers.passages, 'passage')}")


# A named icon would be fetched from a remote host.
st.set_page_config(page_title="Evidence workbench", page_icon=ICON, layout="wide")
st.html(SHARED / "style.css")
st.logo(ICON, size="large")
page = st.navigation(
    {
        "Research": [
            st.Page(Page.PROJECTS, title="Projects", icon=":material/folder:", url_path="projects", default=True),
            st.Page(Page.SOURCES, title="Sources", icon=":material/library_books:", url_path="sources"),
            st.Page(Page.EVIDENCE, title="Evidence", icon=":material/manage_search:", url_path="evidence"),
            st.Page(Page.QUERIES, title="Query lab", icon=":material/science:", url_path="queries"),
            st.Page(Page.ASK, title="Ask", icon=":material/forum:", url_path="ask"),
        ],
        "Report": [
            st.Page(Page.CITATIONS, title="Citation audit", icon=":material/fact_check:", url_path="citations"),
            st.Page(Page.CLAIMS, title="Claims", icon=":material/rule:", url_path="claims"),
            st.Page(Page.REVIEW, title="Review", icon=":material/how_to_reg:", url_path="review"),
            st.Page(Page.OVERVIEW, title="Overview", icon=":material/summarize:", url_path="overview"),
        ],
        "Insight": [
            st.Page(Page.EXPORT, title="Export", icon=":material/ios_share:", url_path="export"),
            st.Page(Page.EVALUATION, title="Evaluation", icon=":material/insights:", url_path="evaluation"),
            st.Page(Page.USAGE, title="Usage", icon=":material/monitoring:", url_path="usage"),
            st.Page(Page.SETTINGS, title="Settings", icon=":material/settings:", url_path="settings"),
        ],
    },
    expanded=True,
    position="hidden" if reading() else "sidebar",
)
with guarded("painting the sidebar"):
    if reading():
        hide_the_application()
    else:
        paint_sidebar()
with guarded("painting the page"):
    page.run()
