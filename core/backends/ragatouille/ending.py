"""Ending a worker process with all that it started."""

import contextlib
import importlib
import os
import signal

_ROUNDS = 5


def end_session(leader: int) -> None:
    """Kill the process and all others of the session that it leads; this very process, if it is one of them, last. Its
    process group alone would not do: ninja gives each compiler a group of its own, and one that is left would work on
    for a minute."""
    for _ in range(_ROUNDS):  # a process that is killed may just have started another
        if leader != os.getpid():
            with contextlib.suppress(OSError):
                os.killpg(leader, signal.SIGKILL)
        others = [pid for pid in _all() if pid != os.getpid() and _session_of(pid) == leader]
        for pid in others:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not others:
            break
    if leader == os.getpid():
        os.kill(leader, signal.SIGKILL)


def _all() -> list[int]:
    try:
        psutil = importlib.import_module("psutil")
    except ImportError:  # part of the extra: without it nothing is ever compiled
        return []
    return list(psutil.pids())


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:  # gone meanwhile, or another user's
        return -1
