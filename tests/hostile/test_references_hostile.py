"""Lists of references and sitemaps made to do harm: refused with the reason, or read within bounds."""

from __future__ import annotations

import gzip
import json

import pytest

from core.acquire.references import read_references
from core.acquire.references.collect import MAX_BYTES, MOST
from core.acquire.references.reader import read_list, read_listed_pages
from core.acquire.references.sitemap import MAX_BYTES as MAX_SITEMAP
from core.acquire.references.sitemap import listed_in_robots, read_sitemap
from core.acquire.references.sitemap_walk import MOST_SITEMAPS, walk
from core.acquire.worker_pool import WorkerExtractor
from core.errors import JobCancelled, SourceError
from core.settings.values import Parsing

LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True))
    + "]><urlset><url><loc>https://a.example/&i;</loc></url></urlset>"
)
OUTSIDE = (
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><url><loc>https://a.example/&e;</loc></url></urlset>'
)


@pytest.mark.parametrize(
    "xml", [LAUGHS, OUTSIDE, LAUGHS.replace("<!DOCTYPE", " " * 70_000 + "<!DOCTYPE"), "\ufeff" + OUTSIDE]
)
def test_a_sitemap_with_a_document_type_is_not_read(xml: str) -> None:
    for body in (xml.encode(), gzip.compress(xml.encode())):
        with pytest.raises(SourceError, match=r"document type|not valid XML"):
            read_sitemap(body)


def test_a_document_type_hidden_by_its_encoding_expands_nothing() -> None:
    for encoding in ("utf-16", "utf-32"):
        try:
            found = read_sitemap(LAUGHS.encode(encoding))
        except SourceError:
            continue
        assert all(len(page) < 1000 for page in found.pages)


def test_a_packed_bomb_is_refused_without_unpacking_it() -> None:
    bomb = gzip.compress(bytes(200_000_000), compresslevel=1)
    with pytest.raises(SourceError, match="MB"):
        read_sitemap(bomb)


def test_a_sitemap_nested_without_end_is_refused() -> None:
    with pytest.raises(SourceError):
        read_sitemap(b"<urlset>" + b"<a>" * 100_000)


def test_more_addresses_than_a_sitemap_may_have_are_counted() -> None:
    rows = "".join(f"<url><loc>https://a.example/{number}</loc></url>" for number in range(50_010))
    found = read_sitemap(f"<urlset>{rows}</urlset>".encode())
    assert (len(found.pages), found.over) == (50_000, 10)
    assert MAX_SITEMAP == 50_000_000


