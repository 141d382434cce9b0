"""The buttons of review, their keys, and the dialogs that they open. Each button acts on exactly the item, and the
state of it, that was on the screen. A key does nothing while someone types into a field, and nothing while a dialog is
open: Streamlit sees to the first, disabled buttons to the second."""

from collections.abc import Sequence

import streamlit as st

from core.audit.wording import reason_words
from core.errors import WorkbenchError
from core.labels import DecisionKind, ItemKind, Reason
from core.records import Decision, ReviewItem
from core.workbench.open_project import OpenProject
from pages.report.review import acts
from pages.shared.address import query_with
from pages.shared.in_view import bring_into_view
from pages.shared.safe import Run, plain, runs_html
from pages.words.review import BEFORE_KEY, DECISIONS, NEXT_KEY, OFFERED, WHY, answer_words, neighbour_keys, strip

_WITH_NOTE = (DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.WRONG_SOURCE, DecisionKind.POSTPONE)
_MOST = 4_000


def show_bar(
    opened: OpenProject, item: ReviewItem | None, queue: Sequence[ReviewItem], me: str, *, may: bool, covered: bool
) -> None:
    """The answers, then undo and redo and the way through the queue, at the bottom of the screen. ``may`` is False for
    someone who may only look; all keys rest while something lies over the page (``covered``)."""
    enabled = may and not covered
    with st.container(key="review-bar", gap="xxsmall"):
        show_last_outcome(may=may)
        with st.container(horizontal=True, gap="xsmall", key="review-decide"):
            for kind in OFFERED:
                _decision_button(kind, item, enabled)
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="review-steps"):
            _log_button(DecisionKind.UNDO, _or_none(opened.reviews.undoable, me), enabled)
            _log_button(DecisionKind.REDO, _or_none(opened.reviews.redoable, me), enabled)
            before, after = neighbour_keys(queue, item.key if item else "")
            _step("Back", BEFORE_KEY, None if covered else before, ":material/navigate_before:")
            _step("Next", NEXT_KEY, None if covered else after, ":material/navigate_next:")
            if item is not None:
                _strip(queue, item.key)


def _strip(queue: Sequence[ReviewItem], key: str) -> None:
    """The queue around this item as numbers to click on."""
    runs = [
        Run(f"{number:,}", "turn", "", query_with(item=item.key), item.text, current=item.key == key)
        for number, item in strip(queue, key)
    ]
    spaced = [part for run in runs for part in (run, Run(" "))]
    with st.container(key="review-strip", width="content"):
        st.html(runs_html([("p", [*spaced, Run(f" of {len(queue):,}")])]))


def _decision_button(kind: DecisionKind, item: ReviewItem | None, enabled: bool) -> None:
    words = DECISIONS[kind]
    useless = item is None or (kind is DecisionKind.WRONG_SOURCE and item.kind is ItemKind.CLAIM)
    shown = "none" if item is None else f"{item.key}-{item.version}-{item.seen}"
    st.button(
        answer_words(kind, item.kind if item else None),
        # The key names the item and its state: a press meant for the item before does not reach this one.
        key=f"decide-{kind.value}-{shown}",
        icon=f":material/{words.icon}:",
        shortcut=words.key,
        type="primary" if kind is DecisionKind.ACCEPT else "secondary",
        disabled=useless or not enabled,
        on_click=acts.open_dialog if _asks(kind, item) else acts.decide,
        args=(item, kind),
    )


def _asks(kind: DecisionKind, item: ReviewItem | None) -> bool:
    """True when a decision takes words, so that its button opens a dialog."""
    words_needed = item is not None and item.takes_note and kind is DecisionKind.ACCEPT
    return words_needed or kind in (DecisionKind.REWORD, DecisionKind.NOTE)


def _or_none(find: object, me: str) -> Decision | None:
    try:
        return find(me)  # type: ignore[operator,no-any-return]
    except WorkbenchError:
        return None


def _log_button(kind: DecisionKind, entry: Decision | None, enabled: bool) -> None:
    words = DECISIONS[kind]
    st.button(
        words.word,
        key=f"{kind.value}-{entry.id if entry else 0}",
        icon=f":material/{words.icon}:",
        shortcut=words.key,
        help=plain(f"{words.help} It was: {DECISIONS[entry.kind].word}." if entry else words.help),
        type="tertiary",
        disabled=entry is None or not enabled,
        on_click=acts.take_back,
        args=(kind, entry.id if entry else 0),
    )


