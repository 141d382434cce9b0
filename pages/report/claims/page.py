"""Claims: what is said, and what all the sources of the project say about it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.audit.wording import titles_of
from core.errors import ClaimNotFound
from core.labels import JobKind
from core.records import Claim, StoredReport
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.report.claims.add_claims import show_add_claims
from pages.report.claims.table import show_filters, show_list, show_matrix
from pages.shared.claim_detail import show_claim
from pages.shared.jobs import show_jobs
from pages.shared.reader import open_reader
from pages.shared.reports import report_title
from pages.shared.safe import plain
from pages.shared.session import SOURCES, current_project, go, guarded, leave_notice, number_in_url, page_heading
from pages.words.claims import claims_headline, to_verify

LIST, MATRIX = "List", "Claims by sources"


def overview(opened: OpenProject, report: StoredReport | None) -> None:
    """Adding, work in progress, the claims, the one looked at."""
    reports = opened.audits.reports()
    claims = opened.claims.all(report_id=report.id if report else None)
    with st.expander("Add claims", expanded=not claims, icon=":material/add_circle:", key="add-claims-panel"):
        show_add_claims(opened, reports)
    show_jobs(opened, ended=(JobKind.VERIFY,))
    if not opened.sources.documents():
        st.info("No source is stored yet: claims can be collected, and checked when sources are here.")
        if st.button("Add sources", icon=":material/add:"):
            go(SOURCES)
    if report is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(f"Only of “{plain(report_title(report, 80))}”", icon=":material/fact_check:", color="gray")
            if st.button("All claims", type="tertiary", icon=":material/filter_alt_off:"):
                st.query_params.pop("report", None)
                st.rerun()
    if not claims:
        st.info(
            "No claim is here yet. Take them out of a report, or type one above; then ask all sources about it.",
            icon=":material/lightbulb:",
        )
        return
    _top(opened, claims)
    shown = show_filters(claims)
    view = st.segmented_control(
        "View",
        [LIST, MATRIX],
        default=LIST,
        required=True,
        key="view",
        bind="query-params",
        label_visibility="collapsed",
    )
    with guarded("painting the table"):
        if view == MATRIX:
            show_matrix(opened.claims.matrix(report_id=report.id if report else None), shown)
        else:
            show_list(shown)
    with guarded("showing the claim"):
        _detail(opened)


def _top(opened: OpenProject, claims: Sequence[Claim]) -> None:
    waiting = to_verify(claims)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader(claims_headline(claims))
        if waiting and st.button(
            f"Check {count_words(len(waiting), 'claim')}", type="primary", icon=":material/rule:", key="verify-all"
        ):
            with guarded("asking for a check"):
                opened.claims.verify(waiting)
                leave_notice("The claims are being checked; verdicts appear as they come.")
                st.rerun()


def _detail(opened: OpenProject) -> None:
    wanted = number_in_url("claim")
    if wanted is None:
        st.caption("Click a row to see what the sources say, word for word.")
        return
    try:
        claim = opened.claims.get(wanted)
    except ClaimNotFound:
        st.query_params.pop("claim", None)
        st.warning("This project has no such claim. It may have been deleted.")
        return
    show_claim(opened, claim, titles_of(opened.sources.documents(superseded=True)))


def main() -> None:
    """The page; with ``?report=`` the claims of one report, with ``?claim=`` one of them open."""
    opened = current_project()
    page_heading("Claims", opened)
    with guarded("opening the source"):
        open_reader(opened)
    wanted = number_in_url("report")
    report = next((report for report in opened.audits.reports(superseded=True) if report.id == wanted), None)
    if wanted is not None and report is None:
        st.query_params.pop("report", None)
        st.warning("This project has no such report. These are the claims of all reports.")
    overview(opened, report)


main()
