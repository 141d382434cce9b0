"""The web application: wiring and navigation only.

Started by ``streamlit run app.py``. Streamlit imports this file once for its server part (``app``: worker, headers,
health check) and runs it as ``__main__`` for every view of a page (``navigate``).
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st

HOME = Path(__file__).resolve().parent


def navigate() -> None:
    """Build the menu and run the page that the URL names."""
    from pages.components.session import EVIDENCE, PROJECTS, SOURCES, guarded
    from pages.components.sidebar import paint_sidebar

    st.set_page_config(page_title="Evidence workbench", page_icon=":material/fact_check:", layout="wide")
    st.html(HOME / "pages" / "components" / "style.css")
    page = st.navigation(
        {
            "Research": [
                st.Page(PROJECTS, title="Projects", icon=":material/folder:", url_path="projects", default=True),
                st.Page(SOURCES, title="Sources", icon=":material/library_books:", url_path="sources"),
                st.Page(EVIDENCE, title="Evidence", icon=":material/manage_search:", url_path="evidence"),
            ]
        }
    )
    with guarded("painting the sidebar"):
        paint_sidebar()
    with guarded("painting the page"):
        page.run()


if __name__ == "__main__":
    navigate()
else:
    from starlette.middleware import Middleware
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    from pages.components.server import SecurityHeaders, Worker, inline_script_hashes, running
    from pages.components.session import root_folder

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    worker = Worker(root_folder(), HOME)
    shell = Path(st.__file__).parent / "static" / "index.html"

    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        """The worker lives as long as the server."""
        async with running(worker):
            yield

    async def healthz(_request: Request) -> JSONResponse:
        """200 while the server and its worker are alive, else 503."""
        return JSONResponse({"server": "ok", "worker": worker.running}, status_code=200 if worker.running else 503)

    app = st.App(
        __file__,
        lifespan=lifespan,
        routes=[Route("/healthz", healthz)],
        middleware=[Middleware(SecurityHeaders, script_hashes=inline_script_hashes(shell.read_text("utf-8")))],
    )
