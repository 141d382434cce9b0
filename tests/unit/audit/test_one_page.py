"""References to one page under several addresses lead to one source, those to two pages do not."""

from __future__ import annotations

import pytest

from core.audit.references import keys_of

NEWS = "https://www.news.example/science/trees-12345678"


@pytest.mark.parametrize(
    ("url", "other"),
    [
        (NEWS + ".amp", NEWS), (NEWS + "/amp", NEWS), (NEWS + "/amp/",
        NEWS), ("https://amp.news.example/science/trees-12345678", NEWS),
        ("https://www.news.example/amp/science/trees-12345678", NEWS), (NEWS + "?amp=1",
        NEWS), (NEWS + "?outputType=amp", NEWS),
        ("https://www.google.com/amp/s/www.news.example/science/trees-12345678", NEWS),
        ("https://www-news-example.cdn.ampproject.org/c/s/www.news.example/science/trees-12345678", NEWS),
        ("https://m.news.example/science/trees-12345678", NEWS),
        ("https://www.google.com/url?q=https://www.news.example/science/trees-12345678&sa=D", NEWS),
        ("https://www.google.com/url?sa=t&url=https%3A%2F%2Fwww.news.example%2Fscience%2Ftrees-12345678&usg=x", NEWS),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.news.example%2Fscience%2Ftrees-12345678&h=x", NEWS),
        ("https://e.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.news.example%2Fscience%2Ftrees-12345678",
         NEWS),
        ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.news.example%2Fscience%2Ftrees-12345678", NEWS),
        ("https://youtu.be/abcdefghijk", "https://www.youtube.com/watch?v=abcdefghijk"),
        ("https://youtu.be/abcdefghijk?t=30", "https://m.youtube.com/watch?feature=x&v=abcdefghijk"),
        ("https://www.youtube.com/embed/abcdefghijk", "https://www.youtube.com/shorts/abcdefghijk"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/123456", "https://pubmed.ncbi.nlm.nih.gov/123456/"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123456/", "https://pmc.ncbi.nlm.nih.gov/articles/PMC123456"),
        ("https://en.m.wikipedia.org/wiki/Tilia", "https://en.wikipedia.org/wiki/Tilia"),
        ("https://twitter.com/parks/status/123", "https://x.com/parks/status/123"),
        ("https://doi.org/10.1101/2020.01.02.123456", "https://www.biorxiv.org/content/10.1101/2020.01.02.123456v1"),
        ("https://doi.org/10.1101/2020.01.02.123456", "https://www.biorxiv.org/content/10.1101/2020.01.02.123456v2.full"),
        ("https://doi.org/10.21203/rs.3.rs-123456/v1", "https://doi.org/10.21203/rs.3.rs-123456/v2"),
        ("https://doi.org/10.1002/(SICI)1099-1727(199821)14:1<3::AID-SDR140>3.0.CO;2-K",
         "https://onlinelibrary.wiley.com/doi/10.1002/(SICI)1099-1727(199821)14:1%3C3::AID-SDR140%3E3.0.CO;2-K"),
    ],
)  # fmt: skip
def test_one_page(url: str, other: str) -> None:
    assert keys_of(url) & keys_of(other)


@pytest.mark.parametrize(
    ("url", "other"),
    [
        (NEWS, "https://www.news.example/science/trees-12345679"), ("https://youtu.be/abcdefghijk", "https://youtu.be/abcdefghijl"),
        ("https://shop.example/amp", "https://shop.example/"), ("https://www.news.example/champ", "https://www.news.example/ch"),
        ("https://a.example/search?q=https://b.example/x", "https://b.example/x"),
        ("https://a.example/translate?u=https://b.example/x", "https://b.example/x"),
        ("https://doi.org/10.1101/2020.01.02.123456", "https://doi.org/10.1101/2020.01.02.123457"),
        ("https://maps.example/x", "https://example/x"), ("https://pubmed.ncbi.nlm.nih.gov/1", "https://pubmed.ncbi.nlm.nih.gov/12"),
    ],
)  # fmt: skip
def test_two_pages(url: str, other: str) -> None:
    assert not keys_of(url) & keys_of(other)
