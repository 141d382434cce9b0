"""Export: a report with its evidence as a file for others."""

from __future__ import annotations

import streamlit as st

from core.labels import JobKind
from pages.insight.export.files import show_exports
from pages.insight.export.form import show_form
from pages.shared.jobs import show_jobs
from pages.shared.reports import report_title
from pages.shared.session import CITATIONS, current_project, go, guarded, page_heading


def main() -> None:
    """The page; with ``?report=`` that report is chosen."""
    opened = current_project()
    page_heading("Export", opened)
    every = opened.audits.reports(superseded=True)
    if not every:
        st.info("There is nothing to export yet: no report has been checked here.", icon=":material/lightbulb:")
        if st.button("Check a report", type="primary", icon=":material/fact_check:"):
            go(CITATIONS)
        return
    with guarded("choosing what to export"):
        show_form(opened, every)
    show_jobs(opened, ended=(JobKind.EXPORT,))
    with guarded("listing the files"):
        show_exports(opened, {report.id: report_title(report, 120) for report in every})


main()
