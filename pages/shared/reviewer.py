"""The name of the reviewer: in the URL and in this tab, or, where a login is configured, the name that logged in."""

import getpass

import streamlit as st

from core.labels import Role
from core.records import Person
from core.text.words import short
from core.workbench.open_project import OpenProject
from pages.shared.safe import plain
from pages.shared.session import guarded
from pages.words.review import ROLES, cannot_decide_line, may_decide

PARAM = "reviewer"
NAME_CHARS = 80

_SEEN = "reviewer-name"


def current_reviewer(opened: OpenProject) -> str:
    """The name under which this tab reviews, "" while there is none. Kept in the URL (``?reviewer=``)."""
    if login_configured():
        return _login_name()
    name = _clean(st.query_params.get(PARAM) or st.session_state.get(_SEEN) or "")
    if name:
        st.session_state[_SEEN] = name
        if st.query_params.get(PARAM) != name:
            st.query_params[PARAM] = name
    return name


def login_configured() -> bool:
    """True when people log in here (``[auth]`` in the secrets of Streamlit)."""
    return "is_logged_in" in st.user.to_dict()


def _login_name() -> str:
    user = st.user.to_dict()
    if not user.get("is_logged_in"):
        return ""
    # The address tells people apart; two may share a name.
    return _clean(str(user.get("email") or user.get("name") or user.get("sub") or ""))


def _clean(name: str) -> str:
    # Joiners are no letters, and yet belong to names; core refuses them where they show nothing.
    return short(
        "".join(character for character in name if character.isprintable() or character in "\u200c\u200d"), NAME_CHARS
    )


def ask_reviewer(opened: OpenProject) -> None:
    """The field for the reviewer's name; the page goes on with it."""
    if login_configured():
        st.info("Decisions carry a name, so log in first.", icon=":material/login:")
        if st.button("Log in", type="primary", icon=":material/login:"):
            with guarded("logging in"):
                st.login()
        return
    people = opened.reviews.people.all()
    with st.container(border=True, key="ask-reviewer"):
        st.subheader("Who is reviewing?")
        st.write("Each decision carries a name, so that others see who decided. It stays on this computer.")
        if people:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption("Take part already", width="content")
                for person in people[:20]:
                    if st.button(plain(person.name, 40), key=f"i-am-{person.name}", icon=":material/person:"):
                        _become(person.name)
        with st.form("reviewer-form", border=False):
            name = st.text_input(
                "Someone else" if people else "Your name",
                value="" if people else _system_name(),
                max_chars=NAME_CHARS,
                key="reviewer-field",
            )
            if st.form_submit_button("Start reviewing", type="primary", icon=":material/how_to_reg:"):
                if not _clean(name):
                    st.error("The name is empty. Type the name that your decisions shall carry.")
                else:
                    _become(_clean(name), first=None if people else opened)


def _become(name: str, *, first: OpenProject | None = None) -> None:
    with guarded("keeping your name"):
        if first is not None:  # the first one to review owns the review
            first.reviews.people.set_role(name, Role.OWNER, by=name)
        st.session_state[_SEEN] = name
        st.query_params[PARAM] = name
        st.rerun()


def _system_name() -> str:
    try:
        return _clean(getpass.getuser())
    except (OSError, KeyError, ImportError):  # no such user, as in some containers
        return ""


def show_reviewer(opened: OpenProject, me: Person) -> None:
    """The name and role under which this tab reviews, and the way to another name."""
    with st.container(horizontal=True, vertical_alignment="center", key="quiet-reviewer", gap="small", width="content"):
        st.badge(
            f"{plain(me.name, 40)} · {ROLES[me.role][0]}",
            icon=":material/person:",
            color="gray",
            help=f"You review as {plain(me.name)} and {ROLES[me.role][1]}.",
        )
        if login_configured():
            if st.button("Log out", key="log-out", type="tertiary"):
                st.logout()
        elif st.button("Not you?", key="not-me", type="tertiary"):
            leave_reviewer()
            st.rerun()
        if opened.reviews.people.policy().blind:
            st.badge(
                "Blind",
                icon=":material/visibility_off:",
                color="gray",
                help="You see what others decided on an item once you have decided on it yourself.",
            )


def say_who_may_decide(opened: OpenProject, me: Person) -> None:
    """The line for someone who may only look; nothing for others."""
    if not may_decide(me):
        with st.container(key="cannot-decide"):
            st.info(plain(cannot_decide_line(opened.reviews.people.all())), icon=":material/visibility:")


def leave_reviewer() -> None:
    st.session_state.pop(_SEEN, None)
    st.query_params.pop(PARAM, None)
