"""What the web application is made of: its menu, its worker, its health, its headers.

Streamlit looks for ``st.App`` in the very script that it is given, so ``app.py`` (a checkout) and
``pages/server/app.py`` (an installed wheel) each call it with these parts.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from core.workbench.worker_process import WorkerProcess, running
from pages.shared.in_view import PAGE as IN_VIEW
from pages.shared.kept_answers import keep_answers
from pages.shared.late_reruns import leave_out_late_reruns
from pages.shared.server import SecurityHeaders, inline_script_hashes, root_folder

SHELL = Path(st.__file__).parent / "static" / "index.html"

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
worker = WorkerProcess(root_folder())
leave_out_late_reruns()
keep_answers()


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """The worker lives as long as the server."""
    async with running(worker):
        yield


async def healthz(_request: Request) -> JSONResponse:
    """200 while the server and its worker are alive, else 503."""
    return JSONResponse({"server": "ok", "worker": worker.running}, status_code=200 if worker.running else 503)


MENU = IN_VIEW.with_name("navigation.py")
PARTS: dict[str, Any] = {
    "lifespan": lifespan,
    "routes": [Route("/healthz", healthz)],
    "middleware": [
        Middleware(
            SecurityHeaders,
            script_hashes=inline_script_hashes(SHELL.read_text("utf-8") + IN_VIEW.read_text("utf-8")),
            allowed_origins=st.get_option("server.corsAllowedOrigins") or (),
        )
    ],
}
