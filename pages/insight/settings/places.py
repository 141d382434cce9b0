"""The sections below the form: the data directory, the models, every effective value, and the open project's own
settings."""

import shutil
from pathlib import Path

import streamlit as st

from core.errors import WorkbenchError
from core.labels import JobKind, Role
from core.settings.values import VARIABLE, Settings
from core.settings.view import SettingsView
from core.text.words import size_words
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, project_in_url
from pages.shared.jobs import show_jobs
from pages.shared.keyed_table import show_table
from pages.shared.late_engine import show_late_engine
from pages.shared.notices import rerun_with
from pages.shared.reviewer import current_reviewer
from pages.shared.safe import plain
from pages.shared.session import guarded, now, this_project, workbench
from pages.words.check import ABOUT_CHECK, check_words
from pages.words.late_page import LATE_JOBS
from pages.words.settings import effective_rows


def show_data_folder(root: Path, view: SettingsView) -> None:
    st.subheader("Data directory")
    st.caption("Projects, sources and settings are kept in")
    st.code(str(root), language=None, wrap_lines=True)
    try:
        free = size_words(shutil.disk_usage(root).free)
        used = size_words(sum(project.bytes_on_disk for project in workbench().projects(archived=True)))
        st.caption(plain(f"The projects take {used}; {free} are free."))
    except (OSError, WorkbenchError) as error:
        st.caption(plain(f"Its size cannot be told: {error}"))
    st.caption(
        "To use another folder, start the workbench with WORKBENCH\\_ROOT or --root. It is not changed here, because "
        "projects do not move by themselves."
    )
    there = "It is there." if view.revision else "There is none yet; it is made by the first change."
    st.caption(plain(f"Settings are in {view.path.name} inside that folder. {there}"))
    if view.override is not None:
        st.caption(plain(f"{VARIABLE} names {view.override}; what stands there wins and is read-only here."))


def show_models(settings: Settings) -> None:
    """The models that the form names, and whether each is here. Read on request, because it takes seconds."""
    if not st.button("Look whether these models are here", icon=":material/deployed_code:", key="look-for-models"):
        return
    from core.backends.resolve import describe_models

    with st.spinner("Reading the files of the models"):
        models = describe_models(settings.models)
    roles = {"encoder": "Finds by meaning", "late": "Word by word", "reranker": "Reads closely", "entailer": "Judges"}
    show_table(
        {
            "Task": [roles.get(model.role, model.role) for model in models],
            "Model": [model.name for model in models],
            "Here": ["✓ yes" if model.available else "✗ no" for model in models],
            "From": [model.source or "–" for model in models],
            "Licence": [model.license for model in models],
        },
        "The models of the form, and whether each is on this machine.",
        wide=False,
    )
    for model in models:
        if model.problem:
            st.error(plain(model.problem), icon=":material/error:")


def show_effective(view: SettingsView) -> None:
    """Every effective value and where it comes from."""
    with st.expander("All effective values, and where each comes from", icon=":material/table:", key="effective"):
        show_table(effective_rows(view.settings), "Every setting, its value, its origin, its range.")


def show_project() -> None:
    """The open project's own settings: its threshold, its index of the late engine, the check of what is stored."""
    if not project_in_url():
        return
    opened = this_project()
    st.subheader("In the open project", anchor="project")
    st.text(" ".join(opened.project.name.split())[:120])
    with guarded("looking at the threshold"), st.container(border=True, key="project-threshold"):
        st.markdown("**Threshold**")
        _show_threshold(opened)
    with guarded("looking at the engines"), st.container(border=True, key="project-engine"):
        st.markdown("**Word-by-word comparison**")
        show_late_engine(opened)
    with guarded("looking at the last check"), st.container(border=True, key="project-check"):
        st.markdown("**What is stored**")
        _show_check(opened)
    with guarded("looking at the work"):  # the error of a build that would end the same way again stands above
        late = () if opened.late.state().failed else LATE_JOBS
        show_jobs(opened, active=(*LATE_JOBS, JobKind.CHECK), ended=(*late, JobKind.CHECK))


def _show_check(opened: OpenProject) -> None:
    """The result of the newest check of what is stored, and the button for another one."""
    newest = opened.check.newest()
    says = check_words(newest, now())
    st.caption(plain(says.words), help=ABOUT_CHECK)
    if says.faults:
        st.error(plain(says.advice), icon=":material/heart_broken:")
        for line in says.faults:
            st.text(line)
    waits = newest is not None and newest.state.active
    if st.button("Check what is stored", icon=":material/verified:", key="check-stored", disabled=waits):
        with guarded("asking for the check"):
            opened.check.start()
            rerun_with("What is stored is being checked. You can go on working.")


def _show_threshold(opened: OpenProject) -> None:
    """The support from which on a citation passes, which an owner may have chosen."""
    policy, effective = opened.reviews.people.policy(), opened.reviews.threshold.current()
    if policy.threshold is None:
        st.caption(plain(f"A citation passes above a support of {effective:g}: the threshold of this installation."))
    else:
        aim = f" for {policy.target_precision:.0%} precision" if policy.target_precision is not None else ""
        st.caption(
            plain(f"A citation passes above a support of {effective:g}, chosen by the owner of the project{aim}.")
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            Page.REVIEW,
            label="Choose it from decisions",
            icon=":material/how_to_reg:",
            query_params={"project": opened.project.slug},
        )
        if policy.threshold is not None:
            _offer_installation_threshold(opened)


def _offer_installation_threshold(opened: OpenProject) -> None:
    me = opened.reviews.people.me(current_reviewer(opened))
    allowed = me.role is Role.OWNER
    if st.button(
        "Use the installation's threshold",
        icon=":material/settings_backup_restore:",
        disabled=not allowed,
        help=None if allowed else "Only an owner of the project may change its threshold.",
        key="installation-threshold",
    ):
        changed = opened.reviews.threshold.apply(None, by=me.name)
        rerun_with(f"The threshold of the installation holds again; {changed} rows changed their status.")
