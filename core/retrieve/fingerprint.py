"""The stages that ran, with their models and settings, so that a result can be repeated."""

import json
from collections.abc import Mapping

from core.labels import Stage
from core.retrieve.variety import OF_TEN
from core.settings.values import Retrieval
from core.text.hashing import hex_digest

LEXICAL = {"engine": "BM25", "k1": 1.2, "b": 0.75, "terms": "NFKC, folded, 2+ letters, Lucene stop words, Porter 2"}


def fingerprint(
    ran: Mapping[Stage, str | None], settings: Retrieval, depth: int, *, exact: bool = False, late_engine: str = ""
) -> dict[str, object]:
    """Stage → what it ran with; ``hash`` covers all of it and is equal exactly when all of it is.

    Args:
        ran: the stages that ran, each with the fingerprint of its model (None where it has none).
        depth: candidates per index.
        exact: whether late interaction looked at every passage.
        late_engine: what found candidates for late interaction, where that was not our own.
    """
    stages: dict[str, object] = {}
    for stage in Stage:
        if stage in ran:
            stages[stage.value] = _stage(stage, ran[stage], settings, depth, exact)
    if late_engine and Stage.LATE_INTERACTION in ran:
        late = {"model": ran[Stage.LATE_INTERACTION], "engine": late_engine, "over": "its index of all passages"}
        stages[Stage.LATE_INTERACTION.value] = {**late, "depth": depth}
    return _hashed(stages)


def with_stage(
    earlier: Mapping[str, object], stage: Stage, model: str | None, settings: Retrieval, depth: int
) -> dict[str, object]:
    """The fingerprint of a result to which one more stage was applied afterwards."""
    stages = {key: value for key, value in earlier.items() if key != "hash"}
    return _hashed({**stages, stage.value: _stage(stage, model, settings, depth, False)})


def _hashed(stages: Mapping[str, object]) -> dict[str, object]:
    canonical = json.dumps(stages, sort_keys=True, ensure_ascii=True)
    return {**stages, "hash": hex_digest(canonical)[:16]}


def _stage(stage: Stage, model: str | None, settings: Retrieval, depth: int, exact: bool) -> dict[str, object]:
    match stage:
        case Stage.LEXICAL:
            return {**LEXICAL, "depth": depth}
        case Stage.DENSE:
            return {"model": model, "search": "exact inner product", "depth": depth}
        case Stage.LATE_INTERACTION:
            return {"model": model, "over": "all passages" if exact else "candidates of the indexes", "depth": depth}
        case Stage.FUSION:
            weights = [settings.weight_lexical, settings.weight_dense, settings.weight_late]
            queries = f"RRF, k {settings.rrf_k}, variants together count {settings.weight_variants:g}"
            return {"stages by": settings.fusion, "weights": weights, "queries by": queries}
        case Stage.MMR:
            return {"lambda": settings.mmr_lambda, "pool": settings.mmr_pool, "of one source in ten": OF_TEN}
        case Stage.RERANK:
            return {
                "model": model,
                "depth": settings.rerank_depth,
                "k": settings.rrf_k,
                "weight": settings.weight_rerank,
            }
