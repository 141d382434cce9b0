"""The one script of our own: it brings the place that is looked at into view inside its scrolling frame, and follows
the links of the coloured report without a reload. Everything works without it, only less smoothly. The
Content-Security-Policy lets exactly this script run, by its hash (``pages/server/app.py``)."""

from pathlib import Path

import streamlit as st

PAGE = Path(__file__).resolve().parent / "in_view.html"


def bring_into_view(moment: object) -> None:
    """Run the script; anew whenever ``moment`` (what is looked at) has changed."""
    # The script runs when the element changes, so what it depends on stands in it, as a comment without meaning.
    body = PAGE.read_text("utf-8").replace("<span></span>", f'<span data-for="{abs(hash(moment))}"></span>')
    st.html(body, unsafe_allow_javascript=True)
