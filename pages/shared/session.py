"""The parts with which every page begins: the workbench of this process, the project in the URL, one way to show
errors."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import ProjectNotFound, StorageError, WorkbenchError
from pages.shared.address import SLUG, Page, forget_project, project_in_url
from pages.shared.notices import show_notice
from pages.shared.safe import plain
from pages.shared.server import root_folder

if TYPE_CHECKING:
    from core.workbench.open_project import OpenProject
    from core.workbench.workbench import Workbench

log = logging.getLogger("workbench.pages")
_GONE = "deleted_project"


@st.cache_resource(show_spinner=False)
def _workbench(root: str) -> Workbench:
    from core.workbench.wiring import open_workbench

    opened = open_workbench(Path(root))
    log.info("Projects are in %s. %s", root, opened.storage_note)
    return opened


def workbench() -> Workbench:
    """The one workbench of this process, with the settings as they are now."""
    bench = _workbench(str(root_folder()))
    bench.refresh()
    return bench


def load_models_early() -> None:
    """Load the encoder while the reader is still typing, so that the first search need not wait for it."""
    threading.Thread(target=workbench().engines.encoder_or_reason, name="load-encoder", daemon=True).start()


def now() -> datetime:
    """The clock of the pages (aware UTC)."""
    return datetime.now(UTC)


@contextmanager
def guarded(doing: str = "") -> Iterator[None]:
    """Show what goes wrong inside as one clear message and go on after it, so that the page stays usable."""
    try:
        yield
    except WorkbenchError as error:
        if isinstance(error, (ProjectNotFound, StorageError)) and _deleted_elsewhere():
            _say_gone(project_in_url() or "")
        else:
            st.error(plain(str(error)), icon=":material/error:")
    except Exception:
        log.exception("unexpected error on a page%s", f" while {doing}" if doing else "")
        st.error(
            f"Something unexpected happened{f' while {doing}' if doing else ''}. Nothing was changed by this step. "
            "The details are in the server's log; please report them.",
            icon=":material/error:",
        )


def set_fields(values: Mapping[str, object]) -> None:
    """Give those of the fields that are on the page a value (in a callback, as Streamlit demands)."""
    for key, value in values.items():
        if key in st.session_state:
            st.session_state[key] = value


def form_round(form: str) -> int:
    """The round of a form, part of the keys of its fields: in a new round they are new, and so empty."""
    return int(st.session_state.get(f"{form}-round", 0))


def next_round(form: str) -> None:
    st.session_state[f"{form}-round"] = form_round(form) + 1


def take_question() -> None:
    """Put ``?text=`` into the box for the question, before the first widget. Pages hand a question on by that name,
    because Streamlit lets nobody set a parameter that is bound to a widget (``q``)."""
    text = st.query_params.get("text")
    if text is not None:
        st.session_state["q"] = text
        st.query_params.pop("text", None)


def current_project() -> OpenProject:
    """The open project, its slug put (back) into the URL; without one, the page says what to do and ends."""
    slug = project_in_url()
    if not slug:
        _choose_project()
        st.stop()
    try:
        opened = workbench().open(slug)
    except ProjectNotFound:
        _say_gone(slug)
        st.stop()
    except WorkbenchError as error:
        forget_project()
        st.error(plain(str(error)), icon=":material/error:")
        _to_projects()
        st.stop()
    if st.session_state.get(SLUG) not in (None, slug):
        st.session_state.pop("search", None)
    st.session_state[SLUG] = slug
    if st.query_params.get("project") != slug:
        st.query_params["project"] = slug
    return opened


def this_project() -> OpenProject:
    """The project of this tab as it is now (ProjectNotFound). For fragments and dialogs: they outlive the run that
    made them, and the project may have been deleted or made anew since."""
    slug = project_in_url()
    if not slug:
        raise ProjectNotFound("No project is open. Choose one from the list of projects.")
    return workbench().open(slug)


def _deleted_elsewhere() -> bool:
    try:
        this_project()
    except ProjectNotFound:
        return bool(project_in_url())
    except WorkbenchError:
        pass
    return False


def _say_gone(slug: str) -> None:
    """The message that a project is gone. It is no switch to the list of projects: Streamlit lets no page with a search
    in its address be left so."""
    if st.session_state.get(SLUG) == slug:
        st.session_state[_GONE] = slug
    forget_project()
    name = plain(slug, 80)
    if st.session_state.get(_GONE) == slug:
        st.warning(f"This project was deleted, perhaps in another browser: there is no project “{name}” here any more.")
    else:
        st.warning(f"There is no project “{name}” here. It was deleted, or the link is mistyped.")
    _to_projects()


def _to_projects() -> None:
    st.page_link(Page.PROJECTS, label="Projects", icon=":material/folder:")


def _choose_project() -> None:
    st.title("No project is open")
    st.write("Choose the project to work on, or make a new one.")
    for summary in workbench().projects():
        if summary.problem is None and st.button(
            plain(summary.project.name, 60), key=f"choose-{summary.project.slug}", icon=":material/folder_open:"
        ):
            st.session_state[SLUG] = summary.project.slug
            st.query_params["project"] = summary.project.slug
            st.rerun()
    _to_projects()


def page_heading(title: str, opened: OpenProject) -> None:
    """Page title with the project's name above it, then whatever message waits."""
    with st.container(key="page-heading", gap=None):
        name = f"{opened.project.name} (demo)" if opened.project.demo else opened.project.name
        st.text(" ".join(name.split())[:120])
        st.title(title)
    show_notice()
