"""Choosing what is written out: the report, the format, with or without the words of the sources."""

from __future__ import annotations

import streamlit as st

from core.export.content import withheld_words
from core.export.formats import FORMATS, ExportFormat
from core.records import StoredReport
from core.workbench.open_project import OpenProject
from pages.shared.reports import report_title
from pages.shared.reviewer import current_reviewer
from pages.shared.safe import plain
from pages.shared.session import guarded, leave_notice, number_in_url
from pages.words.export import HOLDS, NAMES, content_words, missing_words, waiting_line


def show_form(opened: OpenProject, reports: list[StoredReport]) -> None:
    """The choices and the button that starts the work."""
    report = _report(reports)
    left, right = st.columns([3, 2], gap="large")
    with left:
        format = st.radio(
            "Format",
            [one.format for one in FORMATS],
            format_func=lambda one: NAMES[one],
            captions=[HOLDS[one.format] for one in FORMATS],
            key="export-format",
        )
    with right:
        _ask(opened, report, ExportFormat(format))


def _report(reports: list[StoredReport]) -> StoredReport:
    """The report in the URL, else the newest; the choice goes (back) into the URL."""
    known = {report.id: report for report in reports}
    wanted = number_in_url("report")
    if wanted is not None and wanted not in known:
        st.warning("This project has no such report. It may have been deleted, or the link is mistyped.")
    ids = list(known)
    chosen = st.selectbox(
        "Report",
        ids,
        index=ids.index(wanted) if wanted in known else 0,
        format_func=lambda one: f"{report_title(known[one], 100)} (version {known[one].version})",
        key="export-report",
    )
    if st.query_params.get("report") != str(chosen):
        st.query_params["report"] = str(chosen)
    return known[int(chosen)]


def _ask(opened: OpenProject, report: StoredReport, format: ExportFormat) -> None:
    pack, by = format is ExportFormat.PACK, current_reviewer(opened)
    sources = st.checkbox(
        "With the words of the sources",
        value=True,
        key="export-sources",
        disabled=pack,
        help="Without them the file holds titles, places and outcomes only; for sources that must not be passed on.",
    )
    with guarded("counting what is in it"):
        findings, standing = opened.audits.findings(report.id), opened.reviews.standing(report.id)
        st.caption(plain(content_words(findings, standing, format, sources or pack)))
        if missing := missing_words(findings, opened.sources.documents(superseded=True), format):
            st.warning(plain(missing), icon=":material/warning:")
        if withheld := withheld_words(opened.reviews.log.withheld_of(report.id, by)):
            st.caption(f":material/visibility_off: {plain(withheld)}")
        waiting = sum(row.status is None for row in findings)
        if waiting:
            st.caption(f":material/hourglass_empty: {waiting_line(waiting)}")
    if pack:
        st.caption("Whoever gets it checks it offline with `workbench verify`, or imports it as a project.")
    pressed = st.button("Write the file", type="primary", icon=":material/ios_share:", key="export-start")
    if pressed:
        with guarded("asking for the export"):
            opened.exports.start(report.id, format, include_sources=sources or pack, by=by)
            leave_notice("The file is being written. It appears below when it is ready, also after a reload.")
            st.rerun()
