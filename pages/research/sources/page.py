"""Sources: add them, watch them come in, see what failed, look into one."""

from collections.abc import Sequence

import streamlit as st

from core.errors import DocumentNotFound
from core.labels import FetchState, JobKind
from core.ports.context import acquisitions_of
from core.records import Acquisition, Document
from core.text import words as text_words
from core.text.hashing import hex_digest
from core.workbench.open_project import OpenProject
from pages.research.sources.document_detail import show_document
from pages.shared.add_sources import show_add
from pages.shared.address import BACK, Page, go_button, turn_to
from pages.shared.jobs import show_jobs
from pages.shared.keyed_table import ROW_PX, fit
from pages.shared.notices import hint, rerun_with
from pages.shared.session import current_project, guarded, page_heading, this_project

TITLE_PX, AUTHORS_PX, TAGS_PX, FROM_PX, NOTE_PX = 315, 145, 95, 115, 115
_CLOSED = "source-closed"
MANY_JOBS = 50
"""The most jobs that one look returns."""

ITS_JOBS = (JobKind.ADD, JobKind.REFETCH, JobKind.RECHUNK, JobKind.ENCODE)
"""Work whose end is shown here; other work is shown while it runs."""


def show_table(documents: Sequence[Document]) -> None:
    """One row a document, whole titles, each column sortable; a click on a row opens the document beside the list."""
    import pandas as pd

    titles = {document.id: text_words.title_of(document) for document in documents}
    frame = pd.DataFrame([_row(document, titles) for document in documents])
    # Streamlit keeps the selected positions of a keyed table also when its rows change, so the key names the rows. The
    # pane that was closed is no reason to keep its row selected: then the same row could not be opened again.
    rows = hex_digest("".join(document.id for document in documents))[:12]
    state = st.dataframe(
        frame,
        key=f"documents-{rows}-{st.session_state.get(_CLOSED, 0)}",
        hide_index=True,
        row_height=ROW_PX,
        height="auto" if len(documents) <= 8 else 8 * ROW_PX + 40,
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "Title": st.column_config.TextColumn(width=TITLE_PX),
            "Authors": st.column_config.TextColumn(width=AUTHORS_PX),
            "Year": st.column_config.NumberColumn(width=58, format="%d"),
            "Type": st.column_config.TextColumn(width=66),
            "Grade": st.column_config.TextColumn(width=58, help="A is best. A star: set by hand."),
            "Language": st.column_config.TextColumn(width=75),
            "Tags": st.column_config.TextColumn(width=TAGS_PX),
            "From": st.column_config.TextColumn(width=FROM_PX),
            "Note": st.column_config.TextColumn(width=NOTE_PX),
            "Passages": st.column_config.NumberColumn(width=76),
            "Pages": st.column_config.NumberColumn(width=60),
        },
        alt="Stored sources, one a row. A click on a row opens the source.",
    )
    cells = state.selection.cells
    if cells and cells[0][0] < len(documents):
        wanted = documents[cells[0][0]].id
        if st.query_params.get("doc") != wanted:
            turn_to("doc", wanted)


def _row(document: Document, titles: dict[str, str]) -> dict[str, object]:
    return {
        "Title": " ".join(text_words.title_of(document, 400).split()),
        "Authors": fit(", ".join(document.authors), AUTHORS_PX, 3),
        "Year": document.published.year if document.published else None,
        "Type": text_words.kind_words(document.media_type),
        "Grade": grade_cell(document),
        "Language": document.language or "–",
        "Tags": fit(", ".join(document.tags), TAGS_PX, 3),
        "From": fit(text_words.site_of(document), FROM_PX, 3),
        "Note": fit(note_cell(document, titles), NOTE_PX, 3),
        "Passages": document.passage_count,
        "Pages": len(document.pages) or None,
    }


def grade_cell(document: Document) -> str:
    """The grade; a star when a person set it."""
    return document.grade_in_force.value + ("*" if document.grade_override else "")


def note_cell(document: Document, titles: dict[str, str]) -> str:
    """The special traits of a document in a few words; ``titles`` by document id."""
    notes = [] if document.accepted else ["for an answer; not accepted"]
    if document.near_duplicate_of:
        notes.append(f"near copy of “{text_words.short(titles.get(document.near_duplicate_of, 'another source'), 60)}”")
    if document.warnings:
        notes.append(text_words.count_words(len(document.warnings), "warning"))
    return "; ".join(notes)


