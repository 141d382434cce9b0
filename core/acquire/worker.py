"""The process that parses foreign files: ``python -m core.acquire.worker``, spoken to over its pipes.

Started and killed by ``worker_pool.WorkerExtractor``. It has a cap on memory, a deadline of its own in case its
parent is gone, and no network. It reads sources and lists of references, and draws pages; a program above
(``core.audit.reader_process``) serves more tasks.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from core.acquire.page_picture import PICTURE, picture_task
from core.acquire.read_source import read
from core.acquire.references import reader
from core.acquire.worker_protocol import SOURCE, extraction_to_head, fetched_from, receive, send
from core.errors import SourceError, UnreadableSource
from core.labels import FetchState

_MAX_BODY = 1 << 40
_GRACE_S = 10
_LIBXML_NO_MEMORY = 2
_MEMORY = "it needs more memory than parsing may take (setting parsing.memory_mb). Split it or raise the limit."

Task = Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]
"""The head and bytes of a request to those of its answer. Raises UnreadableSource."""


def main(arguments: list[str], tasks: Mapping[str, Task]) -> int:
    """Answer requests on standard input until it ends. Arguments: memory cap in MB."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get between the frames
    _limit_memory(int(arguments[0]))
    sys.addaudithook(_no_network)
    while (frame := receive(requests, _MAX_BODY)) is not None:
        head, body = frame
        if not _answer(answers, tasks[head["task"]], head, body):
            return 1
    return 0


def read_source(head: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    """The task of reading a source."""
    fetched = fetched_from(head["fetched"], body)
    extraction = read(fetched, max_bytes=head["max_bytes"], max_text_chars=head["max_text_chars"])
    return extraction_to_head(extraction), extraction.text.encode("utf-8", "replace")


TASKS: Mapping[str, Task] = {SOURCE: read_source, PICTURE: picture_task, **reader.TASKS}
"""The tasks of acquiring."""


def _answer(answers: BinaryIO, task: Task, head: dict[str, Any], body: bytes) -> bool:
    """Do one task and answer. False when this process should not be used again."""
    name = head["name"]
    _alarm(float(head["timeout_s"]) + _GRACE_S)
    usable, output = True, b""
    reply: dict[str, Any]
    try:
        result, output = task(head, body)
        reply = {"result": result}
    except Exception as error:
        usable = not _wants_memory(error)
        reply = _failure(name, error) if usable else _refusal(name, FetchState.TOO_LARGE, _MEMORY)
    _alarm(0)
    send(answers, {**reply, "usable": usable}, output)
    return usable


def _wants_memory(error: BaseException | None) -> bool:
    """The test for a lack of memory. libxml2 reports one as a syntax error, which readers pass on."""
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "code", None) == _LIBXML_NO_MEMORY:
            return True
        error = error.__cause__ or error.__context__
    return False


def _failure(name: str, error: Exception) -> dict[str, Any]:
    if isinstance(error, SourceError):
        state = error.state if isinstance(error, UnreadableSource) else FetchState.BROKEN
        return {"state": state.value, "message": str(error)}
    if isinstance(error, RecursionError):
        return _refusal(name, FetchState.BROKEN, "it is nested deeper than its reader can follow.")
    return _refusal(name, FetchState.BROKEN, f"its reader gave up with {type(error).__name__}: {str(error)[:500]}.")


def _refusal(name: str, state: FetchState, why: str) -> dict[str, Any]:
    return {"state": state.value, "message": f"cannot read {name} because {why}"}


def _alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)  # the default action ends the process, also inside C code


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # not a POSIX system: the time cap still holds
        return
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _no_network(event: str, _arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind", "subprocess.Popen", "os.system"):
        raise PermissionError(f"{event} is not allowed while parsing foreign files")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:], TASKS))
