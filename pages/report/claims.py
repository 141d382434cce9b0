"""Claims: what is said, and what the sources of the project say about it."""

from __future__ import annotations

import streamlit as st

from pages.components.session import current_project, page_heading

page_heading("Claims", current_project())
st.info("Claims come here.")
