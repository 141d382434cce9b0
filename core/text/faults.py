"""Faults of the program on one row: that row is given to a person, and all others are still decided."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
OWN_FAULTS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, re.error,
)  # fmt: skip
"""Errors of code on words that it was not made for. A missing model, a stop, a full disk or lack of memory is not of
one row: those are errors of the workbench (``core.errors``), of the system, or MemoryError."""
log = logging.getLogger(__name__)


def fault_words(error: Exception) -> str:
    """What happened, for people."""
    return f"the program failed on these words ({type(error).__name__}). Please report the sentence that it failed on."


def attempted(step: Callable[[], T]) -> T | Exception:
    """The value of a step on one row, or the fault that it ended in, which is written to the log."""
    try:
        return step()
    except OWN_FAULTS as error:
        log.exception("a step failed on one row")
        return error
