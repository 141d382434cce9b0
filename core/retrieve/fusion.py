"""Reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Sequence

from core.model import Hit


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[int]], k: int = 60, weights: Sequence[float] | None = None
) -> list[Hit]:
    """Fuse rankings of passage ids into one: score = Σ weight / (k + rank), ranks from 1.

    Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual rank learning
    methods", SIGIR 2009. Without ``weights`` every ranking counts 1. The inputs are not changed; ties are
    broken by passage id, so that the order never depends on that of the rankings. A passage that a ranking
    holds twice counts once there, at its better rank.

    Raises:
        ValueError: not one weight a ranking, or a negative one.
    """
    shares = [1.0] * len(rankings) if weights is None else list(weights)
    if len(shares) != len(rankings):
        raise ValueError(f"{len(shares)} weights were given for {len(rankings)} rankings; give one for each")
    if any(share < 0 for share in shares):
        raise ValueError("a weight of a ranking cannot be negative")
    scores: dict[int, float] = {}
    for share, ranking in zip(shares, rankings, strict=True):
        for rank, passage_id in enumerate(dict.fromkeys(ranking), start=1):
            scores[passage_id] = scores.get(passage_id, 0.0) + share / (k + rank)
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [Hit(passage_id, score) for passage_id, score in ordered]
