"""The benchmark of expansion measures what the product does: a part of a joined search is the search of that part."""

from __future__ import annotations

import pytest

from benchmarks.data import RetrievalSet
from benchmarks.expansion import find, only, order
from benchmarks.expansion_adaptive import GAPS, Plain, rows
from core.labels import QueryKind
from core.records import Query, SearchRequest
from core.retrieve import pipeline
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench

TEXTS = [
    "Street trees shade the pavement and cool the air below a closed canopy.",
    "Heat pumps move heat from cold outdoor air into a house in winter.",
    "White roofs reflect sunlight, so rooms under them stay cooler on hot days.",
    "Mains water in the city comes from two reservoirs in the hills.",
    "Trees need water in hot summers, or their shade fails when it is wanted most.",
]
QUERIES = (
    Query("do trees cool the air"),
    Query("street trees shade", QueryKind.TRANSFORM),
    Query("trees trees shade canopy water", QueryKind.FEEDBACK),
    Query("do trees cool the air Trees lower heat by two degrees.", QueryKind.HYDE),
)


@pytest.fixture
def project(workbench: Workbench) -> OpenProject:
    opened = workbench.open(workbench.create("Heat").slug)
    opened.sources.add_files([(f"{at}.txt", text.encode(), "text/plain") for at, text in enumerate(TEXTS)])
    while run_next(opened.job_context(), "test") is not None:
        pass
    return opened


@pytest.mark.parametrize("places", [[0], [0, 1], [0, 2], [0, 3], [0, 1, 2, 3]])
def test_what_a_part_of_the_queries_finds_is_what_a_search_with_them_finds(
    project: OpenProject, places: list[int]
) -> None:
    context = project.job_context()
    encoder, settings = context.engines.encoder(), context.settings.retrieval
    chosen = tuple(QUERIES[at] for at in places)
    found = find(QUERIES, context.store, encoder, settings)
    mine = order(only(found, places), chosen, context.store, encoder, settings)
    product = pipeline.search(SearchRequest(chosen, depth=settings.depth), context.store, encoder, settings)
    assert mine == [one.passage.id for one in product.candidates]


def test_the_share_and_the_loss_of_skipping_are_those_of_the_rule() -> None:
    of_set = RetrievalSet("s", "test", (), {"a": "", "b": ""}, {"a": {"x": 1}, "b": {"x": 1}}, "f")
    plain = {
        "a": Plain(full=["x"], short=["y", "x"], agree=True, gap=0.12),
        "b": Plain(full=["x"], short=["y"], agree=False, gap=0.9),
    }
    told = {"machine": "m", "fingerprint": {}}
    found = {(row["system"], row["metric"]): row["value"] for row in rows(of_set, plain, told)}
    assert found["all stages", "ndcg@10"] == 1.0
    assert found["skip from gap 0.1", "share skipped"] == 0.5
    assert found["skip from gap 0.1", "ndcg@10"] == pytest.approx((1 + 0.63093) / 2, abs=1e-4)
    assert found[f"skip from gap {GAPS[-1]:g}", "share skipped"] == 0.0
