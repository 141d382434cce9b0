"""The web side of the query lab: what would be asked of whom, the search as a job, the hits to tick."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import JobNotFound
from core.labels import JobKind, JobState
from core.records import Job
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.research.queries.web_hits import show_hits
from pages.shared.safe import plain
from pages.shared.session import SETTINGS, guarded, number_in_url


def show_web_plan(opened: OpenProject, queries: Sequence[str]) -> bool:
    """Who would be asked what, or why nobody can be; whether the web can be asked."""
    if off := opened.web.why_off():
        with st.container(horizontal=True, vertical_alignment="center", key="lab-web-off"):
            st.caption(f":material/public_off: {plain(off)}")
            st.page_link(SETTINGS, label="Settings", icon=":material/settings:")
        return False
    st.caption(plain(f"{count_words(len(queries), 'query', 'queries')} for the web. {opened.web.would_send()}"))
    return bool(queries)


def web_job(opened: OpenProject) -> Job | None:
    """The search that the URL names, None when there is none (also for nonsense)."""
    wanted = number_in_url("web")
    if wanted is None:
        return None
    try:
        job = opened.jobs.get(wanted)
    except JobNotFound:
        job = None
    if job is None or job.kind is not JobKind.WEB_SEARCH:
        st.query_params.pop("web", None)
        return None
    return job


def show_web(opened: OpenProject, job: Job) -> None:
    """The hits of a search, or where it stands."""
    if job.state.active:
        st.info("The web is being searched. The hits appear here by themselves.", icon=":material/hourglass_top:")
    elif job.state is JobState.FAILED:
        st.error(plain(job.error or "The search failed."), icon=":material/error:")
    elif job.state is JobState.CANCELLED:
        st.info("The search of the web was stopped. Search again when you want it after all.")
    else:
        with guarded("showing what the web has"):
            show_hits(opened, opened.web.result(job.id), key=f"web-{job.id}")
