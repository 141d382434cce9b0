"""Results of web searches as plain JSON values and back, for the job that keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic import TypeAdapter, ValidationError

from core.errors import WebSearchError
from core.records import WebResult

_ADAPTER = TypeAdapter(WebResult)


def values_of(result: WebResult) -> Mapping[str, object]:
    """The result as JSON values."""
    return cast("Mapping[str, object]", _ADAPTER.dump_python(result, mode="json"))


def result_of(values: Mapping[str, object]) -> WebResult:
    """The result that ``values_of`` gave (WebSearchError: it is none, or of another version)."""
    try:
        return _ADAPTER.validate_python(dict(values))
    except ValidationError as error:
        raise WebSearchError("The result of this search cannot be read any more. Search again.") from error
