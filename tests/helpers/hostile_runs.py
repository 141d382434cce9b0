"""Every compiled pattern of ``core``, and strings that make a pattern look at the same characters again and again: for
each repetition in a pattern, what stands before it and then a long run of what it repeats."""

from __future__ import annotations

import importlib
import pkgutil
import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterator
from typing import Any

import core

LEFT_OUT = ("core.backends.ragatouille", "core.backends.sentence_transformers", "core.__main__")
COMMON = (
    " ", "\n", "\n\n", "\t", " \n", ".", "!?", "\u2026", "[", "[1", "[1]", "(", "a", "a ", "A. ", "1", "1,", "*", "_",
    "`", "<", "<!--", "&", "-", "- ", "| ", "#", "> ", "\\", '"', "'", ", ", "{", "\u00b9", "http://", "12/",
    "](", "$",
)  # fmt: skip
_CATEGORIES = {op.CATEGORY_DIGIT: "1", op.CATEGORY_SPACE: " ", op.CATEGORY_WORD: "a", op.CATEGORY_NOT_SPACE: "a",
               op.CATEGORY_NOT_DIGIT: "a", op.CATEGORY_NOT_WORD: " "}  # fmt: skip
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_LONG = 30
"""Repetitions up to this often cannot grow."""


def patterns() -> dict[str, re.Pattern[str]]:
    """The patterns that stand in modules of ``core``, their classes, tuples and dictionaries, by name."""
    found: dict[tuple[str, int], tuple[str, re.Pattern[str]]] = {}
    for info in pkgutil.walk_packages(core.__path__, "core."):
        if not info.name.startswith(LEFT_OUT) and not info.name.endswith("__main__"):
            module = importlib.import_module(info.name)
            for name, value in list(vars(module).items()):
                for where, pattern in _within(value, f"{info.name}.{name}", 0):
                    found.setdefault((pattern.pattern, pattern.flags), (where, pattern))
    return dict(found.values())


def _within(value: object, name: str, depth: int) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield name, value
    elif depth < 3 and isinstance(value, (tuple, list, frozenset, set)):
        for item in value:
            yield from _within(item, name, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        for key, item in list(value.items()):
            yield from _within((key, item), name, depth + 1)
    elif depth < 2 and isinstance(value, type) and value.__module__.startswith("core."):
        yield from _within({key: item for key, item in vars(value).items() if key[:2] != "__"}, name, depth + 1)


def attacks(pattern: re.Pattern[str]) -> set[tuple[str, str]]:
    """Pairs of a beginning and of what is repeated behind it."""
    found = {("", unit) for unit in COMMON}
    _walk(parser.parse(pattern.pattern, pattern.flags), "", found)
    return found


def _walk(items: Any, before: str, found: set[tuple[str, str]]) -> None:
    for code, value in items:
        if code in _REPEATS:
            if value[1] >= _LONG:
                for unit in filter(None, _units(value[2])):
                    found |= {(before, unit), ("", before + unit)}
            _walk(value[2], before, found)
        elif code is op.BRANCH:
            for branch in value[1]:
                _walk(branch, before, found)
        elif code is op.SUBPATTERN:
            _walk(value[3], before, found)
        elif code is op.ATOMIC_GROUP:
            _walk(value, before, found)
        before = (before + _sample([(code, value)]))[-60:]


def _units(items: Any) -> list[str]:
    (code, value), *more = list(items) or [(None, None)]
    if not more and code is op.IN and value[0][0] is not op.NEGATE:
        return [_member([item]) for item in value[:3]]
    if not more and code is op.BRANCH:
        return [_sample(branch) for branch in value[1][:3]]
    return [_sample(items)]


def _sample(items: Any) -> str:
    """A string that the items match, as a rule."""
    text = ""
    for code, value in items:
        if code is op.LITERAL:
            text += chr(value)
        elif code in (op.ANY, op.NOT_LITERAL):
            text += "~"
        elif code is op.IN:
            text += _member(value)
        elif code is op.BRANCH:
            text += _sample(value[1][0])
        elif code is op.SUBPATTERN:
            text += _sample(value[3])
        elif code is op.ATOMIC_GROUP:
            text += _sample(value)
        elif code in _REPEATS:
            text += _sample(value[2]) * value[0]
    return text


def _member(items: Any) -> str:
    if items[0][0] is op.NEGATE:
        return "~"
    code, value = items[0]
    return chr(value) if code is op.LITERAL else chr(value[0]) if code is op.RANGE else _CATEGORIES[value]
