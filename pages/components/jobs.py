"""Work in progress, polled once a second. Jobs are rows, so this survives a reload and a change of page."""

from __future__ import annotations

import streamlit as st

from core.labels import JobState
from core.model import Job
from core.opened import OpenProject
from core.present import added_words, job_words, progress_words
from pages.components.safe import plain
from pages.components.session import current_project, guarded, now

RECENT_S = 120
_SEEN = "seen-jobs"


def show_jobs(opened: OpenProject) -> None:
    """Running and just-ended jobs. Polls only while something is to do."""
    if opened.jobs(active=True):
        _watch(opened.project.slug)
    else:
        _paint(opened, opened.jobs()[:5])


@st.fragment(run_every="1s")
def _watch(slug: str) -> None:
    with guarded("watching the work"):
        opened = current_project()
        if opened.project.slug != slug:
            return
        jobs = opened.jobs()[:20]
        _paint(opened, jobs)
        # The table below shows what has come in: paint the whole page when a job ends or sources arrive.
        state = [(job.id, job.state.value, job.done if job.kind.value == "add" else 0) for job in jobs]
        before = st.session_state.get(_SEEN)
        st.session_state[_SEEN] = state
        if before is not None and before != state:
            st.rerun(scope="app")


def _paint(opened: OpenProject, jobs: list[Job]) -> None:
    active = [job for job in jobs if job.state.active]
    ended = [job for job in jobs if _just_ended(job)]
    if not active and not ended:
        return
    with st.container(border=True, key="jobs", gap="xsmall"):
        for job in active:
            _paint_active(opened, job)
        for job in ended[:3]:
            _paint_ended(job)


def _just_ended(job: Job) -> bool:
    return job.finished is not None and (now() - job.finished).total_seconds() < RECENT_S


def _paint_active(opened: OpenProject, job: Job) -> None:
    bar, button = st.columns([6, 1], vertical_alignment="center")
    words = " · ".join(filter(None, [job_words(job), progress_words(job)]))
    bar.progress(job.fraction or 0.0, text=plain(words, 140))
    if button.button(
        "Stop", key=f"stop-{job.id}", icon=":material/stop_circle:", disabled=job.cancel_requested, width="stretch"
    ):
        opened.cancel(job.id)
        st.rerun()


def _paint_ended(job: Job) -> None:
    if job.state is JobState.DONE:
        outcome = added_words(job)
        if job.kind.value == "encode":
            return
        problems = job.result.get("problems")
        st.caption(":material/check_circle: " + plain(" · ".join(filter(None, [job_words(job), outcome])), 160))
        for line in list(problems)[:5] if isinstance(problems, (list, tuple)) else []:
            st.text(str(line))
    elif job.state is JobState.CANCELLED:
        st.caption(f":material/block: {plain(job_words(job))}. What was finished before stays.")
    else:
        st.error(plain(f"{job_words(job)}. {job.error or ''}"), icon=":material/error:")
