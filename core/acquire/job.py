"""The jobs of sources: add them, fetch them again, cut their texts anew."""

from __future__ import annotations

from collections.abc import Mapping

from core.acquire.bring_in import bring_in, short
from core.acquire.intake import passages_of
from core.errors import SourceError
from core.labels import SourceKind
from core.ports.context import CHUNKING, JobContext, acquisitions_of, ids_of, schedule_encoding
from core.ports.store import Progress
from core.records import Document, Job


def run_add(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Bring in the acquisitions of ``payload``, or the pages of its sitemap."""
    if "sitemap" in job.payload:
        from core.acquire.sitemap_job import run_sitemap

        return run_sitemap(context, job, progress)
    return bring_in(context, acquisitions_of(job), progress)


def run_refetch(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Fetch the documents of ``payload`` again; how many were unchanged, changed and failed, and the problems."""
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
                fetched, kind=SourceKind.URL, blob_hash=store.put_blob(fetched.body), supersedes=before.id
            )
        except SourceError as error:
            outcome["failed"] += 1
            problems.append(f"{before.title}: {error}")
            continue
        outcome["unchanged" if after.id == before.id else "changed"] += 1
    schedule_encoding(store)
    return {**outcome, "problems": problems}


def run_rechunk(context: JobContext, _job: Job, progress: Progress) -> Mapping[str, object]:
    """Cut every document anew under the present chunk settings; how many there were."""
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
