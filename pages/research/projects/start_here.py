"""The first thing on the first page: give a report, and see which of its citations hold."""

from __future__ import annotations

import streamlit as st

from core.workbench.first_steps import check_report
from pages.shared.reports import forget_form, report_form, report_title
from pages.shared.session import CITATIONS, guarded, leave_notice, open_here, workbench

_OPEN = "start-open"


def show_start(first: bool) -> None:
    """A report in, a project of its own out, open on the report. Where nothing is yet (``first``) the form is open."""
    if not first and not st.session_state.get(_OPEN):
        if st.button("Check a report", type="primary", icon=":material/fact_check:"):
            st.session_state[_OPEN] = True
            st.rerun()
        return
    with st.container(border=True, key="check-a-report"):
        st.subheader("Check a report")
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
                st.session_state.pop(_OPEN, None)
                leave_notice(f"“{report_title(stored, 80)}” was read. Its citations are being checked.")
                open_here(project.slug, CITATIONS, report=str(stored.id))
