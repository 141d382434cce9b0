"""Records as plain JSON values, for the command line and the HTTP service."""

import base64
import dataclasses
import json
import zlib
from collections.abc import Mapping
from datetime import date
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter

T = TypeVar("T")


def jsonable(value: object) -> object:
    """A record, or a container of records, as JSON values; bytes are left out, dates are ISO 8601."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return {name: jsonable(part) for name, part in fields.items() if not isinstance(part, bytes)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): jsonable(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(part) for part in value]
    return value


def squeeze(value: object) -> str:
    """A JSON value as short ASCII text."""
    return base64.b85encode(zlib.compress(json.dumps(value).encode("utf-8", "surrogatepass"), 6)).decode("ascii")


def unsqueeze(text: str) -> Any:
    """The value that ``squeeze`` made the text of."""
    return json.loads(zlib.decompress(base64.b85decode(text)))


def adapter(kind: type[T]) -> TypeAdapter[T]:
    """A pydantic adapter of a record that is built at its first use: listing projects needs none of them."""
    return cast("TypeAdapter[T]", _Deferred(kind))


class _Deferred:
    def __init__(self, kind: Any) -> None:
        self._kind = kind

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self._kind)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._adapter, name)
