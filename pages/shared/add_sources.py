"""The ways to bring sources in: files, addresses and ids, lists of references, sites, pasted text, a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core.records import Job
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.shared.add_references import file_form, paste_form, show_unusable, site_form
from pages.shared.session import guarded, leave_notice

WAYS = {
    "Files": ":material/upload_file: Files",
    "Web addresses": ":material/link: Addresses, DOIs",
    "References": ":material/menu_book: References",
    "Site": ":material/account_tree: Site",
    "Text": ":material/content_paste: Paste text",
    "Folder": ":material/folder: Folder",
}


_LISTS = {"Web addresses": paste_form, "References": file_form, "Site": site_form}

_Then = Callable[[], object]


def show_add(opened: OpenProject, then: _Then = lambda: None) -> None:
    """Choose a way and add; ``then`` is called after something was added."""
    way = st.segmented_control(
        "How to add",
        list(WAYS),
        format_func=lambda one: WAYS[one],
        default="Files",
        required=True,
        key="add-way",
        label_visibility="collapsed",
    )
    if way in _LISTS:
        _LISTS[way](opened, lambda add, said: _start(add, then, said), _round())
    else:
        {"Files": _files, "Text": _text, "Folder": _folder}[way or "Files"](opened, then)
    show_unusable()


def _start(add: Callable[[], Job], then: _Then, said: str) -> None:
    with guarded("adding sources"):
        add()
        then()
        leave_notice(said)
        st.session_state["add-round"] = _round() + 1  # new widget keys: empty fields again
        st.rerun()


def _round() -> int:
    return int(st.session_state.get("add-round", 0))


def _files(opened: OpenProject, then: _Then) -> None:
    # No form: a form keeps a chosen file in the browser until it is sent off, and a job that ends meanwhile paints the
    # page anew and can drop it there. Without one the server has the file before the button can be pressed.
    uploads = st.file_uploader(
        "HTML, PDF, DOCX, Markdown, plain text, or JATS XML",
        accept_multiple_files=True,
        max_upload_size=max(1, opened.settings.parsing.max_bytes // 1_000_000),
        key=f"files-{_round()}",
    )
    if st.button("Add files", type="primary", icon=":material/add:", key="add-files", disabled=not uploads):
        files = [(upload.name, upload.getvalue(), upload.type or "") for upload in uploads or []]
        _start(
            lambda: opened.sources.add_files(files), then, f"{count_words(len(files), 'file')} received and being read."
        )


def _text(opened: OpenProject, then: _Then) -> None:
    with st.form("add-text", border=False):
        title = st.text_input("Title", key=f"title-{_round()}", placeholder="Where the text is from")
        text = st.text_area("Text", key=f"text-{_round()}", height=180)
        if st.form_submit_button("Add text", type="primary", icon=":material/add:"):
            _start(
                lambda: opened.sources.add_text(title, text), then, "The text is received and being cut into passages."
            )


def _folder(opened: OpenProject, then: _Then) -> None:
    with st.form("add-folder", border=False):
        path = st.text_input(
            "Folder on the computer that runs the workbench", key=f"folder-{_round()}", placeholder="/home/me/papers"
        )
        st.caption("Every readable file under it is added; hidden files are left out.")
        if st.form_submit_button("Add folder", type="primary", icon=":material/add:"):
            if not path.strip():
                st.error("Type the path of a folder first.")
            else:
                folder = Path(os.path.expanduser(path.strip()))  # Path.expanduser raises for an unknown user
                _start(lambda: opened.sources.add_folder(folder), then, "The files are received and being read.")
