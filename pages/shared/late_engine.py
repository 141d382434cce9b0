"""Which engine compares word by word in the open project: how it stands, the choice, what it causes, its index."""

from __future__ import annotations

import streamlit as st

from core.late.choice import CHOICES, LateState
from core.records import Job
from core.workbench.open_project import OpenProject
from pages.shared.jobs import show_jobs
from pages.shared.safe import plain
from pages.shared.session import SETTINGS, guarded, leave_notice, now
from pages.words.late_page import (
    ABOUT,
    ENGINES,
    LATE_JOBS,
    NEEDS,
    build_label,
    built_words,
    chosen_words,
    index_line,
    option_hints,
    option_name,
    rebuild_line,
    standing,
    use_label,
)
from pages.words.llm import page_words

_PANEL = "late-engine-panel"


def show_late_engine(opened: OpenProject, *, with_jobs: bool = False) -> None:
    """How it stands, the choice with what it would cause, the index, and the work on it (``with_jobs``)."""
    state = opened.late_state()
    under_way = [job for job in opened.jobs(active=True) if job.kind in LATE_JOBS]
    stands = standing(state, under_way)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="late-standing"):
        st.badge(stands.badge, icon=f":material/{stands.icon}:", color=stands.color)  # type: ignore[arg-type]
        st.caption(plain(stands.says))
    if state.engine == "ragatouille":
        _show_index(opened, state, under_way)
    elif line := index_line(state, now()):
        st.caption(plain(line))
    if with_jobs:  # the error of a build that would end the same way again stands above
        show_jobs(opened, active=LATE_JOBS, ended=() if state.failed else LATE_JOBS)
    _choose(opened, state)


def show_late_panel(opened: OpenProject) -> None:
    """The same, folded, for a page of searches."""
    name = ENGINES[opened.settings.models.late_engine]
    panel = st.popover(f"Word by word: {name}", icon=":material/compare_arrows:", key=_PANEL, on_change="rerun")
    if panel.open:
        with panel, guarded("looking at the engines"):
            show_late_engine(opened)
            st.page_link(
                SETTINGS,
                label="More in the settings",
                icon=":material/settings:",
                query_params={"project": opened.project.slug},
            )


def _show_index(opened: OpenProject, state: LateState, under_way: list[Job]) -> None:
    for line in (index_line(state, now()), rebuild_line(state)):
        if line:
            st.caption(plain(line))
    if state.problem:
        _missing(state)
        return
    if under_way:
        return
    if state.failed:
        st.error(
            plain(f"The index could not be built. {page_words(state.failed)} Mend that, then build it again."),
            icon=":material/error:",
        )
    if state.warning:
        st.warning(plain(state.warning), icon=":material/schedule:")
    if st.button(
        build_label(state),
        key="late-build",
        icon=":material/build_circle:",
        help="In the background; searches go on meanwhile.",
    ):
        with guarded("asking for the index"):
            opened.index_late()
            leave_notice(built_words(state))
            st.rerun()


def _choose(opened: OpenProject, state: LateState) -> None:
    # The key holds what was chosen: a choice made elsewhere fills the list anew.
    key = f"late-engine-{opened.project.slug}-{state.chosen}"
    choice = st.radio(
        "Engine of this project",
        CHOICES,
        index=CHOICES.index(state.chosen),
        format_func=lambda one: option_name(one, state),
        captions=[plain(hint) for hint in option_hints(state)],
        key=key,
        help=ABOUT,
    )
    if choice == state.chosen:
        return
    with st.container(border=True, key="late-effects", gap="small"):
        possible = choice != "ragatouille" or not state.problem
        if possible:
            _show_effects(opened, state, choice)
        else:
            _missing(state)
        with st.container(horizontal=True, vertical_alignment="center"):
            pressed = possible and st.button(use_label(choice), key="late-use", type="primary", icon=":material/check:")
            st.button(
                "Keep it as it is", key="late-keep", type="tertiary", on_click=_put_back, args=(key, state.chosen)
            )
        if pressed:
            with guarded("choosing the engine"):
                leave_notice(chosen_words(choice, state, opened.choose_late_engine(choice)))
                st.rerun()


def _show_effects(opened: OpenProject, state: LateState, choice: str) -> None:
    with st.spinner("Looking what it takes…"):
        effects = [line for line in opened.late_effects(choice) if line != state.warning]
    st.markdown("**What this causes**")
    st.markdown("\n".join(f"- {plain(line)}" for line in effects))
    if choice == "ragatouille" and state.warning:
        st.warning(plain(state.warning), icon=":material/schedule:")


def _missing(state: LateState) -> None:
    """Why RAGatouille cannot be used here, and the way out."""
    st.info(
        "RAGatouille is not set up on this computer. Nothing here needs it: the exact engine answers every search.",
        icon=":material/info:",
    )
    st.caption(plain(f"What is missing: {page_words(state.problem)}"))
    st.markdown("**What it needs**")
    st.markdown("\n".join(f"- {need}" for need in NEEDS))


def _put_back(key: str, choice: str) -> None:
    st.session_state[key] = choice
