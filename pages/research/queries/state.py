"""The draft of the query lab in this tab, and what of it the URL repeats after a reload; saved questions. ``?q=`` (or
``?question=`` for a saved one) and the switches make the same variants anew; ``?expanding=`` names the job whose
variants a language model made. What a person changed is kept for good by saving."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import AnswerError, QueryError, RowMoved
from core.lab import draft as lab_draft
from core.lab.draft import Draft
from core.records import Question
from core.text.words import count_words, when_words
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, go, number_in_url
from pages.shared.notices import leave_notice, rerun_with
from pages.shared.safe import plain
from pages.shared.session import guarded, next_round, now, this_project
from pages.words.lab import SWITCHABLE, question_line, question_title

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


def show_saved(questions: Sequence[Question], *, unfolded: bool) -> None:
    """The list, newest change first."""
    if not questions:
        return
    label = f"Saved questions ({len(questions):,})"
    with st.expander(label, expanded=unfolded, icon=":material/bookmarks:", key="saved-questions"):
        for question in questions:
            with st.container(horizontal=True, vertical_alignment="center", key=f"saved-{question.id}"):
                with st.container(gap=None):
                    st.text(question_title(question))
                    st.caption(plain(f"{question_line(question)} · changed {when_words(question.changed, now())}"))
                st.button(
                    "Open",
                    key=f"open-question-{question.id}",
                    icon=":material/science:",
                    disabled=question.id == number_in_url("question"),
                    on_click=_open,
                    args=(question.id,),
                )
                if st.button("Delete", key=f"delete-question-{question.id}", icon=":material/delete:", type="tertiary"):
                    delete_question(question)


def _open(question_id: int) -> None:
    forget_draft()
    for key in FOLLOWING:
        st.query_params.pop(key, None)
    st.query_params["question"] = str(question_id)


@st.dialog("Delete this question")
def delete_question(question: Question) -> None:
    st.text(question.text[:2000])
    st.write("The question and its variants are deleted; answers, judgements and sources stay.")
    if st.button("Delete", type="primary", icon=":material/delete_forever:"):
        with guarded("deleting"):
            this_project().lab.delete(question.id)
            if number_in_url("question") == question.id:
                st.query_params.pop("question", None)
                forget_draft()
            rerun_with("The question was deleted.")


def show_keep(opened: OpenProject, draft: Draft) -> None:
    fresh = lab_draft.unsaved(draft)
    label = "Save question" if draft.saved is None else "Save changes"
    if st.button(label, icon=":material/bookmark_add:", key="save-question", disabled=not fresh):
        with guarded("saving the question"):
            _save(opened, draft)
    if st.button("Ask for an answer", icon=":material/forum:", key="to-ask", help="A written answer with citations."):
        to = {"text": draft.question}
        if draft.saved is not None and not fresh:
            to["question"] = str(draft.saved.id)
        go(Page.ASK, **to)
    if draft.saved is not None and not fresh:
        st.badge("Saved", icon=":material/bookmark_added:", color="green")
    elif draft.saved is not None:
        st.badge("Changes not saved", icon=":material/edit:", color="orange")


def _save(opened: OpenProject, draft: Draft) -> None:
    try:
        saved = opened.lab.save(lab_draft.question_of(draft, now()))
    except RowMoved:
        st.warning("This question was changed in another window since you opened it. Open it again to see the changes.")
        return
    put(opened, lab_draft.of_saved(saved))
    st.query_params["question"] = str(saved.id)
    rerun_with(f"The question was saved with {count_words(len(saved.variants), 'variant')}.")
