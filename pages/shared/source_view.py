"""A stored source as pages show it: its grade, a passage with the deciding words marked, the text around a passage."""

from typing import Literal

import streamlit as st

from core.errors import DocumentNotFound, WorkbenchError
from core.labels import Grade
from core.records import Document, Passage, Span
from core.retrieve.stretch import neighbours, page_at, passage_at, stretch, window, word_marks
from core.text.words import GRADE_WORDS, day_words, kind_words, site_of, title_of
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, go, way_back
from pages.shared.safe import plain, show_evidence, show_heading
from pages.shared.session import guarded, this_project

Color = Literal["green", "blue", "orange", "red", "gray"]
_COLORS: dict[Grade, Color] = {
    Grade.A: "green",
    Grade.B: "green",
    Grade.C: "blue",
    Grade.D: "orange",
    Grade.E: "red",
}

_LONG_MARK = 1500
_LOOKS = ("Page", "Stored text")
"""The ways to look at a passage of a PDF."""


def grade_badge(document: Document) -> None:
    """The badge ``Grade B``, with its meaning on hover."""
    grade = document.grade_in_force
    by_hand = " Set by hand." if document.grade_override else ""
    st.badge(
        f"Grade {grade.value}{'*' if by_hand else ''}".replace("*", "\\*"),
        color=_COLORS[grade],
        help=f"{GRADE_WORDS[grade].capitalize()}, on a scale from A (best) to E.{by_hand}",
    )


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
    _passage_heading(document, span)
    # The mark must be in sight, whatever was looked at around it.
    left, right = stretch(text, min(span[0], marked[0]), min(max(span[1], marked[1]), marked[0] + _LONG_MARK))
    with st.container(key=f"the-passage-{key}", gap="xxsmall"):
        before, after = ("… " if left > 0 else ""), (" …" if right < len(text) else "")
        shift = len(before) - left
        show_evidence(before + text[left:right] + after, [(marked[0] + shift, min(marked[1], right) + shift)])
    if st.button("Open in the source", key=f"open-{key}", icon=":material/article:"):
        open_in_source(opened, document_id, marked)


def _passage_heading(document: Document, span: Span) -> None:
    show_heading(title_of(document, 200), 4)
    parts = [site_of(document)]
    if (page := page_at(document.pages, span[0])) is not None:
        parts.append(f"page {page}")
    if document.published:
        parts.append(f"published {day_words(document.published)}")
    line = f"quiet-{document.id[:12]}-{span[0]}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=line):
        grade_badge(document)
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


def find_passage(opened: OpenProject, document: Document, wanted: str) -> Passage | None:
    """The passage of this id, or None (also for nonsense)."""
    if not wanted.isascii() or not wanted.isdigit() or len(wanted) > 18:
        return None
    return next((passage for passage in opened.sources.passages(document.id) if passage.id == int(wanted)), None)


def open_reader(opened: OpenProject, question: str = "") -> None:
    """Open the source at the passage that the URL names, if it names one that is there."""
    if not (st.query_params.get("doc") or st.query_params.get("passage")):
        return
    if passage_in_url(opened) is None:
        close_reader()
        st.warning("The link names a passage that is not here any more. Its source was deleted or replaced.")
    else:
        show_reader(question)


def show_reader(question: str) -> None:
    """Open the source in a pane at the side, at the passage that the URL names; words of ``question`` (may be empty)
    are marked in it. The page stays beside it (on a phone below it), so that a reader who closes it is where they
    were."""

    @st.dialog("In its source", width="medium", position="right", on_dismiss=close_reader)
    def reader() -> None:
        with st.container(key="reader-pane"), guarded("opening the source"):
            opened = this_project()
            place = passage_in_url(opened)
            if place is not None:
                _paint_reader(opened, *place, question)

    reader()


def passage_in_url(opened: OpenProject) -> tuple[Document, Passage] | None:
    """The document and passage that ``?doc=`` and ``?passage=`` name, None when they are not in the project."""
    try:
        document = opened.sources.document(st.query_params.get("doc") or "")
    except DocumentNotFound:
        return None
    passage = find_passage(opened, document, st.query_params.get("passage") or "")
    return (document, passage) if passage else None


