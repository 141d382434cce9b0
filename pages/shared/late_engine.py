"""The engine that compares word by word: how it stands in the open project, and its index."""

import streamlit as st

from core.late.service import LateState
from core.records import Job
from core.workbench.open_project import OpenProject
from pages.shared.address import Page
from pages.shared.notices import rerun_with
from pages.shared.safe import plain
from pages.shared.session import guarded, now
from pages.words import late_page as wording
from pages.words.llm import page_words

_PANEL = "late-engine-panel"


def show_late_engine(opened: OpenProject) -> None:
    """Show its state and its index."""
    state = opened.late.state()
    under_way = [job for job in opened.jobs.all(active=True) if job.kind in wording.LATE_JOBS]
    stands = wording.standing(state, under_way)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="late-standing"):
        st.badge(stands.badge, icon=f":material/{stands.icon}:", color=stands.color)  # type: ignore[arg-type]
        st.caption(plain(stands.says), help=wording.ABOUT)
    if state.engine == "ragatouille":
        _show_index(opened, state, under_way)
    elif line := wording.index_line(state, now()):
        st.caption(plain(line))


def show_late_panel(opened: OpenProject) -> None:
    """The same, folded, for a page of searches."""
    name = wording.ENGINES[opened.settings.models.late_engine]
    panel = st.popover(f"Word by word: {name}", icon=":material/compare_arrows:", key=_PANEL, on_change="rerun")
    if panel.open:
        with panel, guarded("looking at the engines"):
            show_late_engine(opened)
            st.page_link(
                Page.SETTINGS,
                label="More in the settings",
                icon=":material/settings:",
                query_params={"project": opened.project.slug},
            )


def _show_index(opened: OpenProject, state: LateState, under_way: list[Job]) -> None:
    for line in (wording.index_line(state, now()), wording.rebuild_line(state)):
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
        wording.build_label(state),
        key="late-build",
        icon=":material/build_circle:",
        help="In the background; searches go on meanwhile.",
    ):
        with guarded("asking for the index"):
            opened.late.build()
            rerun_with(wording.built_words(state))


def _missing(state: LateState) -> None:
    """Show why RAGatouille cannot be used here, and the way out."""
    st.info(
        "RAGatouille is not set up on this computer. Nothing here needs it: the exact engine answers every search.",
        icon=":material/info:",
    )
    st.caption(plain(f"What is missing: {page_words(state.problem)}"))
    st.markdown("**What it needs**")
    st.markdown("\n".join(f"- {need}" for need in wording.NEEDS))
