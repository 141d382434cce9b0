"""Hits of a web search: a table in which rows are ticked, what became of each provider, and fetching what is ticked."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.records import WebResult
from core.text.hashing import hex_digest
from core.text.words import count_words
from core.web.wording import HitRow, headline, hit_row, provider_lines
from core.workbench.open_project import OpenProject
from pages.shared.cells import fit
from pages.shared.keyed_table import ROW_PX
from pages.shared.safe import plain
from pages.shared.session import guarded, leave_notice

TITLE_PX, SAID_PX, SITE_PX, BY_PX = 270, 330, 130, 110


def show_hits(opened: OpenProject, result: WebResult, *, key: str) -> None:
    """The hits with ticks (the best ten that are not in the project are ticked at first), the providers' states, and
    the button that fetches; ``key`` names the search, so that its ticks are its own."""
    titles = {info.name: info.title for info in opened.web.providers()}
    if result.failed:
        st.warning(headline(result), icon=":material/cloud_off:")
    else:
        st.markdown(headline(result))
    if result.hits:
        ticked = _table(opened, result, titles, key)
        urls = [result.hits[at].url for at in ticked if at < len(result.hits)]
        if st.button(
            f"Fetch {len(urls)} ticked",
            key=f"{key}-fetch",
            type="primary",
            icon=":material/cloud_download:",
            disabled=not urls,
            help="They are fetched from this computer, politely, and become sources of the project.",
        ):
            with guarded("fetching"):
                opened.web.fetch(urls)
                leave_notice(f"{count_words(len(urls), 'page')} being fetched.")
                st.rerun()
    for note in result.notes:
        st.caption(plain(note))
    _providers(result, titles, key)


def _table(opened: OpenProject, result: WebResult, titles: dict[str, str], key: str) -> list[int]:
    """Paint the table; the numbers of the ticked rows."""
    import pandas as pd

    rows = [hit_row(hit, titles) for hit in result.hits]
    wanted = set(opened.web.default_ticks(result))
    ticked = [at for at, hit in enumerate(result.hits) if hit.url in wanted and hit.document_id is None]
    # A keyed table keeps positions when its rows change (ARCHITECTURE 6): the key names the rows, and which are stored.
    mark = hex_digest("".join(f"{hit.url} {hit.document_id}" for hit in result.hits))[:12]
    default: Any = {"selection": {"rows": ticked, "columns": [], "cells": []}}
    state = st.dataframe(
        pd.DataFrame(_columns(rows)),
        key=f"{key}-hits-{mark}",
        hide_index=True,
        height="auto" if len(rows) <= 6 else 6 * ROW_PX + 70,
        row_height=ROW_PX,
        on_select="rerun",
        selection_mode="multi-row",
        selection_default=default,
        column_config={
            "Title": st.column_config.TextColumn(width=TITLE_PX),
            "What it says": st.column_config.TextColumn(width=SAID_PX),
            "From": st.column_config.TextColumn(width=SITE_PX),
            "By": st.column_config.TextColumn(width=BY_PX),
            "Published": st.column_config.TextColumn(width=88),
            "Found by": st.column_config.TextColumn(width=130),
            "Note": st.column_config.TextColumn(width=100),
        },
        alt="Results of the web search, one a row. Ticked rows are fetched by the button below.",
    )
    return sorted(state.selection.rows)


def _columns(rows: list[HitRow]) -> dict[str, list[str]]:
    return {
        "Title": [fit(row.title, TITLE_PX, 3) for row in rows],
        "What it says": [fit(row.said, SAID_PX, 3) for row in rows],
        "From": [fit(row.site, SITE_PX) for row in rows],
        "By": [fit(row.by, BY_PX, 3) for row in rows],
        "Published": [row.published or "–" for row in rows],
        "Found by": [fit(row.found_by, 130, 3) for row in rows],
        "Note": [row.note for row in rows],
    }


def _providers(result: WebResult, titles: dict[str, str], key: str) -> None:
    lines = provider_lines(result.outcomes, titles)
    good = sum(line.good for line in lines)
    label = f"{good} of {count_words(len(lines), 'provider')} answered"
    with st.expander(label, expanded=good < len(lines), icon=":material/travel_explore:", key=f"{key}-providers"):
        for line in lines:
            st.text(f"{line.title}: {line.words}")
            for detail in line.details:
                st.caption(plain(detail))
