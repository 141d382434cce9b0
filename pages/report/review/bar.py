"""The buttons of review and their keys: each acts on exactly the item, and the state of it, that was on the screen.

A key does nothing while someone types into a field, and nothing while a dialog is open: Streamlit sees to the first,
disabled buttons to the second.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import WorkbenchError
from core.labels import DecisionKind, ItemKind
from core.records import Decision, ReviewItem
from core.workbench.open_project import OpenProject
from pages.report.review.acts import ask, decide, look_at, said, take_back
from pages.shared.safe import plain
from pages.words.review import BEFORE_KEY, DECISIONS, NEXT_KEY, OFFERED, neighbour_keys


def show_bar(
    opened: OpenProject, item: ReviewItem | None, queue: Sequence[ReviewItem], me: str, *, may: bool, covered: bool
) -> None:
    """The decisions, then undo and redo and the way through the queue. ``may`` is False for someone who may only
    look; all keys rest while something lies over the page (``covered``)."""
    enabled = may and not covered
    with st.container(key="review-bar", gap="xsmall"):
        with st.container(horizontal=True, gap="xsmall", key="review-decide"):
            for kind in OFFERED:
                _decision_button(kind, item, enabled)
        with st.container(horizontal=True, gap="xsmall", key="review-steps"):
            _log_button(DecisionKind.UNDO, _or_none(opened.reviews.undoable, me), enabled)
            _log_button(DecisionKind.REDO, _or_none(opened.reviews.redoable, me), enabled)
            before, after = neighbour_keys(queue, item.key if item else "")
            _step("Back", BEFORE_KEY, None if covered else before, ":material/navigate_before:")
            _step("Next", NEXT_KEY, None if covered else after, ":material/navigate_next:")


def _decision_button(kind: DecisionKind, item: ReviewItem | None, enabled: bool) -> None:
    words = DECISIONS[kind]
    useless = item is None or (kind is DecisionKind.WRONG_SOURCE and item.kind is ItemKind.CLAIM)
    shown = "none" if item is None else f"{item.key}-{item.version}-{item.seen}"
    st.button(
        words.word,
        # The key names the item and its state: a press meant for the item before does not reach this one.
        key=f"decide-{kind.value}-{shown}",
        icon=f":material/{words.icon}:",
        shortcut=words.key,
        help=words.help,
        type="primary" if kind is DecisionKind.ACCEPT else "secondary",
        disabled=useless or not enabled,
        on_click=ask if kind in (DecisionKind.REWORD, DecisionKind.NOTE) else decide,
        args=(item, kind),
    )


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
        on_click=take_back,
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
        on_click=look_at,
        args=(target,),
    )


def show_said(*, may: bool) -> None:
    """The line below the buttons; it keeps its place when there is nothing to say, so that nothing jumps."""
    kind, text = said()
    with st.container(key="review-line"):
        if kind == "moved":
            st.warning(plain(text), icon=":material/sync_problem:")
        elif kind == "error":
            st.error(plain(text), icon=":material/error:")
        else:
            hint = "One key or one click decides; the next item follows at once." if may else "J and K turn the pages."
            st.caption(plain(text, 220) or hint)
