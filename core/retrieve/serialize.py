"""Search results as JSON and back: for the result cache and for ``--json``.

Not pickle: a project folder may come from somebody else. The reader builds only the records named in
``core.records``, by their annotations, and refuses anything that does not fit.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import types
import typing
from collections.abc import Mapping
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Any

from core.errors import StorageError
from core.records import Document, SearchResult

VERSION = 1


def to_plain(value: object) -> Any:
    """A record as dicts, lists, strings and numbers. Bytes become base64, times ISO 8601."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    raise TypeError(f"cannot write a {type(value).__name__} as JSON")


def from_plain(kind: Any, data: Any) -> Any:
    """The inverse of ``to_plain`` for the annotation ``kind``.

    Raises:
        TypeError, ValueError, KeyError: the data does not fit the annotation.
    """
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        inner = [argument for argument in arguments if argument is not type(None)]
        return None if data is None else from_plain(inner[0], data)
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return tuple(from_plain(arguments[0], item) for item in data)
        return tuple(from_plain(argument, item) for argument, item in zip(arguments, data, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        return {str(key): from_plain(arguments[1], item) for key, item in data.items()}
    if kind is object or kind is Any:
        return data
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        return kind(**{name: from_plain(hints[name], item) for name, item in data.items()})
    return _scalar(kind, data)


def _scalar(kind: Any, data: Any) -> Any:
    if issubclass(kind, Enum):
        return kind(data)
    if issubclass(kind, (date, datetime)):
        return kind.fromisoformat(data)
    if kind is bytes:
        return base64.b64decode(data, validate=True)
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if not isinstance(data, kind):
        raise TypeError(f"{type(data).__name__} stands where a {kind.__name__} is expected")
    return data


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def result_to_json(result: SearchResult) -> bytes:
    """A result as UTF-8 JSON; every document is written once, passages name it by its id."""
    documents: dict[str, Any] = {}
    plain = to_plain(dataclasses.replace(result, passages=(), candidates=()))
    for name in ("passages", "candidates"):
        rows = []
        for scored in getattr(result, name):
            documents.setdefault(scored.document.id, to_plain(scored.document))
            row = {
                field.name: to_plain(getattr(scored, field.name))
                for field in dataclasses.fields(scored)
                if field.name != "document"
            }
            rows.append({**row, "document": scored.document.id})
        plain[name] = rows
    return json.dumps({"version": VERSION, "documents": documents, "result": plain}, ensure_ascii=True).encode()


def result_from_json(data: bytes) -> SearchResult:
    """The result that ``result_to_json`` wrote.

    Raises:
        StorageError: the bytes are not such a result.
    """
    try:
        stored = json.loads(data)
        if stored["version"] != VERSION:
            raise ValueError(f"version {stored['version']!r}")
        documents = {key: from_plain(Document, value) for key, value in stored["documents"].items()}
        plain = dict(stored["result"])
        parts = {name: plain.pop(name) for name in ("passages", "candidates")}
        base = from_plain(SearchResult, {**plain, "passages": []})
        return typing.cast(
            SearchResult,
            dataclasses.replace(
                base, **{name: tuple(_scored(row, documents) for row in rows) for name, rows in parts.items()}
            ),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StorageError(f"A stored search result cannot be read ({error}). Search again.") from error


def _scored(row: Mapping[str, Any], documents: Mapping[str, Document]) -> Any:
    from core.records import ScoredPassage

    hints = _hints(ScoredPassage)
    fields = {name: from_plain(hints[name], item) for name, item in row.items() if name != "document"}
    return ScoredPassage(document=documents[row["document"]], **fields)
