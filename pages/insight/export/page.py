"""Export: a report with its evidence as a file for others."""

from collections.abc import Mapping

import streamlit as st

from core.export.content import withheld_words
from core.export.exports import Export
from core.export.formats import FORMATS, ExportFormat, info_of
from core.labels import JobKind, JobState
from core.records import StoredReport
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, go_button, number_in_url
from pages.shared.jobs import show_jobs
from pages.shared.notices import hint, rerun_with
from pages.shared.reports import report_title
from pages.shared.reviewer import current_reviewer
from pages.shared.safe import plain, show_heading
from pages.shared.session import current_project, guarded, now, page_heading, this_project
from pages.words import report as wording

_FIRST = 20


def show_form(opened: OpenProject, reports: list[StoredReport]) -> None:
    """The choices and the button that starts the work."""
    report = _report(reports)
    left, right = st.columns([3, 2], gap="large")
    with left:
        format = st.radio(
            "Format",
            [info.format for info in FORMATS],
            format_func=lambda key: wording.NAMES[key],
            captions=[wording.HOLDS[info.format] for info in FORMATS],
            key="export-format",
        )
    with right:
        _ask(opened, report, ExportFormat(format))


def _report(reports: list[StoredReport]) -> StoredReport:
    """The report in the URL, else the newest; the choice goes (back) into the URL."""
    by_id = {report.id: report for report in reports}
    wanted = number_in_url("report")
    if wanted is not None and wanted not in by_id:
        st.warning("This project has no such report. It may have been deleted, or the link is mistyped.")
    ids = list(by_id)
    chosen = st.selectbox(
        "Report",
        ids,
        index=ids.index(wanted) if wanted in by_id else 0,
        format_func=lambda key: f"{report_title(by_id[key], 100)} (version {by_id[key].version})",
        key="export-report",
    )
    if st.query_params.get("report") != str(chosen):
        st.query_params["report"] = str(chosen)
    return by_id[int(chosen)]


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
        st.caption(plain(wording.content_words(findings, standing, format, sources or pack)))
        if missing := wording.missing_words(findings, opened.sources.documents(superseded=True), format):
            st.warning(plain(missing), icon=":material/warning:")
        if withheld := withheld_words(opened.reviews.log.withheld_of(report.id, by)):
            st.caption(f":material/visibility_off: {plain(withheld)}")
        waiting = sum(row.status is None for row in findings)
        if waiting:
            st.caption(f":material/hourglass_empty: {wording.waiting_line(waiting)}")
    if pack:
        st.caption("Whoever gets it checks it offline with `workbench verify`, or imports it as a project.")
    pressed = st.button("Write the file", type="primary", icon=":material/ios_share:", key="export-start")
    if pressed:
        with guarded("asking for the export"):
            opened.exports.start(report.id, format, include_sources=sources or pack, by=by)
            rerun_with("The file is being written. It appears below when it is ready, also after a reload.")


def show_exports(opened: OpenProject, reports: Mapping[int, str]) -> None:
    """One card an export, newest first; ``reports`` are titles by id."""
    me = current_reviewer(opened)
    exports = opened.exports.earlier(
        by=me if opened.reviews.log.withheld(me) else None
    )  # others may have been given more
    st.subheader("Files")
    if not exports:
        st.caption("Nothing was written yet. What you write is kept here until you delete it.")
        return
    shown = exports if st.session_state.get("export-all") else exports[:_FIRST]
    for at, export in enumerate(shown):
        _card(opened, export, reports, first=at == 0)
    if len(shown) < len(exports) and st.button(f"Show all {len(exports):,}", type="tertiary"):
        st.session_state["export-all"] = True
        st.rerun()


def _card(opened: OpenProject, export: Export, reports: Mapping[int, str], *, first: bool) -> None:
    with st.container(border=True, key=f"export-{export.job.id}", gap="xsmall"):
        show_heading(wording.export_title(export), 4)
        with st.container(key=f"quiet-export-{export.job.id}"):
            st.text(wording.export_words(export, reports, now()))
            if export.sha256:
                st.text(f"SHA-256 {export.sha256}")
        if state := wording.export_state(export):
            st.text(state)
        if export.warning:
            st.warning(plain(export.warning), icon=":material/warning:")
        if export.there:
            _actions(opened, export, first=first)


def _actions(opened: OpenProject, export: Export, *, first: bool) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Download",
            data=lambda: opened.exports.result(export.job).body,  # read when it is asked for: a pack can be large
            file_name=export.name,
            mime=info_of(export.format).media_type,
            key=f"export-download-{export.job.id}",
            icon=":material/download:",
            type="primary" if first and export.job.state is JobState.DONE else "secondary",
            on_click="ignore",
        )
        if st.button("Delete", key=f"export-delete-{export.job.id}", icon=":material/delete:", type="tertiary"):
            with guarded("deleting the file"):
                this_project().exports.forget(export.job)
                rerun_with(f"{export.name} was deleted here. Copies that you downloaded stay.")


def main() -> None:
    """The page; with ``?report=`` that report is chosen."""
    opened = current_project()
    page_heading("Export", opened)
    every = opened.audits.reports(superseded=True)
    if not every:
        hint("There is nothing to export yet: no report has been checked here.")
        go_button("Check a report", Page.CITATIONS, type="primary", icon=":material/fact_check:")
        return
    with guarded("choosing what to export"):
        show_form(opened, every)
    show_jobs(opened, ended=(JobKind.EXPORT,))
    with guarded("listing the files"):
        show_exports(opened, {report.id: report_title(report, 120) for report in every})


main()
