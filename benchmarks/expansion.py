"""Whether variants of a question help: recall@5 and nDCG@10 per kind on judged public sets; and two ways to search that
were tried beside them (``benchmarks.expansion_adaptive``, ``benchmarks.expansion_sections``).

Every query is asked once with all its variants; what a subset of them would have found is taken out of that exactly
(``only``: the test compares it with searches of their own). Variants that need a language model are not measured: there
is none here. ``hyde_stand_in`` puts a text in the place of a hypothetical answer that is about the topic and wrong: the
first sentences of the best passage that is judged not relevant, which is then taken out of all rankings, also out of
those of ``question_without_it``. With ``…_everywhere`` its words go to the keyword index too.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks import expansion_adaptive, expansion_sections
from benchmarks.cached_encoder import CachedEncoder
from benchmarks.data import RetrievalSet, load_retrieval
from benchmarks.machine import machine, versions
from benchmarks.projects import encode, fill, open_store
from benchmarks.rows import Row, mean_row, row
from core.errors import QueryError
from core.evaluate.measures import holm, per_query, randomization_test
from core.expand.expander import Expander
from core.labels import QueryKind, Stage
from core.ports.store import JointEncoder, ProjectStore
from core.records import Query, SearchRequest
from core.retrieve import candidates
from core.retrieve.candidates import Candidates
from core.retrieve.join import fuse
from core.retrieve.request import MAX_QUERY_CHARS, checked
from core.retrieve.variety import maximal_marginal_relevance
from core.settings.values import Retrieval, Settings
from core.text.sentences import sentence_spans

METRICS = ("ndcg@10", "recall@5", "recall@100")
SETS = ("scifact", "cranfield")
PARTS = (*SETS, "sections")
KINDS: dict[str, frozenset[QueryKind]] = {
    "question": frozenset(),
    "transform": frozenset({QueryKind.TRANSFORM}),
    "feedback": frozenset({QueryKind.FEEDBACK}),
    "transform_feedback": frozenset({QueryKind.TRANSFORM, QueryKind.FEEDBACK}),
}
STAND_INS = {"hyde_stand_in": QueryKind.HYDE, "hyde_stand_in_everywhere": QueryKind.MANUAL}
WITHOUT = "question_without_it"
TRAINING = 150
"""Training claims of SciFact that the adaptive search is looked at on."""
_SENTENCES, _CHARS = 3, 600


@dataclass(frozen=True, slots=True)
class Asked:
    """Rankings of documents by system and query, and what the adaptive search needs of each query."""

    ranked: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    plain: dict[str, expansion_adaptive.Plain] = field(default_factory=dict)
    variants: dict[str, int] = field(default_factory=dict)


def run(data: Path, cache: Path, only: Sequence[str] | None, *, quick: bool = False) -> list[Row]:
    """Measure the parts; ``quick`` asks 10 queries of each set, and leaves the sections out."""
    settings = Settings()
    from core.backends.resolve import load_encoder

    encoder = CachedEncoder(load_encoder(settings.models), cache / "vectors")
    rows: list[Row] = []
    for part in only or (SETS if quick else PARTS):
        if part == "sections":
            rows.extend(expansion_sections.run(data, encoder, settings))
            continue
        sets = [load_retrieval(data, part, split) for split in (("train", "test") if part == "scifact" else ("test",))]
        most = {"train": 10 if quick else TRAINING, "test": 10 if quick else 10_000}
        with tempfile.TemporaryDirectory(prefix="benchmark-") as root, open_store(Path(root), part) as store:
            keys = fill(store, sets[0].texts, None)
            encode(store, encoder)
            for of_set in sets:
                rows.extend(measure_set(_some(of_set, most[of_set.split]), settings, encoder, store, keys))
    return rows


def _some(of_set: RetrievalSet, most: int) -> RetrievalSet:
    """The set with at most so many queries, evenly picked."""
    queries = list(of_set.queries.items())
    return replace(of_set, queries=dict(queries[:: max(1, len(queries) // most)][:most]))


def measure_set(
    of_set: RetrievalSet, settings: Settings, encoder: CachedEncoder, store: ProjectStore, keys: Mapping[str, list[str]]
) -> list[Row]:
    """All rows of one set; of a training split only those of the adaptive search."""
    start = time.perf_counter()
    runs = Asked()
    for done, (key, text) in enumerate(of_set.queries.items()):
        if done % 25 == 0:
            print(f"{of_set.name} {of_set.split}: {done} of {len(of_set.queries)}", file=sys.stderr, flush=True)
        judged = {document for document, grade in of_set.qrels[key].items() if grade > 0}
        _ask(key, text[:MAX_QUERY_CHARS], judged, runs, store, keys, encoder, settings, of_set.split == "test")
    fields: dict[str, Any] = {
        "machine": machine(),
        "fingerprint": {
            "data": of_set.fingerprint,
            "settings": settings.fingerprint(),
            "encoder": encoder.fingerprint,
            "versions": versions(),
            "variants of rules a question": sum(runs.variants.values()) / max(1, len(runs.variants)),
        },
        "seconds": time.perf_counter() - start,
    }
    rows = expansion_adaptive.rows(of_set, runs.plain, fields)
    return [*_rows(of_set, runs, fields), *rows] if of_set.split == "test" else rows


def _ask(
    key: str, text: str, judged: Collection[str], runs: Asked, store: ProjectStore, keys: Mapping[str, list[str]],
    encoder: JointEncoder, settings: Settings, with_variants: bool,
) -> None:  # fmt: skip
    kinds = KINDS["transform_feedback"] if with_variants else ()
    try:
        expanded = Expander(store, settings, encoder).expand(text, kinds)
    except QueryError:
        return
    queries = tuple(Query(variant.text, variant.kind) for variant in expanded.variants)
    candidates = find(queries, store, encoder, settings.retrieval)
    plain = only(candidates, [0])
    base = order(plain, queries[:1], store, encoder, settings.retrieval)
    documents = _Documents(store, keys)
    runs.plain[key] = expansion_adaptive.look(plain, queries[:1], base, settings.retrieval, documents.names)
    if not with_variants:
        return
    runs.variants[key] = sum(query.kind is QueryKind.TRANSFORM for query in queries)
    for system, wanted in KINDS.items():
        places = [at for at, query in enumerate(queries) if at == 0 or query.kind in wanted]
        chosen = [queries[at] for at in places]
        best = base if len(places) == 1 else order(only(candidates, places), chosen, store, encoder, settings.retrieval)
        runs.ranked.setdefault(system, {})[key] = documents.names(best)
    _stand_ins(key, queries[0], base, judged, runs, documents, encoder, settings.retrieval)


@dataclass(frozen=True, slots=True)
class _Documents:
    store: ProjectStore
    keys: Mapping[str, list[str]]

    def names(self, passages: Sequence[int]) -> list[str]:
        """The set's names of the documents, each once; here a document is one passage."""
        passages_by_id = self.store.passages(passages)
        return list(
            dict.fromkeys(name for passage in passages for name in self.keys[passages_by_id[passage].document_id])
        )


