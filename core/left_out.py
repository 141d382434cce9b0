"""What was left out when a project's zip was taken in."""

from __future__ import annotations

import json

from core.ports import ProjectStore

LEFT_OUT = "left-out-on-import"
"""The memo that holds it: a JSON list of sentences."""


def left_out(store: ProjectStore) -> list[str]:
    """What the zip that this project came from held and could not be taken over, one sentence each; empty for a
    project that was made here."""
    return [str(one) for one in json.loads(store.memo(LEFT_OUT) or "[]")]
