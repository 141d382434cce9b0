"""Overview: one report on one screen, for someone who only wants to know what holds. Nothing can be changed here."""

from html import escape
from urllib.parse import urlencode

import streamlit as st

from core.audit import outcome
from core.audit.outcome_words import HOLDINGS, holding_words
from core.records import AuditSummary, StoredReport
from core.workbench.open_project import OpenProject
from pages.report.overview import rows as overview_rows
from pages.shared.address import Page, go_button, number_in_url, turn_to
from pages.shared.heat import show_heat, show_legend
from pages.shared.notices import hint
from pages.shared.reports import origin_words, report_in_url, report_title, show_superseded
from pages.shared.safe import plain, show_heading
from pages.shared.session import current_project, guarded, page_heading
from pages.shared.share import PARAM, READ, reading, share_button
from pages.shared.source_view import open_reader
from pages.words import overview as wording
from pages.words.overview_rows import reshaded


def show_outcome(summary: AuditSummary, counts: outcome.Counts) -> None:
    """The number of citations that hold, in words, as a bar, and in tiles."""
    with st.container(key="overview-outcome", gap="small"):
        st.header(outcome.outcome_sentence(counts))
        if counts.total:
            st.html(_bar(counts))
            st.html(_tiles(counts))
            st.text(wording.people_line(counts))
        with st.container(key="quiet-machine"):
            st.text(wording.machine_line(summary))


def _bar(counts: outcome.Counts) -> str:
    """Parts as wide as their share; each has its sign, because a colour alone says nothing to some readers."""
    label = ", ".join(
        f"{counts.of(holding):,} {holding_words(holding, counts.of(holding))}" for holding in _there(counts)
    )
    parts = "".join(
        f'<span class="holding-{holding.value}" style="flex-grow:{counts.of(holding)}">{HOLDINGS[holding].sign}</span>'
        for holding in _there(counts)
    )
    return f'<div class="overview-bar" role="img" aria-label="{escape(label)}">{parts}</div>'


def _tiles(counts: outcome.Counts) -> str:
    tiles = "".join(
        f'<li class="holding-{holding.value}"><b>{counts.of(holding):,}</b> <span>{HOLDINGS[holding].sign} '
        f"{escape(holding_words(holding, counts.of(holding)))}</span></li>"
        for holding in outcome.Holding
        if counts.of(holding) or holding in (outcome.Holding.HOLDS, outcome.Holding.FAILS, outcome.Holding.OPEN)
    )
    return f'<ul class="overview-tiles">{tiles}</ul>'


def _there(counts: outcome.Counts) -> list[outcome.Holding]:
    return [holding for holding in outcome.Holding if counts.of(holding)]


def show_meanings(threshold: float) -> None:
    """The meaning of Pass and Review, one line each."""
    with st.container(key="overview-meanings", gap="xxsmall"):
        st.markdown("**What the words of the audit mean**")
        for word, line in wording.meaning_lines(threshold):
            st.caption(f"**{plain(word)}**: {plain(line)}")


def show_link(opened: OpenProject, stored: StoredReport) -> None:
    """The address of this screen for readers, to copy, and the ways to the full audit and the export."""
    with st.container(key="overview-links", gap="xsmall"):
        st.markdown("**Pass it on**")
        st.code(address(opened, stored), language=None, wrap_lines=True)
        st.caption(
            "The link opens this screen for readers, without the menu, wherever this workbench can be reached. For "
            "others, share the page as one file that opens offline, or print it."
        )
        with st.container(horizontal=True):
            go_button("Full audit", Page.CITATIONS, icon=":material/fact_check:", report=str(stored.id))
            go_button("Export", Page.EXPORT, icon=":material/ios_share:", report=str(stored.id))


def address(opened: OpenProject, stored: StoredReport) -> str:
    """The link to this screen without menu; without its host where the browser's address is not known."""
    base = (st.context.url or "/overview").partition("?")[0].partition("#")[0]
    return f"{base}?{urlencode({'project': opened.project.slug, 'report': stored.id, PARAM: READ})}"


def choose(opened: OpenProject) -> None:
    """The choice of a report where the URL names none: the only one opens at once, else a list is shown."""
    reports = opened.audits.reports()
    if not reports:
        hint("No report has been checked in this project yet.")
        go_button("Check a report", Page.CITATIONS, type="primary", icon=":material/fact_check:")
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
                st.text(outcome.outcome_sentence(outcome.counts_of(opened.audits.findings(report.id), standings)))
            if st.button("Open", key=f"open-overview-{report.id}", type="primary", icon=":material/summarize:"):
                turn_to("report", str(report.id))


def show(opened: OpenProject, stored: StoredReport) -> None:
    """One report: the outcome, the citations that do not hold, the report in colour, the evidence of the sentence
    looked at."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(key="quiet-overview-title", gap="xxsmall"):
            show_heading(report_title(stored), 2)
            st.text(origin_words(stored))
        share_button(opened, stored, key="overview-share")
    show_superseded(stored, ("finding", "doc", "passage", "mark"))
    findings = opened.audits.findings(stored.id)
    standings = opened.reviews.standing(stored.id).findings
    shown = overview_rows.Shown(opened, stored, findings, outcome.holdings_of(findings, standings), standings)
    with guarded("counting"):
        show_outcome(opened.audits.summary(stored.id), outcome.counts_of(findings, standings))
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
            overview_rows.show_for_print(shown, "What does not hold", overview_rows.FAILING_FIRST)
        if current is not None:
            with guarded("showing the evidence"):
                overview_rows.show_evidence_panel(shown, current)
        else:
            with guarded("listing what does not hold"):
                overview_rows.show_failing(shown)
            with guarded("showing what people decided"):
                overview_rows.show_decisions(shown)
            show_meanings(opened.reviews.threshold.current())
            if not reading():
                show_link(opened, stored)
    with coloured, guarded("painting the report"), st.container(key="heat-panel"):
        show_legend()
        at = current.claim or current.marker or current.reference if current else None
        heat = reshaded(opened.audits.heat(stored.id), shown.holdings, standings)
        read = opened.audits.read(stored.id)
        show_heat(read, heat, current.id if current else None, at[0] if at else None)
    with guarded("preparing the printed pages"):
        overview_rows.show_for_print(shown, "The other citations", overview_rows.THE_REST)


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