def show_failures(opened: OpenProject, *, folded: bool) -> None:
    """Requests that brought nothing, by reason, with what to do; ``folded`` keeps the table below in sight."""
    items = opened.sources.acquisitions()
    groups = text_words.grouped_failures(items)
    left = _left_waiting(opened, items)
    if left:
        groups.append((FetchState.QUEUED, left))
    if not groups:
        return
    total = sum(len(group) for _, group in groups)
    label = f"{text_words.count_words(total, 'source')} could not be read: see why and what to do"
    with st.expander(label, expanded=not folded, icon=":material/report:", key="failures"):
        for state, group in groups:
            with st.container(gap="xsmall"):
                _failure_group(opened, state, group)


def _left_waiting(opened: OpenProject, items: Sequence[Acquisition]) -> list[Acquisition]:
    """Requests that wait although no job is going to read them: theirs was stopped or broken off."""
    waiting = [item for item in items if item.state is FetchState.QUEUED]
    if not waiting:
        return []
    active = opened.jobs.all(active=True)
    if len(active) >= MANY_JOBS:  # there may be more than were told of
        return []
    under_way = {key for job in active for key in acquisitions_of(job)}
    return [item for item in waiting if item.id not in under_way]


def _failure_group(opened: OpenProject, state: FetchState, group: Sequence[Acquisition]) -> None:
    stuck = "No work on it is under way: it was stopped or broken off. Retry when you want it."
    advice = stuck if state is FetchState.QUEUED else text_words.state_advice(state)
    st.markdown(f"**{text_words.state_words(state)}.** {advice}")
    for item in group[:20]:
        with st.container(horizontal=True, vertical_alignment="center", key=f"failure-{item.id}"):
            with st.container(gap=None):
                st.text(text_words.short(item.origin, 120) or "pasted text")
                with st.container(key=f"quiet-failure-{item.id}"):
                    st.text(text_words.short(item.message, 300) or text_words.state_words(state))
            with guarded("changing the list"):
                if st.button("Retry", key=f"retry-{item.id}", icon=":material/refresh:"):
                    opened.sources.retry([item.id])
                    st.rerun()
                if st.button("Forget", key=f"forget-{item.id}", icon=":material/close:"):
                    opened.sources.forget_acquisition(item.id)
                    st.rerun()
    if len(group) > 20:
        st.caption(f"… and {len(group) - 20} more")
    if len(group) > 1:
        with st.container(horizontal=True), guarded("changing the list"):
            if st.button(f"Retry all {len(group)}", key=f"retry-all-{state.value}"):
                opened.sources.retry([item.id for item in group])
                rerun_with(f"{len(group)} sources are tried again.")
            if st.button(f"Forget all {len(group)}", key=f"forget-all-{state.value}"):
                for item in group:
                    opened.sources.forget_acquisition(item.id)
                st.rerun()


def overview(opened: OpenProject) -> None:
    """Adding, work in progress, failures, and the table."""
    documents = opened.sources.documents(waiting=True)
    with st.expander(
        "Add sources",
        expanded=not documents and not opened.jobs.all(active=True),
        icon=":material/add_circle:",
        key="add",
    ):
        show_add(opened)
    show_jobs(opened, ended=ITS_JOBS)
    with guarded("listing what failed"):
        show_failures(opened, folded=bool(documents))
    if not documents:
        hint("No source is stored yet. Add files, web addresses, or text above; they become searchable at once.")
        return
    encoded, searchable = opened.coverage()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.header(
            f"{text_words.count_words(len(documents), 'source')}, {text_words.count_words(searchable, 'passage')}"
        )
        go_button("Search them", Page.EVIDENCE, type="primary", icon=":material/manage_search:")
    st.caption(text_words.encoding_words(encoded, searchable) or "All passages can be found by words and by meaning.")
    with guarded("painting the table"):
        show_table(documents)
    st.caption(
        "Click a row to open the source beside the list and to correct what is said of it; click the head of a column "
        "to sort."
    )


def _close() -> None:
    """The pane is closed: its source is not named in the address any more, and its row can be clicked again."""
    for key in ("doc", "mark", *BACK):
        st.query_params.pop(key, None)
    st.session_state[_CLOSED] = int(st.session_state.get(_CLOSED, 0)) + 1


@st.dialog("Source", width="medium", position="right", on_dismiss=_close)
def _pane() -> None:
    with st.container(key="reader-pane"), guarded("opening the source"):
        opened = this_project()
        show_document(opened, opened.sources.document(st.query_params.get("doc") or ""), _close)


def main() -> None:
    """The page; with ``?doc=`` one document in a pane beside the list."""
    opened = current_project()
    wanted = st.query_params.get("doc")
    page_heading("Sources", opened)
    if wanted:
        try:
            opened.sources.document(wanted)
        except DocumentNotFound:
            st.query_params.pop("doc", None)
            st.warning("This project has no such source. It may have been deleted; here are those that are there.")
        else:
            _pane()
    overview(opened)


main()
