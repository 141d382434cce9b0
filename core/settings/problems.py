"""Faults of settings, a sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def problems_of(error: ValidationError) -> dict[str, str]:
    """One sentence a fault, by the setting's name (``section.name``, or ``section`` for what concerns several)."""
    return {".".join(map(str, fault["loc"][:2])): _sentence(fault) for fault in error.errors()}


_LIMITS = {
    "greater_than_equal": ("ge", "must be at least {}"),
    "less_than_equal": ("le", "must be at most {}"),
    "greater_than": ("gt", "must be more than {}"),
    "less_than": ("lt", "must be less than {}"),
    "literal_error": ("expected", "must be {}"),
}
_KINDS = {
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_parsing": "must be true or false without quotes",
    "bool_type": "must be true or false without quotes",
    "string_type": "must be text in quotes",
    "tuple_type": 'must be a list like ["a", "b"]',
    "model_type": "must be a section of settings",
}


def _sentence(fault: ErrorDetails) -> str:
    name = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return f"There is no setting {name!r}. See core/settings/values.py for the names."
    if fault["type"] == "value_error":
        if len(fault["loc"]) > 1:
            return f"Setting {name!r} cannot be used: {fault['ctx']['error']}."
        return f"The settings [{name}] do not fit together: {fault['ctx']['error']}."
    key, pattern = _LIMITS.get(fault["type"], ("", ""))
    limit = fault["ctx"][key] if key else ""
    sentence = (
        pattern.format(f"{limit:g}" if isinstance(limit, float) else limit)
        if key
        else _KINDS.get(fault["type"], fault["msg"])
    )
    return f"Setting {name!r} {sentence}, not {str(fault['input'])[:60]!r}."
