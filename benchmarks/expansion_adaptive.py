"""A search that leaves late interaction and variety out where words and meaning already agree.

After BM25 and dense search have spoken the two are joined; when both put the same passage first and it leads the next
one by at least ``gap`` (scores in [0, 1]), that order is the answer. The gap is to be chosen on the training claims of
SciFact and read on the other sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.data import RetrievalSet
from benchmarks.rows import Row, mean_row, row
from core.evaluate.measures import per_query, randomization_test
from core.labels import Stage
from core.records import Query
from core.retrieve.candidates import Candidates
from core.retrieve.join import fuse
from core.settings.values import Retrieval

GAPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)


@dataclass(frozen=True, slots=True)
class Plain:
    """One query: what all stages say, what words and meaning say, whether these two agree, and the lead."""

    full: list[str]
    short: list[str]
    agree: bool
    gap: float


def look(
    candidates: Candidates, queries: Sequence[Query], full: Sequence[int], settings: Retrieval,
    names: Callable[[Sequence[int]], list[str]],
) -> Plain:  # fmt: skip
    """What the rule needs of one query that was searched with all stages."""
    two = Candidates([ranking for ranking in candidates.rankings if ranking.stage is not Stage.LATE_INTERACTION])
    joined = fuse(two, settings, queries)[: settings.depth]
    firsts = {ranking.hits[0].passage_id for ranking in two.rankings if ranking.hits}
    gap = joined[0].score - joined[1].score if len(joined) > 1 else 0.0
    agree = len(firsts) == 1 and sum(bool(ranking.hits) for ranking in two.rankings) > 1
    return Plain(names(full), names([hit.passage_id for hit in joined]), agree, gap)


def rows(of_set: RetrievalSet, plain: Mapping[str, Plain], fields: Mapping[str, Any]) -> list[Row]:
    """For every gap: nDCG@10, the share of queries that skip, and how sure the difference to all stages is."""
    judged = {key: of_set.qrels[key] for key in plain}
    full = list(per_query("ndcg@10", {key: case.full for key, case in plain.items()}, judged).values())
    names = ("adaptive", of_set.name, of_set.split)
    rows_of_set = [mean_row(*names, "all stages", "ndcg@10", full, **fields)]
    for gap in GAPS:
        skips = {key: case.agree and case.gap >= gap for key, case in plain.items()}
        ranked = {key: case.short if skips[key] else case.full for key, case in plain.items()}
        values = list(per_query("ndcg@10", ranked, judged).values())
        system = f"skip from gap {gap:g}"
        rows_of_set.append(mean_row(*names, system, "ndcg@10", values, **fields))
        share = sum(skips.values()) / len(skips)
        rows_of_set.append(row(*names, system, "share skipped", share, n=len(skips), **fields))
        chance = randomization_test(values, full)
        rows_of_set.append(row(*names, system, "p(ndcg@10 = all stages)", chance, n=len(skips), **fields))
    return rows_of_set
