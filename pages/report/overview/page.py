"""Overview: one report on one screen, for someone who only wants to know what holds. Nothing can be changed here."""

from __future__ import annotations

import streamlit as st

from core.records import StoredReport
from core.workbench.open_project import OpenProject
from pages.report.overview.evidence import show_evidence_panel
from pages.report.overview.outcome import show_link, show_meanings, show_outcome
from pages.report.overview.printed import FAILING_FIRST, THE_REST, show_for_print
from pages.report.overview.rows import Shown, show_decisions, show_failing
from pages.shared.heat import show_heat, show_legend
from pages.shared.reader import open_reader
from pages.shared.reports import origin_words, report_in_url, report_title
from pages.shared.safe import show_heading
from pages.shared.session import CITATIONS, current_project, go, guarded, number_in_url, page_heading
from pages.words.overview import OVERVIEW_SHADES, counts_of, holdings_of, outcome_sentence
from pages.words.overview_rows import reshaded


def choose(opened: OpenProject) -> None:
    """Without a report in the URL: the only one at once, else the list."""
    reports = opened.audits.reports()
    if not reports:
        st.info("No report has been checked in this project yet.", icon=":material/lightbulb:")
        if st.button("Check a report", type="primary", icon=":material/fact_check:"):
            go(CITATIONS)
        return
    if len(reports) == 1:
        st.query_params["report"] = str(reports[0].id)
        show(opened, reports[0])
        return
    for report in reports:
        with st.container(border=True, key=f"overview-of-{report.id}", gap="xsmall"):
            show_heading(report_title(report), 3)
            with guarded("counting its citations"):
                standings = opened.reviews.standing(report.id).findings
                st.text(outcome_sentence(counts_of(opened.audits.findings(report.id), standings)))
            if st.button("Open", key=f"open-overview-{report.id}", type="primary", icon=":material/summarize:"):
                st.query_params["report"] = str(report.id)
                st.rerun()


def show(opened: OpenProject, stored: StoredReport) -> None:
    """One report: the outcome, what does not hold, the report in colour, the evidence of the sentence looked at."""
    with st.container(key="quiet-overview-title", gap="xxsmall"):
        show_heading(report_title(stored), 2)
        st.text(origin_words(stored))
    superseded(stored)
    findings = opened.audits.findings(stored.id)
    standings = opened.reviews.standing(stored.id).findings
    shown = Shown(opened, stored, findings, holdings_of(findings, standings), standings)
    with guarded("counting"):
        show_outcome(opened.audits.summary(stored.id), counts_of(findings, standings))
    if not findings:
        return
    wanted = number_in_url("finding")
    current = next((finding for finding in findings if finding.id == wanted), None)
    if st.query_params.get("finding") and current is None:
        st.query_params.pop("finding", None)
        st.warning("This report has no such citation. The link is mistyped, or the report was read anew since.")
    rows, coloured = st.columns(2, gap="large")
    with rows:
        with guarded("preparing the printed pages"):
            show_for_print(shown, "What does not hold", FAILING_FIRST)
        if current is not None:
            with guarded("showing the evidence"):
                show_evidence_panel(shown, current)
        else:
            with guarded("listing what does not hold"):
                show_failing(shown)
            with guarded("showing what people decided"):
                show_decisions(shown)
            show_meanings(opened.reviews.threshold.current())
            show_link(opened, stored)
    with coloured, guarded("painting the report"), st.container(key="heat-panel"):
        show_legend(OVERVIEW_SHADES)
        at = current.claim or current.marker or current.reference if current else None
        heat = reshaded(opened.audits.heat(stored.id), shown.holdings, standings)
        read = opened.audits.read(stored.id)
        show_heat(read, heat, current.id if current else None, at[0] if at else None, OVERVIEW_SHADES)
    with guarded("preparing the printed pages"):
        show_for_print(shown, "The other citations", THE_REST)


def superseded(stored: StoredReport) -> None:
    """An older version says so, and leads to the newest."""
    if stored.superseded_by is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(f"Version {stored.version}, not the newest", icon=":material/history:", color="gray")
        if st.button("Open the newer one", type="tertiary"):
            for key in ("finding", "doc", "passage", "mark"):
                st.query_params.pop(key, None)
            st.query_params["report"] = str(stored.superseded_by)
            st.rerun()


def main() -> None:
    """The page; with ``?report=`` one report, with ``?finding=`` the evidence of one of its citations."""
    opened = current_project()
    page_heading("Overview", opened)
    with guarded("opening the source"):
        open_reader(opened)
    stored = report_in_url(opened)
    if stored is None:
        choose(opened)
    else:
        show(opened, stored)


main()
