"""JSON Schema (2020-12) of the JSON export, made of the records themselves."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from core.export.as_json import FORMAT, VERSION
from core.export.rows import Row


def schema() -> dict[str, Any]:
    """The schema as plain values. Members that are not named here may come with any minor version."""
    row = TypeAdapter(Row).json_schema(ref_template="#/$defs/{model}", mode="serialization")
    definitions = row.pop("$defs", {})
    text, listed = {"type": "string"}, {"type": "array", "items": {"type": "object"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FORMAT}, version {VERSION}",
        "type": "object",
        "required": ["format", "version", "made", "report", "summary", "rows", "claims", "sources", "decisions"],
        "properties": {
            "format": {"const": FORMAT}, "version": {"const": VERSION},
            "made": {"type": "string", "format": "date-time"},
            "by": {"type": "object", "properties": {"name": text, "version": text}},
            "project": text, "headline": text, "facts": listed,
            "report": {"type": "object", "required": ["name", "content_hash", "blob_hash", "version"]},
            "summary": {"type": "object", "required": ["citations", "by_status", "precision", "recall"]},
            "rows": {"type": "array", "items": {"$ref": "#/$defs/Row"}},
            "claims": listed,
            "sources": {"type": "array", "items": {"type": "object", "required": ["id", "title", "text_sha256"]}},
            "decisions": listed, "settings": {"type": "object"}, "threshold": {"type": ["number", "null"]},
            "models": {"type": "object"},
            "source_words_included": {"type": "boolean"},
        },
        "$defs": {**definitions, "Row": row},
    }  # fmt: skip


if __name__ == "__main__":
    import json

    print(json.dumps(schema(), indent=1, ensure_ascii=False))
