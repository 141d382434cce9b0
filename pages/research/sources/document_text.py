"""The stored text of a document, a page at a time, beside the original; and its passages."""

import streamlit as st

from core.acquire.read_text import charset_of, decode
from core.records import Document, Span
from core.retrieve.stretch import slice_at, slices
from core.text.words import kind_words, short, size_words
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, go
from pages.shared.in_view import bring_into_view
from pages.shared.safe import file_name, show_evidence
from pages.shared.session import guarded
from pages.shared.source_view import mark_in_url, show_page_picture

PASSAGES_A_VIEW = 20
SOURCE_CHARS = 6000
MOST_CHARS = 30_000
_ENDINGS = {
    "HTML": ".html",
    "PDF": ".pdf",
    "DOCX": ".docx",
    "Markdown": ".md",
    "Text": ".txt",
    "XML": ".xml",
    "JATS XML": ".xml",
}


def show_text(opened: OpenProject, document: Document) -> None:
    """The page of a PDF as a picture, or the stored text in slices; the original below it."""
    text = opened.sources.text(document.id)
    spans = slices(document, len(text))
    stored, original = st.container(), st.container()
    mark = mark_in_url(len(text))
    with stored:
        if mark and st.session_state.get("slice-mark") != (document.id, mark):
            st.session_state["slice-mark"] = (document.id, mark)
            st.session_state["slice"] = slice_at(spans, mark[0]) + 1
        number = _leaf(len(spans), "slice", bool(document.pages))
        start, end = spans[number - 1]
        here = mark if mark and start <= mark[0] < end else None
        at_page = document.pages[number - 1].start if document.pages else start
        if not show_page_picture(opened, document, here or (at_page, at_page)):
            _stored(document, text, (start, end), mark, number)
        if mark:
            bring_into_view((document.id, mark, number))
    with original, guarded("reading the original"):
        st.subheader("Original, as received")
        _original(opened, document)


def _stored(document: Document, text: str, span: Span, mark: Span | None, number: int) -> None:
    start, end = span
    with st.container(border=True, height=560, key="stored-text"):
        if document.pages:
            st.caption(f"Page {document.pages[number - 1].number}")
        if mark and start + MOST_CHARS <= mark[0] < end:
            st.caption("Shown from a little before the marked words.")
            start = mark[0] - 300
        inside = [(mark[0] - start, mark[1] - start)] if mark else []
        show_evidence(text[start : min(end, start + MOST_CHARS)], inside)
        if end - start > MOST_CHARS:
            st.caption(f"This page goes on for {end - start:,} characters; {MOST_CHARS:,} of them are shown.")


def _leaf(count: int, key: str, pages: bool) -> int:
    """Number (from 1) of the slice to show."""
    if count <= 1:
        st.caption("The whole text")
        return 1
    st.caption(f"{count} pages" if pages else f"A long text, shown in {count:,} parts")
    return int(st.pagination(count, key=key, max_visible_pages=5))


def _original(opened: OpenProject, document: Document) -> None:
    kind = kind_words(document.media_type)
    fetched = opened.sources.original(document.id)
    st.caption(f"{kind}, {size_words(len(fetched.body))}, unchanged since {document.fetched:%Y-%m-%d}")
    # Never with its own media type: the browser must save it, not run it.
    st.download_button(
        f"Download the {kind} file" if kind in _ENDINGS else "Download the file",
        lambda: opened.sources.original(document.id).body,
        file_name(document.title, _ENDINGS.get(kind, ".bin")),
        "application/octet-stream",
        icon=":material/download:",
        on_click="ignore",
        key="original",
    )
    if kind in ("PDF", "DOCX"):
        st.info(f"A {kind} file is not run inside this page. Download it to compare it with the stored text.")
        return
    source, _ = decode(fetched.body, charset_of(document.media_type))
    parts = max(1, -(-len(source) // SOURCE_CHARS))
    number = _leaf(parts, "source-slice", pages=False) if parts > 1 else 1
    at = (number - 1) * SOURCE_CHARS
    st.code(source[at : at + SOURCE_CHARS] or " ", language=None, wrap_lines=True, height=500)


def show_passages(opened: OpenProject, document: Document) -> None:
    """The passages that searches find, in order."""
    passages = opened.sources.passages(document.id)
    if not passages:
        st.info("This source has no passages.")
        return
    count = -(-len(passages) // PASSAGES_A_VIEW)
    number = int(st.pagination(count, key="passages-slice")) if count > 1 else 1
    for passage in passages[(number - 1) * PASSAGES_A_VIEW : number * PASSAGES_A_VIEW]:
        with st.container(border=True, gap="xsmall"):
            where = [f"{passage.ordinal + 1} of {len(passages)}"]
            if passage.page:
                where.append(f"page {passage.page}")
            if passage.context:
                where.append(short(passage.context, 120))
            with st.container(key=f"quiet-{passage.id}"):
                st.text(" · ".join(where))
            show_evidence(passage.text)
            if st.button("Open in its place", key=f"place-{passage.id}", type="tertiary", icon=":material/article:"):
                go(Page.EVIDENCE, doc=document.id, passage=str(passage.id))
