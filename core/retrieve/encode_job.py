"""The job that encodes what is not encoded yet."""

from __future__ import annotations

from collections.abc import Mapping

from core.late.choice import chosen
from core.ports.context import JobContext, schedule_encoding
from core.ports.store import Progress
from core.records import Job
from core.retrieve.encode import encode_left


def run_encode(context: JobContext, _job: Job, progress: Progress) -> Mapping[str, object]:
    """Encode every passage that lacks a vector; how many there were."""
    done = encode_left(context.store, context.engines, progress)
    if context.settings.models.late_engine != "exact":
        from core.late.job import schedule_index

        schedule_index(context.store, context.engines)
    if chosen(context.store) != context.choice:  # it was encoded for an engine that is not used any more
        schedule_encoding(context.store)
    return {"encoded": done}