@pytest.mark.parametrize("name", ["x.bib", "x.ris", "x.json", "x.txt"])
def test_a_file_of_50_mb_is_refused(name: str) -> None:
    with pytest.raises(SourceError, match="MB"):
        read_references(name, b"@article{a," * (50_000_000 // 11))
    assert MAX_BYTES < 50_000_000


@pytest.mark.parametrize(
    "text",
    [
        "@article{a," * 5000,
        "@article{a, title={" + "{" * 50_000,
        "@" * 50_000,
        '@misc{a, title="' + '\\"' * 20_000,
        "@misc{a, title={" + "\\textbf{" * 20_000 + "}" * 20_000 + "}, url={https://a.example/}}",
        "@string{a = b # a}@string{b = a # a}@misc{c, title=a}",
        "@misc{\x00\ud800, url={javascript:alert(1)}}",
    ],
)
def test_odd_bibtex_is_read_to_its_end(text: str) -> None:
    try:
        found = read_references("x.bib", text.encode("utf-8", "surrogatepass"))
    except SourceError:
        return
    for one in found.usable:
        assert one.url.startswith(("http://", "https://"))


def test_a_flood_of_entries_or_elements_is_refused_before_it_is_read() -> None:
    with pytest.raises(SourceError, match="entries"):
        read_references("x.bib", b"@article{a," * 100_000)
    with pytest.raises(SourceError, match="parts"):
        read_sitemap(b"<urlset>" + b"<a/>" * 700_000 + b"</urlset>")
    with pytest.raises(SourceError, match="characters"):
        read_references("x.txt", b"10.1000/a\n" * 30_000)


def test_only_so_many_references_are_taken_and_the_rest_is_counted() -> None:
    items = [{"URL": f"https://a.example/{number}"} for number in range(MOST + 7)]
    found = read_references("x.json", json.dumps(items).encode())
    assert len(found.usable) == MOST
    assert "7 more" in str(found.unusable[0])


def test_addresses_that_are_none_are_named_in_every_kind() -> None:
    for name, body in (
        ("x.bib", "@misc{a, url={https://}}"),
        ("x.json", '[{"URL": "javascript:alert(1)"}, {"URL": "file:///etc/passwd"}, {"DOI": {"a": 1}}]'),
        ("x.ris", "TY  - JOUR\nUR  - data:text/html,x\nER  - \n"),
        ("x.xml", "<urlset><url><loc>javascript:alert(1)</loc></url></urlset>"),
    ):
        found = read_references(name, body.encode())
        assert found.usable == ()
        assert found.unusable


# ---------------------------------------------------------------- walking a site


def index(*urls: str) -> bytes:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>".encode()


def listing(*urls: str) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


class Site:
    """Files by address; whatever else is asked for fails."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files, self.asked = files, []  # type: ignore[var-annotated]

    def __call__(self, url: str) -> bytes:
        self.asked.append(url)
        if url not in self.files:
            raise SourceError(f"{url} is not there.")
        return self.files[url]


def quiet(done: int, url: str) -> None:
    """Nobody watches."""


A = "https://a.example"


def test_a_circle_of_sitemaps_ends() -> None:
    site = Site({f"{A}/1.xml": index(f"{A}/2.xml", f"{A}/1.xml"), f"{A}/2.xml": index(f"{A}/1.xml", f"{A}/3.xml"),
                 f"{A}/3.xml": listing(f"{A}/page")})  # fmt: skip
    walked = walk(f"{A}/1.xml", site, quiet)
    assert walked.pages == [f"{A}/page"]
    assert len(site.asked) == 3


def test_an_index_of_ten_thousand_sitemaps_is_read_in_part_and_said() -> None:
    site = Site(
        {f"{A}/1.xml": index(*(f"{A}/s{number}.xml" for number in range(10_000))), f"{A}/s0.xml": listing(f"{A}/p")}
    )
    walked = walk(f"{A}/1.xml", site, quiet)
    assert len(site.asked) <= MOST_SITEMAPS
    assert walked.pages == [f"{A}/p"]
    assert len(walked.problems) <= 22


def test_sitemaps_below_sitemaps_below_sitemaps_end() -> None:
    site = Site({f"{A}/{number}.xml": index(f"{A}/{number + 1}.xml") for number in range(100)})
    walked = walk(f"{A}/0.xml", site, quiet)
    assert len(site.asked) < 10
    assert any("levels deep" in one for one in walked.problems)


def test_other_sites_are_left_out_and_counted() -> None:
    site = Site({f"{A}/1.xml": listing("http://169.254.169.254/x", "https://b.example/", f"{A}/mine", "file:///etc/passwd"),
                 })  # fmt: skip
    walked = walk(f"{A}/1.xml", site, quiet)
    assert walked.pages == [f"{A}/mine"]
    assert any("2 addresses lie on other sites" in one for one in walked.problems)
    led_away = walk(f"{A}/1.xml", Site({f"{A}/1.xml": index("http://127.0.0.1/s.xml", f"{A}/2.xml"),
                                        f"{A}/2.xml": listing(f"{A}/p")}), quiet)  # fmt: skip
    assert any("127.0.0.1" in one for one in led_away.problems)


def test_a_site_is_read_by_its_robots_txt_and_else_at_the_usual_place() -> None:
    robots = b"User-agent: *\nDisallow:\nSitemap: https://a.example/deep/map.xml\nsitemap:/rel.xml\n"
    site = Site({f"{A}/robots.txt": robots, f"{A}/deep/map.xml": listing(f"{A}/1"), f"{A}/rel.xml": listing(f"{A}/2")})
    assert walk(A, site, quiet).pages == [f"{A}/1", f"{A}/2"]
    assert walk(f"{A}/", Site({f"{A}/sitemap.xml": listing(f"{A}/3")}), quiet).pages == [f"{A}/3"]
    assert listed_in_robots("Sitemap:\nSitemap: \n") == []


def test_a_site_without_a_sitemap_is_an_error_that_names_it() -> None:
    with pytest.raises(SourceError, match=r"a\.example"):
        walk(A, Site({}), quiet)


def test_the_number_of_pages_is_bounded_and_said() -> None:
    site = Site({f"{A}/1.xml": listing(*(f"{A}/{number}" for number in range(500)))})
    walked = walk(f"{A}/1.xml", site, quiet, most=20)
    assert len(walked.pages) == 20
    assert any("500 pages are listed; the first 20 are taken" in one for one in walked.problems)


def test_stopping_is_heard_between_two_sitemaps() -> None:
    def stop(done: int, url: str) -> None:
        if done:
            raise JobCancelled("stopped")

    site = Site({f"{A}/1.xml": index(f"{A}/2.xml"), f"{A}/2.xml": listing(f"{A}/p")})
    with pytest.raises(JobCancelled):
        walk(f"{A}/1.xml", site, stop)


def reader(**caps: float) -> WorkerExtractor:
    return WorkerExtractor(Parsing.model_validate(caps), workers=1)


LISTS = {
    "x.bib": b"@misc{a, title={Trees}, url={https://a.example/1}}",
    "x.ris": b"TY  - JOUR\nUR  - https://a.example/1\nER  - \n",
    "x.json": b'[{"title": "Trees \\ud800", "URL": "https://a.example/1"}, {"title": "\\ud800", "URL": "\\ud800"}]',
    "x.xml": listing("https://a.example/1"),
    "x.txt": b"https://a.example/1\n",
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_over_its_time_is_refused_with_what_to_do(name: str) -> None:
    message = rf"reading {name} took longer than 0.01 s.*timeout_s"
    with reader(timeout_s=0.01) as extractor, pytest.raises(SourceError, match=message):
        read_list(extractor, name, LISTS[name])


def test_a_list_that_wants_more_memory_than_allowed_is_refused_and_the_next_is_read() -> None:
    with reader(memory_mb=256, timeout_s=60) as extractor:
        with pytest.raises(SourceError, match="memory"):
            read_list(extractor, "greedy.json", b"[" + b"[[]]," * 990_000 + b"[]]")
        for name, body in LISTS.items():
            assert read_list(extractor, name, body) == read_references(name, body)


def test_what_is_wrong_with_a_list_is_said_in_the_words_of_its_parser() -> None:
    with reader() as extractor:
        with pytest.raises(SourceError, match="The file is not valid JSON"):
            read_list(extractor, "x.json", b"[{")
        with pytest.raises(SourceError, match="document type"):
            read_listed_pages(extractor, b"<!DOCTYPE a [<!ENTITY b 'c'>]><urlset/>")
        assert read_listed_pages(extractor, listing(f"{A}/1")).pages == (f"{A}/1",)
