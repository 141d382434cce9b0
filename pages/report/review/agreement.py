"""Conflicts between people, and how far they agree."""

from collections.abc import Sequence

import streamlit as st

from core.errors import NoteMissing, RowMoved
from core.labels import DecisionKind, ItemKind, Role
from core.records import Agreement, Conflict, Decision, Person, ReviewItem
from core.text.words import count_words, short
from core.workbench.open_project import OpenProject
from pages.report.review.acts import ITEM, QUEUE, SECTION
from pages.shared.keyed_table import show_table
from pages.shared.notices import leave_notice
from pages.shared.safe import plain, show_badge, show_heading
from pages.shared.session import guarded, now, this_project
from pages.words.measures import agreement_line, cross_table, kappa_line
from pages.words.review import DECISIONS, KINDS, decided_words, decision_details

_SETTLING = (DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.WRONG_SOURCE)


def show_agreement(opened: OpenProject, me: Person) -> None:
    """Conflicts first, since they wait for someone; then how far people agree."""
    with guarded("looking for conflicts"):
        _conflicts(opened, me)
    st.subheader("How far people agree")
    with guarded("measuring agreement"):
        _agreement(opened)


def _conflicts(opened: OpenProject, me: Person) -> None:
    conflicts = opened.reviews.conflicts(me.name)
    st.subheader(count_words(len(conflicts), "conflict") if conflicts else "No conflicts")
    if not conflicts:
        st.caption("A conflict is an item on which two people decided differently.")
        return
    st.caption("Two people decided differently. What is decided here counts; both decisions stay in the history.")
    for conflict in conflicts:
        with st.container(border=True, key=f"conflict-{conflict.item.key}", gap="xsmall"):
            word, _, icon = KINDS[conflict.item.kind]
            st.badge(word, icon=f":material/{icon}:", color="gray")
            show_heading(conflict.item.text, 4)
            _sides(conflict.decisions)
            st.button(
                "Read it",
                key=f"read-{conflict.item.key}",
                icon=":material/menu_book:",
                type="tertiary",
                on_click=_read,
                args=(conflict.item.key,),
            )
            if me.role is Role.OWNER:
                with guarded("settling a conflict"):
                    _settle(conflict, me)
            else:
                st.caption("An owner of this project settles it.")


def _read(key: str) -> None:
    st.query_params[ITEM] = key
    st.session_state[SECTION] = QUEUE


def _sides(decisions: Sequence[Decision]) -> None:
    for decision in decisions:
        words = DECISIONS[decision.kind]
        with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
            show_badge(words.word, words.icon, words.color)
            st.text("\n".join([decided_words(decision, now()), *decision_details(decision)]), width="stretch")


def _settle(conflict: Conflict, me: Person) -> None:
    item = conflict.item
    with st.form(f"settle-{item.key}-{item.version}-{item.seen}", border=False):
        elsewhere = "Why; to accept it, where it was checked (its source is not here)"
        note = st.text_input(elsewhere if item.takes_note else "Why (may stay empty)", max_chars=2000)
        chosen, better = None, ""
        with st.container(horizontal=True, gap="xsmall"):
            for kind in _SETTLING:
                if kind is DecisionKind.WRONG_SOURCE and item.kind is ItemKind.CLAIM:
                    continue
                words = DECISIONS[kind]
                if st.form_submit_button(words.word, icon=f":material/{words.icon}:", key=f"{kind.value}-{item.key}"):
                    chosen = kind
            for decision in conflict.decisions:
                label = plain(f"Reword as {decision.by} wrote", 60)
                if decision.rewording and st.form_submit_button(
                    label, icon=":material/edit_note:", key=f"reword-{decision.id}-{item.key}"
                ):
                    chosen, better = DecisionKind.REWORD, decision.rewording
    if chosen is not None:
        _decide(item, chosen, me, note.strip(), better)


def _decide(item: ReviewItem, kind: DecisionKind, me: Person, note: str, rewording: str) -> None:
    reviews, version, seen = this_project().reviews, item.version, item.seen
    try:
        reviews.adjudicate(item.key, kind, by=me.name, version=version, seen=seen, note=note, rewording=rewording)
    except NoteMissing as error:
        leave_notice(str(error), "error")
    except RowMoved:
        leave_notice("It changed while you looked at it. Nothing was written; this is how it stands now.", "warning")
    else:
        leave_notice(f"Settled: {DECISIONS[kind].word.lower()}. Both decisions stay in its history.")
    st.rerun()


def _agreement(opened: OpenProject) -> None:
    pairs = opened.reviews.agreement()
    if not pairs:
        st.text("This can be told once two people have decided on the same items.")
        return
    for pair in pairs:
        with st.container(border=True, key=f"pair-{pair.first}-{pair.second}", gap="xsmall"):
            show_heading(f"{pair.first} and {pair.second}", 4)
            st.text(agreement_line(pair.first, pair.second, pair.n, pair.percent))
            if pair.n:
                with_kappa = pair.kappa is not None or not pair.note
                st.text(kappa_line(pair.kappa, pair.low, pair.high) if with_kappa else pair.note)
                _cross_table(pair)
    st.caption(
        "Two people who guess agree now and then. Cohen's kappa takes that off: 0 is what guessing gives, 1 is full "
        "agreement."
    )


def _cross_table(pair: Agreement) -> None:
    """Rows: what the first decided; columns: what the second did."""
    import pandas as pd

    kinds, counts = cross_table(pair)
    names = [DECISIONS[kind].word for kind in kinds]
    first = f"{short(pair.first, 30)} decided"
    columns: dict[str, list[object]] = {first: list(names)}
    for at, name in enumerate(names):
        columns[f"{short(pair.second, 30)}: {name.lower()}"] = [row[at] for row in counts]
    show_table(
        pd.DataFrame(columns), f"How often {pair.first} and {pair.second} decided what, on the same items.", wide=False
    )
