"""Work in progress, polled once a second. Jobs are rows, so this survives a reload and a change of page."""

from collections.abc import Collection, Mapping

import streamlit as st

from core.errors import ProjectNotFound
from core.labels import JobKind, JobState
from core.records import Job
from core.text.words import ended_words, job_words, progress_words
from core.workbench.open_project import OpenProject
from pages.shared.reports import report_title
from pages.shared.safe import plain
from pages.shared.session import guarded, now, this_project

RECENT_S = 120
_SHOWN_ELSEWHERE = (
    JobKind.ENCODE, JobKind.INDEX_LATE, JobKind.EXPAND, JobKind.WEB_SEARCH, JobKind.ASK, JobKind.CHECK,
)  # fmt: skip
_ALL_AT_ONCE = (JobKind.ENCODE, JobKind.RECHUNK, JobKind.INDEX_LATE)
"""Kinds of which each job does all that there is to do."""
_SHOWN_AS_THEY_COME = (JobKind.ADD, JobKind.AUDIT, JobKind.CITED_SOURCES, JobKind.VERIFY)


def show_jobs(
    opened: OpenProject,
    *,
    ended: Collection[JobKind] = tuple(JobKind),
    active: Collection[JobKind] = tuple(JobKind),
    report: int | None = None,
) -> None:
    """Running and just-ended jobs; looks again every second while something is to do, else every few seconds, so that
    what another visitor adds is seen here too. ``ended``: kinds whose end is told; a page names those that belong to
    it. ``active``: kinds that are shown while they wait and run. ``report``: the one that the page is about; the end of
    work on another one is not told there. Their place is there without jobs too, so that what stands below is not made
    anew when they end."""
    seen = _Seen(opened, ended, active, report)
    watch = _watch if any(job.state.active for job in seen.jobs) else _wait
    with st.container(key="place-of-jobs"):
        watch(seen)


class _Seen:
    """The jobs as they were when the whole page was painted; ``fresh`` until the first look."""

    def __init__(
        self, opened: OpenProject, ended: Collection[JobKind], active: Collection[JobKind], report: int | None = None
    ) -> None:
        self.opened, self._report = opened, report
        self._kinds = {True: frozenset(active), False: frozenset(ended)}
        self.jobs = self.of(opened)
        self.fresh = True

    def of(self, opened: OpenProject) -> list[Job]:
        """The newest jobs that this panel shows."""
        kinds = self._kinds[True] | self._kinds[False]
        return [job for job in opened.jobs.all()[:20] if job.kind in kinds and (job.state.active or self._is_own(job))]

    def _is_own(self, job: Job) -> bool:
        return self._report is None or job.payload.get("report") in (None, self._report)

    def paint(self, jobs: list[Job]) -> None:
        """Paint the jobs that run, then those that have just ended."""
        _paint(self.opened, [job for job in _unmended(jobs) if job.kind in self._kinds[job.state.active]])


@st.fragment(run_every="1s")
def _watch(seen: _Seen) -> None:
    with guarded("watching the work"):
        _look(seen)


@st.fragment(run_every="4s")
def _wait(seen: _Seen) -> None:
    with guarded("watching the work"):
        _look(seen)


def _look(seen: _Seen) -> None:
    """Paint the jobs; paint the whole page when one begins or ends, when sources have come in, or when the project
    was deleted elsewhere (the page then says so)."""
    if seen.fresh:
        # Painting anew from inside a run of the whole page would lose the click that caused that run.
        seen.fresh = False
        seen.paint(seen.jobs)
        return
    try:
        opened = this_project()  # renamed, archived, or made anew meanwhile, it was opened anew
    except ProjectNotFound:
        st.rerun(scope="app")
    seen.opened = opened
    jobs = seen.of(opened)
    seen.paint(jobs)
    if _outline(jobs) != _outline(seen.jobs):
        st.rerun(scope="app")


def _outline(jobs: list[Job]) -> list[tuple[int, str, int]]:
    return [(job.id, job.state.value, _step(job)) for job in jobs]


def _step(job: Job) -> int:
    """The progress of a job in twentieths where its results are on the page: tables grow in steps, not with each of a
    thousand rows."""
    if job.kind not in _SHOWN_AS_THEY_COME or not job.total:
        return 0
    return job.done * 20 // job.total


def _paint(opened: OpenProject, jobs: list[Job]) -> None:
    active = [job for job in jobs if job.state.active]
    ended = [job for job in jobs if _just_ended(job) and not _quiet(job)]
    if not active and not ended:
        return
    titles = {report.id: report_title(report) for report in opened.audits.reports()}
    with st.container(border=True, key="jobs", gap="xsmall"):
        for job in active:
            _paint_active(opened, job, job_words(job, _title(job, titles)))
        for job in ended[:3]:
            _paint_ended(job, job_words(job, _title(job, titles)))


def _title(job: Job, titles: Mapping[int, str]) -> str:
    """The title of the report that the job is about, "" without one."""
    report = job.payload.get("report")
    return titles.get(report, "") if isinstance(report, int) else ""


def _unmended(jobs: list[Job]) -> list[Job]:
    """The jobs, newest first, without those whose work a later job of the same kind has taken up again."""
    latest = {job.kind: job.id for job in reversed(jobs)}
    return [job for job in jobs if job.kind not in _ALL_AT_ONCE or job.id == latest[job.kind]]


def _just_ended(job: Job) -> bool:
    return job.finished is not None and abs((now() - job.finished).total_seconds()) < RECENT_S


def _quiet(job: Job) -> bool:
    """True for a job that went well and whose end needs no words: nobody asked for it, or its page shows the result."""
    return job.kind in _SHOWN_ELSEWHERE and job.state is JobState.DONE


def _paint_active(opened: OpenProject, job: Job, name: str) -> None:
    bar, button = st.columns([6, 1], vertical_alignment="center")
    words = " · ".join(filter(None, [name, progress_words(job)]))
    bar.progress(job.fraction or 0.0, text=plain(words, 140))
    if button.button(
        "Stop", key=f"stop-{job.id}", icon=":material/stop_circle:", disabled=job.cancel_requested, width="stretch"
    ):
        opened.jobs.cancel(job.id)
        st.rerun()


def _paint_ended(job: Job, name: str) -> None:
    if job.state is JobState.DONE:
        outcome = ended_words(job)
        problems = job.result.get("problems")
        st.caption(":material/check_circle: " + plain(" · ".join(filter(None, [name, outcome])), 160))
        for line in list(problems)[:5] if isinstance(problems, (list, tuple)) else []:
            st.text(str(line))
    elif job.state is JobState.CANCELLED:
        st.caption(f":material/block: {plain(name)}. What was finished before stays.")
    else:
        st.error(plain(f"{name}. {job.error or ''}"), icon=":material/error:")
