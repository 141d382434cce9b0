"""Which page a request to a provider asks for, and answers from which fields are missing."""

from __future__ import annotations

from typing import Any


def window_of(provider: str, params: dict[str, str]) -> tuple[int, int]:
    """(start, size) of the page that is asked for, within the provider's own limits."""

    def number(name: str, default: int) -> int:
        return int(params.get(name) or default)

    if provider == "tavily":
        return 0, min(20, number("max_results", 5))
    if provider == "brave":
        size = min(20, number("count", 20))
        return number("offset", 0) * size, size
    if provider == "serper":
        return (number("page", 1) - 1) * 10, 10
    if provider == "searxng":
        return (number("pageno", 1) - 1) * 10, 10
    if provider == "openalex":
        size = min(100, number("per_page", 25))
        return (number("page", 1) - 1) * size, size
    starts = {"semantic_scholar": "offset", "crossref": "offset", "wikipedia": "sroffset"}
    sizes = {"semantic_scholar": ("limit", 100), "crossref": ("rows", 1000), "wikipedia": ("srlimit", 500)}
    name, most = sizes[provider]
    return number(starts[provider], 0), min(most, number(name, 10))


def without(value: Any, names: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {key: without(part, names) for key, part in value.items() if key not in names}
    return [without(part, names) for part in value] if isinstance(value, list) else value


def nulled(value: Any, depth: int = 0) -> Any:
    """Every field of the results is null; the frame around them stays."""
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return [dict.fromkeys(one) for one in value] + [None, 7, "text", []]
    if isinstance(value, dict):
        return {key: nulled(part) for key, part in value.items()}
    return value
