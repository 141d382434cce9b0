"""Makes the demo project and is killed at one of its steps. Run by test_demo_kill.py."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from core import demo
from core.workbench.demo import request_demo
from core.workbench.wiring import open_workbench


def killing(*_: object, **__: object) -> None:
    """The end of this process, as a power cut or ``kill -9`` makes it."""
    os.kill(os.getpid(), signal.SIGKILL)


STEPS: dict[str, Callable[[], None]] = {
    "unavailable": lambda: setattr(demo, "unavailable", killing),
    "sources": lambda: setattr(demo, "sources", killing),
    "report": lambda: setattr(demo, "report", killing),
    "placing": lambda: setattr(os, "replace", killing),
    "": lambda: None,
}

if __name__ == "__main__":
    workbench = open_workbench(Path(sys.argv[1]))
    STEPS[sys.argv[2]]()
    request_demo(workbench)
    workbench.close()
