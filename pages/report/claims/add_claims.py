"""Three ways to claims: out of a report, out of pasted text, or typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.labels import ClaimType
from core.records import Claim, StoredReport
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.shared.reports import report_title
from pages.shared.session import CITATIONS, go, guarded, leave_notice
from pages.words.claims import TYPES

WAYS = {
    "Report": ":material/fact_check: From a report",
    "Text": ":material/content_paste: From pasted text",
    "Type": ":material/edit: Type one",
}


def show_add_claims(opened: OpenProject, reports: Sequence[StoredReport]) -> None:
    """Choose a way and add."""
    way = st.segmented_control(
        "How to add claims",
        list(WAYS),
        format_func=lambda one: WAYS[one],
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


def _round() -> int:
    return int(st.session_state.get("claims-round", 0))


def _take(extract: Callable[[], Sequence[Claim]], known: int) -> None:
    with guarded("taking the claims out"):
        with st.spinner("Reading…"):
            found = extract()
        st.session_state["claims-round"] = _round() + 1  # new widget keys: empty fields again
        new = sum(claim.id > known for claim in found)
        again = f" {len(found) - new:,} were here already." if len(found) > new else ""
        worth = sum(claim.check_worthy for claim in found)
        leave_notice(f"{count_words(new, 'claim')} added, {worth:,} of all found worth checking.{again}")
        st.rerun()


def _newest(opened: OpenProject) -> int:
    return max((claim.id for claim in opened.claims.all()), default=0)


def _from_report(opened: OpenProject, reports: Sequence[StoredReport]) -> None:
    if not reports:
        st.text("No report is in this project yet.")
        if st.button("Give a report", icon=":material/fact_check:"):
            go(CITATIONS)
        return
    names = {report.id: report_title(report, 120) for report in reports}
    with st.form("claims-report", border=False):
        chosen = st.selectbox("Report", list(names), format_func=lambda key: names[key])
        if st.form_submit_button("Take its claims out", type="primary", icon=":material/rule:") and chosen is not None:
            _take(lambda: opened.claims.extract(chosen), _newest(opened))


def _from_text(opened: OpenProject) -> None:
    with st.form("claims-text", border=False):
        text = st.text_area("Text", key=f"claims-text-{_round()}", height=180, placeholder="Paste some paragraphs")
        if st.form_submit_button("Take its claims out", type="primary", icon=":material/rule:"):
            _take(lambda: opened.claims.extract_text(text), _newest(opened))


def _typed(opened: OpenProject) -> None:
    with st.form("claims-typed", border=False):
        text = st.text_input(
            "Claim", key=f"claim-typed-{_round()}", placeholder="One statement that sources can confirm or deny"
        )
        names = {"": "As its wording says"} | {kind.value: f"{word}. {needs}" for kind, (word, needs) in TYPES.items()}
        kind = st.selectbox("Type", list(names), format_func=lambda key: names[key])
        if st.form_submit_button("Add and check", type="primary", icon=":material/rule:"):
            with guarded("adding the claim"):
                claim = opened.claims.add(text, ClaimType(kind) if kind else None)
                opened.claims.verify([claim.id])
                st.session_state["claims-round"] = _round() + 1
                leave_notice("The claim is being checked against the sources.")
                st.query_params["claim"] = str(claim.id)
                st.rerun()
