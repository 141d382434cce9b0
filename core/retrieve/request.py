"""A search request, checked and brought within the limits before anything runs."""

from dataclasses import replace

from core.errors import QueryError
from core.records import Query, SearchRequest

MAX_QUERY_CHARS = 2000
MAX_QUERIES = 20
MAX_RESULTS = 200
MAX_DEPTH = 1000


def checked(request: SearchRequest) -> SearchRequest:
    """The request with trimmed queries, repeats left out, and ``k`` and ``depth`` within their limits. ``k`` is clamped
    to 1–200, ``depth`` to ``k``–1,000 (the limits of ``core.settings.values.Retrieval``). Raises QueryError: no query,
    an empty one, one over 2,000 characters, or more than 20."""
    if not request.queries:
        raise QueryError("No query was given. Type a question or a few words.")
    if len(request.queries) > MAX_QUERIES:
        raise QueryError(f"{len(request.queries)} queries were given at once; at most {MAX_QUERIES} are run together.")
    queries: dict[str, Query] = {}
    for query in request.queries:
        text = query.text.replace("\x00", "").strip()
        if not text:
            raise QueryError("The query is empty. Type a question or a few words.")
        if len(text) > MAX_QUERY_CHARS:
            raise QueryError(
                f"The query has {len(text):,} characters; at most {MAX_QUERY_CHARS:,} can be searched. "
                f"Shorten it: it begins {text[:60]!r}."
            )
        queries.setdefault(text, replace(query, text=text))
    k = min(max(request.k, 1), MAX_RESULTS)
    depth = min(max(request.depth, k), MAX_DEPTH)
    return replace(request, queries=tuple(queries.values()), k=k, depth=depth)
