"""A JSON value as short ASCII text, for the notes of a project: zlib (RFC 1950) and base 85 (RFC 1924's alphabet)."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any


def squeeze(value: object) -> str:
    """A JSON value as short ASCII text."""
    return base64.b85encode(zlib.compress(json.dumps(value).encode("utf-8", "surrogatepass"), 6)).decode("ascii")


def unsqueeze(text: str) -> Any:
    """The value that ``squeeze`` made the text of."""
    return json.loads(zlib.decompress(base64.b85decode(text)))
