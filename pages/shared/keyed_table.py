"""A table whose rows are things with an id: a click on a row names the thing in the URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.text.hashing import hex_digest

ROW_PX = 66
"""Three lines of text; tables wrap only in rows of more than 64 pixels."""


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
    chosen = next((at for at, one in enumerate(ids) if str(one) == current), None)
    # A keyed table keeps positions when its rows change: the key names the rows (ARCHITECTURE 6).
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
