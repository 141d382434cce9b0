"""The jobs of sources: add them, add the pages of a sitemap, fetch them again, cut their texts anew."""

from __future__ import annotations

from collections.abc import Mapping

from core.acquire.bring_in import bring_in, short
from core.acquire.mend import passages_of
from core.acquire.references.reader import read_listed_pages
from core.acquire.references.sitemap_walk import MOST_PAGES, walk
from core.errors import SourceError
from core.labels import FetchState, JobKind, SourceKind
from core.ports.context import CHUNKING, JobContext, acquisitions_of, ids_of, schedule_encoding
from core.ports.store import Progress
from core.records import Document, Job
from core.text.urls import canonical_url


def run_add(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Bring in the acquisitions of ``payload``, or the pages of its sitemap."""
    if "sitemap" in job.payload:
        from core.acquire.job import run_sitemap

        return run_sitemap(context, job, progress)
    return bring_in(context, acquisitions_of(job), progress)


def run_refetch(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Fetch the documents of ``payload`` again. Returns the numbers of unchanged, changed and failed documents, and
    the problems as sentences."""
    store = context.store
    documents = {
        url: document
        for document in (store.document(str(key)) for key in ids_of(job, "documents"))
        if (url := _address(document))
    }
    outcome: dict[str, int] = {"unchanged": 0, "changed": 0, "failed": 0}
    problems: list[str] = []
    for url, fetched in context.engines.fetcher().fetch_many(list(documents), progress):
        before = documents[url]
        try:
            if isinstance(fetched, Exception):
                raise fetched
            after = context.intake.take_in(
                fetched, kind=SourceKind.URL, blob_hash=store.put_blob(fetched.body), supersedes=before.id,
                accepted=before.accepted,
            )  # fmt: skip
        except SourceError as error:
            outcome["failed"] += 1
            problems.append(f"{before.title}: {error}")
            continue
        outcome["unchanged" if after.id == before.id else "changed"] += 1
    schedule_encoding(store)
    return {**outcome, "problems": problems}


def run_rechunk(context: JobContext, _job: Job, progress: Progress) -> Mapping[str, object]:
    """Cut every document anew under the present chunk settings; returns their number."""
    documents = context.store.documents()
    for done, document in enumerate(documents):
        progress(done, len(documents), f"Cutting {short(document.title)}")
        text = context.store.text(document.id)
        context.store.replace_passages(document.id, passages_of(document, text, context.settings.chunking))
    context.store.set_memo(CHUNKING, context.settings.chunking.model_dump_json())
    schedule_encoding(context.store)
    return {"documents": len(documents)}


def _address(document: Document) -> str | None:
    # The canonical form is a key for telling pages apart; an address that answered is what can be asked again.
    return next((url for url in document.urls if url.startswith(("http://", "https://"))), document.canonical_url)


def run_sitemap(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Read ``payload["sitemap"]`` and make a job that fetches its pages, at most ``payload["most"]``. Pages that are
    stored or requested already are left out, so that a second run after a crash requests none twice.

    Raises:
        SourceError: no sitemap could be read.
        JobCancelled: the user asked to stop; nothing was requested.
    """
    fetcher, extractor = context.engines.fetcher(), context.engines.extractor()

    def tell(done: int, url: str) -> None:
        progress(done, None, f"Reading {url[:80]}")

    most = job.payload.get("most")
    walked = walk(
        str(job.payload["sitemap"]),
        lambda url: fetcher.fetch(url).body,
        tell,
        most=min(MOST_PAGES, int(most)) if isinstance(most, int) else MOST_PAGES,
        read=lambda body: read_listed_pages(extractor, body),
    )
    store = context.store
    requested = {
        row.origin for row in store.acquisitions(states=(FetchState.QUEUED, FetchState.STORED, FetchState.DUPLICATE))
    }
    fresh = [
        url
        for url in walked.pages
        if url not in requested and store.by_url(url) is None and store.by_url(canonical_url(url)) is None
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
