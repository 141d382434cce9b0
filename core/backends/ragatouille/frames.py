"""Messages between the workbench and a worker process of RAGatouille: one JSON object a line.

No pickle, and nothing of a worker's answer is run. JSON escapes line ends, so a line is a message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

MAX_LINE = 1 << 30


def send(stream: BinaryIO, message: Mapping[str, Any]) -> None:
    """Write one message."""
    stream.write(json.dumps(message).encode("ascii") + b"\n")
    stream.flush()


def receive(stream: BinaryIO) -> dict[str, Any] | None:
    """Read one message; None at the end of the stream, also in the middle of a message.

    Raises:
        ValueError: the line is no JSON object.
    """
    line = stream.readline(MAX_LINE)
    if not line.endswith(b"\n"):
        return None
    decoded = json.loads(line)
    if not isinstance(decoded, dict):
        raise ValueError("a message must be a JSON object")
    return decoded
