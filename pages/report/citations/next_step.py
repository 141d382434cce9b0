"""What to do next with a report, as one line and one button: fetch what it cites, review, show the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from core.records import Finding, StoredReport
from core.workbench.first_steps import NextStep, Step, audit_with_new_sources, next_step
from core.workbench.open_project import OpenProject
from pages.shared.add_sources import show_add
from pages.shared.session import OVERVIEW, REVIEW, go, guarded, leave_notice
from pages.words.starting import fetch_label, step_line


def show_next_step(opened: OpenProject, stored: StoredReport, findings: Sequence[Finding]) -> Sequence[int]:
    """The line and the button for where this report stands; ids of the rows whose sources it offers to fetch."""
    with guarded("finding the next step"):
        standings, jobs = opened.reviews.standing(stored.id).findings, opened.jobs.all(active=True)
        step = next_step(findings, standings, jobs, documents=bool(opened.sources.documents()))
        line = step_line(step)
        if not line:
            return ()
        with st.container(border=True, key="next-step", gap="small"):
            st.text(line)
            with st.container(horizontal=True, vertical_alignment="center"):
                _buttons(opened, stored, step)
            if step.lacking:
                _own_sources(opened, stored)
        return step.fetchable if step.step is Step.SOURCES else ()
    return ()


def _buttons(opened: OpenProject, stored: StoredReport, step: NextStep) -> None:
    waits = step.undecided and step.step is not Step.SOURCES
    if waits and st.button("Review what needs you", type=_kind(step, Step.REVIEW), icon=":material/how_to_reg:"):
        go(REVIEW, report=str(stored.id))
    if (
        step.step is Step.SOURCES
        and step.fetchable
        and st.button(
            fetch_label(step),
            type="primary",
            icon=":material/cloud_download:",
            help="Each address that the report gives is asked for once, from this computer; robots.txt is obeyed.",
        )
    ):
        opened.audits.fetch_cited(stored.id, step.fetchable)
        leave_notice("The cited sources are being fetched; their citations are checked as they come in.")
        st.rerun()
    if step.step not in (Step.SOURCES, Step.WAIT) and st.button(
        "Overview to share", type=_kind(step, Step.OVERVIEW), icon=":material/summarize:"
    ):
        go(OVERVIEW, report=str(stored.id))


def _kind(step: NextStep, when: Step) -> Literal["primary", "secondary"]:
    return "primary" if step.step is when else "secondary"


def _own_sources(opened: OpenProject, stored: StoredReport) -> None:
    with st.expander("Add the sources you have", icon=":material/add_circle:", key="own-sources"):
        st.caption(
            "Files or text of the cited sources. They are recognised by their address, DOI, or title, and the "
            "citations are checked again once they are read."
        )
        show_add(opened, lambda: audit_with_new_sources(opened, stored.id))
