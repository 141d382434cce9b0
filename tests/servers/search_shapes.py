"""One list of articles in the shapes of the eight providers, as their documentation and recorded answers show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One result before it takes a provider's shape."""

    url: str
    title: str
    snippet: str
    authors: tuple[str, ...] = ()
    day: str = ""
    doi: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """The rows of one page: from ``start`` of ``total`` in all."""

    query: str
    rows: list[Row]
    start: int
    total: int

    @property
    def more(self) -> bool:
        return self.start + len(self.rows) < self.total


def tavily(window: Window) -> object:
    return {
        "query": window.query, "follow_up_questions": None, "answer": None, "images": [],
        "results": [
            {"title": row.title, "url": row.url, "content": row.snippet, "score": 0.9 - at / 100, "raw_content": None}
            for at, row in enumerate(window.rows)
        ],
        "response_time": 1.02, "request_id": "7f3c",
    }  # fmt: skip


def brave(window: Window) -> object:
    answer: dict[str, object] = {
        "type": "search",
        "query": {"original": window.query, "more_results_available": window.more},
        "mixed": {"type": "mixed", "main": []},
    }
    if window.rows:  # the real one leaves the part out when there is nothing in it
        answer["web"] = {
            "type": "search", "family_friendly": True,
            "results": [
                {
                    "type": "search_result", "title": row.title, "url": row.url,
                    "description": f"<strong>{row.snippet[:6]}</strong>{row.snippet[6:]}",
                    "page_age": f"{row.day}T00:00:00" if row.day else None, "language": "en",
                    "profile": {"name": "Example", "url": row.url}, "meta_url": {"scheme": "http"},
                }
                for row in window.rows
            ],
        }  # fmt: skip
    return answer


def serper(window: Window) -> object:
    return {
        "searchParameters": {"q": window.query, "type": "search", "engine": "google"},
        "organic": [
            {"title": row.title, "link": row.url, "snippet": row.snippet, "date": _american(row.day), "position": at}
            for at, row in enumerate(window.rows, window.start + 1)
        ],
        "credits": 1,
    }


def searxng(window: Window) -> object:
    return {
        "query": window.query, "number_of_results": window.total,
        "results": [
            {
                "url": row.url, "title": row.title, "content": row.snippet, "engine": "duckduckgo",
                "engines": ["duckduckgo"], "score": 1.0, "category": "general", "positions": [1],
                "publishedDate": f"{row.day}T00:00:00" if row.day else None,
            }
            for row in window.rows
        ],
        "answers": [], "corrections": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": [],
    }  # fmt: skip


def semantic_scholar(window: Window) -> object:
    answer: dict[str, object] = {"total": window.total, "offset": window.start}
    if window.more:
        answer["next"] = window.start + len(window.rows)
    answer["data"] = [
        {
            "paperId": f"{at:040x}", "externalIds": {"DOI": row.doi} if row.doi else {"CorpusId": at},
            "url": row.url, "title": row.title, "abstract": row.snippet, "year": int(row.day[:4]) if row.day else None,
            "publicationDate": row.day or None, "openAccessPdf": {"url": row.url, "status": "GREEN"},
            "authors": [{"authorId": str(number), "name": name} for number, name in enumerate(row.authors)],
        }
        for at, row in enumerate(window.rows, window.start)
    ]  # fmt: skip
    return answer


def openalex(window: Window) -> object:
    return {
        "meta": {"count": window.total, "db_response_time_ms": 31, "page": 1, "per_page": 25, "groups_count": None},
        "results": [
            {
                "id": f"https://openalex.org/W{at}", "doi": f"https://doi.org/{row.doi}" if row.doi else None,
                "display_name": row.title, "publication_date": row.day or None,
                "publication_year": int(row.day[:4]) if row.day else None,
                "authorships": [
                    {"author_position": "first", "author": {"id": "https://openalex.org/A1", "display_name": name}}
                    for name in row.authors
                ],
                "primary_location": {"landing_page_url": row.url, "pdf_url": None, "is_oa": True},
                "best_oa_location": None, "abstract_inverted_index": _inverted(row.snippet),
            }
            for at, row in enumerate(window.rows, window.start)
        ],
        "group_by": [],
    }  # fmt: skip


def crossref(window: Window) -> object:
    return {
        "status": "ok", "message-type": "work-list", "message-version": "1.0.0",
        "message": {
            "facets": {}, "total-results": window.total, "items-per-page": 20,
            "query": {"start-index": window.start, "search-terms": window.query},
            "items": [
                {
                    **({"DOI": row.doi.upper(), "URL": f"https://doi.org/{row.doi}"} if row.doi else {"URL": row.url}),
                    "title": [row.title], "abstract": f"<jats:p>{row.snippet}</jats:p>",
                    "author": [_given_family(name) for name in row.authors],
                    "issued": {"date-parts": [[int(part) for part in row.day.split("-")] if row.day else [None]]},
                    "resource": {"primary": {"URL": row.url}},
                }
                for row in window.rows
            ],
        },
    }  # fmt: skip


def wikipedia(window: Window) -> object:
    answer: dict[str, object] = {"batchcomplete": True}
    if window.more:
        answer["continue"] = {"sroffset": window.start + len(window.rows), "continue": "-||"}
    answer["query"] = {
        "searchinfo": {"totalhits": window.total},
        "search": [
            {
                "ns": 0, "title": row.title, "pageid": 100 + at, "size": 9000, "wordcount": 1200,
                "snippet": f'<span class="searchmatch">{row.snippet[:6]}</span>{row.snippet[6:]} &amp; more',
                "timestamp": "2026-11-01T00:00:00Z",
            }
            for at, row in enumerate(window.rows, window.start)
        ],
    }  # fmt: skip
    return answer


SHAPES: Mapping[str, Callable[[Window], object]] = {
    "tavily": tavily,
    "brave": brave,
    "serper": serper,
    "searxng": searxng,
    "semantic_scholar": semantic_scholar,
    "openalex": openalex,
    "crossref": crossref,
    "wikipedia": wikipedia,
}

ERRORS: Mapping[str, Callable[[int, str], object]] = {
    "tavily": lambda status, words: {"detail": {"error": words}},
    "brave": lambda status, words: {"type": "ErrorResponse", "error": {"status": status, "detail": words, "meta": {}}},
    "serper": lambda status, words: {"message": words, "statusCode": status},
    "searxng": lambda status, words: {"error": words},
    "semantic_scholar": lambda status, words: {"message": words, "code": str(status)},
    "openalex": lambda status, words: {"error": words, "message": words},
    "crossref": lambda status, words: {
        "status": "failed", "message-type": "validation-failure",
        "message": [{"type": "x", "value": "", "message": words}],
    },
    "wikipedia": lambda status, words: {"error": {"code": "internal", "info": words}},
}  # fmt: skip


def _american(day: str) -> str | None:
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # noqa: SIM905
    return f"{months[int(day[5:7]) - 1]} {int(day[8:])}, {day[:4]}" if day else None


def _inverted(text: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, word in enumerate(text.split()):
        found.setdefault(word, []).append(at)
    return found


def _given_family(name: str) -> dict[str, str]:
    given, _, family = name.rpartition(" ")
    return {"given": given, "family": family, "sequence": "first"} if given else {"name": family}
