"""Citation audit: does each cited source say what the report says it does?"""

import streamlit as st

from core.workbench.open_project import OpenProject
from pages.report.citations.report import ITS_JOBS, show_report
from pages.shared.address import Page, go_button
from pages.shared.jobs import show_jobs
from pages.shared.notices import hint
from pages.shared.reports import report_in_url, show_add_report, show_reports
from pages.shared.session import current_project, guarded, page_heading
from pages.shared.source_view import open_reader


def overview(opened: OpenProject) -> None:
    reports = opened.audits.reports()
    with st.expander("Audit a report", expanded=not reports, icon=":material/add_circle:", key="add-report-panel"):
        show_add_report(opened, reports)
    show_jobs(opened, ended=ITS_JOBS)
    if reports:
        show_reports(opened, reports)
        return
    hint(
        "Give a report above. Each of its citations is looked up in the source it cites, and you see the words that "
        "decide."
    )
    if not opened.sources.documents():
        st.caption("The sources it cites can be fetched from there, or added now.")
        go_button("Add sources", Page.SOURCES, icon=":material/add:")


def main() -> None:
    """The page; with ``?report=`` one report, with ``?finding=`` one of its rows."""
    opened = current_project()
    heading = st.container()
    stored = report_in_url(opened)
    with guarded("opening the source"):
        open_reader(opened)
    if stored is None:
        with heading:
            page_heading("Citation audit", opened)
        overview(opened)
    else:
        show_report(opened, stored)


main()
