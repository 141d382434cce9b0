"""The evidence of one citation beside the report, to be read: no button here changes anything."""

from __future__ import annotations

import streamlit as st

from core.audit.wording import STATUS, neighbour_ids, siblings, titles_of
from core.records import Finding
from pages.report.overview.rows import Shown
from pages.shared.finding_detail import show_checks, show_passage, show_rescue, show_why
from pages.shared.findings import name_of
from pages.shared.safe import plain, show_evidence
from pages.shared.session import guarded
from pages.words.overview import HOLDINGS, SINGULAR, Holding
from pages.words.overview_rows import standing_line


def show_evidence_panel(shown: Shown, finding: Finding) -> None:
    """What the report says, what the source says, what people decided."""
    opened = shown.opened
    titles = titles_of(opened.sources.documents(superseded=True))
    with st.container(border=True, key="overview-evidence"):
        _heading(shown, finding)
        others = siblings(shown.findings, finding)
        if others:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption("The same sentence also cites")
                for other in others[:12]:
                    if st.button(name_of(other, titles), key=f"sibling-{other.id}", type="tertiary"):
                        _open(other.id)
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
            st.badge(
                SINGULAR[holding].capitalize(),
                icon=f":material/{words.icon}:",
                color=words.color,  # type: ignore[arg-type]
                help=words.help,
            )
        machine = STATUS[finding.status]
        if holding is not Holding.HOLDS or finding.id in shown.standings:
            st.badge(f"Machine: {machine.word}", color="gray", help=machine.help)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _step("Before", before, ":material/navigate_before:")
        _step("After", after, ":material/navigate_next:")
        if st.button("Close", key="evidence-close", icon=":material/close:", type="tertiary"):
            st.query_params.pop("finding", None)
            st.rerun()


def _said(finding: Finding) -> None:
    """The sentence; the paragraph around it stands beside this panel."""
    st.markdown("**What the report says**")
    said = finding.claim_text or finding.reference_text or finding.marker_text
    show_evidence(said, [(0, len(said))])
    with st.container(key="quiet-evidence-marker"):
        st.text(f"Cited as {finding.marker_text}" + (f": {finding.reference_text}" if finding.reference_text else ""))


def _step(label: str, finding_id: int | None, icon: str) -> None:
    pressed = st.button(label, key=f"evidence-{label}", icon=icon, disabled=finding_id is None, type="tertiary")
    if pressed and finding_id is not None:
        _open(finding_id)


def _open(finding_id: int) -> None:
    st.query_params["finding"] = str(finding_id)
    st.rerun()
