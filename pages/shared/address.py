"""The address of a page: the pages there are, and the parameters of their URLs."""

from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import streamlit as st

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


BACK = ("report", "finding", "claim", "source", "item", "outcome", "sort")
"""URL parameters that name what is looked at in the audit, among the claims, or in review."""
FILTERS = ("pane", "reason", "worth", "type", "verdict", "view", "kind", "state")
"""Widgets of these pages that hold their value in the URL by themselves."""
Kind = Literal["primary", "secondary"]
_LEFT = "filters-left"
SLUG = "open_project"


def put_in_url(param: str, value: str) -> None:
    """Set a URL parameter; "" drops it."""
    if value:
        st.query_params[param] = value
    else:
        st.query_params.pop(param, None)


def query_with(**changes: str) -> str:
    """The query of this page's address with these parameters; a source that lies over the page is left out of it."""
    dropped = {"doc", "passage", "mark", *changes}
    params = [(key, value) for key in st.query_params for value in st.query_params.get_all(key) if key not in dropped]
    return urlencode([*params, *((key, value) for key, value in changes.items() if value)])


def turn_to(param: str, value: str) -> None:
    """Paint the page anew with this URL parameter; "" drops it."""
    put_in_url(param, value)
    st.rerun()


def go(page: Path, **params: str) -> None:
    """Leave for another page with these URL parameters."""
    slug = st.session_state.get(SLUG)
    if slug and page != Page.PROJECTS:
        params.setdefault("project", slug)
    st.switch_page(page, query_params=params)


def go_button(label: str, page: Path, *, icon: str, type: Kind = "secondary", key: str = "", **params: str) -> None:
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


def open_here(slug: str, page: Path, **params: str) -> None:
    """Make ``slug`` the project of this browser tab and go to a page of it."""
    st.session_state[SLUG] = slug
    go(page, project=slug, **params)


def forget_project() -> None:
    st.session_state.pop(SLUG, None)


def project_in_url() -> str | None:
    """Slug of the project that this tab looks at; the URL counts more than the tab's memory."""
    return st.query_params.get("project") or st.session_state.get(SLUG)
