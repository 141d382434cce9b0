"""The citations of a report: chips with their counts, the filters, the table."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.audit import wording as audit_words
from core.audit.outcome import Counts, Holding
from core.audit.outcome_words import HOLDINGS
from core.labels import Reason
from core.records import Finding
from core.text.words import count_words
from pages.shared.address import put_in_url, query_with
from pages.shared.in_view import bring_into_view
from pages.shared.safe import TableRow, plain, table_html
from pages.shared.session import set_fields
from pages.words.audit import COLUMNS, audit_row, in_order, outcome_words

_SOURCE, _OUTCOME = "cited-source", "outcome-chips"
_ROWS_AT_ONCE = 200


def show_chips(counts: Counts) -> list[Holding]:
    """How many citations came out how, as chips that filter; the outcomes chosen. They stand in the URL by their names
    in data, since the words on the chips have numbers in them."""
    there = [holding for holding in HOLDINGS if counts.of(holding)]
    wanted = (st.query_params.get("outcome") or "").split(",")
    st.session_state[_OUTCOME] = [holding for holding in there if holding.value in wanted]
    if len(there) < 2:
        put_in_url("outcome", "")
    return st.pills(
        "Show only",
        there,
        selection_mode="multi",
        format_func=lambda holding: f"{outcome_words(holding)} {counts.of(holding):,}",
        wrap=True,
        key=_OUTCOME,
        label_visibility="collapsed",
        on_change=_keep_outcomes,
    )


def _keep_outcomes() -> None:
    put_in_url("outcome", ",".join(holding.value for holding in st.session_state[_OUTCOME]))


def show_filters(findings: Sequence[Finding], titles: Mapping[str, str]) -> list[Finding]:
    """The rows that pass the filters by reason and source; every choice stands in the URL."""
    reasons = [reason for reason in Reason if any(reason in finding.reasons for finding in findings)]
    by_reason: list[str] = []
    with st.popover("Filter", icon=":material/filter_alt:"):
        if reasons:
            by_reason = st.multiselect(
                "Reason",
                [audit_words.reason_words(reason) for reason in reasons],
                key="reason",
                bind="query-params",
                placeholder="Any reason",
            )
        source = _source_filter(audit_words.cited_sources(findings, titles))
    return audit_words.chosen(findings, by_reason, source)


def show_how_many(shown: int, total: int) -> None:
    """How many rows the filters leave, and the way back to all; nothing while they leave all."""
    if shown != total:
        st.caption(f"{shown:,} of {count_words(total, 'row')}", width="content")
        st.button("Show all", icon=":material/filter_alt_off:", type="tertiary", on_click=clear_filters)


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
    put_in_url("outcome", "")
    set_fields({"reason": []})


def sorted_rows(
    findings: Sequence[Finding], holdings: Mapping[int, Holding], titles: Mapping[str, str]
) -> list[Finding]:
    """The rows in the order that the address asks for (``?sort=``)."""
    return in_order(findings, holdings, titles, st.query_params.get("sort") or "")


def show_table(
    findings: Sequence[Finding], holdings: Mapping[int, Holding], titles: Mapping[str, str], current: int | None
) -> None:
    """One row a citation, in whole words; a click opens it beside the table, a click on a name of a column sorts."""
    if not findings:
        st.info("No row passes these filters.", icon=":material/filter_alt_off:")
        return
    part = 1
    if (parts := -(-len(findings) // _ROWS_AT_ONCE)) > 1:
        st.session_state.setdefault("rows-part", 1)
        part = min(parts, int(st.pagination(parts, key="rows-part", max_visible_pages=5)))
    rows = [audit_row(finding, holdings.get(finding.id), titles) for finding in findings]
    with st.container(height=640, border=True, key="rows"):
        body = table_html(
            [_head(column, name) for column, name in COLUMNS.items()],
            [
                TableRow(
                    query_with(finding=str(row.id)),
                    (row.claim, row.outcome, row.why, row.source, row.sure),
                    current=row.id == current,
                )
                for row in rows[(part - 1) * _ROWS_AT_ONCE : part * _ROWS_AT_ONCE]
            ],
        )
        st.html(body)
    bring_into_view(("rows", current, part, st.query_params.get("sort")))


def _head(column: str, name: str) -> tuple[str, str, str]:
    """The name of a column, the query that sorts by it (again: the other way round), and how it is sorted now."""
    sort = st.query_params.get("sort") or "place"
    now = {column: "ascending", f"-{column}": "descending"}.get(sort, "")
    return name, query_with(sort=f"-{column}" if now == "ascending" else column), now


def name_of(finding: Finding, titles: Mapping[str, str]) -> str:
    """A citation as a short label of a button (Markdown-safe)."""
    words = audit_words.STATUS[finding.status]
    marker = finding.marker_text or finding.reference_label
    return plain(f"{words.sign} {marker or audit_words.source_words(finding, titles)}", 60)
