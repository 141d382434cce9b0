"""Sources that are not independent are merged, each merge with its reason; hosts of many merge nothing."""

from __future__ import annotations

from typing import Any

import pytest

from core.acquire.dedup import signature
from core.claims.independence import Source, independent_clusters
from core.records import Cluster
from tests.contract.builders import make_document

QUOTE = "A thermometer on the pavement will tell you five degrees or ten, a thermometer in the air one"


def source(name: str, text: str = "", **changes: Any) -> Source:
    return Source(make_document(f"{name} {text}", title=name, **changes), text)


def shapes(*sources: Source) -> list[tuple[str, ...]]:
    names = {one.document.id: one.document.title for one in sources}
    return [tuple(names[key] for key in cluster.documents) for cluster in independent_clusters(sources)]


def only(*sources: Source) -> Cluster:
    (cluster,) = independent_clusters(sources)
    return cluster


def test_strangers_stay_apart_and_alone_needs_no_reason() -> None:
    found = independent_clusters([source("A", canonical_url="https://a.example/x"), source("B", publisher="B House")])
    assert [len(cluster.documents) for cluster in found] == [1, 1]
    assert [cluster.reasons for cluster in found] == [(), ()]


def test_one_registrable_domain_is_one_source() -> None:
    cluster = only(
        source("A", canonical_url="https://www.bbc.co.uk/news/1"),
        source("B", canonical_url="https://sport.bbc.co.uk/2"),
    )
    assert cluster.reasons == ("A and B are both from bbc.co.uk",)


@pytest.mark.parametrize(
    "addresses",
    [
        ("https://doi.org/10.1000/a", "https://doi.org/10.1000/b"),
        ("https://web.archive.org/web/1/https://a.example", "https://web.archive.org/web/1/https://b.example"),
        ("https://twitter.com/a/status/1", "https://twitter.com/b/status/2"),
        ("https://arxiv.org/abs/2101.00001", "https://arxiv.org/abs/2202.00002"),
        ("https://anna.substack.com/p/1", "https://bert.substack.com/p/2"),
    ],
)
def test_hosts_of_many_merge_nothing(addresses: tuple[str, str]) -> None:
    assert len(shapes(*(source(url, canonical_url=url) for url in addresses))) == 2


def test_one_blog_on_a_host_of_blogs_is_one_source() -> None:
    urls = ("https://anna.substack.com/p/1", "https://anna.substack.com/p/2")
    assert len(shapes(*(source(url, canonical_url=url) for url in urls))) == 1


def test_one_publisher_is_one_source_however_it_is_written() -> None:
    cluster = only(source("A", publisher="The Harbour Press, Ltd."), source("B", publisher="harbour"))
    assert "published by harbour" in cluster.reasons[0]
    assert len(shapes(source("A", publisher="arXiv"), source("B", publisher="arXiv"))) == 2


def test_copies_are_one_source() -> None:
    text = "The pilot saved nearly half of the water that crews on a fixed timetable used in the two districts. " * 3
    a, b = source("A", signature=signature(text)), source("B", signature=signature(text + "Says the maker."))
    assert "of their text" in only(a, b).reasons[0]
    original = source("C")
    assert "near-duplicates" in only(original, source("D", near_duplicate_of=original.document.id)).reasons[0]


def test_quoting_the_same_words_or_one_another_is_one_origin() -> None:
    a = source("A", f"She wrote: \u201c{QUOTE}.\u201d")
    b = source("B", f'As a reader put it, "{QUOTE}".')
    assert "quote the same words" in only(a, b).reasons[0]
    origin = source("C", f"We note: {QUOTE}. More follows.")
    assert "A quotes words of C" in only(origin, a).reasons[0]
    assert (
        len(shapes(source("A", "He said \u201cno comment at all\u201d."), source("B", "\u201cno comment at all\u201d")))
        == 2
    )


def test_citing_the_same_third_page_or_one_another_is_one_origin() -> None:
    study = "https://study.example/report?utm_source=x"
    a = source("A", links=(study, "https://facebook.com/share"), canonical_url="https://a.example/1")
    b = source("B", links=("http://study.example/report",), canonical_url="https://b.example/1")
    assert only(a, b).reasons == ("A and B both cite https://study.example/report",)
    c = source("C", canonical_url="https://study.example/report")
    assert "A cites C" in only(c, a).reasons[0]


def test_furniture_front_pages_and_a_few_of_many_references_merge_nothing() -> None:
    furniture = (
        "https://facebook.com/share/1",
        "https://study.example/",
        "https://creativecommons.org/licenses/by/4.0/",
    )
    assert len(shapes(source("A", links=furniture), source("B", links=furniture))) == 2
    many = [tuple(f"https://{name}{at}.example/p" for at in range(40)) for name in ("a", "b")]
    shared = ("https://study.example/report",)
    assert len(shapes(source("A", links=many[0] + shared), source("B", links=many[1] + shared))) == 2


def test_merges_chain_and_each_has_a_reason() -> None:
    a = source("A", canonical_url="https://x.example/1")
    b = source("B", canonical_url="https://x.example/2", publisher="House")
    c = source("C", publisher="House")
    cluster = only(a, c, b)
    assert len(cluster.documents) == 3
    assert len(cluster.reasons) == 2


def test_addresses_that_are_none_are_passed_over() -> None:
    odd = source(
        "A", canonical_url="ftp://a.example", urls=("http://[", "not a url"), links=("http://[", "", "javascript:x")
    )
    assert shapes(odd, source("B")) == [("A",), ("B",)]
