"""Sources: add them, watch them come in, see what failed, look into one."""

from __future__ import annotations

import streamlit as st

from core.errors import DocumentNotFound
from core.labels import JobKind
from core.text.words import count_words, encoding_words
from core.workbench.open_project import OpenProject
from pages.research.sources.document_detail import show_document
from pages.research.sources.documents import show_failures, show_table
from pages.shared.add_sources import show_add
from pages.shared.jobs import show_jobs
from pages.shared.session import EVIDENCE, current_project, go, guarded, page_heading

ITS_JOBS = (JobKind.ADD, JobKind.REFETCH, JobKind.RECHUNK, JobKind.ENCODE)
# Work whose end is told here; what else runs is shown while it runs.


def overview(opened: OpenProject) -> None:
    """Adding, work in progress, failures, and the table."""
    documents = opened.sources.documents()
    with st.expander(
        "Add sources",
        expanded=not documents and not opened.jobs.all(active=True),
        icon=":material/add_circle:",
        key="add",
    ):
        show_add(opened)
    show_jobs(opened, ended=ITS_JOBS)
    with guarded("listing what failed"):
        show_failures(opened, folded=bool(documents))
    if not documents:
        st.info(
            "No source is stored yet. Add files, web addresses, or text above; they become searchable at once.",
            icon=":material/lightbulb:",
        )
        return
    encoded, searchable = opened.coverage()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader(f"{count_words(len(documents), 'source')}, {count_words(searchable, 'passage')}")
        if st.button("Search them", type="primary", icon=":material/manage_search:"):
            go(EVIDENCE)
    st.caption(encoding_words(encoded, searchable) or "All passages can be found by words and by meaning.")
    with guarded("painting the table"):
        show_table(documents)
    st.caption("Click a row to open the source: its text beside the original, its grade with reasons, its passages.")


def main() -> None:
    """The page; with ``?doc=`` one document."""
    opened = current_project()
    wanted = st.query_params.get("doc")
    page_heading("Sources", opened)
    if wanted:
        try:
            show_document(opened, opened.sources.document(wanted))
            return
        except DocumentNotFound:
            st.query_params.pop("doc", None)
            st.warning("This project has no such source. It may have been deleted; here are those that are there.")
    overview(opened)


main()
