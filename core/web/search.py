"""Searches of the web for one project: what would be sent, the results of a search, and what of them to fetch. Nothing
is sent unless ``web.enabled`` is set: not by a page, a job, or another stage, for all come through here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import cast

from pydantic import ValidationError

from core.errors import SettingsError, WebSearchError
from core.labels import FetchState, JobKind, JobState, SourceKind
from core.ports.asking import WebSearcher
from core.ports.context import JobContext, ProjectContext
from core.ports.store import Progress
from core.records import Job, ProviderInfo, WebHit, WebResult
from core.text.jsonable import adapter
from core.text.same_page import address_keys
from core.text.urls import canonical_url, fetchable_url
from core.text.words import count_words
from core.web.merge import merge
from core.web.run import WebRun

_ADAPTER = adapter(WebResult)


def values_of(result: WebResult) -> Mapping[str, object]:
    """The result as JSON values."""
    return cast("Mapping[str, object]", _ADAPTER.dump_python(result, mode="json"))


def result_of(values: Mapping[str, object]) -> WebResult:
    """The result that ``values_of`` gave (WebSearchError: it is none, or of another version)."""
    try:
        return _ADAPTER.validate_python(dict(values))
    except ValidationError as error:
        raise WebSearchError("The result of this search cannot be read any more. Search again.") from error


MOST_QUERIES = 10
LONGEST_QUERY = 2000
MOST_RESULTS = 100
"""The most results of one provider for one query."""
MOST_KEPT = 200
TICKED = 10


class WebSearches:
    """Searches of the web, and what of them to fetch."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store

    def providers(self) -> list[ProviderInfo]:
        """Every provider, with the reason why it cannot be asked (SettingsError: a fault in web.endpoints)."""
        return [searcher.info for searcher in self._context.engines.searchers()]

    def chosen(self) -> list[ProviderInfo]:
        """The providers that a search asks when none are named (WebSearchError, SettingsError)."""
        return [searcher.info for searcher in self._searchers(None)]

    def why_off(self) -> str:
        """The reason why a search would send nothing, and what to do; "" when it would search."""
        if not self._context.settings.web.enabled:
            return "Searching the web is switched off, so nothing is sent. Switch it on under Settings → Web search."
        try:
            chosen = self.chosen()
        except (SettingsError, WebSearchError) as error:
            return str(error)
        if any(not info.reason for info in chosen):
            return ""
        return "No provider of web search can be asked. " + " ".join(f"{info.title}: {info.reason}" for info in chosen)

    def would_send(self) -> str:
        """One sentence: what leaves this computer with a search, and where to."""
        try:
            able = [info.title for info in self.chosen() if not info.reason]
        except (SettingsError, WebSearchError) as error:
            return str(error)
        if not able:
            return "Nothing would be sent, for no provider can be asked."
        contact = " and the contact address of the settings" if self._context.settings.web.contact else ""
        return f"The words of each query{contact} go to {_joined(able)}; nothing of your sources does."

    def search_now(
        self,
        queries: Sequence[str],
        progress: Progress,
        *,
        max_results: int | None = None,
        providers: Collection[str] | None = None,
    ) -> WebResult:
        """Ask the providers now, all queries and providers side by side; whatever happens to one, the others' results
        are there.

        Args:
            queries: up to ten, each of at most 2,000 characters; white space counts as one blank. Equal ones are asked
                once, empty ones not.
            max_results: of each provider for each query, at least 1; over 100 are not asked for, which is noted.
            providers: names; by default those of ``web.providers``.

        Raises:
            WebSearchError: it is switched off, or cannot be made as it stands; nothing was sent.
            JobCancelled: from ``progress``.
        """
        why = self.why_off()
        if why:
            raise WebSearchError(why)
        lines, at = checked_queries(queries)
        wanted, notes = self._checked_size(max_results)
        run = WebRun(self._searchers(providers), lines, self._context.settings.web, self._store, self._context.clock)
        answers = run.run(wanted, progress)
        merged = merge([answer.listed for answer in answers], rrf_k=self._context.settings.retrieval.rrf_k)
        if merged.unusable:
            notes.append(
                f"{count_words(merged.unusable, 'result')} had no address that can be fetched, and are left out."
            )
        if len(merged.hits) > MOST_KEPT:
            notes.append(f"The best {MOST_KEPT} of {len(merged.hits)} results are kept.")
        hits = [replace(hit, queries=tuple(at[query] for query in hit.queries)) for hit in merged.hits[:MOST_KEPT]]
        return WebResult(self._known(hits), tuple(answer.outcome for answer in answers), tuple(notes))

    def start(
        self, queries: Sequence[str], providers: Collection[str] | None = None, max_results: int | None = None
    ) -> Job:
        """Search in a job, which keeps the result (WebSearchError as for ``search_now``)."""
        why = self.why_off()
        if why:
            raise WebSearchError(why)
        checked_queries(queries)
        self._checked_size(max_results)
        self._searchers(providers)
        load = {
            "queries": list(queries),
            "providers": None if providers is None else list(providers),
            "max_results": None if max_results is None else min(max_results, MOST_RESULTS + 1),
        }
        return self._context.schedule(JobKind.WEB_SEARCH, load)

    def searches(self, *, limit: int = 20) -> list[Job]:
        """Searches made by jobs, newest first."""
        return self._store.jobs(kinds=[JobKind.WEB_SEARCH], limit=limit)

    def result(self, job_id: int) -> WebResult:
        """The result of a job's search. The document of each hit is looked up anew. Raises JobNotFound (no such job) or
        WebSearchError (it is no web search, still runs, or brought nothing; the message says which)."""
        job = self._store.job(job_id)
        if job.kind is not JobKind.WEB_SEARCH:
            raise WebSearchError(f"Job {job_id} is no web search.")
        if job.state is not JobState.DONE:
            reasons = {
                JobState.FAILED: f"The web search failed: {job.error}",
                JobState.CANCELLED: "The web search was stopped; search again for its results.",
            }
            raise WebSearchError(reasons.get(job.state, "The web search is not finished yet."))
        result = result_of(job.result)
        return replace(result, hits=self._known(result.hits))

    def default_ticks(self, result: WebResult, most: int = TICKED) -> list[str]:
        """The addresses of the best ``most`` that are not in the project yet and that did not fail when they were
        fetched last (without a network nothing is known of them)."""
        last = {key: row.state for row in self._store.acquisitions() for key in address_keys(row.origin)}
        failed = {key for key, state in last.items() if state.failed and state is not FetchState.NO_NETWORK}
        fresh = [hit.url for hit in result.hits if hit.document_id is None]
        return [url for url in fresh if failed.isdisjoint(address_keys(url))][:most]

    def fetch(self, urls: Sequence[str]) -> Job:
        """Bring pages in as sources; each address once (WebSearchError: none is given; SourceError: one is none)."""
        wanted: dict[str, str] = {}
        for url in urls:
            address = fetchable_url(url)
            wanted.setdefault(canonical_url(address), address)
        if not wanted:
            raise WebSearchError("Nothing is ticked. Tick at least one result to fetch.")
        rows = self._store.request(SourceKind.URL, [(url, None) for url in wanted.values()])
        return self._context.schedule(JobKind.ADD, {"acquisitions": [row.id for row in rows]})

    def _searchers(self, names: Collection[str] | None) -> list[WebSearcher]:
        there = {searcher.info.name: searcher for searcher in self._context.engines.searchers()}
        wanted = list(dict.fromkeys(self._context.settings.web.providers if names is None else names))
        if not wanted:
            raise WebSearchError("No provider of web search is chosen. Choose at least one (setting web.providers).")
        unknown = [name for name in wanted if name not in there]
        if unknown:
            raise WebSearchError(
                f"No provider of web search is named {unknown[0][:60]!r}. There are: {', '.join(there) or 'none'}."
            )
        return [there[name] for name in wanted]

    def _checked_size(self, max_results: int | None) -> tuple[int, list[str]]:
        wanted = self._context.settings.web.max_results if max_results is None else max_results
        if wanted < 1:
            raise WebSearchError(f"{wanted} results cannot be asked for. Ask for 1 to {MOST_RESULTS}.")
        if wanted <= MOST_RESULTS:
            return wanted, []
        return MOST_RESULTS, [f"Each provider was asked for {MOST_RESULTS} results a query; more are not asked for."]

    def _known(self, hits: Sequence[WebHit]) -> tuple[WebHit, ...]:
        """The hits with the stored document of each, looked for by address and by DOI."""
        documents = self._store.documents() if hits else []
        by_doi = {document.doi.lower(): document.id for document in documents if document.doi}
        by_url = {url: document.id for document in documents for url in (document.canonical_url, *document.urls) if url}

        def stored(hit: WebHit) -> str | None:
            return by_url.get(hit.canonical_url) or by_url.get(hit.url) or by_doi.get(hit.doi or "")

        return tuple(replace(hit, document_id=stored(hit)) for hit in hits)


