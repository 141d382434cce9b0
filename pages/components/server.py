"""Around the pages: the worker process, the security headers, and the health check."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import os
import re
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

log = logging.getLogger("workbench.server")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

RESTART_AFTER_S = 2.0
RESTART_MOST_S = 60.0
YOUNG_S = 30.0
STOP_WITHIN_S = 10.0


def root_folder() -> Path:
    """Where the projects live: ``WORKBENCH_ROOT``, else ``RESEARCH`` under the working directory."""
    return Path(os.environ.get("WORKBENCH_ROOT") or "RESEARCH").expanduser().resolve()


class Worker:
    """The worker process of a root folder: started, started again when it dies, stopped by its own process id."""

    def __init__(self, root: Path, home: Path) -> None:
        self._command = (sys.executable, "-m", "core.worker", str(root), "--server", str(os.getpid()))
        self._home = home
        self._process: Process | None = None

    @property
    def running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.returncode is None

    async def keep_running(self) -> None:
        """Run until cancelled; a worker that keeps dying young is started less and less often."""
        pause = RESTART_AFTER_S
        while True:
            started = time.monotonic()
            # The encoder runs one thread a text; OpenBLAS starting its own beside them halves its throughput.
            quiet = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
            try:
                self._process = await asyncio.create_subprocess_exec(*self._command, cwd=self._home, env=quiet)
                code: int | str = await self._process.wait()
            except OSError as error:  # no memory or no file handle left just now
                code = str(error)
            pause = RESTART_AFTER_S if time.monotonic() - started > YOUNG_S else min(RESTART_MOST_S, 2 * pause)
            log.error("the worker ended (%s); starting it again in %.0f s", code, pause)
            await asyncio.sleep(pause)

    async def stop(self) -> None:
        """Ask the process to end; make it end when it does not."""
        if self._process is None or self._process.returncode is not None:
            return
        self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), STOP_WITHIN_S)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


@asynccontextmanager
async def running(worker: Worker) -> AsyncIterator[None]:
    """Keep the worker alive for the time of the server."""
    task = asyncio.create_task(worker.keep_running())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await worker.stop()


# ---------------------------------------------------------------- headers


def inline_script_hashes(page: str) -> list[str]:
    """CSP sources (``'sha256-…'``) of the inline scripts of an HTML page."""
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    return [f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts]


def content_security_policy(host: str, script_hashes: list[str]) -> str:
    """Only this server: no remote script, style, image, font, frame or connection.

    Streamlit writes its styles at run time (``unsafe-inline`` for styles) and makes blobs for workers
    and downloads. Charts go through Vega's interpreter, so no ``unsafe-eval`` is needed.
    """
    socket = f" ws://{host} wss://{host}" if re.fullmatch(r"[A-Za-z0-9.\-\[\]:]+", host) else ""
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(["'self'", *script_hashes]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' blob:",
        "connect-src": f"'self'{socket}",
        "worker-src": "'self' blob:",
        "manifest-src": "'self'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


FILE_POLICY = "sandbox; default-src 'none'"
"""For files offered as downloads: opened directly they may run nothing and load nothing."""


class SecurityHeaders:
    """ASGI middleware: sends the headers with every answer."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]], script_hashes: list[str]) -> None:
        self._app = app
        self._hashes = script_hashes

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on; add headers to HTTP answers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        is_file = "/media/" in scope["path"]
        policy = FILE_POLICY if is_file else content_security_policy(host, self._hashes)
        extra = [
            (b"content-security-policy", policy.encode("latin-1")),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"x-dns-prefetch-control", b"off"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
        ]

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                named = {name for name, _ in extra}
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in named]
                message = {**message, "headers": [*kept, *extra]}
            await send(message)

        await self._app(scope, receive, sending)
