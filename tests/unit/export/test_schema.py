"""The schema of the JSON export that is published is the one that the records have."""

from __future__ import annotations

import json
from pathlib import Path

from core.export.as_json import schema

PUBLISHED = Path(__file__).resolve().parents[3] / "docs" / "export.schema.json"


def test_the_published_schema_is_that_of_the_records() -> None:
    assert json.loads(PUBLISHED.read_text("utf-8")) == json.loads(json.dumps(schema())), (
        "Row has changed. If readers must change too, raise core.export.as_json.VERSION; then write the schema anew: "
        "python -m core.export.as_json > docs/export.schema.json"
    )
