"""Two spellings of one address give one canonical URL; two addresses never do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.text.urls import arxiv_id_of, canonical_url, doi_of, fetchable_url, parse_urls, site_of


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("http://example.org:80/a", "http://example.org/a"),
        ("http://example.org:8080/a", "http://example.org:8080/a"),
        ("https://example.org/a#part", "https://example.org/a"),
        ("https://example.org./a", "https://example.org/a"),
        ("https://user:secret@example.org/a", "https://example.org/a"),
        ("  https://example.org/a  ", "https://example.org/a"),
        ("https://example.org/a/./b/../c", "https://example.org/a/c"),
        ("https://example.org/caf%c3%a9", "https://example.org/caf%C3%A9"),
        ("https://example.org/café", "https://example.org/caf%C3%A9"),
        ("https://example.org/a?", "https://example.org/a"),
        ("https://example.org/a?b=2&a=1", "https://example.org/a?a=1&b=2"),
        ("https://example.org/a;jsessionid=0F2A?x=1", "https://example.org/a?x=1"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://BÜCHER.example/", "https://xn--bcher-kva.example/"),
        ("https://[::0:1]/", "https://[::1]/"),
    ],
)
def test_spellings_of_one_address_share_a_form(spelling: str, canonical: str) -> None:
    assert canonical_url(spelling) == canonical


@pytest.mark.parametrize(
    "tracking",
    [
        "utm_source=x",
        "UTM_Medium=x",
        "fbclid=1",
        "gclid=1",
        "mc_eid=1",
        "msclkid=1",
        "srsltid=1",
        "_hsenc=1",
        "igshid=1",
    ],
)
def test_tracking_parameters_go(tracking: str) -> None:
    assert canonical_url(f"https://example.org/a?{tracking}") == "https://example.org/a"
    assert canonical_url(f"https://example.org/a?id=7&{tracking}") == "https://example.org/a?id=7"


@pytest.mark.parametrize(
    "parameter",
    [
        "id=7",
        "p=12",
        "page=2",
        "ref=main",
        "source=census",
        "cid=9",
        "session=3",
        "uid=4",
        "keyword=co2",
        "medium=oil",
        "campaign=1812",
        "eid=5",
        "lang=de",
        "q=",
        "utm=1",
        "doi=10.1000/1",
    ],
)
def test_parameters_that_may_choose_the_content_stay(parameter: str) -> None:
    assert canonical_url(f"https://example.org/a?{parameter}") != "https://example.org/a"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/a", "https://example.org/a/"),
        ("http://example.org/a", "https://example.org/a"),
        ("https://example.org/A", "https://example.org/a"),
        ("https://www.example.org/a", "https://example.org/a"),
        ("https://example.org/a?b=1&b=2", "https://example.org/a?b=1"),
        ("https://example.org/a%2Fb", "https://example.org/a/b"),
        ("https://arxiv.org/abs/2101.00001v1", "https://arxiv.org/abs/2101.00001v2"),
    ],
)
def test_addresses_that_may_differ_stay_apart(one: str, other: str) -> None:
    assert canonical_url(one) != canonical_url(other)


@pytest.mark.parametrize(
    "spelling",
    [
        "https://doi.org/10.1371/journal.pone.0000308",
        "http://dx.doi.org/10.1371/JOURNAL.PONE.0000308",
        "https://www.doi.org/10.1371%2Fjournal.pone.0000308",
        "https://doi.org/10.1371/journal.pone.0000308?utm_source=x#top",
    ],
)
def test_every_doi_link_has_one_form(spelling: str) -> None:
    assert canonical_url(spelling) == "https://doi.org/10.1371/journal.pone.0000308"


def test_a_doi_with_odd_characters_keeps_them() -> None:
    old = "10.1002/(SICI)1097-4679(199901)55:1<1::AID-JCLP1>3.0.CO;2-4"
    canonical = canonical_url(f"https://doi.org/{old}")
    assert doi_of(canonical) == old.lower()
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize(
    "spelling",
    [
        "https://arxiv.org/abs/2101.00001",
        "http://arxiv.org/pdf/2101.00001",
        "https://www.arxiv.org/pdf/2101.00001.pdf",
        "https://export.arxiv.org/abs/2101.00001",
        "https://arxiv.org/html/2101.00001",
        "https://doi.org/10.48550/arXiv.2101.00001",
    ],
)
def test_every_arxiv_link_has_one_form(spelling: str) -> None:
    assert canonical_url(spelling) == "https://arxiv.org/abs/2101.00001"
    assert arxiv_id_of(spelling) == "2101.00001"


def test_arxiv_versions_and_old_ids() -> None:
    assert arxiv_id_of("https://arxiv.org/pdf/2101.00001v3.pdf") == "2101.00001"
    assert arxiv_id_of("https://arxiv.org/pdf/2101.00001v3.pdf", version=True) == "2101.00001v3"
    assert arxiv_id_of("https://arxiv.org/abs/math.GT/0309136") == "math.GT/0309136"
    assert arxiv_id_of("https://arxiv.org/abs/hep-th/9901001") == "hep-th/9901001"
    assert arxiv_id_of("https://arxiv.org/list/cs.CL/recent") is None
    assert arxiv_id_of("https://example.org/abs/2101.00001") is None


@pytest.mark.parametrize(
    ("url", "doi"),
    [
        ("https://doi.org/10.1000/ABC", "10.1000/abc"),
        ("https://link.springer.com/article/10.1007/s11192-020-03690-4", "10.1007/s11192-020-03690-4"),
        ("https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000308", "10.1371/journal.pone.0000308"),
        ("https://www.frontiersin.org/articles/10.3389/fpsyg.2019.00001/full", "10.3389/fpsyg.2019.00001"),
        (
            "https://onlinelibrary.wiley.com/doi/pdf/10.1111/j.1467-8624.2009.01388.x",
            "10.1111/j.1467-8624.2009.01388.x",
        ),
        ("https://www.science.org/doi/10.1126/science.abc1234?cookieSet=1", "10.1126/science.abc1234"),
        ("https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf", "10.1101/2020.01.01.123456v2"),
        ("https://doi.org/10.1016/S0140-6736(05)17728-0", "10.1016/s0140-6736(05)17728-0"),
        ("https://doi.org/10.1000.10/123", "10.1000.10/123"),
        ("https://doi.org/", None),
        ("https://example.org/version/10.5/notes", None),
        ("https://[broken/10.1000/1", None),
    ],
)
def test_the_doi_is_found_in_resolver_and_publisher_links(url: str, doi: str | None) -> None:
    assert doi_of(url) == doi


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.bbc.co.uk/news", "bbc.co.uk"),
        ("https://a.b.example.org/x", "example.org"),
        ("https://localhost:8000/", "localhost"),
        ("http://192.0.2.7/", "192.0.2.7"),
        ("https://www.bücher.de/", "xn--bcher-kva.de"),
    ],
)
def test_the_registrable_domain_comes_from_the_public_suffix_list(url: str, site: str) -> None:
    assert site_of(url) == site


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/a",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "example.org/a",
        "",
        "https://",
        "http:///a",
        "https://example.org:port/",
        "https://example.org:99999/",
        "https://[::1/",
        "https://exa\x00mple.org/",
        "https://ex\u2028ample.org/",
        "https://" + "ü" * 80 + ".de/",
    ],
)
def test_what_is_no_web_address_is_refused_by_name(url: str) -> None:
    with pytest.raises(SourceError, match=r"http|host|valid|control"):
        canonical_url(url)


def test_the_url_to_fetch_keeps_path_and_query_as_written() -> None:
    assert fetchable_url("HTTPS://me:pw@Example.org/b/../A?utm_source=x&b=1&a=2#top") == (
        "https://example.org/b/../A?utm_source=x&b=1&a=2"
    )


def test_pasted_lines_prose_and_links_give_their_urls_in_order() -> None:
    text = """https://one.example/a
    See https://two.example/b, or (https://three.example/c). And "https://four.example/d"!
    [a paper](https://five.example/e_(f)) and <https://six.example/g>; https://seven.example/h;https://eight.example/i
    [https://nine.example](https://nine.example/j) <a href='https://ten.example/k'>k</a>
    <a href="https://amp.example/?a=1&amp;b=2">two parameters</a>
    Also www.eleven.example/l. e.g.https://twelve.example/m）。https://web.archive.org/web/2020/https://thirteen.example/n
    """
    assert parse_urls(text) == [
        "https://one.example/a",
        "https://two.example/b",
        "https://three.example/c",
        "https://four.example/d",
        "https://five.example/e_(f)",
        "https://six.example/g",
        "https://seven.example/h",
        "https://eight.example/i",
        "https://nine.example",
        "https://nine.example/j",
        "https://ten.example/k",
        "https://amp.example/?a=1&b=2",
        "https://www.eleven.example/l",
        "https://twelve.example/m",
        "https://web.archive.org/web/2020/https://thirteen.example/n",
    ]


def test_dois_and_arxiv_ids_are_read_as_links() -> None:
    assert parse_urls("10.1000/one\nsee doi:10.1000/two. And arXiv:2101.00001v2, arXiv: math.GT/0309136") == [
        "https://doi.org/10.1000/one",
        "https://doi.org/10.1000/two",
        "https://arxiv.org/abs/2101.00001v2",
        "https://arxiv.org/abs/math.GT/0309136",
    ]


def test_an_address_pasted_twice_is_kept_once_as_first_written() -> None:
    text = "https://Example.org/a?utm_source=x\nhttps://example.org/a\nhttps://example.org/a#b\nhttps://example.org/a/"
    assert parse_urls(text) == ["https://Example.org/a?utm_source=x", "https://example.org/a/"]


def test_an_address_of_another_scheme_is_not_dropped_in_silence() -> None:
    assert parse_urls("ftp://example.org/a and https://example.org/b") == [
        "ftp://example.org/a",
        "https://example.org/b",
    ]


def test_text_without_addresses_gives_none() -> None:
    assert parse_urls("") == []
    assert parse_urls("no links here: a/b, 10.5/3, me@www.example.org, and/or http:// alone") == []


_HOSTS = st.sampled_from(
    ["example.org", "EXAMPLE.org:443", "bücher.example", "a.b.co.uk:8080", "[2001:db8::1]", "doi.org"]
)


@given(_HOSTS, st.text(max_size=30), st.text(max_size=30))
def test_the_canonical_form_is_its_own_canonical_form(host: str, path: str, query: str) -> None:
    try:
        canonical = canonical_url(f"https://{host}/{path}?{query}")
    except SourceError:
        return
    assert canonical_url(canonical) == canonical


@given(st.text(max_size=300))
def test_any_text_can_be_pasted(text: str) -> None:
    for url in parse_urls(text):
        assert url == url.strip()
        assert "://" in url
