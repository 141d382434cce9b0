"""Messages: for the next run of a page, and hints where there is nothing to show yet."""

import streamlit as st

from pages.shared.safe import plain

_NOTICE = "notice"


def leave_notice(text: str, kind: str = "success") -> None:
    """Keep one message (foreign text allowed) for the next run, also on another page."""
    st.session_state[_NOTICE] = (kind, text)


def rerun_with(notice: str, kind: str = "success") -> None:
    """Paint the page anew, with one message (foreign text allowed)."""
    leave_notice(notice, kind)
    st.rerun()


def show_notice() -> None:
    """Show what ``leave_notice`` kept, once. Its place is there without a message too: where something in front of a
    form comes or goes, the browser makes the form anew and drops a file whose upload is under way."""
    kind, text = st.session_state.pop(_NOTICE, ("", ""))
    with st.container(key="notice"):
        if text:
            {"success": st.success, "warning": st.warning, "error": st.error}[kind](plain(text))


def hint(text: str) -> None:
    """What to do where there is nothing to show yet."""
    st.info(text, icon=":material/lightbulb:")