def _stand_ins(
    key: str, question: Query, base: Sequence[int], judged: Collection[str], runs: Asked, documents: _Documents,
    encoder: JointEncoder, settings: Retrieval,
) -> None:  # fmt: skip
    wrong = next((document for document in base if not set(documents.names([document])) & set(judged)), None)
    rankings = {system: list(base) for system in (WITHOUT, *STAND_INS)}
    if wrong is not None:
        text = documents.store.passages([wrong])[wrong].text
        supposed = text[: sentence_spans(text)[:_SENTENCES][-1][1]][:_CHARS]
        for system, kind in STAND_INS.items():
            queries = (question, Query(f"{question.text} {supposed}"[:MAX_QUERY_CHARS], kind))
            candidates = find(queries, documents.store, encoder, settings)
            rankings[system] = order(candidates, _weighed(queries), documents.store, encoder, settings)
    for system, ranking in rankings.items():
        without_wrong = [document for document in ranking if document != wrong]
        runs.ranked.setdefault(system, {})[key] = documents.names(without_wrong)


def _weighed(queries: Sequence[Query]) -> list[Query]:
    """All but the first count as made from the question: what goes everywhere weighs as much as what does not."""
    return [query if at == 0 else replace(query, kind=QueryKind.HYDE) for at, query in enumerate(queries)]


# ---------------------------------------------------------------- the product's path, in its steps


def find(queries: Sequence[Query], store: ProjectStore, encoder: JointEncoder, settings: Retrieval) -> Candidates:
    """What all stages find for all queries, as a search does it."""
    request = checked(SearchRequest(tuple(queries), k=10, depth=settings.depth))
    return candidates.find(request, store, encoder, lambda _: nullcontext())


def only(candidates: Candidates, places: Sequence[int]) -> Candidates:
    """What a search with some of the queries would have found; their places begin anew at 0."""
    mine = [ranking for ranking in candidates.rankings if ranking.query in places]
    union = {hit.passage_id for ranking in mine if ranking.stage is not Stage.LATE_INTERACTION for hit in ranking.hits}
    rankings = [
        replace(
            ranking,
            query=places.index(ranking.query),
            hits=[hit for hit in ranking.hits if hit.passage_id in union],
            scores={key: score for key, score in ranking.scores.items() if key in union},
        )
        for ranking in mine
    ]
    return Candidates(rankings, list(candidates.notes))


def order(
    candidates: Candidates, queries: Sequence[Query], store: ProjectStore, encoder: JointEncoder, settings: Retrieval
) -> list[int]:
    """The passages of a search, best first, after variety."""
    fused = fuse(candidates, settings, queries)
    vectors = store.vectors([hit.passage_id for hit in fused[: settings.mmr_pool]], encoder.fingerprint)
    best = maximal_marginal_relevance(fused, vectors, settings.mmr_lambda, settings.mmr_pool)
    return [hit.passage_id for hit in best][: settings.depth]


def _rows(of_set: RetrievalSet, runs: Asked, fields: Mapping[str, Any]) -> list[Row]:
    rows: list[Row] = []
    judged = {key: of_set.qrels[key] for key in of_set.queries}
    values = {
        (system, metric): list(per_query(metric, ranked, judged).values())
        for system, ranked in runs.ranked.items()
        for metric in METRICS
    }
    names = ("expansion", of_set.name, of_set.split)
    for (system, metric), each in values.items():
        rows.append(mean_row(*names, system, metric, each, **fields))
    for base, others in (("question", [kind for kind in KINDS if kind != "question"]), (WITHOUT, list(STAND_INS))):
        for metric in METRICS[:2]:
            chances = [randomization_test(values[other, metric], values[base, metric]) for other in others]
            for system, chance in zip(others, holm(chances), strict=True):
                rows.append(row(*names, system, f"p({metric} = {base})", chance, n=len(judged), **fields))
    return rows
