"""Many lists of hits made into one: one entry an address, in the order of reciprocal rank fusion."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.records import WebHit
from core.retrieve.fusion import reciprocal_rank_fusion


@dataclass(frozen=True, slots=True)
class Listed:
    """The hits of one provider for one query (its index among the queries), best first."""

    provider: str
    query: int
    hits: tuple[WebHit, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """One entry an address, best first; ``unusable`` results had no address that can be fetched."""

    hits: tuple[WebHit, ...]
    unusable: int


def merge(lists: Sequence[Listed], *, rrf_k: int = 60) -> Merged:
    """Join the lists. Hits are one when their canonical URL or their DOI is the same; the entry keeps the best rank,
    the address of its best-ranked hit (one that is not just a resolver's, where there is such), and whatever of
    authors, date, DOI and words the best-ranked hit that knows it says. Cormack, Clarke & Büttcher, "Reciprocal Rank
    Fusion ...", SIGIR 2009; ties keep the order of the lists."""
    groups = _Groups()
    for listed in lists:
        for hit in listed.hits:
            if hit.canonical_url:
                groups.join(_keys(hit))
    gathered: dict[int, list[tuple[Listed, WebHit]]] = {}
    rankings: list[list[int]] = []
    unusable: set[str] = set()
    for listed in lists:
        ranking: list[int] = []
        for hit in listed.hits:
            if not hit.canonical_url:
                unusable.add(f"{listed.provider} {hit.url} {hit.title}")
                continue
            number = groups.number(_keys(hit)[0])
            gathered.setdefault(number, []).append((listed, hit))
            ranking.append(number)
        rankings.append(ranking)
    order = reciprocal_rank_fusion(rankings, rrf_k)
    return Merged(tuple(_joined(gathered[hit.passage_id]) for hit in order), len(unusable))


def _joined(group: Sequence[tuple[Listed, WebHit]]) -> WebHit:
    """One entry for all hits on the same thing."""
    ranked = sorted(group, key=lambda pair: pair[1].rank)  # stable: equal ranks keep the order of the lists
    hits = [hit for _, hit in ranked]
    best = hits[0]
    direct = next((hit for hit in hits if not hit.canonical_url.startswith("https://doi.org/")), best)
    return replace(
        best,
        url=direct.url,
        canonical_url=direct.canonical_url,
        title=next((hit.title for hit in hits if hit.title != hit.url), best.title),
        snippet=_first(hits, "snippet") or "",
        providers=tuple(dict.fromkeys(listed.provider for listed, _ in ranked)),
        queries=tuple(sorted({listed.query for listed, _ in ranked})),
        authors=_first(hits, "authors") or (),
        published=_first(hits, "published"),
        doi=_first(hits, "doi"),
    )


def _first(hits: Sequence[WebHit], field: str) -> Any:
    """The field of the first hit that has it, or None."""
    return next((value for hit in hits if (value := getattr(hit, field))), None)


def _keys(hit: WebHit) -> tuple[str, ...]:
    return (hit.canonical_url, f"https://doi.org/{hit.doi}") if hit.doi else (hit.canonical_url,)


class _Groups:
    """Keys that name the same thing (union-find); a group's number is that of its first key."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}
        self._numbers: dict[str, int] = {}

    def join(self, keys: Sequence[str]) -> None:
        roots = [self._root(key) for key in keys]
        first = min(roots, key=self._numbers.__getitem__)
        for root in roots:
            self._parent[root] = first

    def number(self, key: str) -> int:
        return self._numbers[self._root(key)]

    def _root(self, key: str) -> str:
        if key not in self._parent:
            self._parent[key] = key
            self._numbers[key] = len(self._numbers)
        while self._parent[key] != key:
            self._parent[key] = self._parent[self._parent[key]]
            key = self._parent[key]
        return key
