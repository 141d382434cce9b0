"""The workbench's side of a worker process: started, asked, waited for, killed."""

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import core
from core.backends.ragatouille.ending import end_session
from core.backends.ragatouille.needs import extensions_folder
from core.backends.ragatouille.worker import receive, send
from core.errors import LateEngineError, LateEngineStopped

Task = Literal["build", "search"]


class WorkerProcess:
    """One ``python -m core.backends.ragatouille.worker`` and its pipes. A thread of its own reads the answers, so that
    waiting for one can end by time."""

    def __init__(self, task: Task, first: Mapping[str, Any], *, threads: int = 0) -> None:
        self._killed = False
        # What is said of a search follows a colon; of a build it stands alone.
        self._it, self._its = ("RAGatouille", "RAGatouille's") if task == "build" else ("it", "its")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in kill()
        # For what libraries and compilers write beside their work: it goes with the process, however that ends.
        self._aside = tempfile.TemporaryDirectory(prefix="workbench-ragatouille-", ignore_cleanup_errors=True)
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        # -P and an explicit path: a module lying in the user's folder must not be imported.
        module, arguments = "core.backends.ragatouille.worker", [str(os.getpid()), self._aside.name, task]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            env={**_environment(threads), "TMPDIR": self._aside.name},
            start_new_session=True,  # Ctrl-C is for the command; and what it starts can be killed with it
        )  # fmt: skip
        threading.Thread(target=self._read, name="ragatouille-answers", daemon=True).start()
        self.ask(first)

    @property
    def alive(self) -> bool:
        """True when it can still answer."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def ask(self, message: Mapping[str, Any]) -> None:
        """Send a message (LateEngineError when it is gone)."""
        try:
            send(self._process.stdin, message)  # type: ignore[arg-type]
        except OSError as error:
            raise self._gone() from error

    def answer(self, timeout_s: float) -> dict[str, Any] | None:
        """Its next message; None when none came in time. Raises LateEngineError: it died, or says that it failed."""
        try:
            message = self._answers.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if message is None:
            self._answers.put(None)
            raise self._gone()
        if "error" in message:
            raise LateEngineError(f"{self._it} stopped with {str(message['error'])[:500]}")
        return message

    def kill(self) -> None:
        """End it and what it started, now. Doing it twice does no harm."""
        if self._killed:  # its number may be somebody else's by now
            return
        self._killed = True
        end_session(self._process.pid)
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._errors.close()
        self._aside.cleanup()

    def _read(self) -> None:
        try:
            while (message := receive(self._process.stdout)) is not None:  # type: ignore[arg-type]
                self._answers.put(message)
        except (OSError, ValueError):
            pass
        self._answers.put(None)

    def _gone(self) -> LateEngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        code = self._process.poll()
        if code is not None and code < 0:
            return LateEngineStopped(f"{self._its} process ended (signal {-code}).")
        return LateEngineError(f"{self._its} process ended (exit code {code}{self._last_words()}).")

    def _last_words(self) -> str:
        try:
            self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, self._errors.tell() - 2000))
            lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        except ValueError:  # closed
            return ""
        return f"; {lines[-1][:300]}" if lines else ""


def _environment(threads: int) -> dict[str, str]:
    """The caller's environment, with this very package and this Python's programs (ninja) first, and no network."""
    root = str(Path(core.__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    programs = os.pathsep.join(filter(None, [str(Path(sys.executable).parent), os.environ.get("PATH")]))
    variables = {"PYTHONPATH": path, "PATH": programs, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    variables |= {"TOKENIZERS_PARALLELISM": "false", "CUDA_VISIBLE_DEVICES": ""}
    variables["TORCH_EXTENSIONS_DIR"] = str(extensions_folder())
    if threads:
        variables["OMP_NUM_THREADS"] = str(threads)
    return {**os.environ, **variables}