def _step(label: str, key: str, target: str | None, icon: str) -> None:
    st.button(
        label,
        key=f"review-step-{label}-{target}",
        icon=icon,
        shortcut=key,
        type="tertiary",
        disabled=target is None,
        on_click=acts.look_at,
        args=(target,),
    )


def show_last_outcome(*, may: bool) -> None:
    """The line above the buttons; it keeps its place when there is nothing to say, so that nothing jumps."""
    kind, text = acts.last_outcome()
    with st.container(key="review-line"):
        if kind == "moved":
            st.warning(plain(text), icon=":material/sync_problem:")
        elif kind == "error":
            st.error(plain(text), icon=":material/error:")
        else:
            hint = "One key or one click decides; the next item follows at once." if may else "J and K turn the pages."
            st.caption(plain(text, 220) or hint)


def show_dialog(shown: ReviewItem) -> None:
    """Open the dialog that is wanted, if any. It decides on the item as it was when the dialog was opened."""
    kind, item = acts.dialog_kind(shown), acts.dialog_item()
    if kind is None or item is None:
        return
    if kind is DecisionKind.REWORD:
        _reword(item)
    elif kind is DecisionKind.ACCEPT:
        _elsewhere(item)
    else:
        _note(item)


@st.dialog("Partly: how should it read?", width="large", on_dismiss=acts.close_dialog)
def _reword(item: ReviewItem) -> None:
    st.caption("Now it says")
    st.text(item.text)
    draft = acts.draft_of(item)
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
                _give(item, DecisionKind.REWORD, acts.Additions(note=note.strip(), rewording=better.strip()))
        if st.form_submit_button("It holds only in part, and I have no better wording", type="tertiary"):
            _give(item, DecisionKind.REJECT, acts.Additions(reason=Reason.PARTIAL.value, note=note.strip()))
    bring_into_view(("reword", item.key, item.seen))


@st.dialog("Where was it checked?", width="large", on_dismiss=acts.close_dialog)
def _elsewhere(item: ReviewItem) -> None:
    st.text(item.text)
    st.caption(
        "The text of its source is not in this project, so nothing here shows that it holds. What you write stands "
        "beside the citation from now on, in the overview and in every file."
    )
    with st.form(f"elsewhere-{item.key}", border=False):
        where = st.text_area(
            "Checked elsewhere", value=acts.draft_of(item).note, max_chars=_MOST, height=100, key=f"where-{item.key}",
            placeholder="For example: the printed edition, page 12",
        )  # fmt: skip
        st.caption("Ctrl and Enter keep it.")
        if st.form_submit_button("Yes, it says so there", type="primary", icon=":material/check_circle:"):
            if where.strip():
                _give(item, DecisionKind.ACCEPT, acts.Additions(note=f"checked elsewhere: {where.strip()}"))
            else:
                st.error("Write where you read it. Or close this, and add the source.")
    bring_into_view(("elsewhere", item.key, item.seen))


@st.dialog("Note, and why", width="large", on_dismiss=acts.close_dialog)
def _note(item: ReviewItem) -> None:
    st.text(item.text)
    with st.form(f"note-{item.key}", border=False):
        note = st.text_area(
            "Note", value=acts.draft_of(item).note, max_chars=_MOST, height=100, key=f"note-text-{item.key}"
        )
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
                label = answer_words(kind, item.kind)
                if st.form_submit_button(label, icon=f":material/{words.icon}:", key=f"note-{kind.value}"):
                    chosen = kind
        if chosen is DecisionKind.NOTE and not note.strip():
            st.error("The note is empty. Write something, or choose a decision.")
        elif chosen is DecisionKind.ACCEPT and item.takes_note and not note.strip():
            st.error("Its source is not here. Say in the note where it was checked.")
        elif chosen is not None:
            _give(item, chosen, acts.Additions(reason=reason or "", note=note.strip()))
    bring_into_view(("note", item.key, item.seen))


def _reason(code: str) -> str:
    return plain(next(reason_words(reason) for reason in WHY if reason.value == code))


def _give(item: ReviewItem, kind: DecisionKind, given: acts.Additions) -> None:
    acts.decide(item, kind, given)
    acts.close_dialog()
    st.rerun(scope="app")
