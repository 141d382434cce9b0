"""YAML that is not ours, before it is loaded: its aliases and its depth can cost more than any reader has."""

from __future__ import annotations

import re
from itertools import accumulate

_DEEPEST = 20
_DASHES = re.compile(rf"^[ \t]*(?:[-?][ \t]+){{{_DEEPEST}}}", re.MULTILINE)


def yaml_problem(source: str) -> str:
    """Why a text is not loaded as YAML, as the end of a sentence; "" when it may be."""
    import yaml  # type: ignore[import-untyped,unused-ignore]

    if _DASHES.search(source) or max(accumulate(map(_step, source)), default=0) > _DEEPEST:
        return "is nested too deeply"
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=yaml.BaseLoader)):
            return "uses YAML aliases"
        yaml.compose(source, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError):
        return "is not valid YAML"
    return ""


def _step(character: str) -> int:
    return (character in "[{") - (character in "]}")
