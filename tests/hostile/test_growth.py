"""No text costs more than its length is worth: patterns and parsers over foreign text are tried on hostile runs of
four times the length. Ratios of processor time are compared, of several runs the least, with limits far from what a
busy machine can bend; no seconds are asserted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial

import pytest

from core.acquire.injection import flags
from core.acquire.read_common import find_doi, links_in, names, parse_date
from core.audit.report import read_markdown, read_text
from core.audit.rows import cases_of
from core.text.sentences import sentence_spans
from core.text.urls import parse_urls
from core.verify.check_worthy import check_worthy
from core.verify.clauses import clauses
from core.verify.without_injections import without_flagged
from tests.helpers.hostile_runs import COMMON, attacks, patterns

MEASURABLE_S = 0.001
"""Below this a run says nothing about growth."""
CUBIC = 32.0
"""Growth at four times the length: 4 for a line, 16 for the square, 64 for the cube."""
SQUARE = 9.0
TRIES = 5


def _cost(step: Callable[[], object]) -> float:
    start = time.process_time()
    step()
    return time.process_time() - start


def _grows(run: Callable[[int], Callable[[], object]], first: int, last: int, limit: float) -> bool:
    """Whether a run of four times the length costs more than ``limit`` times as much, every time that it is tried."""
    length = first
    while length <= last:
        cost = _cost(run(length))
        if cost > MEASURABLE_S:
            return all(_cost(run(4 * length)) > limit * min(_cost(run(length)) for _ in "123") for _ in range(TRIES))
        if cost * (last / length) ** 4 < MEASURABLE_S:  # not even the fourth power would show at the last length
            return False
        length *= 2
    return False


def _run(pattern: re.Pattern[str], before: str, unit: str, length: int) -> Callable[[], object]:
    text = before + unit * max(1, length // len(unit)) + "\0"
    return lambda: sum(1 for _ in pattern.finditer(text))


def _read(read: Callable[[str], object], unit: str, length: int) -> Callable[[], object]:
    text = unit * max(1, length // len(unit))
    return lambda: read(text)


def test_no_pattern_takes_the_cube_of_a_run() -> None:
    """Patterns over slices of bounded length may take the square; the parsers that use them are tried below."""
    listed = patterns()
    assert len(listed) > 300
    slow = [
        (name, before, unit)
        for name, pattern in listed.items()
        for before, unit in sorted(attacks(pattern))
        if _grows(partial(_run, pattern, before, unit), 25, 800, CUBIC)
    ]
    assert not slow


PARSERS: dict[str, Callable[[str], object]] = {
    "sentences": sentence_spans,
    "clauses": clauses,
    "injection": flags,
    "without injections": without_flagged,
    "addresses": parse_urls,
    "links": links_in,
    "doi": find_doi,
    "names": names,
    "date": parse_date,
    "worthy": check_worthy,
    "markdown": lambda run: cases_of(read_markdown(f"It rose [1]. {run}\n\n## References\n\n1. A (2020). B.\n")),
    "text": lambda run: cases_of(read_text(f"It rose [1]. {run}\n\nReferences\n\n1. A (2020). B.\n")),
    "front matter": lambda run: read_markdown(f"---\ntitle: {run}\n---\n\nIt rose [1]."),
    "front matter of lines": lambda run: read_markdown(f"---\n{run}\n---\n\nIt rose [1]."),
    "entry": lambda run: cases_of(read_markdown(f"It rose [1].\n\n## References\n\n1. {run}\n")),
}
UNITS = (
    *COMMON, "!?\u2026", "[1]. [1]", "[^1]", "[@k]", "(Smith, 2020) ", "and ", "and to ", ". A", "as an ai ",
    "note ai ", "system ", "[a](b) ", "[k]: http://a\n", "\u00b2", "x\u00b2", "et al ", "12 May ", "5 % ", "doi:",
    "{{", "~~a", "==\n",
)  # fmt: skip


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_takes_linear_time(name: str) -> None:
    slow = [unit for unit in UNITS if _grows(partial(_read, PARSERS[name], unit), 1_000, 8_000, SQUARE)]
    assert not slow
