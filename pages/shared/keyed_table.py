"""Tables to read, and tables whose rows are things with an id: a click on a row names the thing in the URL, and text is
cut to its cell."""

from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import east_asian_width

import streamlit as st

from core.text.hashing import hex_digest
from core.text.words import short

_NARROW = frozenset(" .,:;'|!()[]ijltfrI-’‘“”·")
_PADDING_PX = 18
_CHAR_PX = 7.4
"""The width of an average letter in the font of the tables."""

ROW_PX = 66
"""Three lines of text; tables wrap only in rows of more than 64 pixels."""


def fit(text: str, width_px: int, lines: int = 1) -> str:
    """``text`` on one line of words, shortened to what ``lines`` lines of a cell of this width hold."""
    line = short(text, len(text) or 1)
    # Words do not break where a line ends: a little of each line but the last stays empty.
    room = (width_px - _PADDING_PX) / _CHAR_PX * (1 if lines == 1 else lines * 0.88)
    used = 0.0
    for at, character in enumerate(line):
        used += _width(character)
        if used > room:
            return line[: max(0, at - 1)].rstrip() + "…"
    return line


def _width(character: str) -> float:
    if east_asian_width(character) in "WF":
        return 2.0
    if character in _NARROW:
        return 0.6
    return 1.3 if character.isupper() or character in "mw%@" else 1.0


def keyed_table(
    name: str,
    param: str,
    ids: Sequence[int],
    columns: Mapping[str, Sequence[object]],
    config: Mapping[str, Any],
    alt: str,
) -> None:
    """Rows ``ids`` with ``columns``; a click puts the id into the URL parameter ``param``. The row that the URL names
    is the selected one, also when it got there in another way."""
    import pandas as pd

    current = st.query_params.get(param) or ""
    chosen = next((at for at, row_id in enumerate(ids) if str(row_id) == current), None)
    # Streamlit keeps the selected positions of a keyed table also when its rows change, so the key names the rows.
    rows = hex_digest(",".join(map(str, ids)))[:12]
    moved = f"{name}-moved"
    if st.session_state.get(f"{name}-chosen", "") != current:  # by a link or a button: the table shall show it
        st.session_state[moved] = int(st.session_state.get(moved, 0)) + 1
        st.session_state[f"{name}-chosen"] = current
    key = f"{name}-{rows}-{st.session_state.get(moved, 0)}"

    def choose() -> None:
        cells = st.session_state[key].selection.cells
        if cells and cells[0][0] < len(ids):
            picked = str(ids[cells[0][0]])
            st.session_state[f"{name}-chosen"] = picked
            st.query_params[param] = picked

    first = next(iter(columns))
    selected: Any = {"selection": {"cells": [(chosen, first)]}} if chosen is not None else None
    st.dataframe(
        pd.DataFrame(dict(columns)),
        key=key,
        hide_index=True,
        height="auto" if len(ids) <= 6 else 6 * ROW_PX + 70,
        row_height=ROW_PX,
        on_select=choose,
        selection_mode="single-cell",
        selection_default=selected,
        column_config=dict(config),
        alt=alt,
    )


def show_table(data: object, alt: str, *, wide: bool = True) -> None:
    """A table to read; as wide as the page, or as its contents."""
    st.dataframe(data, hide_index=True, width="stretch" if wide else "content", alt=alt)
