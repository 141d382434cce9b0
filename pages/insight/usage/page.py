"""Usage: what this project is asked, how long answers take, what finds nothing, and what it costs."""

from datetime import datetime

import streamlit as st

from core.evaluate.usage import Usage, zone_of
from core.workbench.open_project import OpenProject
from pages.insight.usage.charts import show_answers, show_searches, show_stages
from pages.shared.address import Page, go_button
from pages.shared.keyed_table import show_table
from pages.shared.notices import hint
from pages.shared.safe import plain
from pages.shared.session import current_project, guarded, now, page_heading
from pages.words import usage as wording
from pages.words.llm import page_words


def show_language_models(opened: OpenProject, since: datetime | None, now: datetime) -> None:
    """The part of the page about language models; ``since`` begins the period (None: everything)."""
    st.subheader("Language models")
    status = opened.language_model.status()
    spending = opened.language_model.spending()
    if not spending.calls:
        st.info(
            plain(wording.nothing_words(status)), icon=":material/cloud_off:" if not status.on else ":material/cloud:"
        )
        st.page_link(Page.SETTINGS, label="Language model in the settings", icon=":material/settings:")
        return
    calls = wording.calls_since(opened.language_model.calls(), since)
    st.caption(plain(f"{wording.budget_line(spending)} The budget counts everything since the project began."))
    if status.reason:
        st.caption(f":material/cloud_off: {plain(page_words(status.reason))}")
    if not calls:
        st.caption("No language model was asked in this time.")
        return
    with st.container(horizontal=True, key="usage-llm-totals"):
        st.metric("Calls", f"{len(calls):,}")
        st.metric("First token", wording.first_token_words(calls), help="The usual time until a reply begins (median).")
        st.metric(
            "From the cache",
            wording.cache_words(calls),
            help="The share of the tokens sent that the API still had from an earlier call: cheaper and faster.",
        )
    show_table(wording.task_rows(calls), "Calls of language models by task: tokens, money, times.")
    failures = wording.failure_rows(calls, now)
    if failures["Calls"]:
        st.markdown("**Calls that did not end well**")
        show_table(failures, "Failed calls by how they ended, with the newest message.")


def show_period() -> str:
    """The choice of how far back to look; it stands in the URL."""
    return str(
        st.segmented_control(
            "Look back over",
            list(wording.PERIODS),
            default=wording.USUAL_PERIOD,
            required=True,
            key="period",
            bind="query-params",
        )
    )


def show_totals(usage: Usage) -> None:
    with st.container(horizontal=True, key="usage-totals"):
        st.metric("Searches", f"{usage.searches:,}")
        st.metric("Without a result", f"{usage.empty:,}", help="Searches that found no passage at all.")
        st.metric(
            "From memory",
            f"{usage.cached:,}",
            help="The same question over the same sources is answered from memory, without searching.",
        )
        failed = sum(job.failed for job in usage.jobs)
        st.metric("Failed jobs", f"{failed:,}", help="Work that ended with an error; the table below says which.")


def show_jobs_done(usage: Usage) -> None:
    """The jobs by kind, and the newest failures."""
    st.subheader("Work in the background")
    if not usage.jobs:
        st.caption("No work was asked for in this time.")
        return
    show_table(wording.job_rows(usage.jobs), "Jobs by kind: how many, how they ended, how long.")
    for job in usage.jobs:
        if job.last_error:
            name = wording.job_rows([job])["Work"][0]
            st.caption(f":material/error: {plain(name)}, the newest failure:")
            st.text(job.last_error[:500])


def show_disk(usage: Usage) -> None:
    st.subheader("Space on disk")
    show_table(wording.disk_rows(usage.disk), "Space on disk by what it holds.", wide=False)


def main() -> None:
    opened = current_project()
    page_heading("Usage", opened)
    period = wording.PERIODS.get(show_period(), wording.PERIODS[wording.USUAL_PERIOD])
    usage = opened.usage.over(period, zone_of(st.context.timezone, st.context.timezone_offset))
    st.caption(plain(f"{wording.period_words(usage)} Times are in {wording.zone_words(usage.zone, now())}."))
    if words := wording.log_words(usage):
        st.caption(f":material/info: {plain(words)}")
    show_totals(usage)
    if usage.searches:
        with guarded("painting the searches"):
            show_searches(usage)
        with guarded("painting the times"):
            show_answers(usage)
            show_stages(usage)
    else:
        hint(
            "Nobody searched in this time. Choose a longer one, or ask a question."
            if usage.ever
            else "Nobody has searched here yet. After the first searches you see here how often, how fast, and what "
            "found nothing."
        )
        go_button("Search for evidence", Page.EVIDENCE, icon=":material/manage_search:")
    with guarded("counting the calls of language models"):
        show_language_models(opened, usage.since, now())
    with guarded("counting the work"):
        show_jobs_done(usage)
    with guarded("measuring the disk"):
        show_disk(usage)


main()
