"""The variants side by side: each can be edited, switched off, removed; what each newly brings stands under it."""

import streamlit as st

from core.expand.question import counted, repeated
from core.lab import draft as lab_draft
from core.lab.draft import Draft
from core.labels import QueryKind
from core.records import ExpandedSearch, Variant
from core.text.words import section_of, short, title_of
from pages.research.queries.state import change
from pages.shared.safe import plain
from pages.shared.session import form_round
from pages.words.lab import KINDS, first_found, known_passages, variant_name, yield_of, yield_words
from pages.words.llm import page_words

IN_A_ROW = 3
LISTED = 8


def show_variants(draft: Draft, search: ExpandedSearch | None) -> None:
    """A card a variant, and one to add another."""
    for note in draft.notes:
        st.caption(f":material/info: {plain(page_words(note))}")
    cards = [*draft.variants, None]
    for start in range(0, len(cards), IN_A_ROW):
        row = cards[start : start + IN_A_ROW]
        for column, variant in zip(st.columns(IN_A_ROW, gap="small"), row, strict=False):
            with column:
                if variant is None:
                    _adding()
                else:
                    _card(draft, variant, search)


def _card(draft: Draft, variant: Variant, search: ExpandedSearch | None) -> None:
    key, words = f"{form_round('lab')}-{variant.key}", KINDS[variant.kind]
    name = variant_name(draft.variants, variant.key)
    with st.container(border=True, key=f"variant-{variant.key}", gap="xsmall", height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.toggle(
                f":material/{words.icon}: {name}",
                value=variant.on,
                key=f"on-{key}",
                on_change=_switch,
                args=(variant.key, f"on-{key}"),
                width="stretch",
            )
            if variant.kind is not QueryKind.ORIGINAL:
                st.button(
                    "",
                    key=f"remove-{key}",
                    icon=":material/delete:",
                    type="tertiary",
                    help=f"Remove “{name}”",
                    on_click=change,
                    args=(lab_draft.removed, variant.key),
                )
        if variant.kind is QueryKind.ORIGINAL:
            st.text(short(variant.text, 400))
        else:
            st.text_area(
                f"Text of “{name}”",
                value=counted(variant.text),
                key=f"text-{key}",
                height=96,
                label_visibility="collapsed",
                on_change=_edit,
                args=(variant.key, f"text-{key}"),
                help="“×3” behind a word: it counts three times." if "×" in counted(variant.text) else None,
            )
        if variant.web_text and variant.web_text != variant.text:
            st.text_input(
                "Put to the web",
                value=variant.web_text,
                key=f"web-{key}",
                on_change=_edit_web,
                args=(variant.key, f"web-{key}"),
            )
        if why := " · ".join(filter(None, [variant.why, "changed by you" if variant.edited else ""])):
            st.caption(plain(why, 160))
        _yield(draft, variant, search)


def _switch(key: str, widget: str) -> None:
    change(lab_draft.switched, key, bool(st.session_state[widget]))


def _edit(key: str, widget: str) -> None:
    change(lab_draft.edited, key, repeated(str(st.session_state[widget])))


def _edit_web(key: str, widget: str) -> None:
    change(lab_draft.edited_web, key, str(st.session_state[widget]))


def _yield(draft: Draft, variant: Variant, search: ExpandedSearch | None) -> None:
    if not variant.on:
        st.text("Off: not searched with.")
        return
    if not variant.text.strip():
        st.text("Empty: not searched with.")
        return
    brought = yield_of(search, variant.key)
    if search is None or brought is None:
        return
    first = bool(search.yields) and search.yields[0].variant == variant.key
    st.text(yield_words(brought, first))
    new = known_passages(search, brought.new_passages)
    if not new or first:
        return
    with st.expander(f"New passages ({len(brought.new_passages):,})", key=f"new-{variant.key}", type="compact"):
        for scored in new[:LISTED]:
            where = section_of(scored.passage, scored.document)
            title = title_of(scored.document, 70)
            st.text(f"• {title}{f', {where}' if where else ''} (result {scored.rank})")
        if (more := len(brought.new_passages) - len(new[:LISTED])) > 0:
            st.caption(f"… and {more:,} more")


def brought_by(search: ExpandedSearch, passage_id: int) -> str:
    """The variant that brought a passage first, in words; "" where none is known."""
    key = first_found(search, passage_id)
    return f"Brought by {variant_name(search.expansion.variants, key)}" if key else ""


def _adding() -> None:
    with st.container(border=True, key="variant-new", gap="xsmall", height="stretch"):
        st.text("Another wording")
        with st.form("add-variant", border=False, clear_on_submit=True):
            st.text_area(
                "Another wording",
                key="new-variant",
                height=96,
                label_visibility="collapsed",
                placeholder="Ask it in your own other words",
            )
            st.form_submit_button("Add variant", icon=":material/add:", on_click=_add)


def _add() -> None:
    change(lab_draft.added, str(st.session_state.get("new-variant", "")))