def checked_queries(queries: Sequence[str]) -> tuple[list[str], list[int]]:
    """The queries to ask, on one line each, and at which place of ``queries`` each first stands. Raises WebSearchError:
    none has words, one is too long, or they are too many."""
    places: dict[str, int] = {}
    for at, query in enumerate(queries):
        line = " ".join(query.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8").split())
        if len(line) > LONGEST_QUERY:
            raise WebSearchError(
                f"A query has {len(line):,} characters; the web is asked with at most {LONGEST_QUERY:,}. Shorten it to "
                "the question itself."
            )
        if line:
            places.setdefault(line, at)
    if not any(any(letter.isalnum() for letter in line) for line in places):
        raise WebSearchError("The query is empty. Type a question or a few words.")
    if len(places) > MOST_QUERIES:
        raise WebSearchError(f"{len(places)} queries were given at once; at most {MOST_QUERIES} are asked together.")
    return list(places), list(places.values())


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def run_web_search(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Ask ``payload["queries"]`` of ``payload["providers"]`` (None: those of the settings). Raises WebSearchError
    (switched off meanwhile, or not to be made as it stands) or JobCancelled (the user asked to stop; what is under way
    is abandoned)."""
    queries, providers, wanted = (job.payload.get(name) for name in ("queries", "providers", "max_results"))
    result = WebSearches(context).search_now(
        [str(query) for query in queries] if isinstance(queries, (list, tuple)) else [],
        progress,
        max_results=wanted if isinstance(wanted, int) else None,
        providers=[str(name) for name in providers] if isinstance(providers, (list, tuple)) else None,
    )
    return values_of(result)
