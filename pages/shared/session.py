"""The parts with which every page begins: the workbench of this process, the project in the URL, one way to show
errors."""

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from core.errors import ProjectNotFound, StorageError, WorkbenchError
from core.expand.question import MAX_QUESTION_CHARS
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from pages.shared.safe import plain
from pages.shared.server import root_folder

log = logging.getLogger("workbench.pages")

_PAGES = Path(__file__).resolve().parent.parent


class Page:
    """The scripts of the pages."""

    PROJECTS = _PAGES / "research" / "projects" / "page.py"
    SOURCES = _PAGES / "research" / "sources" / "page.py"
    EVIDENCE = _PAGES / "research" / "evidence" / "page.py"
    QUERIES = _PAGES / "research" / "queries" / "page.py"
    ASK = _PAGES / "research" / "ask" / "page.py"
    CLAIMS = _PAGES / "report" / "claims" / "page.py"
    CITATIONS = _PAGES / "report" / "citations" / "page.py"
    REVIEW = _PAGES / "report" / "review" / "page.py"
    OVERVIEW = _PAGES / "report" / "overview" / "page.py"
    EXPORT = _PAGES / "insight" / "export" / "page.py"
    EVALUATION = _PAGES / "insight" / "evaluation" / "page.py"
    USAGE = _PAGES / "insight" / "usage" / "page.py"
    SETTINGS = _PAGES / "insight" / "settings" / "page.py"


BACK = ("report", "finding", "claim", "source", "item")
"""URL parameters that name what is looked at in the audit, among the claims, or in review."""

FILTERS = ("status", "reason", "worth", "type", "verdict", "view", "kind", "state")
"""Widgets of these pages that hold their value in the URL by themselves."""

_LEFT = "filters-left"
_SLUG = "open_project"
_GONE = "deleted_project"
_NOTICE = "notice"


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


def leave_notice(text: str, kind: str = "success") -> None:
    """Keep one message (foreign text allowed) for the next run, also on another page."""
    st.session_state[_NOTICE] = (kind, text)


def rerun_with(notice: str, kind: str = "success") -> None:
    """Paint the page anew, with one message (foreign text allowed)."""
    leave_notice(notice, kind)
    st.rerun()


def show_notice() -> None:
    """Show what ``leave_notice`` kept, once."""
    kind, text = st.session_state.pop(_NOTICE, ("", ""))
    if text:
        {"success": st.success, "warning": st.warning, "error": st.error}[kind](plain(text))


def put_in_url(param: str, value: str) -> None:
    """Set a URL parameter; "" drops it."""
    if value:
        st.query_params[param] = value
    else:
        st.query_params.pop(param, None)


def turn_to(param: str, value: str) -> None:
    """Paint the page anew with this URL parameter; "" drops it."""
    put_in_url(param, value)
    st.rerun()


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


def go(page: Path, **params: str) -> None:
    """Leave for another page with these URL parameters."""
    slug = st.session_state.get(_SLUG)
    if slug and page != Page.PROJECTS:
        params.setdefault("project", slug)
    st.switch_page(page, query_params=params)


def go_button(label: str, page: Path, *, icon: str, type: str = "secondary", key: str = "", **params: str) -> None:
    """A button that leaves for another page with these URL parameters."""
    if st.button(label, icon=icon, type=type, key=key or None):
        go(page, **params)


def way_back() -> dict[str, str]:
    """The URL parameters that lead back to the citation or claim looked at here; carried along into a source. The
    filters around it are remembered in this tab for ``go_back``: Streamlit sets them by their widgets only."""
    st.session_state[_LEFT] = {key: st.session_state[key] for key in FILTERS if st.session_state.get(key)}
    return {key: value for key in BACK if (value := st.query_params.get(key))}


def go_back(page: Path) -> None:
    """Return to where ``way_back`` was asked, with the filters as they were."""
    for key, value in st.session_state.pop(_LEFT, {}).items():
        st.session_state[key] = value
    go(page, **{key: value for key in BACK if (value := st.query_params.get(key))})


def number_in_url(key: str) -> int | None:
    """The id that a URL parameter names, or None (also for nonsense)."""
    value = st.query_params.get(key) or ""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def take_question() -> None:
    """Put ``?text=`` into the box for the question, before the first widget. Pages hand a question on by that name,
    because Streamlit lets nobody set a parameter that is bound to a widget (``q``)."""
    text = st.query_params.get("text")
    if text is not None:
        st.session_state["q"] = text
        st.query_params.pop("text", None)


def cut_question() -> None:
    """Callback of the box for the question: cut what is too long to be searched, and say so. The question stands in the
    URL, and a URL of a hundred thousand characters could not be loaded again."""
    text = str(st.session_state.get("q") or "")
    if len(text) > MAX_QUESTION_CHARS:
        st.session_state["q"] = text[:MAX_QUESTION_CHARS]
        leave_notice(
            f"The question has {len(text):,} characters; at most {MAX_QUESTION_CHARS:,} can be searched. The rest was "
            "left out: shorten it to what you want to know.",
            "warning",
        )


def open_here(slug: str, page: Path, **params: str) -> None:
    """Make ``slug`` the project of this browser tab and go to a page of it."""
    st.session_state[_SLUG] = slug
    go(page, project=slug, **params)


def forget_project() -> None:
    st.session_state.pop(_SLUG, None)


def project_in_url() -> str | None:
    """Slug of the project that this tab looks at; the URL counts more than the tab's memory."""
    return st.query_params.get("project") or st.session_state.get(_SLUG)


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
    if st.session_state.get(_SLUG) not in (None, slug):
        st.session_state.pop("search", None)
    st.session_state[_SLUG] = slug
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
    if st.session_state.get(_SLUG) == slug:
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
            st.session_state[_SLUG] = summary.project.slug
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
