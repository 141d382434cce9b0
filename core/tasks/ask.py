"""Placeholder of the contract, replaced in this session."""

from __future__ import annotations

from collections.abc import Mapping

from core.jobs import JobContext
from core.model import Job
from core.ports import Progress


def run_ask(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """See the contract."""
    raise NotImplementedError
