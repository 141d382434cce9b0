"""``workbench serve``: the HTTP service."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.commands.console import session

if TYPE_CHECKING:
    from core.http.slots import ServiceOptions
    from core.workbench.workbench import Workbench


def serve(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(help="Address to listen on; only this machine reaches the default.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any that is free.")] = 8600,
    token_file: Annotated[
        Path | None, typer.Option(help="File of the token, for its owner only [default: .service-token in the root].")
    ] = None,
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Take requests of this machine without a token.")
    ] = False,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Start no worker; jobs wait for one that runs already.")
    ] = False,
    max_body_mb: Annotated[int, typer.Option(min=1, max=1024, help="Largest request, MiB.")] = 64,
    timeout: Annotated[float, typer.Option(min=5, max=3600, help="Longest wait for an answer, seconds.")] = 120.0,
    threads: Annotated[int, typer.Option(min=1, max=64, help="Requests worked on at once.")] = 4,
    waiting: Annotated[int, typer.Option(min=0, max=10_000, help="Requests that may wait for their turn.")] = 512,
) -> None:
    """Serve the projects over HTTP: index, search, stats, verify, audit (docs/service.md). Every request carries the
    token of WORKBENCH_TOKEN or of the token file; it is made and shown once if there is none."""
    from core.http.slots import MIB, ServiceOptions

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    body = max_body_mb * MIB
    options = ServiceOptions(
        host=host, port=port, max_body=body, buffered=4 * body, request_s=timeout, threads=threads, waiting=waiting
    )
    run = session(context)
    with run.workbench() as workbench:
        _listen(workbench, options, token_file, with_token=not no_token, with_worker=not no_worker)


def _listen(
    workbench: Workbench, options: ServiceOptions, token_file: Path | None, *, with_token: bool, with_worker: bool
) -> None:
    from core.http import service
    from core.http.guard import FILE, VARIABLE, find_token

    token = find_token(token_file or workbench.root / FILE) if with_token else None
    service.check_reach(options, token)
    os.environ.pop(VARIABLE, None)  # the processes that read foreign files must not have it
    if token is not None and token.is_new:
        print(f"Token (shown once, kept in {token.origin}): {token.value}", flush=True)

    def ready(address: str) -> None:
        access = f"token from {token.origin}" if token else "no token asked for"
        print(f"Serving {workbench.root} on {address} ({access}). Stop with Ctrl-C.", flush=True)

    service.serve(workbench, token, options, with_worker=with_worker, ready=ready)
