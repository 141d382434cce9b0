"""The outcome of a report: a sentence, a bar, a few big numbers; what the words mean; a link to pass on."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

import streamlit as st

from core.records import AuditSummary, StoredReport
from core.workbench.open_project import OpenProject
from pages.shared.safe import plain
from pages.shared.session import CITATIONS, EXPORT, go
from pages.words.overview import (
    HOLDINGS,
    Counts,
    Holding,
    holding_words,
    machine_line,
    meaning_lines,
    outcome_sentence,
    people_line,
)


def show_outcome(summary: AuditSummary, counts: Counts) -> None:
    """How many citations hold, in words, as a bar, and in numbers."""
    with st.container(key="overview-outcome", gap="small"):
        st.header(outcome_sentence(counts))
        if counts.total:
            st.html(_bar(counts))
            st.html(_tiles(counts))
            st.text(people_line(counts))
        with st.container(key="quiet-machine"):
            st.text(machine_line(summary))


def _bar(counts: Counts) -> str:
    """Parts as wide as their share; each has its sign, because a colour alone says nothing to some readers."""
    told = ", ".join(
        f"{counts.of(holding):,} {holding_words(holding, counts.of(holding))}" for holding in _there(counts)
    )
    parts = "".join(
        f'<span class="holding-{holding.value}" style="flex-grow:{counts.of(holding)}">{HOLDINGS[holding].sign}</span>'
        for holding in _there(counts)
    )
    return f'<div class="overview-bar" role="img" aria-label="{escape(told)}">{parts}</div>'


def _tiles(counts: Counts) -> str:
    tiles = "".join(
        f'<li class="holding-{one.value}"><b>{counts.of(one):,}</b> '
        f"<span>{HOLDINGS[one].sign} {escape(holding_words(one, counts.of(one)))}</span></li>"
        for one in Holding
        if counts.of(one) or one in (Holding.HOLDS, Holding.FAILS, Holding.OPEN)
    )
    return f'<ul class="overview-tiles">{tiles}</ul>'


def _there(counts: Counts) -> list[Holding]:
    return [one for one in Holding if counts.of(one)]


def show_meanings(threshold: float) -> None:
    """What Pass and Review mean, one line each."""
    with st.container(key="overview-meanings", gap="xxsmall"):
        st.markdown("**What the words of the audit mean**")
        for word, line in meaning_lines(threshold):
            st.caption(f"**{plain(word)}**: {plain(line)}")


def show_link(opened: OpenProject, stored: StoredReport) -> None:
    """The address of this screen, to copy; the full audit; a file for those who cannot reach the address."""
    with st.container(key="overview-links", gap="xsmall"):
        st.markdown("**Pass it on**")
        st.code(address(opened, stored), language=None, wrap_lines=True)
        st.caption(
            "The link opens this screen wherever this workbench can be reached. For others, print the page or export "
            "it as one file that opens offline."
        )
        with st.container(horizontal=True):
            if st.button("Full audit", icon=":material/fact_check:"):
                go(CITATIONS, report=str(stored.id))
            if st.button("Export", icon=":material/ios_share:"):
                go(EXPORT, report=str(stored.id))


def address(opened: OpenProject, stored: StoredReport) -> str:
    """The link to this screen; without its host where the browser's address is not known."""
    base = (st.context.url or "/overview").partition("?")[0].partition("#")[0]
    return f"{base}?{urlencode({'project': opened.project.slug, 'report': stored.id})}"
