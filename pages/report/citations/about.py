"""What a report comes to, and the next step with it: the pane beside the report while no citation is looked at."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from core.audit.outcome import Counts, outcome_sentence
from core.audit.wording import may_be_fetched, share_words, source_key
from core.records import Finding, StoredReport
from core.text.words import count_words
from core.workbench.first_steps import NextStep, Step, audit_with_new_sources, next_step
from core.workbench.open_project import OpenProject
from pages.shared.add_sources import show_add
from pages.shared.address import Page, go
from pages.shared.heat import show_legend
from pages.shared.notices import hint, rerun_with
from pages.shared.reports import origin_words, warn
from pages.shared.session import guarded
from pages.words.report import fetch_label, step_line


def show_about(opened: OpenProject, stored: StoredReport, findings: Sequence[Finding], counts: Counts) -> None:
    """The outcome in one sentence, the next step, what the colours mean, and what reading it left open."""
    with st.container(height=640, border=True, key="about-report", gap="small"):
        st.subheader(outcome_sentence(counts))
        if not findings:
            hint(
                "No citation was found in it. Citations look like [1], [^1], (Smith, 2020), or a link; give the "
                "version that has them."
            )
        # A place of its own for each part, so that a form in it is not made anew when a part above comes or goes.
        with st.container():
            offered = _next_step(opened, stored, findings)
        if findings:
            st.text("Click a coloured passage of the report to see the words that decide.")
            with guarded("explaining the colours"):
                show_legend()
        with st.container(horizontal=True, key="audit-actions"), guarded("asking for another check"):
            _actions(opened, stored, findings, offered)
        with st.container():
            warn(stored)
        with guarded("counting"):
            summary = opened.audits.summary(stored.id)
            lines = share_words(summary)
            if summary.unused_references:
                verb = "is" if summary.unused_references == 1 else "are"
                lines.append(f"{count_words(summary.unused_references, 'reference')} {verb} listed and never cited.")
            st.caption(" ".join(lines))
        with st.container(key="quiet-report"):
            st.text(origin_words(stored))


def _next_step(opened: OpenProject, stored: StoredReport, findings: Sequence[Finding]) -> Sequence[int]:
    """The line and the buttons for the next step with this report. Returns the ids of the rows whose sources it offers
    to fetch."""
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
            if step.missing:
                _own_sources(opened, stored)
        return step.fetchable if step.step is Step.SOURCES else ()
    return ()


def _buttons(opened: OpenProject, stored: StoredReport, step: NextStep) -> None:
    waits = step.undecided and step.step is not Step.SOURCES
    if waits and st.button("Review what needs you", type=_kind(step, Step.REVIEW), icon=":material/how_to_reg:"):
        go(Page.REVIEW, report=str(stored.id))
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
        rerun_with("The cited sources are being fetched; their citations are checked as they come in.")
    if step.step not in (Step.SOURCES, Step.WAIT) and st.button(
        "Overview to share", type=_kind(step, Step.OVERVIEW), icon=":material/summarize:"
    ):
        go(Page.OVERVIEW, report=str(stored.id))


def _kind(step: NextStep, when: Step) -> Literal["primary", "secondary"]:
    return "primary" if step.step is when else "secondary"


def _own_sources(opened: OpenProject, stored: StoredReport) -> None:
    with st.expander("Add the sources you have", icon=":material/add_circle:", key="own-sources"):
        st.caption(
            "Files or text of the cited sources. They are recognised by their address, DOI, or title, and the "
            "citations are checked again once they are read."
        )
        show_add(opened, lambda: audit_with_new_sources(opened, stored.id))


def _actions(opened: OpenProject, stored: StoredReport, findings: Sequence[Finding], offered: Sequence[int]) -> None:
    """The buttons for the whole report. ``offered`` are rows whose sources can be fetched by a button above."""
    lacking = [finding for finding in findings if may_be_fetched(finding) and finding.id not in offered]
    if lacking and st.button(
        f"Fetch {count_words(len(set(map(source_key, lacking))), 'missing source')} and check again",
        icon=":material/cloud_download:",
        help="Only the rows that lack their source are checked again.",
    ):
        opened.audits.fetch_cited(stored.id, [finding.id for finding in lacking])
        rerun_with("The missing sources are being fetched; their rows are checked again as they come in.")
