"""Ways in by a list: addresses, DOIs and arXiv ids pasted, a file of references, a site's sitemap."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.acquire.references import ENDINGS, References
from core.records import Job
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.shared.safe import plain

Start = Callable[[Callable[[], Job], str], None]
"""Starts adding, and says what was begun."""

_LEFT = "references-left"
MOST_NAMED = 200


def paste_form(opened: OpenProject, start: Start, round_: int) -> None:
    """Addresses, DOIs and arXiv ids in a text."""
    with st.form("add-urls", border=False):
        text = st.text_area(
            "Web addresses, DOIs, or arXiv ids, one a line, or any text in which addresses stand",
            key=f"urls-{round_}",
            placeholder="https://example.org/article\n10.1038/s41586-020-2649-2\narXiv:2004.12832",
        )
        st.caption("Pages are fetched from this computer, politely: one at a time from each site, robots.txt obeyed.")
        if st.form_submit_button("Fetch", type="primary", icon=":material/cloud_download:"):
            start(lambda: _fetch(opened, [opened.references.read_text(text)]), "The addresses are being fetched.")


def file_form(opened: OpenProject, start: Start, round_: int) -> None:
    """Files of references."""
    # No form, as for files of sources (add_sources): a chosen file must be on the server before the button is pressed.
    uploads = st.file_uploader(
        "BibTeX (.bib), RIS (.ris), CSL-JSON (.json), a sitemap (.xml), or lines of addresses (.txt)",
        type=list(ENDINGS),
        accept_multiple_files=True,
        max_upload_size=60,
        key=f"references-{round_}",
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


def site_form(opened: OpenProject, start: Start, round_: int) -> None:
    """A whole site."""
    with st.form("add-site", border=False):
        url = st.text_input(
            "Address of a site, or of its sitemap", key=f"site-{round_}", placeholder="https://example.org"
        )
        most = st.number_input("At most so many pages", 1, 1000, 50, key=f"site-most-{round_}", width=220)
        st.caption("The pages that the site lists in its sitemaps are fetched, one after the other.")
        if st.form_submit_button("Fetch the site", type="primary", icon=":material/cloud_download:"):
            start(lambda: opened.references.add_sitemap(url, most=int(most)), "The sitemap is being read.")


def _fetch(opened: OpenProject, lists: list[References]) -> Job:
    unusable = [one for references in lists for one in references.unusable]
    st.session_state[_LEFT] = [str(one) for one in unusable]
    found = tuple(one for references in lists for one in references.usable)
    return opened.references.add(References(found, tuple(unusable)))


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
