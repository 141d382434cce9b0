"""The people of a review and their roles, blind review, and the log of decisions in and out."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.labels import Role
from core.records import Person
from core.review.log import hidden_words
from core.workbench.open_project import OpenProject
from pages.shared.notices import rerun_with
from pages.shared.reviewer import NAME_CHARS, current_reviewer
from pages.shared.safe import file_name, plain
from pages.shared.session import guarded, this_project
from pages.words.measures import imported_words
from pages.words.review import ROLES, person_line


def show_people(opened: OpenProject, me: Person) -> None:
    owner = me.role is Role.OWNER
    people = opened.reviews.people.all()
    st.subheader("Who takes part")
    if not people:
        st.text("Nobody was named yet, so everyone who opens this project may do everything.")
    if not owner:
        st.caption("Only an owner can change what stands here.")
    for person in people:
        with guarded("showing a person"):
            _person(person, me, owner)
    if owner:
        _add(people)
    st.subheader("How it is reviewed")
    _blind(opened, owner)
    st.subheader("The log of decisions")
    _log(opened, me, owner)


def _person(person: Person, me: Person, owner: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"person-{person.name}"):
        with st.container(width=260):
            st.text(person.name + (" (you)" if person.name == me.name else ""))
        if not owner:
            st.caption(person_line(person))
            return
        roles = list(ROLES)
        picked = st.segmented_control(
            f"Role of {plain(person.name)}",
            roles,
            default=person.role,
            required=True,
            format_func=lambda role: ROLES[role][0],
            label_visibility="collapsed",
            # The role in the key: what another window changed is shown, not overwritten.
            key=f"role-{person.name}-{person.role.value}",
        )
        if picked is not None and picked is not person.role:
            this_project().reviews.people.set_role(person.name, Role(picked), by=me.name)
            rerun_with(f"{person.name} {ROLES[Role(picked)][1]} now.")
        if st.button("Remove", key=f"remove-{person.name}", icon=":material/person_remove:", type="tertiary"):
            this_project().reviews.people.remove(person.name, by=me.name)
            rerun_with(f"{person.name} takes no part any more. Decisions made before stay in the log.")


def _add(people: Sequence[Person]) -> None:
    with st.form("add-person", border=False, clear_on_submit=True):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.text_input("Add someone", max_chars=NAME_CHARS, width=260, placeholder="Their name")
            role = st.selectbox(
                "They",
                list(ROLES),
                index=list(ROLES).index(Role.REVIEWER),
                format_func=lambda role: f"{ROLES[role][0]}: {ROLES[role][1]}",
                width=340,
            )
            pressed = st.form_submit_button("Add", icon=":material/person_add:")
        if not pressed:
            return
        clean = " ".join(name.split())
        if not clean:
            st.error("The name is empty. Type the name under which this person reviews.")
        elif clean in {person.name for person in people}:
            st.error(plain(f"{clean} takes part already. Change the role in the list above."))
        else:
            with guarded("adding a person"):
                opened = this_project()

                opened.reviews.people.set_role(clean, Role(role), by=current_reviewer(opened))
                rerun_with(f"{clean} {ROLES[Role(role)][1]} now. They open Review and give this name.")


def _blind(opened: OpenProject, owner: bool) -> None:
    policy = opened.reviews.people.policy()
    wanted = st.toggle(
        "Blind: nobody sees what others decided on an item before deciding on it",
        value=policy.blind,
        disabled=not owner,
        key=f"blind-{policy.blind}",
        help="Two people then judge independently, so their agreement means something.",
    )
    if owner and wanted is not policy.blind:
        with guarded("changing how it is reviewed"):
            opened.reviews.people.set_policy(replace(policy, blind=wanted), by=current_reviewer(opened))
            rerun_with("Review is blind now." if wanted else "Everyone sees the decisions of all others now.")


def _log(opened: OpenProject, me: Person, owner: bool) -> None:
    st.text(
        "Every decision is kept for good, with who made it, when, and what it rested on. Saved as a file, another copy "
        "of this project can take it in."
    )
    with guarded("preparing the log"):
        st.download_button(
            "Save all decisions",
            data=lambda: this_project().reviews.log.export(me.name),
            file_name=file_name(f"{opened.project.name}-decisions", ".jsonl"),
            mime="application/x-ndjson",
            icon=":material/download:",
            on_click="ignore",
        )
        if hidden := opened.reviews.log.hidden_in_export(me.name):
            st.caption(hidden_words(hidden))
    if owner:
        with st.form("import-decisions", border=False, clear_on_submit=True):
            upload = st.file_uploader("Take in decisions saved elsewhere", type=["jsonl"], max_upload_size=50)
            if st.form_submit_button("Take them in", icon=":material/upload:"):
                if upload is None:
                    st.error("No file was chosen. Choose the file of decisions first.")
                else:
                    take_in(upload.getvalue())


def take_in(body: bytes) -> None:
    """Take in a log of another copy, and say what came of it."""
    with guarded("taking in decisions"):
        opened = this_project()
        result = opened.reviews.log.take_in(body, by=current_reviewer(opened))
        rerun_with(imported_words(result))
