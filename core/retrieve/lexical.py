"""Keyword search: BM25 in which a word that the query repeats counts as often as it stands there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.ports.store import PassageIndex
from core.records import Filters, Hit

_POOL = 1000
"""Hits taken of each part when parts are added up: enough that what is cut off could not reach the first ranks."""


def lexical(index: PassageIndex, terms: Sequence[str], filters: Filters, depth: int) -> list[Hit]:
    """The ``depth`` best passages for the index ``terms`` of a query, ties by passage id.

    BM25 is a sum over the terms of the query, repeats included (Robertson & Zaragoza 2009, section 3.3), while
    an index scores each distinct term once. So the terms that occur at least twice, at least three times … are
    asked again and their scores added.
    """
    counts = Counter(terms)
    if not counts:
        return []
    most = max(counts.values())
    if most == 1:
        return index.lexical(list(counts), filters, depth)
    scores: dict[int, float] = {}
    for times in range(1, most + 1):
        asked = [term for term, count in counts.items() if count >= times]
        for hit in index.lexical(asked, filters, max(_POOL, depth)):
            scores[hit.passage_id] = scores.get(hit.passage_id, 0.0) + hit.score
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [Hit(passage_id, score) for passage_id, score in ordered[:depth]]
