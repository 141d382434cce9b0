"""The web application of an installed wheel, started by ``workbench app``.

Pages and their menu: ``pages/shared/navigation.py``. That script stands beside no folder named ``pages``: Streamlit
would take such a folder for its older kind of multi-page app and, after a restart, answer the first deep link so.
"""

import streamlit as st

from pages.server.parts import MENU, PARTS

app = st.App(MENU, **PARTS)
