"""Which steps of the search help for this question, on the passages that people judged."""

from __future__ import annotations

import streamlit as st

from core.model import ExpandedSearch, SearchRequest
from core.opened import OpenProject


def show_figures(opened: OpenProject, search: ExpandedSearch, request: SearchRequest) -> None:
    """nDCG and recall per combination of steps, and per variant."""
    st.caption("…")
