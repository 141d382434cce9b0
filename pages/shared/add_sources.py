"""The ways to bring sources in: files, addresses and ids, lists of references, sites, pasted text, a folder."""

import os
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core.acquire.references import ENDINGS, References
from core.records import Job
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.shared.notices import leave_notice
from pages.shared.safe import plain
from pages.shared.session import form_round, guarded, next_round

Start = Callable[[Callable[[], Job], str], None]
"""Starts adding, and says what was begun."""

_LEFT = "references-left"
MOST_NAMED = 200

WAYS = {
    "Files": ":material/upload_file: Files",
    "Web addresses": ":material/link: Addresses, DOIs",
    "References": ":material/menu_book: References",
    "Site": ":material/account_tree: Site",
    "Text": ":material/content_paste: Paste text",
    "Folder": ":material/folder: Folder",
}
_Then = Callable[[], object]


def paste_form(opened: OpenProject, start: Start) -> None:
    """The form for addresses, DOIs and arXiv ids in a text."""
    with st.form("add-urls", border=False):
        text = st.text_area(
            "Web addresses, DOIs, or arXiv ids, one a line, or any text in which addresses stand",
            key=f"urls-{form_round('add')}",
            placeholder="https://example.org/article\n10.1038/s41586-020-2649-2\narXiv:2004.12832",
        )
        st.caption("Pages are fetched from this computer, politely: one at a time from each site, robots.txt obeyed.")
        if st.form_submit_button("Fetch", type="primary", icon=":material/cloud_download:"):
            start(lambda: _fetch(opened, [opened.references.read_text(text)]), "The addresses are being fetched.")


def file_form(opened: OpenProject, start: Start) -> None:
    # No form, as for files of sources: a chosen file must be on the server before the button is pressed.
    uploads = st.file_uploader(
        "BibTeX, RIS, EndNote (.enw), PubMed (.nbib), CSL-JSON, a sitemap (.xml), or lines of addresses (.txt)",
        type=list(ENDINGS),
        accept_multiple_files=True,
        max_upload_size=60,
        key=f"references-{form_round('add')}",
    )
    st.caption("Each entry is fetched by its arXiv id, its DOI, or its address. Entries with none of them are named.")
    fetch = st.button(
        "Fetch what they list", type="primary", icon=":material/cloud_download:", key="add-list", disabled=not uploads
    )
    if fetch:
        read = opened.references.read_file
        start(
            lambda: _fetch(opened, [read(upload.name, upload.getvalue()) for upload in uploads or []]),
            "The listed sources are being fetched.",
        )


def site_form(opened: OpenProject, start: Start) -> None:
    with st.form("add-site", border=False):
        url = st.text_input(
            "Address of a site, or of its sitemap", key=f"site-{form_round('add')}", placeholder="https://example.org"
        )
        most = st.number_input("At most so many pages", 1, 1000, 50, key=f"site-most-{form_round('add')}", width=220)
        st.caption("The pages that the site lists in its sitemaps are fetched, one after the other.")
        if st.form_submit_button("Fetch the site", type="primary", icon=":material/cloud_download:"):
            start(lambda: opened.references.add_sitemap(url, most=int(most)), "The sitemap is being read.")


def _fetch(opened: OpenProject, lists: list[References]) -> Job:
    unusable = [entry for references in lists for entry in references.unusable]
    st.session_state[_LEFT] = [str(entry) for entry in unusable]
    entries = tuple(reference for references in lists for reference in references.usable)
    return opened.references.add(References(entries, tuple(unusable)))


def show_unusable() -> None:
    """The entries of the last list that named no source, until they are put away."""
    left: list[str] = st.session_state.get(_LEFT, [])
    if not left:
        return
    label = f"{count_words(len(left), 'entry', 'entries')} of the list could not be used"
    with st.expander(label, expanded=True, icon=":material/playlist_remove:", key="unusable-entries"):
        for sentence in left[:MOST_NAMED]:
            st.text(sentence)
        if len(left) > MOST_NAMED:
            st.caption(plain(f"… and {len(left) - MOST_NAMED} more"))
        if st.button("Put the list away", key="unusable-away", type="tertiary"):
            st.session_state.pop(_LEFT)
            st.rerun()


_LISTS = {"Web addresses": paste_form, "References": file_form, "Site": site_form}


def show_add(opened: OpenProject, then: _Then = lambda: None) -> None:
    """The ways to add sources; ``then`` is called after something was added."""
    way = st.segmented_control(
        "How to add",
        list(WAYS),
        format_func=lambda key: WAYS[key],
        default="Files",
        required=True,
        key="add-way",
        label_visibility="collapsed",
    )
    if way in _LISTS:
        _LISTS[way](opened, lambda add, notice: _start(add, then, notice))
    else:
        {"Files": _files, "Text": _text, "Folder": _folder}[way or "Files"](opened, then)
    show_unusable()


def _start(add: Callable[[], Job], then: _Then, notice: str) -> None:
    with guarded("adding sources"):
        add()
        then()
        leave_notice(notice)
        next_round("add")
        st.rerun()


def _files(opened: OpenProject, then: _Then) -> None:
    # No form: a form keeps a chosen file in the browser until it is sent off, and a job that ends meanwhile paints the
    # page anew and can drop it there. Without one the server has the file before the button can be pressed.
    uploads = st.file_uploader(
        "HTML, PDF, DOCX, Markdown, plain text, or JATS XML",
        accept_multiple_files=True,
        max_upload_size=max(1, opened.settings.parsing.max_bytes // 1_000_000),
        key=f"files-{form_round('add')}",
    )
    if st.button("Add files", type="primary", icon=":material/add:", key="add-files", disabled=not uploads):
        files = [(upload.name, upload.getvalue(), upload.type or "") for upload in uploads or []]
        _start(
            lambda: opened.sources.add_files(files), then, f"{count_words(len(files), 'file')} received and being read."
        )


def _text(opened: OpenProject, then: _Then) -> None:
    with st.form("add-text", border=False):
        title = st.text_input("Title", key=f"title-{form_round('add')}", placeholder="Where the text is from")
        text = st.text_area("Text", key=f"text-{form_round('add')}", height=180)
        if st.form_submit_button("Add text", type="primary", icon=":material/add:"):
            _start(
                lambda: opened.sources.add_text(title, text), then, "The text is received and being cut into passages."
            )


def _folder(opened: OpenProject, then: _Then) -> None:
    with st.form("add-folder", border=False):
        path = st.text_input(
            "Folder on the computer that runs the workbench",
            key=f"folder-{form_round('add')}",
            placeholder="/home/me/papers",
        )
        st.caption("Every readable file under it is added; hidden files are left out.")
        if st.form_submit_button("Add folder", type="primary", icon=":material/add:"):
            if not path.strip():
                st.error("Type the path of a folder first.")
            else:
                folder = Path(os.path.expanduser(path.strip()))  # Path.expanduser raises for an unknown user
                _start(lambda: opened.sources.add_folder(folder), then, "The files are received and being read.")
