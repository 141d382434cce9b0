"""Two addresses of one page share a key; two pages share none."""

from __future__ import annotations

import pytest

from core.text.same_page import address_keys
from core.text.urls import work_of

NEWS = "https://www.bbc.com/news/science-12345678"
VIDEO = "https://www.youtube.com/watch?v=abcdefghijk"


@pytest.mark.parametrize(
    ("cited", "stored"),
    [
        (f"{NEWS}.amp", NEWS),
        ("https://www.bbc.com/news/amp/science-12345678", "https://www.bbc.com/news/amp/science-12345678/"),
        ("https://amp.herald.example/2021/may/limes", "https://www.herald.example/2021/may/limes"),
        ("https://herald.example/limes-of-mill-lane/amp/", "https://herald.example/limes-of-mill-lane"),
        ("https://www.herald.example/amp/town/limes-of-mill-lane", "http://herald.example/town/limes-of-mill-lane"),
        (f"{NEWS}?amp=1", NEWS),
        ("https://herald.example/a-1.amp.html", "https://herald.example/a-1.html"),
        ("https://www.google.com/amp/s/www.bbc.com/news/science-12345678.amp", NEWS),
        ("https://www-bbc-com.cdn.ampproject.org/c/s/www.bbc.com/news/science-12345678.amp", NEWS),
        (f"https://www.google.com/url?q={NEWS}&sa=D", NEWS),
        ("https://www.google.de/url?sa=t&url=https%3A%2F%2Fwww.bbc.com%2Fnews%2Fscience-12345678", NEWS),
        (f"https://l.facebook.com/l.php?u={NEWS}&h=AT0", NEWS),
        ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.bbc.com%2Fnews%2Fscience-12345678", NEWS),
        (f"https://eur01.safelinks.protection.outlook.com/?url={NEWS}&data=1", NEWS),
        ("https://www.google.com/url?q=https://youtu.be/abcdefghijk", VIDEO),
        (f"https://web.archive.org/web/20210101000000/{NEWS}", NEWS),
        ("https://youtu.be/abcdefghijk?t=30", VIDEO),
        ("https://m.youtube.com/watch?feature=share&v=abcdefghijk&list=PL1", VIDEO),
        ("https://www.youtube.com/embed/abcdefghijk", VIDEO),
        ("https://www.youtube.com/shorts/abcdefghijk", VIDEO),
        ("https://en.m.wikipedia.org/wiki/Tilia", "https://en.wikipedia.org/wiki/Tilia"),
        ("https://m.herald.example/a?id=7", "https://www.herald.example/a?id=7"),
        ("https://mobile.twitter.com/town/status/123456", "https://x.com/town/status/123456?s=20"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/123456", "https://pubmed.ncbi.nlm.nih.gov/123456/"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC76543/", "https://pmc.ncbi.nlm.nih.gov/articles/PMC76543/"),
        ("https://old.reddit.com/r/trees/comments/abc123/limes_again/", "https://www.reddit.com/r/trees/comments/abc123"),
        (f"{NEWS}?ref=home&utm_source=x", NEWS),
    ],
)  # fmt: skip
def test_addresses_of_one_page_share_a_key(cited: str, stored: str) -> None:
    assert not set(address_keys(cited)).isdisjoint(address_keys(stored))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NEWS, "https://www.bbc.com/news/science-12345679"),
        (VIDEO, "https://www.youtube.com/watch?v=abcdefghijl"),
        ("https://shop.example/guitars/amp", "https://shop.example/guitars"),
        ("https://en.wikipedia.org/wiki/AMP", "https://en.wikipedia.org/wiki"),
        ("https://en.m.wikipedia.org/wiki/Tilia", "https://de.wikipedia.org/wiki/Tilia"),
        ("https://m.example/a", "https://example/a"),
        ("https://news.herald.example/a", "https://herald.example/a"),
        ("https://check.example/report?url=https://a.example/b", "https://a.example/b"),
        ("https://herald.example/a?id=7", "https://herald.example/a?id=8"),
        ("https://herald.example/a?page=2", "https://herald.example/a"),
        ("https://www.google.com/search?q=https://a.example/b", "https://a.example/b"),
        ("https://x.com/town/status/123456", "https://x.com/town/status/123457"),
    ],
)
def test_addresses_of_two_pages_share_none(one: str, other: str) -> None:
    assert set(address_keys(one)).isdisjoint(address_keys(other))


@pytest.mark.parametrize(
    ("doi", "work"),
    [
        ("10.1101/2020.01.02.123456v1", "10.1101/2020.01.02.123456"),
        ("10.1101/2020.01.02.20012345v12", "10.1101/2020.01.02.20012345"),
        ("10.21203/rs.3.rs-12345/v2", "10.21203/rs.3.rs-12345"),
        ("10.26434/chemrxiv-2021-abcde-v2", "10.26434/chemrxiv-2021-abcde"),
        ("10.20944/preprints202001.0001.v1", "10.20944/preprints202001.0001"),
        ("10.31234/osf.io/abcde_v1", "10.31234/osf.io/abcde"),
        ("10.12688/f1000research.12345.2", "10.12688/f1000research.12345"),
    ],
)
def test_versions_of_a_preprint_are_one_work(doi: str, work: str) -> None:
    assert work_of(doi) == work
    assert work_of(work) == work


@pytest.mark.parametrize(
    "doi", ["10.18637/jss.v012.i01", "10.1000/journal.v5", "10.1371/journal.pone.0000308", "10.1101/gr.1"]
)
def test_a_doi_that_is_no_preprint_stays(doi: str) -> None:
    assert work_of(doi) == doi
