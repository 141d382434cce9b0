"""What is typed with a decision: another wording, a note, a reason."""

from __future__ import annotations

import streamlit as st

from core.audit.wording import reason_words
from core.labels import DecisionKind, ItemKind
from core.records import ReviewItem
from pages.report.review.acts import Given, asked, asked_item, decide, draft_of, stop_asking
from pages.shared.in_view import bring_into_view
from pages.shared.safe import plain
from pages.words.review import DECISIONS, WHY

_WITH_NOTE = (DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.WRONG_SOURCE, DecisionKind.POSTPONE)
_MOST = 4_000


def show_dialog(shown: ReviewItem) -> None:
    """Open the dialog that was asked for, if one was. It decides on the item as it was when it was opened."""
    kind, item = asked(shown), asked_item()
    if kind is None or item is None:
        return
    if kind is DecisionKind.REWORD:
        _reword(item)
    else:
        _note(item)


@st.dialog("Put it differently", width="large", on_dismiss=stop_asking)
def _reword(item: ReviewItem) -> None:
    st.caption("Now it says")
    st.text(item.text)
    draft = draft_of(item)
    with st.form(f"reword-{item.key}", border=False):
        better = st.text_area(
            "Better", value=draft.rewording or item.text, max_chars=_MOST, height=140, key=f"better-{item.key}"
        )
        note = st.text_input("Note (may stay empty)", value=draft.note, max_chars=_MOST, key=f"better-note-{item.key}")
        st.caption("Ctrl and Enter keep it. The report itself is not changed.")
        if st.form_submit_button("Keep this wording", type="primary", icon=":material/edit_note:"):
            if not better.strip():
                st.error("The wording is empty. Write how it should be put.")
            elif better.strip() == item.text.strip():
                st.error("The wording is the same as before. Change it, or close this and accept the item.")
            else:
                _give(item, DecisionKind.REWORD, Given(note=note.strip(), rewording=better.strip()))
    bring_into_view(("reword", item.key, item.seen))


@st.dialog("Note, and why", width="large", on_dismiss=stop_asking)
def _note(item: ReviewItem) -> None:
    st.text(item.text)
    with st.form(f"note-{item.key}", border=False):
        note = st.text_area("Note", value=draft_of(item).note, max_chars=_MOST, height=100, key=f"note-text-{item.key}")
        reason = st.pills(
            "Why (may stay empty)", [code.value for code in WHY], format_func=_reason, key=f"note-why-{item.key}"
        )
        st.caption("Ctrl and Enter keep the note alone; the item stays. The other buttons decide with it.")
        chosen: DecisionKind | None = None
        with st.container(horizontal=True, gap="xsmall"):
            if st.form_submit_button("Keep the note", type="primary", icon=":material/sticky_note_2:"):
                chosen = DecisionKind.NOTE
            for kind in _WITH_NOTE:
                words = DECISIONS[kind]
                if kind is DecisionKind.WRONG_SOURCE and item.kind is ItemKind.CLAIM:
                    continue
                if st.form_submit_button(words.word, icon=f":material/{words.icon}:", key=f"note-{kind.value}"):
                    chosen = kind
        if chosen is DecisionKind.NOTE and not note.strip():
            st.error("The note is empty. Write something, or choose a decision.")
        elif chosen is not None:
            _give(item, chosen, Given(reason=reason or "", note=note.strip()))
    bring_into_view(("note", item.key, item.seen))


def _reason(code: str) -> str:
    return plain(next(reason_words(one) for one in WHY if one.value == code))


def _give(item: ReviewItem, kind: DecisionKind, given: Given) -> None:
    decide(item, kind, given)
    stop_asking()
    st.rerun(scope="app")
