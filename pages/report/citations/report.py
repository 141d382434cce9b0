"""One report as the page: on the left the report or its table, on the right the card of the citation looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core.audit.outcome import Counts, Holding, counts_of, holdings_of
from core.audit.wording import titles_of
from core.labels import JobKind
from core.records import Finding, Standing, StoredReport
from core.workbench.open_project import OpenProject
from pages.report.citations.about import show_about
from pages.shared.address import Page, go, number_in_url
from pages.shared.finding_detail import Card, show_card
from pages.shared.findings import show_chips, show_filters, show_how_many, show_table, sorted_rows
from pages.shared.heat import show_heat
from pages.shared.jobs import show_jobs
from pages.shared.notices import rerun_with, show_notice
from pages.shared.reports import report_title, show_superseded
from pages.shared.safe import show_heading
from pages.shared.session import guarded
from pages.shared.share import share_button
from pages.words.overview_rows import reshaded

ITS_JOBS = (JobKind.AUDIT, JobKind.CITED_SOURCES)
"""Work whose end is shown here; other work is shown while it runs."""
_OF_A_REPORT = ("finding", "source", "outcome", "sort")
_REPORT, _TABLE = "Report", "Table"
_AGAIN, _CLAIMS, _EXPORT = "Check all again", "Claims of this report", "Export"


@dataclass(frozen=True, slots=True)
class Audited:
    """A report with its rows and their outcome after machine and people."""

    stored: StoredReport
    findings: Sequence[Finding]
    standings: Mapping[int, Standing]
    holdings: Mapping[int, Holding]
    counts: Counts


def show_report(opened: OpenProject, stored: StoredReport) -> None:
    """One report: a line about it, then the report beside the card of the citation that the URL names."""
    findings = opened.audits.findings(stored.id)
    standings = opened.reviews.standing(stored.id).findings
    audited = Audited(
        stored, findings, standings, holdings_of(findings, standings), counts_of(findings, standings)
    )  # fmt: skip
    outcomes = _show_head(opened, audited)
    show_notice()
    with st.container(key="above-rows"):
        with st.container():
            show_superseded(stored, _OF_A_REPORT)
        show_jobs(opened, ended=ITS_JOBS, report=stored.id)
    titles = titles_of(opened.sources.documents(superseded=True))
    current = _finding_in_url(findings)
    with st.container(key="audit-panes"):
        left, right = st.columns([3, 2], gap="small")
    with left, st.container(key="audit-left", gap="xsmall"):
        shown = _show_left(opened, audited, outcomes, titles, current)
    with right, st.container(key="audit-right"):
        if current is None:
            show_about(opened, stored, findings, audited.counts)
        else:
            holding, standing = audited.holdings.get(current.id), standings.get(current.id)
            show_card(opened, opened.audits.read(stored.id), Card(current, holding, standing, shown, findings, titles))


def _show_head(opened: OpenProject, audited: Audited) -> list[Holding]:
    """The line about the report: its title, the counts as chips, what can be done with it. Returns the outcomes that
    are to be shown, none for all."""
    report = str(audited.stored.id)
    with st.container(horizontal=True, vertical_alignment="center", key="audit-head", gap="xsmall"):
        if st.button("Reports", icon=":material/arrow_back:", type="tertiary"):
            _leave_report()
        show_heading(report_title(audited.stored), 1, fill=True)
        outcomes = show_chips(audited.counts) if audited.findings else []
        if audited.findings and st.button("Review", icon=":material/how_to_reg:"):
            go(Page.REVIEW, report=report)
        share_button(opened, audited.stored, key="audit-share")
        act = st.menu_button("More", [*([_AGAIN] if audited.findings else []), _CLAIMS, _EXPORT], key="report-more")
    with guarded("doing what the menu says"):
        if act == _AGAIN:
            opened.audits.audit(audited.stored.id)
            rerun_with("The citations are being checked again. What has not changed since is not judged anew.")
        elif act in (_CLAIMS, _EXPORT):
            go(Page.CLAIMS if act == _CLAIMS else Page.EXPORT, report=report)
    return outcomes


def _leave_report() -> None:
    for key in ("report", *_OF_A_REPORT):
        st.query_params.pop(key, None)
    st.rerun()


def _show_left(
    opened: OpenProject,
    audited: Audited,
    outcomes: Sequence[Holding],
    titles: Mapping[str, str],
    current: Finding | None,
) -> list[Finding]:
    """The report in colour or the table of its citations; the rows that pass the filters, in the order shown."""
    findings, stored = audited.findings, audited.stored
    shown, pane = list(findings), _REPORT
    if findings:
        with st.container(horizontal=True, vertical_alignment="center", key="audit-filters", gap="small"):
            pane = st.segmented_control(
                "See it as", [_REPORT, _TABLE], key="pane", bind="query-params", default=_REPORT, required=True,
                label_visibility="collapsed",
            )  # fmt: skip
            filtered = show_filters(findings, titles)
            shown = [row for row in filtered if not outcomes or audited.holdings.get(row.id) in outcomes]
            show_how_many(len(shown), len(findings))
    if pane == _TABLE:
        shown = sorted_rows(shown, audited.holdings, titles)
        show_table(shown, audited.holdings, titles, current.id if current else None)
        return shown
    with guarded("painting the report"):
        at = current.claim or current.marker or current.reference if current else None
        heat = reshaded(opened.audits.heat(stored.id), audited.holdings, audited.standings)
        only = {row.id for row in shown} if len(shown) != len(findings) else None
        show_heat(opened.audits.read(stored.id), heat, current.id if current else None, at[0] if at else None, only)
    return shown


def _finding_in_url(findings: Sequence[Finding]) -> Finding | None:
    """The row that the URL names; a name of no row is dropped, and the page says so."""
    current = next((finding for finding in findings if finding.id == number_in_url("finding")), None)
    if st.query_params.get("finding") and current is None:
        st.query_params.pop("finding", None)
        st.warning("This report has no such row. The link is mistyped, or the report was read anew since.")
    return current
