"""The web application of a checkout: ``streamlit run app.py``. ``workbench app`` serves the same from any folder."""

import streamlit as st

from pages.server.parts import MENU, PARTS

app = st.App(MENU, **PARTS)