def _paint_reader(opened: OpenProject, document: Document, passage: Passage, question: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        show_heading(title_of(document, 300), 3)
        grade_badge(document)
    passages = opened.sources.passages(document.id)
    parts = [site_of(document), f"passage {passage.ordinal + 1} of {len(passages)}"]
    if passage.page:
        parts.append(f"page {passage.page}")
    if document.published:
        parts.append(f"published {day_words(document.published)}")
    with st.container(key="quiet-origin"):
        st.text(" · ".join(parts))
    before, after = neighbours(passages, passage.id)
    with st.container(horizontal=True):
        _step("Passage before", before, ":material/navigate_before:")
        _step("Passage after", after, ":material/navigate_next:")
        if st.button("All about this source", icon=":material/library_books:"):
            mark = st.query_params.get("mark")
            go(Page.SOURCES, doc=document.id, **({"mark": mark} if mark else {}), **way_back())
        if st.button("Close", icon=":material/close:"):
            close_reader()
            st.rerun()
    if not show_page_picture(opened, document, mark_in_url(document.length) or (passage.start, passage.end)):
        _paint_text(opened, document, passage, question)


def show_page_picture(opened: OpenProject, document: Document, span: Span) -> bool:
    """The page of a PDF on which ``span`` of its stored text begins, these words (if any) marked. False where the
    stored text is to be shown: the source is no PDF, the page cannot be drawn (said then), or the reader wants it."""
    if not document.pages or kind_words(document.media_type) != "PDF":
        return False
    choice = st.segmented_control(
        "What to show", _LOOKS, default=_LOOKS[0], required=True, key="reader-look", label_visibility="collapsed"
    )
    if choice != _LOOKS[0]:
        return False
    try:
        picture = opened.sources.page_picture(document.id, span)
    except WorkbenchError as error:
        st.warning(plain(str(error)), icon=":material/broken_image:")
        return False
    if picture is None:
        return False
    page = page_at(document.pages, span[0])
    if not picture.marked and span[0] < span[1]:
        st.caption(f"Page {page}. The words could not be found in the picture; they are marked under “{_LOOKS[1]}”.")
    st.image(picture.png, width="stretch", caption=f"Page {page} of the file")
    return True


def _paint_text(opened: OpenProject, document: Document, passage: Passage, question: str) -> None:
    text = opened.sources.text(document.id)
    mark = mark_in_url(len(text))
    pieces = window(document, text, passage)
    with st.container(border=True, key="reader"):
        for piece in pieces:
            if piece.page is not None:
                st.caption(f"Page {piece.page}")
            shown = text[piece.start : piece.end]
            if not shown.strip():
                continue
            if not piece.marked:
                before = "… " if piece is pieces[0] and piece.start > 0 else ""
                after = " …" if piece is pieces[-1] and piece.end < len(text) else ""
                trimmed = len(shown) - len(shown.lstrip())
                inside = [] if mark is None else [_shift(mark, piece.start + trimmed - len(before))]
                show_evidence(before + shown.strip() + after, inside)
                continue
            with st.container(key=f"the-passage-{piece.start}", gap="xxsmall"):
                st.caption(f"Passage {passage.ordinal + 1}")
                show_evidence(shown, word_marks(shown, question) if mark is None else [_shift(mark, piece.start)])


def mark_in_url(length: int) -> tuple[int, int] | None:
    """The words that ``?mark=start-end`` names in a text of this length, or None (also for nonsense)."""
    start, _, end = (st.query_params.get("mark") or "").partition("-")
    if not all(digits.isascii() and digits.isdigit() and len(digits) < 12 for digits in (start, end)):
        return None
    return (int(start), int(end)) if int(start) < int(end) <= length else None


def _shift(span: tuple[int, int], by: int) -> tuple[int, int]:
    return span[0] - by, span[1] - by


def close_reader() -> None:
    """Forget the passage in the URL."""
    for key in ("doc", "passage", "mark"):
        st.query_params.pop(key, None)


def _step(label: str, passage: Passage | None, icon: str) -> None:
    if st.button(label, icon=icon, disabled=passage is None) and passage is not None:
        st.query_params["passage"] = str(passage.id)
        st.rerun(scope="fragment")
