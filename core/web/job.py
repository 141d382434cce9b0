"""The job that asks the web; its result is what was found, so that it is there after a reload."""

from __future__ import annotations

from collections.abc import Mapping

from core.ports.context import JobContext
from core.ports.store import Progress
from core.records import Job
from core.web.search import WebSearches, values_of


def run_web_search(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Ask ``payload["queries"]`` of ``payload["providers"]`` (None: those of the settings).

    Raises:
        WebSearchError: switched off meanwhile, or not to be made as it stands.
        JobCancelled: the user asked to stop; what is under way is abandoned.
    """
    queries, providers, wanted = (job.payload.get(name) for name in ("queries", "providers", "max_results"))
    result = WebSearches(context).search_now(
        [str(query) for query in queries] if isinstance(queries, (list, tuple)) else [],
        progress,
        max_results=wanted if isinstance(wanted, int) else None,
        providers=[str(name) for name in providers] if isinstance(providers, (list, tuple)) else None,
    )
    return values_of(result)
