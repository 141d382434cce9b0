"""The actions behind the buttons of review. They are callbacks: they run before the page is painted again, and leave
one line about their outcome."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.errors import RowMoved, WorkbenchError
from core.labels import DecisionKind
from core.records import Decision, ReviewItem
from core.text.words import short
from core.workbench.open_project import OpenProject
from pages.shared.reviewer import current_reviewer
from pages.shared.session import this_project
from pages.words.review import done_line, moved_line

log = logging.getLogger("workbench.pages")

ITEM = "item"
"""URL parameter that names the item looked at."""

SECTION, QUEUE = "section", "Queue"
"""The tabs of the page (their key, also in the URL), and the first of them."""

_DONE = "review-done"
_SAID = "review-said"
_ASKING = "review-asking"
_ORDER = "review-order"
_AFTER = "review-after"
_DRAFT = "review-draft"
_FILTER = "review-filter"
_TWICE = "A key that came before the page had changed did nothing. Press again for what you see now."


@dataclass(frozen=True, slots=True)
class Additions:
    """The note, reason or other wording that a person adds to a decision."""

    reason: str = ""
    note: str = ""
    rewording: str = ""


NO_ADDITIONS = Additions()


def decide(item: ReviewItem, kind: DecisionKind, given: Additions = NO_ADDITIONS) -> None:
    """Decide on ``item`` as it was shown; then the next item follows. The outcome is kept for ``last_outcome``."""
    # A key pressed twice must not act again before the page has changed; but it is said that it did nothing.
    token = (item.key, item.version, item.seen, kind.value)
    if st.session_state.get(_DONE) == token:
        _say("moved", f"Decided so already: {short(item.text, 120)}. {_TWICE}")
        return
    st.session_state[_DRAFT] = (item.key, given)  # typed words outlive a refusal
    try:
        opened = this_project()
        me = current_reviewer(opened)
        done = opened.reviews.decide(
            item.key,
            kind,
            by=me,
            version=item.version,
            seen=item.seen,
            reason=given.reason,
            note=given.note,
            rewording=given.rewording,
        )
    except RowMoved:
        _say("moved", moved_line(item, _as_it_is(opened, item.key, me)))
        return
    except WorkbenchError as error:
        _say("error", str(error))
        return
    except Exception:
        log.exception("unexpected error while deciding")
        _say("error", "Something unexpected happened. The decision was not kept; the details are in the server's log.")
        return
    st.session_state[_DONE] = token
    st.session_state.pop(_DRAFT, None)
    _say("done", _done(done, item.text))
    if kind is not DecisionKind.NOTE:
        st.session_state[_AFTER] = item.key


def _done(entry: Decision, text: str) -> str:
    """The line after a decision. It begins with the number of the entry, as in the history, so that two alike lines are
    seen to be two."""
    return f"{entry.id:,}. {done_line(entry, short(text, 120))}"


def _as_it_is(opened: OpenProject, key: str, me: str) -> ReviewItem | None:
    try:
        return opened.reviews.item(key, me)
    except WorkbenchError:
        return None


def take_back(kind: DecisionKind, entry: int) -> None:
    """Undo the own decision ``entry``, or redo what ``entry`` took back; its item is shown again."""
    try:
        opened = this_project()
        me = current_reviewer(opened)
        reviews = opened.reviews
        undoing = kind is DecisionKind.UNDO
        newest = reviews.undoable(me) if undoing else reviews.redoable(me)
        if newest is None or newest.id != entry:  # pressed twice, or done in another window
            _say("moved", f"{'Taken back' if undoing else 'Brought back'} already. {_TWICE}")
            return
        done = reviews.undo(me) if undoing else reviews.redo(me)
    except WorkbenchError as error:
        _say("error", str(error))
        return
    if done is not None:
        st.session_state.pop(_DONE, None)
        st.query_params[ITEM] = done.item
        _say("done", _done(done, done.basis.claim_text))


def look_at(key: str | None) -> None:
    """Callback: show another item."""
    if key is not None:
        st.query_params[ITEM] = key


def pick(opened: OpenProject, queue: Sequence[ReviewItem], me: str, asked_for: object) -> ReviewItem | None:
    """The item to show: the one after the last decision, else the one that the URL names, else the first. The URL names
    it afterwards. An item that does not pass a filter chosen just now (``asked_for``) gives way."""
    refiltered = st.session_state.get(_FILTER, asked_for) != asked_for
    st.session_state[_FILTER] = asked_for
    after = st.session_state.pop(_AFTER, None)
    item = _following(queue, after) if after is not None else _item_in_url(opened, queue, me, refiltered)
    item = item or (queue[0] if queue else None)
    st.session_state[_ORDER] = [item.key for item in queue]
    if item is None:
        st.query_params.pop(ITEM, None)
    elif st.query_params.get(ITEM) != item.key:
        st.query_params[ITEM] = item.key
    return item


def _item_in_url(opened: OpenProject, queue: Sequence[ReviewItem], me: str, refiltered: bool) -> ReviewItem | None:
    wanted = st.query_params.get(ITEM)
    if not wanted:
        return None
    item = next((item for item in queue if item.key == wanted), None)
    if item is None and not refiltered:
        item = _as_it_is(opened, wanted, me)
        if item is None and _SAID not in st.session_state:
            _say("error", "The link names an item that is not here: its report was deleted, or it is mistyped.")
    return item


def _following(queue: Sequence[ReviewItem], after: str) -> ReviewItem | None:
    order: list[str] = st.session_state.get(_ORDER, [])
    waiting = {item.key: item for item in queue}
    rest = order[order.index(after) + 1 :] if after in order else []
    return next((waiting[key] for key in rest if key in waiting), None)


def _say(kind: str, text: str) -> None:
    st.session_state[_SAID] = (kind, text)


def last_outcome() -> tuple[str, str]:
    """The outcome of the last press, once: ``done``, ``moved`` or ``error``, and one line of foreign text."""
    kind, text = st.session_state.pop(_SAID, ("", ""))
    return kind, text


def open_dialog(item: ReviewItem, kind: DecisionKind) -> None:
    """Open the dialog in which a note or another wording is typed."""
    st.session_state[_ASKING] = (item, kind)


def dialog_kind(shown: ReviewItem | None) -> DecisionKind | None:
    """The decision for which a dialog is open on the item shown, or None. A dialog for another item is closed."""
    item, kind = st.session_state.get(_ASKING, (None, None))
    if item is None or shown is None or item.key != shown.key:
        close_dialog()
        return None
    return DecisionKind(kind)


def dialog_item() -> ReviewItem | None:
    """The item of the open dialog, as it was when it was opened."""
    item: ReviewItem | None = st.session_state.get(_ASKING, (None, None))[0]
    return item


def close_dialog() -> None:
    st.session_state.pop(_ASKING, None)


def draft_of(item: ReviewItem) -> Additions:
    """The words that were typed for this item and could not be kept."""
    key, given = st.session_state.get(_DRAFT, ("", NO_ADDITIONS))
    return given if key == item.key else NO_ADDITIONS
