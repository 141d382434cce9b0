"""The members of an audit pack beside the records: ``pack.json`` and the report for people."""

import json

from core import __version__
from core.export.as_html import as_html
from core.export.content import PRODUCT, Content

PACK = "pack.json"
READABLE = "report.html"
FORMAT = "evidence-workbench pack"
VERSION = 1


def pack_members(content: Content) -> dict[str, bytes]:
    """Members by name."""
    return {PACK: pack_json(content), READABLE: as_html(content)}


def pack_json(content: Content) -> bytes:
    """Under what the report was judged: settings in effect, fingerprints of the models, version of the product."""
    value = {
        "format": FORMAT, "version": VERSION, "made": content.made.isoformat(),
        "by": {"name": PRODUCT, "version": __version__},
        "report": {
            "id": content.report.id, "name": content.report.name, "text_sha256": content.report.content_hash,
            "bytes_sha256": content.report.blob_hash,
        },
        "rows": len(content.findings), "threshold": content.threshold,
        "settings": content.settings, "models": dict(content.models),
        **({"withheld": content.withheld} if content.withheld else {}),
    }  # fmt: skip
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")
