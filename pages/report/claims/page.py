"""Claims: what is said, and what all the sources of the project say about it."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.audit.wording import titles_of
from core.errors import ClaimNotFound
from core.labels import ClaimType, JobKind
from core.records import Claim, StoredReport
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.report.claims.table import show_filters, show_list, show_matrix
from pages.shared.address import Page, go_button, number_in_url, turn_to
from pages.shared.claim_detail import show_claim
from pages.shared.jobs import show_jobs
from pages.shared.notices import hint, leave_notice, rerun_with
from pages.shared.reports import report_title
from pages.shared.safe import plain
from pages.shared.session import current_project, form_round, guarded, next_round, page_heading
from pages.shared.source_view import open_reader
from pages.words.claims import TYPES, claims_headline, to_verify

WAYS = {
    "Report": ":material/fact_check: From a report",
    "Text": ":material/content_paste: From pasted text",
    "Type": ":material/edit: Type one",
}

LIST, MATRIX = "List", "Claims by sources"


def show_add_claims(opened: OpenProject, reports: Sequence[StoredReport]) -> None:
    """The ways to add claims: from a report, from pasted text, typed."""
    way = st.segmented_control(
        "How to add claims",
        list(WAYS),
        format_func=lambda key: WAYS[key],
        default="Report" if reports else "Text",
        required=True,
        key="claims-way",
        label_visibility="collapsed",
    )
    if way == "Report":
        _from_report(opened, reports)
    elif way == "Text":
        _from_text(opened)
    else:
        _typed(opened)


def _take(extract: Callable[[], Sequence[Claim]], newest_before: int) -> None:
    with guarded("taking the claims out"):
        with st.spinner("Reading…"):
            claims = extract()
        next_round("claims")
        new = sum(claim.id > newest_before for claim in claims)
        again = f" {len(claims) - new:,} were here already." if len(claims) > new else ""
        worth = sum(claim.check_worthy for claim in claims)
        rerun_with(f"{count_words(new, 'claim')} added, {worth:,} of all found worth checking.{again}")


def _newest(opened: OpenProject) -> int:
    return max((claim.id for claim in opened.claims.all()), default=0)


def _from_report(opened: OpenProject, reports: Sequence[StoredReport]) -> None:
    if not reports:
        st.text("No report is in this project yet.")
        go_button("Give a report", Page.CITATIONS, icon=":material/fact_check:")
        return
    names = {report.id: report_title(report, 120) for report in reports}
    with st.form("claims-report", border=False):
        chosen = st.selectbox("Report", list(names), format_func=lambda key: names[key])
        if st.form_submit_button("Take its claims out", type="primary", icon=":material/rule:") and chosen is not None:
            _take(lambda: opened.claims.extract(chosen), _newest(opened))


def _from_text(opened: OpenProject) -> None:
    with st.form("claims-text", border=False):
        text = st.text_area(
            "Text", key=f"claims-text-{form_round('claims')}", height=180, placeholder="Paste some paragraphs"
        )
        if st.form_submit_button("Take its claims out", type="primary", icon=":material/rule:"):
            _take(lambda: opened.claims.extract_text(text), _newest(opened))


def _typed(opened: OpenProject) -> None:
    with st.form("claims-typed", border=False):
        text = st.text_input(
            "Claim",
            key=f"claim-typed-{form_round('claims')}",
            placeholder="One statement that sources can confirm or deny",
        )
        names = {"": "As its wording says"} | {kind.value: f"{word}. {needs}" for kind, (word, needs) in TYPES.items()}
        kind = st.selectbox("Type", list(names), format_func=lambda key: names[key])
        if st.form_submit_button("Add and check", type="primary", icon=":material/rule:"):
            with guarded("adding the claim"):
                claim = opened.claims.add(text, ClaimType(kind) if kind else None)
                opened.claims.verify([claim.id])
                next_round("claims")
                leave_notice("The claim is being checked against the sources.")
                turn_to("claim", str(claim.id))


def overview(opened: OpenProject, report: StoredReport | None) -> None:
    """The form for claims, work in progress, the claims, and the claim looked at."""
    reports = opened.audits.reports()
    claims = opened.claims.all(report_id=report.id if report else None)
    with st.expander("Add claims", expanded=not claims, icon=":material/add_circle:", key="add-claims-panel"):
        show_add_claims(opened, reports)
    show_jobs(opened, ended=(JobKind.VERIFY,))
    if not opened.sources.documents():
        st.info("No source is stored yet: claims can be collected, and checked when sources are here.")
        go_button("Add sources", Page.SOURCES, icon=":material/add:")
    if report is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(f"Only of “{plain(report_title(report, 80))}”", icon=":material/fact_check:", color="gray")
            if st.button("All claims", type="tertiary", icon=":material/filter_alt_off:"):
                turn_to("report", "")
    if not claims:
        hint("No claim is here yet. Take them out of a report, or type one above; then ask all sources about it.")
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
                rerun_with("The claims are being checked; verdicts appear as they come.")


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
