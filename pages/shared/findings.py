"""The citations of a report: their summary, the filters, the table."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.audit import wording as audit_words
from core.audit.outcome import Counts, outcome_sentence
from core.labels import Reason
from core.records import AuditSummary, Finding
from core.text.words import count_words
from pages.shared.address import put_in_url
from pages.shared.keyed_table import fit, keyed_table
from pages.shared.safe import plain, show_badge
from pages.shared.session import set_fields

_SOURCE = "cited-source"


def show_summary(summary: AuditSummary, counts: Counts) -> None:
    """The outcome after the machine and the people, then the machine's: by status, and precision and recall in
    words."""
    st.subheader(outcome_sentence(counts))
    with st.container(horizontal=True, key="audit-counts"):
        for status, words in audit_words.STATUS.items():
            count = summary.waiting if status is None else summary.by_status.get(status, 0)
            if count or status is not None:
                show_badge(f"{count:,} {words.word}", words.icon, words.color, words.help)
        if summary.unused_references:
            st.badge(
                f"{count_words(summary.unused_references, 'reference')} never cited",
                icon=":material/playlist_remove:",
                color="gray",
            )
    if lines := audit_words.share_words(summary):
        st.caption(" ".join(lines))


def show_filters(findings: Sequence[Finding], titles: Mapping[str, str]) -> list[Finding]:
    """The rows that pass the filters; every choice stands in the URL."""
    statuses = [status for status in audit_words.STATUS if any(finding.status is status for finding in findings)]
    reasons = [reason for reason in Reason if any(reason in finding.reasons for finding in findings)]
    sources = audit_words.cited_sources(findings, titles)
    by_status: list[str] = []
    by_reason: list[str] = []
    with st.container(horizontal=True, vertical_alignment="bottom", key="audit-filters"):
        if len(statuses) > 1:
            by_status = st.segmented_control(
                "Show",
                [audit_words.status_words(status) for status in statuses],
                selection_mode="multi",
                key="status",
                bind="query-params",
                help="Nothing chosen: all of them.",
            )
        if reasons:
            by_reason = st.multiselect(
                "Reason",
                [audit_words.reason_words(reason) for reason in reasons],
                key="reason",
                bind="query-params",
                placeholder="Any reason",
                width=280,
            )
        source = _source_filter(sources)
    shown = audit_words.chosen(findings, by_status, by_reason, source)
    # Always one line between the filters and the table: the tools of the table float over what is above it.
    with st.container(horizontal=True, vertical_alignment="center"):
        filtered = len(shown) != len(findings)
        words = count_words(len(shown), "row")
        st.caption(f"{words} of {len(findings):,}" if filtered else words, width="content")
        if filtered:
            st.button("Show all", icon=":material/filter_alt_off:", type="tertiary", on_click=clear_filters)
    return shown


def _source_filter(sources: Mapping[str, str]) -> str:
    """The key of the chosen source, "" for all. Held in the URL by hand: it has the key, not the label."""
    wanted = st.query_params.get("source") or ""
    if st.session_state.get(f"{_SOURCE}-seen") != wanted or _SOURCE not in st.session_state:
        st.session_state[_SOURCE] = wanted if wanted in sources else ""
    if st.session_state[_SOURCE] not in sources:
        st.session_state[_SOURCE] = ""
    st.session_state[f"{_SOURCE}-seen"] = wanted
    picked = st.selectbox(
        "Cited source",
        ["", *sources],
        format_func=lambda key: sources.get(key, "") or "All sources",
        key=_SOURCE,
        on_change=_keep_source,
        width=280,
    )
    return picked or ""


def _keep_source() -> None:
    picked = st.session_state[_SOURCE]
    put_in_url("source", picked)
    st.session_state[f"{_SOURCE}-seen"] = picked


def clear_filters() -> None:
    """Callback: no filter, in the form and in the URL."""
    st.session_state[_SOURCE] = ""
    put_in_url("source", "")
    set_fields({"status": [], "reason": []})


def show_table(findings: Sequence[Finding], titles: Mapping[str, str]) -> None:
    """One row a citation; a click opens it below."""
    if not findings:
        st.info("No row passes these filters.", icon=":material/filter_alt_off:")
        return
    rows = [audit_words.finding_row(finding, titles) for finding in findings]
    text = st.column_config.TextColumn
    keyed_table(
        "findings",
        "finding",
        [row.id for row in rows],
        {
            "Status": [row.status for row in rows],
            "Claim": [fit(row.claim, 235, 3) for row in rows],
            "Reason": [fit(row.reason, 145, 3) for row in rows],
            "Support": [audit_words.support_cell(row.support) for row in rows],
            "Cited source": [fit(row.source, 190, 3) for row in rows],
            "Passage": [fit(row.passage, 300, 3) for row in rows],
        },
        {
            "Status": text(width=105),
            "Claim": text(width=200),
            "Reason": text(width=130),
            "Support": text(width=75, alignment="right", help="How surely the source says it, from 0 to 1."),
            "Cited source": text(width=190),
            "Passage": text(width=300),
        },
        "Citations, one a row. A click on a row opens it below the table.",
    )


def name_of(finding: Finding, titles: Mapping[str, str]) -> str:
    """A citation as a short label of a button (Markdown-safe)."""
    words = audit_words.STATUS[finding.status]
    marker = finding.marker_text or finding.reference_label
    return plain(f"{words.sign} {marker or audit_words.source_words(finding, titles)}", 60)
