"""A passage of a stored source with the deciding words marked, and the way into the source and back."""

from __future__ import annotations

import streamlit as st

from core.errors import DocumentNotFound
from core.records import Document, Span
from core.retrieve.stretch import page_at, passage_at, stretch
from core.text.words import day_words, site_of, title_of
from core.workbench.open_project import OpenProject
from pages.shared.grade import grade_badge
from pages.shared.safe import show_evidence, show_heading

_LONG_MARK = 1500


def show_cited_passage(opened: OpenProject, document_id: str, span: Span, key: str, mark: Span | None = None) -> None:
    """``text[span]`` of a document with some text around it, ``mark`` (else ``span``) highlighted; a button opens the
    source over the page at that place. ``key`` tells several on one page apart."""
    try:
        document = opened.sources.document(document_id)
    except DocumentNotFound:
        st.warning("The source was deleted since this was checked. Check again to see what holds now.")
        return
    text = opened.sources.text(document_id)
    marked = mark or span
    if not 0 <= marked[0] < marked[1] <= len(text):
        st.warning("The source was changed since this was checked. Check again to see what holds now.")
        return
    _heading(document, span)
    # The mark must be in sight, whatever was looked at around it.
    left, right = stretch(text, min(span[0], marked[0]), min(max(span[1], marked[1]), marked[0] + _LONG_MARK))
    with st.container(key=f"the-passage-{key}", gap="xxsmall"):
        before, after = ("… " if left > 0 else ""), (" …" if right < len(text) else "")
        shift = len(before) - left
        show_evidence(before + text[left:right] + after, [(marked[0] + shift, min(marked[1], right) + shift)])
    if st.button("Open in the source", key=f"open-{key}", icon=":material/article:"):
        open_in_source(opened, document_id, marked)


def _heading(document: Document, span: Span) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        show_heading(title_of(document, 200), 4)
        grade_badge(document)
    parts = [site_of(document)]
    if (page := page_at(document.pages, span[0])) is not None:
        parts.append(f"page {page}")
    if document.published:
        parts.append(f"published {day_words(document.published)}")
    with st.container(key=f"quiet-{document.id[:12]}-{span[0]}"):
        st.text(" · ".join(parts))


def open_in_source(opened: OpenProject, document_id: str, mark: Span) -> None:
    """Open the source over this page at these words."""
    passage = passage_at(opened.sources.passages(document_id), mark[0])
    if passage is None:
        st.warning("This source has no passages to open.")
        return
    st.query_params["doc"] = document_id
    st.query_params["passage"] = str(passage.id)
    st.query_params["mark"] = f"{mark[0]}-{mark[1]}"
    st.rerun(scope="app")
