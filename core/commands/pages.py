"""``workbench app``: the pages in a browser."""

from __future__ import annotations

import os
import socket
import sys
from typing import Annotated

import typer

from core.commands.console import session
from core.errors import ServiceError

HOST = "127.0.0.1"
"""The pages have no login of their own, so only this machine reaches them (``pages/server/.streamlit/config.toml``)."""


def pages(
    context: typer.Context,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any that is free.")] = 8501,
) -> None:
    """Serve the pages to a browser on this machine, from any folder. Ends with Ctrl-C."""
    from pages.server import SCRIPT

    run = session(context)
    with run.workbench() as workbench:
        root = workbench.root.resolve()
        port = _free(port)
        with workbench.catalog.claim_worker() as alone:  # also tells whether the folder may be written
            if not alone:
                print(f"Another workbench is at work on {root}: it does what is asked for here too.", file=sys.stderr)
    print(f"Serving {root} on http://{HOST}:{port}. Stop with Ctrl-C.", flush=True)
    # -P: a folder "core" or "pages" where this is started is not ours.
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(SCRIPT), "--server.port", str(port)]
    os.execve(sys.executable, command, {**os.environ, "WORKBENCH_ROOT": str(root)})


def _free(port: int) -> int:
    """``port``, or a free one for 0.

    Raises:
        ServiceError: something else listens there.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does: one just ended is no obstacle
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise ServiceError(
                f"Port {port} of {HOST} cannot be had ({error.strerror}). If the workbench runs already, open "
                f"http://{HOST}:{port}; else take another port: workbench app --port {port + 1 if port < 65535 else 0}"
            ) from error
        return int(probe.getsockname()[1])
