"""Citation audit: does each cited source say what the report says it does?"""

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from core.audit.outcome import counts_of
from core.audit.wording import may_be_fetched, source_key, titles_of
from core.labels import JobKind
from core.records import Finding, StoredReport
from core.text.words import count_words
from core.workbench.first_steps import NextStep, Step, audit_with_new_sources, next_step
from core.workbench.open_project import OpenProject
from pages.shared.add_sources import show_add
from pages.shared.address import Page, go, go_button, number_in_url
from pages.shared.finding_detail import show_finding
from pages.shared.findings import show_filters, show_summary, show_table
from pages.shared.heat import show_heat, show_legend
from pages.shared.jobs import show_jobs
from pages.shared.notices import hint, rerun_with
from pages.shared.reports import (
    origin_words,
    report_in_url,
    report_title,
    show_add_report,
    show_reports,
    show_superseded,
    warn,
)
from pages.shared.safe import show_heading
from pages.shared.session import current_project, guarded, page_heading
from pages.shared.source_view import open_reader
from pages.words.report import fetch_label, step_line

ITS_JOBS = (JobKind.AUDIT, JobKind.CITED_SOURCES)
"""Work whose end is shown here; other work is shown while it runs."""
_OF_A_REPORT = ("finding", "source")


def show_next_step(opened: OpenProject, stored: StoredReport, findings: Sequence[Finding]) -> Sequence[int]:
    """The line and the buttons for the next step with this report. Returns the ids of the rows whose sources it offers
    to fetch."""
    with guarded("finding the next step"):
        standings, jobs = opened.reviews.standing(stored.id).findings, opened.jobs.all(active=True)
        step = next_step(findings, standings, jobs, documents=bool(opened.sources.documents()))
        line = step_line(step)
        if not line:
            return ()
        with st.container(border=True, key="next-step", gap="small"):
            st.text(line)
            with st.container(horizontal=True, vertical_alignment="center"):
                _buttons(opened, stored, step)
            if step.missing:
                _own_sources(opened, stored)
        return step.fetchable if step.step is Step.SOURCES else ()
    return ()


def _buttons(opened: OpenProject, stored: StoredReport, step: NextStep) -> None:
    waits = step.undecided and step.step is not Step.SOURCES
    if waits and st.button("Review what needs you", type=_kind(step, Step.REVIEW), icon=":material/how_to_reg:"):
        go(Page.REVIEW, report=str(stored.id))
    if (
        step.step is Step.SOURCES
        and step.fetchable
        and st.button(
            fetch_label(step),
            type="primary",
            icon=":material/cloud_download:",
            help="Each address that the report gives is asked for once, from this computer; robots.txt is obeyed.",
        )
    ):
        opened.audits.fetch_cited(stored.id, step.fetchable)
        rerun_with("The cited sources are being fetched; their citations are checked as they come in.")
    if step.step not in (Step.SOURCES, Step.WAIT) and st.button(
        "Overview to share", type=_kind(step, Step.OVERVIEW), icon=":material/summarize:"
    ):
        go(Page.OVERVIEW, report=str(stored.id))


def _kind(step: NextStep, when: Step) -> Literal["primary", "secondary"]:
    return "primary" if step.step is when else "secondary"


def _own_sources(opened: OpenProject, stored: StoredReport) -> None:
    with st.expander("Add the sources you have", icon=":material/add_circle:", key="own-sources"):
        st.caption(
            "Files or text of the cited sources. They are recognised by their address, DOI, or title, and the "
            "citations are checked again once they are read."
        )
        show_add(opened, lambda: audit_with_new_sources(opened, stored.id))


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


def show_report(opened: OpenProject, stored: StoredReport) -> None:
    """One report: its summary, its rows, the report in colour, the row looked at."""
    if st.button("All reports", icon=":material/arrow_back:", type="tertiary"):
        _leave_report()
    with st.container(key="quiet-report", gap="xxsmall"):
        show_heading(report_title(stored), 2)
        st.text(origin_words(stored))
    with st.container(key="above-rows"):  # a place of its own for each part, so that a form below is not made anew
        with st.container():
            show_superseded(stored, _OF_A_REPORT)
        show_jobs(opened, ended=ITS_JOBS, report=stored.id)
        with st.container():
            warn(stored)
        findings = opened.audits.findings(stored.id)
        with st.container(), guarded("counting"):
            standings = opened.reviews.standing(stored.id).findings
            show_summary(opened.audits.summary(stored.id), counts_of(findings, standings))
        if not findings:
            hint(
                "No citation was found in it. Citations look like [1], [^1], (Smith, 2020), or a link; give the "
                "version that has them."
            )
        with st.container():
            offered = show_next_step(opened, stored, findings)
    actions(opened, stored, findings, offered)
    titles = titles_of(opened.sources.documents(superseded=True))
    current = _finding_in_url(findings)
    shown = show_filters(findings, titles) if findings else []
    table, coloured = st.columns([3, 2], gap="medium")
    with table:
        if findings:
            show_table(shown, titles)
        if current is not None:
            show_finding(opened, opened.audits.read(stored.id), current, findings, shown, titles)
        elif findings:
            st.caption("Click a row, or a sentence of the report, to see the words that decide.")
    with coloured, guarded("painting the report"), st.container(key="heat-panel"):
        show_legend()
        at = current.claim or current.marker or current.reference if current else None
        heat = opened.audits.heat(stored.id)
        show_heat(opened.audits.read(stored.id), heat, current.id if current else None, at[0] if at else None)


def _finding_in_url(findings: Sequence[Finding]) -> Finding | None:
    """The row that the URL names; a name of no row is dropped, and the page says so."""
    current = next((finding for finding in findings if finding.id == number_in_url("finding")), None)
    if st.query_params.get("finding") and current is None:
        st.query_params.pop("finding", None)
        st.warning("This report has no such row. The link is mistyped, or the report was read anew since.")
    return current


def _leave_report() -> None:
    for key in ("report", *_OF_A_REPORT):
        st.query_params.pop(key, None)
    st.rerun()


def actions(
    opened: OpenProject, stored: StoredReport, findings: Sequence[Finding], offered: Sequence[int] = ()
) -> None:
    """The buttons for the whole report. ``offered`` are rows whose sources can be fetched by a button above."""
    lacking = [finding for finding in findings if may_be_fetched(finding) and finding.id not in offered]
    with st.container(horizontal=True, key="audit-actions"), guarded("asking for another check"):
        if lacking and st.button(
            f"Fetch {count_words(len(set(map(source_key, lacking))), 'missing source')} and check again",
            icon=":material/cloud_download:",
            help="Only the rows that lack their source are checked again.",
        ):
            opened.audits.fetch_cited(stored.id, [finding.id for finding in lacking])
            rerun_with("The missing sources are being fetched; their rows are checked again as they come in.")
        if findings and st.button(
            "Check all again", icon=":material/refresh:", help="What has not changed since is not judged anew."
        ):
            opened.audits.audit(stored.id)
            rerun_with("The citations are being checked again.")
        if findings and st.button("Review", icon=":material/how_to_reg:", help="A person decides on what needs one."):
            go(Page.REVIEW, report=str(stored.id))
        go_button("Claims of this report", Page.CLAIMS, icon=":material/rule:", report=str(stored.id))


def main() -> None:
    """The page; with ``?report=`` one report, with ``?finding=`` one of its rows."""
    opened = current_project()
    page_heading("Citation audit", opened)
    with guarded("opening the source"):
        open_reader(opened)
    stored = report_in_url(opened)
    if stored is None:
        overview(opened)
    else:
        show_report(opened, stored)


main()
