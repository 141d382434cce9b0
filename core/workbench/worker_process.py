"""The worker process of a root folder beside a server: started, started again when it dies, ended with the server."""

import asyncio
import logging
import os
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

log = logging.getLogger("workbench.server")

HOME = Path(__file__).resolve().parents[2]
"""The folder in which ``-m core.workbench.worker`` is found."""
RESTART_AFTER_S = 2.0
RESTART_MOST_S = 60.0
YOUNG_S = 30.0
STOP_WITHIN_S = 10.0


class WorkerProcess:
    """One worker; a second one of the same root (of the pages, say) waits until the first ends."""

    def __init__(self, root: Path, home: Path = HOME) -> None:
        self._command = (
            sys.executable,
            "-m",
            "core.workbench.worker",
            str(root.resolve()),
            "--server",
            str(os.getpid()),
        )
        self._home = home
        self._process: Process | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def keep_running(self) -> None:
        """Run until cancelled; a worker that keeps dying young is started less and less often."""
        pause = RESTART_AFTER_S
        while True:
            started = time.monotonic()
            # The encoder runs one thread a text; OpenBLAS starting its own beside them halves its throughput.
            quiet = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
            quiet.pop("WORKBENCH_TOKEN", None)
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
async def running(worker: WorkerProcess) -> AsyncIterator[None]:
    """Keep the worker alive for the time of the server."""
    task = asyncio.create_task(worker.keep_running())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await worker.stop()
