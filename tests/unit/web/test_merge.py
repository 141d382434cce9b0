"""Promises of joining the lists of several providers."""

from __future__ import annotations

from datetime import date

from core.records import WebHit
from core.text.urls import canonical_url
from core.web.merge import Listed, merge


def hit(url: str, rank: int, provider: str, **more: object) -> WebHit:
    return WebHit(url, canonical_url(url), str(more.pop("title", url)), "", provider, rank, **more)  # type: ignore[arg-type]


def listed(provider: str, *urls: str, query: int = 0) -> Listed:
    return Listed(provider, query, tuple(hit(url, rank, provider) for rank, url in enumerate(urls, 1)))


def test_one_address_in_several_spellings_is_one_hit_with_its_best_rank() -> None:
    merged = merge(
        [
            listed("a", "https://x.org/1", "https://x.org/2?utm_source=z"),
            listed("b", "HTTPS://X.org/2#part", "https://x.org/3", query=1),
        ]
    )
    two = next(one for one in merged.hits if one.canonical_url == "https://x.org/2")
    assert len(merged.hits) == 3
    assert (two.rank, two.provider, two.providers, two.queries) == (1, "b", ("b", "a"), (0, 1))


def test_what_several_lists_bring_stands_above_what_one_brings_at_the_same_rank() -> None:
    merged = merge(
        [listed("a", "https://x.org/1", "https://x.org/2"), listed("b", "https://y.org/1", "https://x.org/2")]
    )
    assert merged.hits[0].canonical_url == "https://x.org/2"


def test_one_doi_at_two_addresses_is_one_hit_that_leads_to_the_page_itself() -> None:
    resolver = hit("https://doi.org/10.5555/A", 1, "crossref", doi="10.5555/a", authors=("Ada",))
    page = hit("https://repo.example/paper", 2, "openalex", doi="10.5555/a", published=date(2020, 1, 1), title="T")
    merged = merge([Listed("crossref", 0, (resolver,)), Listed("openalex", 0, (page,))])
    (one,) = merged.hits
    assert one.url == "https://repo.example/paper"
    assert (one.authors, one.published, one.doi, one.title, one.rank) == (
        ("Ada",),
        date(2020, 1, 1),
        "10.5555/a",
        "T",
        1,
    )


def test_a_hit_that_joins_two_groups_makes_them_one() -> None:
    first = hit("https://a.org/1", 1, "a")
    second = hit("https://doi.org/10.5555/b", 1, "b")
    bridge = hit("https://a.org/1", 1, "c", doi="10.5555/b")
    merged = merge([Listed("a", 0, (first,)), Listed("b", 0, (second,)), Listed("c", 0, (bridge,))])
    assert len(merged.hits) == 1
    assert merged.hits[0].providers == ("a", "b", "c")


def test_hits_without_a_usable_address_are_left_out_and_counted() -> None:
    bad = WebHit("javascript:alert(1)", "", "x", "", "a", 1)
    merged = merge([Listed("a", 0, (bad, hit("https://x.org/1", 2, "a")))])
    assert [one.url for one in merged.hits] == ["https://x.org/1"]
    assert merged.unusable == 1


def test_nothing_gives_nothing() -> None:
    assert merge([]).hits == ()
