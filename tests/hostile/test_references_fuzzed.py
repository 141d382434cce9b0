"""Whatever is given as a list of references is read, or refused with a typed error: no other error comes out."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.acquire.references import read_references
from core.errors import SourceError

MANNERS = settings(max_examples=60)
PARTS = {
    "x.ris": [
        "TY  - JOUR",
        "TY - ",
        "ER  - ",
        "ER",
        "TI  - a",
        "UR  - https://a.example/",
        "DO  - 10.1000/a",
        "\n",
        "\r",
        "\ufeff",
        "A1  -",
        "hello world",
        "KW  - ",
        "PY  - x",
        "\x00",
        "UR  - http://[a",
        "UR  - \ud800",
    ],
    "x.nbib": [
        "PMID- 1",
        "PMID- ",
        "TI  - a",
        "      b",
        "LID - 10.1000/a [doi]",
        "AID - [doi]",
        "\n",
        "\r",
        "\x00",
        "\ud800",
    ],
    "x.enw": [
        "%0 Book",
        "%T a",
        "%",
        "%U https://a.example/",
        "%U http://[a",
        "%R 10.1000/a",
        "\n",
        "\r",
        "\x00",
        "\ud800",
    ],
    "x.bib": [
        "@article{a,",
        "@",
        "{",
        "}",
        "(",
        ")",
        '"',
        "url = {https://a.example/}",
        "doi = {10.1000/a}",
        ",",
        "=",
        "title = {\\",
        "@string{a = b}",
        "@comment{",
        "@preamble{",
        "\n",
        "#",
        "$",
        "\x00",
        "@article{a, b = c # d}",
        "howpublished = {\\url{http://[}}",
        "title = {$\\frac{",
    ],
    "x.json": [
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        '"items"',
        '"title"',
        '"DOI"',
        '"URL"',
        '"https://a.example/"',
        "null",
        "1e999",
        "NaN",
        "-",
        '"\\ud800"',
        '"http://\\ud800.example/"',
        '"http://[a/"',
        "9" * 5000,
        "true",
        "\x00",
    ],
    "x.xml": [
        "<urlset>",
        "</urlset>",
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "https://a.example/",
        "http://[a",
        "<?xml",
        '<?xml version="1.0" encoding="nonsense"?>',
        "?>",
        "<!DOCTYPE a>",
        "&a;",
        "&#0;",
        "&#xd800;",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<sitemapindex>",
        "<sitemap>",
        "<?pi?>",
        "\x00",
        "<a:b>",
        ' xmlns="x"',
        "<",
    ],
    "x.txt": [
        "10.1000/a",
        "https://a.example/",
        "http://[",
        "arXiv:2101.00001",
        "\n",
        "\x00",
        "www.",
        "://",
        "\u2028",
        "http://a:99999999/",
        "https://\ud800/",
        "doi:",
        "http://xn--/",
        "http://\u2100.example/",
    ],
}


@pytest.mark.parametrize("name", PARTS)
def test_pieces_of_a_kind_in_any_order_are_read_or_refused(name: str) -> None:
    @MANNERS
    @given(st.lists(st.one_of(st.sampled_from(PARTS[name]), st.text(max_size=8)), max_size=25))
    def read(parts: list[str]) -> None:
        body = "".join(parts).encode("utf-8", "surrogatepass")
        for given_body in (body, gzip.compress(body)) if name == "x.xml" else (body,):
            _read(name, given_body)

    read()


@pytest.mark.parametrize("name", [*PARTS, "x.gz", "none"])
def test_any_bytes_and_any_text_are_read_or_refused(name: str) -> None:
    @MANNERS
    @given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))))
    def read(body: bytes) -> None:
        _read(name, body)

    read()


def test_a_prefix_that_is_not_declared_makes_no_other_error() -> None:
    for body in (
        b"<a:b>",
        b"<urlset><a:b/></urlset>",
        b"<urlset><a:url><loc>https://a.example/</loc></a:url></urlset>",
    ):
        _read("x.xml", body)


def test_a_ris_file_without_a_record_names_its_line() -> None:
    found = read_references("x.ris", b"hello world")
    assert not found.usable
    assert str(found.unusable[0]).startswith("line 1")


def test_a_reason_ends_without_a_full_stop_for_whoever_shows_it_adds_one() -> None:
    (refused,) = read_references("x.bib", b"@misc{a, url = {ftp://a.example/}, doi = {}}").unusable
    assert not str(refused).endswith(".")


def _read(name: str, body: bytes) -> None:
    try:
        found = read_references(name, body)
    except SourceError:
        return
    for one in found.usable:
        assert one.url.startswith(("http://", "https://"))
        one.url.encode(), one.title.encode(), one.where.encode()
    for refused in found.unusable:
        str(refused).encode()
        assert not str(refused).endswith(".")
