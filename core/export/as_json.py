"""JSON with everything, whole: ``docs/export.schema.json`` describes it. ``version`` grows when a reader would have to
change; new members may come without that."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from core import __version__
from core.export.cells import encodable
from core.export.content import NOTHING, PRODUCT, Content
from core.export.lines import facts, headline_of
from core.export.rows import Row, rows_of
from core.text.jsonable import jsonable

FORMAT = "evidence-workbench audit"
VERSION = 1


def as_json(content: Content) -> bytes:
    """The whole content as UTF-8 JSON, indented, ending with a line feed."""
    return (json.dumps(_clean(document(content)), ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def document(content: Content) -> dict[str, object]:
    """The members of the JSON export, as plain values."""
    rows = rows_of(content)
    return {
        "format": FORMAT, "version": VERSION, "made": content.made.isoformat(),
        "by": {"name": PRODUCT, "version": __version__}, "project": content.project,
        "report": jsonable(content.report), "headline": headline_of(content),
        "facts": [{"name": name, "value": value} for name, value in facts(content, rows)],
        "summary": jsonable(content.summary), "rows": [jsonable(row) for row in rows],
        "claims": [_claim(content, claim) for claim in content.claims],
        "sources": [_source(content, key) for key in _used(content, rows)],
        "decisions": [jsonable(decision) for decision in content.decisions],
        "settings": jsonable(content.settings), "threshold": content.threshold, "models": dict(content.models),
        "source_words_included": content.sources,
    }  # fmt: skip


def _claim(content: Content, claim: Any) -> dict[str, object]:
    standing = content.claim_standing.get(claim.id, NOTHING)
    plain = jsonable(claim)
    assert isinstance(plain, dict)
    if not content.sources:
        plain["verdict"] = claim.verdict.state.value if claim.verdict else None
    return {**plain, "decision": jsonable(standing.decision), "conflict": jsonable(standing.conflict)}


def _used(content: Content, rows: list[Row]) -> list[str]:
    ids = dict.fromkeys(row.source_id for row in rows if row.source_id)
    ids |= dict.fromkeys(finding.rescue.document_id for finding in content.findings if finding.rescue)
    return [key for key in ids if key in content.documents]


def _source(content: Content, document_id: str) -> dict[str, object]:
    source = content.documents[document_id]
    return {
        "id": source.id, "title": source.title, "url": source.canonical_url, "doi": source.doi,
        "authors": list(source.authors), "published": jsonable(source.published), "fetched": jsonable(source.fetched),
        "media_type": source.media_type, "grade": source.grade_in_force.value,
        "text_sha256": source.content_hash, "bytes_sha256": source.blob_hash, "length": source.length,
    }  # fmt: skip


def _clean(value: object) -> object:
    """The same value with texts that UTF-8 takes."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, Mapping):
        return {encodable(str(key)): _clean(part) for key, part in value.items()}
    return [_clean(part) for part in value] if isinstance(value, (list, tuple)) else value


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
