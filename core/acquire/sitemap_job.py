"""The job that reads a site's sitemaps and asks for the pages that they list."""

from __future__ import annotations

from collections.abc import Mapping

from core.acquire.references.sitemap_walk import MOST_PAGES, walk
from core.labels import FetchState, JobKind, SourceKind
from core.ports.context import JobContext
from core.ports.store import Progress
from core.records import Job
from core.text.urls import canonical_url


def run_sitemap(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Read ``payload["sitemap"]`` and make a job that fetches its pages, at most ``payload["most"]``. Pages that are
    stored or asked for already are left out, so that a second run after a crash asks for none twice.

    Raises:
        SourceError: no sitemap could be read.
        JobCancelled: the user asked to stop; nothing was asked for.
    """
    fetcher = context.engines.fetcher()

    def tell(done: int, url: str) -> None:
        progress(done, None, f"Reading {url[:80]}")

    most = job.payload.get("most")
    walked = walk(
        str(job.payload["sitemap"]),
        lambda url: fetcher.fetch(url).body,
        tell,
        most=min(MOST_PAGES, int(most)) if isinstance(most, int) else MOST_PAGES,
    )
    store = context.store
    known = {
        row.origin for row in store.acquisitions(states=(FetchState.QUEUED, FetchState.STORED, FetchState.DUPLICATE))
    }
    fresh = [
        url
        for url in walked.pages
        if url not in known and store.by_url(url) is None and store.by_url(canonical_url(url)) is None
    ]
    problems = list(walked.problems)
    if len(fresh) < len(walked.pages):
        problems.append(f"{len(walked.pages) - len(fresh)} of the pages are in the project already.")
    fetching: int | None = None
    if fresh:
        rows = store.request(SourceKind.URL, [(url, None) for url in fresh])
        fetching = store.add_job(JobKind.ADD, {"acquisitions": [row.id for row in rows]}).id
    elif not walked.pages:
        problems.append("The sitemap lists no page.")
    return {"pages": len(fresh), "problems": problems, "job": fetching}
