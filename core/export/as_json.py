"""JSON with everything, whole: ``docs/export.schema.json`` describes it. ``version`` grows when a reader would have to
change; new members may come without that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core import __version__
from core.export.cells import encodable
from core.export.content import NOTHING, PRODUCT, Content
from core.export.overall import facts, headline_of
from core.export.rows import Row, rows_of
from core.text.jsonable import jsonable

FORMAT = "evidence-workbench audit"
VERSION = 1


def as_json(content: Content) -> bytes:
    """The whole content as UTF-8 JSON, indented, ending with a line feed."""
    return (json.dumps(_clean(document(content)), ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def document(content: Content) -> dict[str, object]:
    """What the JSON says, as plain values."""
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
    found = dict.fromkeys(row.source_id for row in rows if row.source_id)
    found |= dict.fromkeys(finding.rescue.document_id for finding in content.findings if finding.rescue)
    return [key for key in found if key in content.documents]


def _source(content: Content, document_id: str) -> dict[str, object]:
    one = content.documents[document_id]
    return {
        "id": one.id, "title": one.title, "url": one.canonical_url, "doi": one.doi, "authors": list(one.authors),
        "published": jsonable(one.published), "fetched": jsonable(one.fetched), "media_type": one.media_type,
        "grade": one.grade_in_force.value, "text_sha256": one.content_hash,
        "bytes_sha256": one.blob_hash, "length": one.length,
    }  # fmt: skip


def _clean(value: object) -> object:
    """The same value with texts that UTF-8 takes."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, Mapping):
        return {encodable(str(key)): _clean(part) for key, part in value.items()}
    return [_clean(part) for part in value] if isinstance(value, (list, tuple)) else value
