"""The web side of the query lab: what would be asked of whom, the search as a job, the hits to tick and fetch."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import JobNotFound
from core.labels import JobKind, JobState
from core.records import Job, WebResult
from core.text.hashing import hex_digest
from core.text.words import count_words
from core.web.wording import HitRow, headline, hit_row, provider_lines
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, number_in_url
from pages.shared.keyed_table import ROW_PX, fit
from pages.shared.notices import rerun_with
from pages.shared.safe import plain
from pages.shared.session import guarded

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
                rerun_with(f"{count_words(len(urls), 'page')} being fetched.")
    for note in result.notes:
        st.caption(plain(note))
    _providers(result, titles, key)


def _table(opened: OpenProject, result: WebResult, titles: dict[str, str], key: str) -> list[int]:
    """Paint the table; the numbers of the ticked rows."""
    import pandas as pd

    rows = [hit_row(hit, titles) for hit in result.hits]
    wanted = set(opened.web.default_ticks(result))
    ticked = [at for at, hit in enumerate(result.hits) if hit.url in wanted and hit.document_id is None]
    # Streamlit keeps the selected positions of a keyed table also when its rows change, so the key names the rows, and
    # which of them are stored.
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
        "What it says": [fit(row.snippet, SAID_PX, 3) for row in rows],
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


def show_web_plan(opened: OpenProject, queries: Sequence[str]) -> bool:
    """The providers that would be asked and the queries, or why none can be asked. True when the web can be asked."""
    if off := opened.web.why_off():
        with st.container(horizontal=True, vertical_alignment="center", key="lab-web-off"):
            st.caption(f":material/public_off: {plain(off)}")
            st.page_link(Page.SETTINGS, label="Settings", icon=":material/settings:")
        return False
    st.caption(plain(f"{count_words(len(queries), 'query', 'queries')} for the web. {opened.web.would_send()}"))
    return bool(queries)


def web_job(opened: OpenProject) -> Job | None:
    """The search that the URL names, None when there is none (also for nonsense)."""
    wanted = number_in_url("web")
    if wanted is None:
        return None
    try:
        job = opened.jobs.get(wanted)
    except JobNotFound:
        job = None
    if job is None or job.kind is not JobKind.WEB_SEARCH:
        st.query_params.pop("web", None)
        return None
    return job


def show_web(opened: OpenProject, job: Job) -> None:
    """The hits of a search, or where it stands."""
    if job.state.active:
        st.info("The web is being searched. The hits appear here by themselves.", icon=":material/hourglass_top:")
    elif job.state is JobState.FAILED:
        st.error(plain(job.error or "The search failed."), icon=":material/error:")
    elif job.state is JobState.CANCELLED:
        st.info("The search of the web was stopped. Search again when you want it after all.")
    else:
        with guarded("showing what the web has"):
            show_hits(opened, opened.web.result(job.id), key=f"web-{job.id}")
