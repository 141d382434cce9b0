"""The draft of the query lab in this tab, and what of it the URL repeats after a reload.

``?q=`` (or ``?question=`` for a saved one) and the switches make the same variants anew; ``?expanding=`` names the job
whose variants a language model made. What a person changed is kept for good by saving.
"""

from collections.abc import Callable

import streamlit as st

from core.errors import AnswerError, QueryError
from core.lab import draft as lab_draft
from core.lab.draft import Draft
from core.records import Question
from core.workbench.open_project import OpenProject
from pages.shared.session import leave_notice, next_round, number_in_url
from pages.words.lab import SWITCHABLE

_DRAFT = "lab-draft"
FOLLOWING = ("question", "expanding", "web", "ran")
"""The parameters of the URL that belong to one question; another question begins without them."""


def saved_in_url(opened: OpenProject) -> Question | None:
    """The saved question that the URL names; a name that means nothing any more is dropped and said."""
    wanted = number_in_url("question")
    if wanted is None:
        st.query_params.pop("question", None)
        return None
    try:
        return opened.lab.question(wanted)
    except AnswerError:
        st.query_params.pop("question", None)
        st.warning("This project has no such saved question. It was deleted, or the link is mistyped.")
        return None


def fill_from(opened: OpenProject, saved: Question | None) -> None:
    """Before the first widget: a saved question puts its text and its kinds into the empty form."""
    if saved is None or _known(opened, saved):
        return
    st.session_state["q"] = saved.text
    kinds = {variant.kind for variant in saved.variants}
    for kind in SWITCHABLE:
        st.session_state[kind.value] = kind in kinds
    put(opened, lab_draft.of_saved(saved))


def _known(opened: OpenProject, saved: Question) -> bool:
    stored = st.session_state.get(_DRAFT)
    return bool(stored and stored[0] == opened.project.slug and stored[1].saved and stored[1].saved.id == saved.id)


def draft_of(opened: OpenProject, question: str) -> Draft:
    """The draft for this question; another question begins a new one."""
    stored = st.session_state.get(_DRAFT)
    if stored and stored[0] == opened.project.slug and stored[1].question == question:
        return stored[1]  # type: ignore[no-any-return]
    if stored:
        for key in FOLLOWING:
            st.query_params.pop(key, None)
    draft = lab_draft.begin(question)
    put(opened, draft)
    return draft


def put(opened: OpenProject, draft: Draft) -> None:
    """Keep the draft; its fields are painted anew, because their texts come from elsewhere than a person's typing."""
    st.session_state[_DRAFT] = (opened.project.slug, draft)
    next_round("lab")


def change(how: Callable[..., Draft], *given: object) -> None:
    """Callback: the draft after ``how(draft, *given)``; the fields keep what was typed."""
    slug, draft = st.session_state[_DRAFT]
    try:
        st.session_state[_DRAFT] = (slug, how(draft, *given))
    except QueryError as error:
        leave_notice(str(error), "warning")


def forget_draft() -> None:
    """The next question begins anew."""
    st.session_state.pop(_DRAFT, None)
