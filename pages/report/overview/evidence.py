"""The evidence of one citation beside the report, to be read: no button here changes anything."""

import streamlit as st

from core.audit.wording import STATUS, neighbour_ids, titles_of
from core.records import Finding
from pages.report.overview.rows import Shown
from pages.shared.finding_detail import (
    cited_as,
    show_checks,
    show_passage,
    show_rescue,
    show_siblings,
    show_step,
    show_why,
)
from pages.shared.safe import plain, show_badge, show_evidence
from pages.shared.session import guarded
from pages.words.overview import HOLDINGS, SINGULAR, Holding
from pages.words.overview_rows import standing_line


def show_evidence_panel(shown: Shown, finding: Finding) -> None:
    """The sentence of the report, the words of the source, and the decisions of people."""
    opened = shown.opened
    titles = titles_of(opened.sources.documents(superseded=True))
    with st.container(border=True, key="overview-evidence"):
        _heading(shown, finding)
        show_siblings(finding, shown.findings, titles)
        if line := standing_line(shown.standings.get(finding.id)):
            st.markdown(f":material/person: **{plain(line)}**")
        with guarded("showing the claim"):
            _said(finding)
        with guarded("showing the passage"):
            show_passage(opened, finding, titles)
        show_why(finding)
        if finding.verdict:
            with st.expander("Details compared", icon=":material/rule:"):
                show_checks(finding.verdict)
        with guarded("showing another source"):
            show_rescue(opened, finding)


def _heading(shown: Shown, finding: Finding) -> None:
    holding = shown.holdings.get(finding.id)
    before, after = neighbour_ids(shown.findings, finding.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if holding is None:
            st.badge("Never cited", icon=":material/playlist_remove:", color="gray")
        else:
            words = HOLDINGS[holding]
            show_badge(SINGULAR[holding].capitalize(), words.icon, words.color, words.help)
        machine = STATUS[finding.status]
        if holding is not Holding.HOLDS or finding.id in shown.standings:
            st.badge(f"Machine: {machine.word}", color="gray", help=machine.help)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_step("Before", before, ":material/navigate_before:", "evidence-Before")
        show_step("After", after, ":material/navigate_next:", "evidence-After")
        if st.button("Close", key="evidence-close", icon=":material/close:", type="tertiary"):
            st.query_params.pop("finding", None)
            st.rerun()


def _said(finding: Finding) -> None:
    """The sentence of the report; the paragraph around it stands beside this panel."""
    st.markdown("**What the report says**")
    text = finding.claim_text or finding.reference_text or finding.marker_text
    show_evidence(text, [(0, len(text))])
    with st.container(key="quiet-evidence-marker"):
        st.text(cited_as(finding))
