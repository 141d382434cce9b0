"""The first thing on the first page: give a report, and see which of its citations hold."""

from __future__ import annotations

import streamlit as st

from core.starting import check_report
from pages.components.reports import forget_form, report_form, report_title
from pages.components.session import CITATIONS, guarded, leave_notice, open_here, workbench


def show_start(expanded: bool) -> None:
    """A report in, a project of its own out; open on the report when it was read."""
    with st.expander("Check a report", expanded=expanded, icon=":material/fact_check:", key="check-a-report"):
        st.text(
            "Each citation is looked up in the source that it cites, and you see the words that decide. "
            "The report gets a project of its own, and stays on this computer."
        )
        given = report_form(workbench().settings.parsing.max_bytes, "start")
        if given is not None:
            with guarded("reading the report"):
                with st.spinner("Reading the report…"):
                    project, stored = check_report(workbench(), given.name, given.body, given.media_type)
                forget_form()
                leave_notice(f"“{report_title(stored, 80)}” was read. Its citations are being checked.")
                open_here(project.slug, CITATIONS, report=str(stored.id))
