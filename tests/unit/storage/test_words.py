"""The word index: our terms come back unchanged, and the ranking is BM25."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from core.records import Filters
from core.text.terms import index_terms, stored_terms
from storage.store import SqliteProjectStore
from storage.tables.passages import token
from tests.contract.builders import add, add_all

WORDS = """tide mill otter river stone bridge flour wheel grain water night market harbour light storm sail rope anchor
salt marsh heron reed willow path field hedge barn cart horse bell tower clock winter summer""".split()  # noqa: SIM905


def _corpus(count: int = 60) -> list[str]:
    rng = np.random.default_rng(7)
    weights = 1 / np.arange(1, len(WORDS) + 1)
    sizes = rng.integers(5, 60, count)
    return [" ".join(rng.choice(WORDS, size, p=weights / weights.sum())) + f" x{at}y." for at, size in enumerate(sizes)]


def _tokens_in_index(store: SqliteProjectStore) -> set[str]:
    with store._db.write() as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.seen USING fts5vocab(main, word_index, 'row')")
        found = {row[0] for row in connection.execute("SELECT term FROM temp.seen")}
        connection.execute("DROP TABLE temp.seen")
    return {_untoken(one) for one in found}


def _untoken(text: str) -> str:
    return re.sub("_([0-9a-f]+)_", lambda found: chr(int(found.group(1), 16)), text)


@pytest.mark.parametrize(
    "text",
    [
        "half ½ and a quarter ¼",
        "東京都の天気",
        "ประเทศไทย",
        "naïve Ünïcödé façade",
        "⑴ ⑵ ⅷ ㎏ ﷺ",
        "Москва и Тверь",
        "𝐁𝐨𝐥𝐝 Ａ１",
        "हिन्दी भाषा",
        "שָׁלוֹם",
        "العَرَبِيَّة",
        "a_b snake_case",
        "é vs e\u0301",
        "İstanbul ẞ",
        "0x1f 1,234.5",
        "\u00ad",
        "C++ C#",
    ],
)
def test_terms_are_the_same_tokens_in_the_index(store: SqliteProjectStore, text: str) -> None:
    add(store, text)
    assert _tokens_in_index(store) == set(stored_terms(text))
    for term in index_terms(text):
        assert len(store.lexical([term], Filters(), 5)) == 1


@given(st.text(min_size=1))
def test_a_token_holds_only_what_the_index_never_splits(term: str) -> None:
    assert _untoken(token(term)) == term or "_" in term
    assert all(sign.isascii() <= (sign.isalnum() or sign == "_") for sign in token(term))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=30))
def test_any_text_is_found_by_its_own_terms(store: SqliteProjectStore, text: str) -> None:
    document = add(store, f"{text} \x00")
    for term in index_terms(text):
        hits = store.passages([hit.passage_id for hit in store.lexical([term], Filters(), 1000)])
        assert document.id in {one.document_id for one in hits.values()}


def test_scores_are_the_formula_of_fts5(store: SqliteProjectStore) -> None:
    texts = _corpus()
    documents = add_all(store, texts)
    numbers = [store.passages_of(document.id)[0].id for document in documents]
    bags = [Counter(index_terms(text)) for text in texts]
    mean = sum(bag.total() for bag in bags) / len(bags)
    query = index_terms("storm over the harbour, heron and bell")
    wanted: dict[int, float] = {}
    for number, bag in zip(numbers, bags, strict=True):
        score = 0.0
        for term in query:
            having = sum(term in other for other in bags)
            idf = max(1e-6, math.log((len(bags) - having + 0.5) / (having + 0.5))) if having else 0.0
            count = bag[term]
            score += idf * count * (1.2 + 1) / (count + 1.2 * (1 - 0.75 + 0.75 * bag.total() / mean))
        if any(bag[term] for term in query):
            wanted[number] = score
    hits = store.lexical(query, Filters(), 1000)
    assert {hit.passage_id: hit.score for hit in hits} == pytest.approx(wanted, rel=1e-9)


def test_the_ranking_is_that_of_rank_bm25(store: SqliteProjectStore) -> None:
    """rank-bm25's BM25Okapi has the same formula, except that it lifts the idf of words in more than half of the
    texts to a positive number where FTS5 uses 1e-6; so the queries here keep to rarer words."""
    texts = _corpus(120)
    documents = add_all(store, texts)
    bags = [index_terms(text) for text in texts]
    oracle = BM25Okapi(bags, k1=1.2, b=0.75)
    numbers = np.array([store.passages_of(document.id)[0].id for document in documents])
    rare = [word for word in WORDS if 0 < sum(index_terms(word)[0] in bag for bag in bags) < 55]
    assert len(rare) > 15
    for first, second in pairwise(rare):
        query = index_terms(f"{first} {second}")
        scores = oracle.get_scores(query)
        order = [at for at in np.lexsort((numbers, -np.round(scores, 9))) if scores[at] > 0]
        hits = store.lexical(query, Filters(), 1000)
        assert [hit.passage_id for hit in hits] == [numbers[at] for at in order]
        assert [hit.score for hit in hits] == pytest.approx([scores[at] for at in order], rel=1e-9)


def test_a_repeated_query_word_counts_once(store: SqliteProjectStore) -> None:
    add_all(store, _corpus(20))
    assert store.lexical(["storm", "bell", "storm"], Filters(), 9) == store.lexical(["storm", "bell"], Filters(), 9)


def test_a_query_of_thousands_of_words_is_answered(store: SqliteProjectStore) -> None:
    add_all(store, ["An otter.", "A heron."])
    terms = [f"word{at}" for at in range(5000)] + ["otter"]
    assert len(store.lexical(terms, Filters(), 5)) == 1


def test_statistics_of_the_ranking_leave_superseded_passages_out(store: SqliteProjectStore) -> None:
    old = add(store, "An otter in the river.")
    add_all(store, ["A heron.", "A mill.", "An otter."])
    before = store.lexical(["otter"], Filters(), 5)
    add(store, "A bridge.", supersedes=old.id)
    store.delete(old.id)
    assert len(before) == 2
    with store._db.write() as connection:  # the external-content index agrees with its content
        connection.execute("INSERT INTO word_index(word_index, rank) VALUES('integrity-check', 1)")
    assert len(store.lexical(["otter"], Filters(), 5)) == 1


def test_the_index_agrees_with_its_content_after_every_kind_of_change(store: SqliteProjectStore) -> None:
    one, two, three = add_all(store, ["An otter.", "A heron.", "A mill."])
    add(store, "A newer mill.", supersedes=three.id)
    add(store, "A mill.")
    store.delete(one.id)
    store.replace_passages(two.id, [])
    with store._db.write() as connection:
        connection.execute("INSERT INTO word_index(word_index, rank) VALUES('integrity-check', 1)")
        connection.execute("INSERT INTO word_index(word_index) VALUES('rebuild')")
        connection.execute("INSERT INTO word_index(word_index, rank) VALUES('integrity-check', 1)")
    assert len(store.lexical(["mill"], Filters(), 5)) == 2


@pytest.mark.parametrize("sign", ["植", "市", "树", "温"])
def test_one_sign_is_found_wherever_it_stands_in_a_run(store: SqliteProjectStore, sign: str) -> None:
    add_all(store, ["市议会在磨坊巷种植了四百棵椴树。街道使空气降温。", "東京都の天気"])
    for query in (sign, "植了"):
        assert len(store.lexical(index_terms(query), Filters(), 5)) == 1
    assert store.lexical(index_terms("马"), Filters(), 5) == []


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Lodz", "Trams of Łódź"),
        ("Kobenhavn", "Trees of København"),
        ("β", "The β chain rose"),
        ("Ελλάς", "ελλασ"),
        ("ёлка", "Елка стоит"),
    ],
)
def test_letters_of_other_alphabets_are_found_as_people_type_them(
    store: SqliteProjectStore, query: str, text: str
) -> None:
    add_all(store, [text, "An otter, α and a heron."])
    assert len(store.lexical(index_terms(query), Filters(), 5)) == 1
