"""Below the menu: which project is open, and what this installation is."""

from __future__ import annotations

import streamlit as st

from core.errors import WorkbenchError
from core.text.words import count_words
from pages.shared.safe import plain
from pages.shared.session import project_in_url, workbench


def paint_sidebar() -> None:
    """Project in hand, and "About this installation"."""
    with st.sidebar:
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
