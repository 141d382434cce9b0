"""Projects."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

LEFT_OUT = "left-out-on-import"
"""Name of the memo that lists what an import left out: a JSON list of sentences."""


@dataclass(frozen=True, slots=True)
class Project:
    """One research effort, one folder ``path`` named ``slug`` under the root."""

    id: str
    name: str
    slug: str
    path: Path
    created: datetime
    archived: bool = False
    demo: bool = False


@dataclass(frozen=True, slots=True)
class ProjectSummary:
    """A project with what a list of projects shows; ``problem`` is set when it cannot be opened."""

    project: Project
    documents: int = 0
    passages: int = 0
    bytes_on_disk: int = 0
    last_used: datetime | None = None
    problem: str | None = None
