"""The comparison of engines: which passages it takes, what it measures, what it says when something does not work."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from benchmarks import engines, engines_table
from benchmarks.data import RetrievalSet, Text, load_retrieval
from benchmarks.engines_crash import first
from benchmarks.engines_data import JUDGED_SHARE, LATER, Sample, by_document, choose, index_text, ndcg10, overlap
from benchmarks.engines_measure import Spent, System, ask, change, percentile, rows_of
from benchmarks.engines_ours import put
from benchmarks.engines_words import Fts5, RankBm25
from benchmarks.projects import open_store
from benchmarks.report import merge, read
from core.errors import ExtraMissing

DATA = Path(__file__).resolve().parents[3] / "../shared/data"
CHUNKS = (500, 50)
ABOUT = {"machine": "a machine", "fingerprint": {"data": "small"}}
WORDS = [
    "oak",
    "elm",
    "lime",
    "beech",
    "birch",
    "willow",
    "ash",
    "fir",
    "yew",
    "maple",
    "larch",
    "alder",
    "hazel",
    "cedar",
    "pine",
    "rowan",
    "plane",
    "poplar",
]


def trees() -> RetrievalSet:
    """Eighteen abstracts of one, two or three passages; each of the first six is what one query asks for."""
    texts = tuple(
        Text(
            f"d{at}",
            f"About the {word}",
            " ".join(f"The {word} number {n} stands tall." for n in range(1 + 14 * (at % 3))),
        )
        for at, word in enumerate(WORDS)
    )
    queries = {f"q{at}": f"Where does the {word} stand?" for at, word in enumerate(WORDS[:6])}
    return RetrievalSet("trees", "test", texts, queries, {f"q{at}": {f"d{at}": 1} for at in range(6)}, "small")


@pytest.fixture(scope="module")
def sample() -> Sample:
    return choose(trees(), 18, 6, CHUNKS)


def test_the_sample_has_exactly_the_passages_asked_for_in_whole_abstracts_and_all_that_is_judged(
    sample: Sample,
) -> None:
    assert sample.size == len(sample.keys) == 18
    assert list(sample.passages) == [one.index_text for _, _, held in sample.documents for one in held]
    assert sample.queries
    assert all(set(judged) <= set(sample.keys) for judged in sample.judged.values())
    assert len(sample.later) == LATER
    assert not {text.key for text in sample.later} & set(sample.keys)


def test_scifact_gives_a_thousand_passages_with_at_least_fifty_queries() -> None:
    if not (DATA / "scifact").is_dir():
        assert not os.environ.get("CI"), f"{DATA} is missing in CI"
        pytest.skip(f"{DATA} is missing")
    held = choose(load_retrieval(DATA, "scifact"), 1_000, 100, CHUNKS)
    assert held.size == 1_000
    assert len(held.queries) >= 50
    assert all(set(judged) <= set(held.keys) for judged in held.judged.values())
    judged = {key for one in held.judged.values() for key in one}
    assert sum(key in judged for key in held.keys) <= JUDGED_SHARE * held.size


def test_more_passages_than_there_are_cannot_be_had() -> None:
    with pytest.raises(ValueError, match="cannot be had"):
        choose(trees(), 5_000, 6, CHUNKS)


def test_an_abstract_counts_once_at_its_best_passage(sample: Sample) -> None:
    assert by_document([2, 0, 1], ["a", "a", "b"]) == ["b", "a"]
    best = {query: [sample.keys.index(next(iter(judged)))] for query, judged in sample.judged.items()}
    assert ndcg10(best, sample) == [1.0] * len(sample.queries)
    assert ndcg10({}, sample) == [0.0] * len(sample.queries)


def test_overlap_is_the_share_of_the_exact_best_five_in_any_order() -> None:
    assert overlap({"q": [4, 3, 2, 1, 0, 9]}, {"q": [0, 1, 2, 3, 4, 5]}) == [1.0]
    assert overlap({"q": [9, 8, 2, 1, 0]}, {"q": [0, 1, 2, 3, 4]}) == [pytest.approx(0.6)]
    assert overlap({}, {"q": [0, 1, 2, 3, 4]}) == [0.0]


def test_both_keyword_engines_find_what_is_asked_for_and_follow_a_change(sample: Sample, tmp_path: Path) -> None:
    with open_store(tmp_path, "Words") as store:
        put(store, sample)
        systems = [System("fts5", Fts5(store, sample)), System("rank", RankBm25(sample))]
        ask(systems, sample.queries)
        for one in systems:
            change(one, sample, sample.later[0])
    for one in systems:
        assert not one.said
        assert ndcg10(one.ranked, sample) == [1.0] * len(sample.queries)
        assert {"add_one_s", "delete_one_s"} <= set(one.values)
        assert len(one.milliseconds) == len(sample.queries)


def test_an_engine_that_fails_says_so_in_its_row_and_the_others_go_on(sample: Sample) -> None:
    class Broken(RankBm25):
        def search(self, query: str) -> list[int]:
            raise RuntimeError("its index is damaged")

    broken, whole = System("broken", Broken(sample)), System("rank", RankBm25(sample))
    broken.built(Spent(1.5, 2.5), 1000)
    ask([broken, whole], sample.queries)
    change(broken, sample, sample.later[0])
    rows = {row["metric"]: row for row in rows_of(broken, sample, "trees", ABOUT)}
    assert rows["search_works"]["value"] == 0.0
    assert "its index is damaged" in rows["search_works"]["fingerprint"]["said"]
    assert rows["build_cpu_s"]["value"] == 2.5
    assert "ndcg@10" not in rows
    assert "query_p50_ms" not in rows
    assert "ndcg@10" in {row["metric"] for row in rows_of(whole, sample, "trees", ABOUT)}


def test_rows_are_in_the_form_of_every_benchmark_and_their_words_reach_the_table(
    sample: Sample, tmp_path: Path
) -> None:
    one = System("rank-bm25", RankBm25(sample))
    one.values["answers_after_killed_build"] = 0.0
    one.said["answers_after_killed_build"] = "it keeps nothing"
    one.exact = {query: [0, 1, 2, 3, 4] for query in sample.queries}
    ask([one], sample.queries)
    merge(tmp_path / "engines.json", rows_of(one, sample, "trees", ABOUT))
    told = engines_table.tables(read(tmp_path))
    assert "no: it keeps nothing" in told
    assert "nDCG@10" in told
    assert "best 5 as exact" in told
    page = tmp_path / "page.md"
    page.write_text(f"before\n{engines_table.BEGIN}\nold\n{engines_table.END}\nafter", "utf-8")
    engines_table.renew(page, tmp_path)
    assert page.read_text("utf-8").startswith("before\n")
    assert page.read_text("utf-8").endswith("\nafter")
    assert "old" not in page.read_text("utf-8")
    assert told in page.read_text("utf-8")


def test_the_first_abstracts_of_a_sample_are_a_sample(sample: Sample) -> None:
    part = first(sample, 7)
    assert 0 < part.size <= 7
    assert list(part.passages) == [one.index_text for _, _, held in part.documents for one in held]


def test_the_title_stands_before_a_text_as_the_product_has_it() -> None:
    assert index_text(Text("k", "Title", "Body")) == "Title\nBody"
    assert index_text(Text("k", "", "Body")) == "Body"


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentile([5.0, 1.0, 3.0], 0.5) == 3.0
    assert percentile([float(at) for at in range(100)], 0.95) == 94.0


def test_an_unknown_part_is_named_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no part late2k; there are late1k"):
        engines.run(DATA, tmp_path, ["late2k"], lambda rows: None)


def test_without_the_extra_the_message_says_what_to_install(tmp_path: Path) -> None:
    if importlib.util.find_spec("ragatouille") is not None:
        pytest.skip("the extra is installed here")
    with pytest.raises(ExtraMissing, match=r"missing: .*ragatouille.*pip install '\.\[ragatouille\]' onnx"):
        engines.run(DATA, tmp_path, ["words"], lambda rows: None)
