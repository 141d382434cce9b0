"""Promises of reading lists of references: every entry is an address to fetch or is named with the reason."""

from __future__ import annotations

import gzip
import json

import pytest

from core.acquire.references import of_text, read_references
from core.acquire.references.collect import arxiv_in, doi_in
from core.acquire.references.formats import untex
from core.errors import SourceError


def urls(name: str, body: str) -> list[str]:
    return [one.url for one in read_references(name, body.encode()).usable]


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("10.1000/xyz123", "https://doi.org/10.1000/xyz123"),
        ("doi:10.1000/xyz123", "https://doi.org/10.1000/xyz123"),
        ("DOI: 10.1000/xyz123.", "https://doi.org/10.1000/xyz123"),
        ("https://dx.doi.org/10.1000/xyz123", "https://doi.org/10.1000/xyz123"),
        (
            "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
            "https://doi.org/10.1002/(SICI)1097-0258(19980815/30)17:15/16%3C1661::AID-SIM968%3E3.0.CO;2-2",
        ),
        ("2101.00001", "https://arxiv.org/pdf/2101.00001"),
        ("arXiv:0704.0001", "https://arxiv.org/pdf/0704.0001"),
        ("arXiv:2101.00001v3 [cs.CL]", "https://arxiv.org/pdf/2101.00001v3"),
        ("hep-th/9901001", "https://arxiv.org/pdf/hep-th/9901001"),
        ("math.GT/0309136v1", "https://arxiv.org/pdf/math.GT/0309136v1"),
        ("10.48550/arXiv.2101.00001", "https://arxiv.org/pdf/2101.00001"),
        ("https://arxiv.org/abs/2101.00001", "https://arxiv.org/abs/2101.00001"),
        ("see https://example.org/a, for one", "https://example.org/a"),
        ("www.example.org/a", "https://www.example.org/a"),
    ],
)
def test_what_people_paste_becomes_an_address(written: str, address: str) -> None:
    (one,) = of_text(written).usable
    assert one.url == address


def test_an_arxiv_id_gives_the_full_text_first_and_the_abstract_after_it() -> None:
    (one,) = of_text("2101.00001").usable
    assert one.urls == ("https://arxiv.org/pdf/2101.00001", "https://arxiv.org/abs/2101.00001")


@pytest.mark.parametrize("text", ["10.1000", "9999.12345", "10.1/x", "abs/1234567", "hello", "2113.00001"])
def test_what_only_looks_like_an_id_is_none(text: str) -> None:
    assert doi_in(text) is None
    assert arxiv_in(text) is None
    found = of_text(text)
    assert found.usable == ()
    assert "line 1" in str(found.unusable[0])


def test_prose_without_an_address_is_just_prose_and_the_same_source_comes_once() -> None:
    found = of_text("Some words here.\n10.1000/X\nhttps://doi.org/10.1000/x\n\nmore words 10.1000/x\n")
    assert len(found.usable) == 1
    assert found.unusable == ()


BIBTEX = r"""
@string{j = "Journal"}
@comment{nothing}
@article{linde, title={K{\"o}ln and its {T}rees}, author={Linde, Ada}, journal=j, doi={10.5555/trees}}
@misc{ahorn, title={A preprint}, eprint={2101.00001}, archivePrefix={arXiv}}
@article{broken, title={No end
@online{weiss, title="Roofs", url={https://example.org/a\_b}}
@misc{how, title={In a note}, howpublished={\url{https://example.org/how}}}
@book{nothing, title={A book without an address}}
@article{linde, title={Another of the same key}, doi={10.5555/other}}
@article{twice, title={Two fields}, doi={10.5555/one}, doi={10.5555/two}}
"""


def test_bibtex_gives_addresses_and_names_what_it_cannot_use() -> None:
    found = read_references("library.bib", BIBTEX.encode())
    assert [one.url for one in found.usable] == [
        "https://doi.org/10.5555/trees",
        "https://arxiv.org/pdf/2101.00001",
        "https://example.org/a_b",
        "https://example.org/how",
        "https://doi.org/10.5555/other",
        "https://doi.org/10.5555/two",
    ]
    assert found.usable[0].title == "Köln and its Trees"
    assert len(found.unusable) == 2
    named = " ".join(map(str, found.unusable))
    assert "@article{broken" in named
    assert "nothing: A book without an address" in named


def test_entries_of_one_work_are_one_and_a_shared_home_page_does_not_make_them_one() -> None:
    both = urls(
        "x.bib",
        "@article{a, doi={10.5555/a}, url={https://journal.example/}}\n"
        "@article{b, doi={10.5555/b}, url={https://journal.example/}}\n"
        "@article{c, doi={https://doi.org/10.5555/A}}",
    )
    assert both == ["https://doi.org/10.5555/a", "https://doi.org/10.5555/b"]


def test_what_a_terminal_takes_for_commands_is_in_no_name() -> None:
    found = read_references(
        "x.bib", b"@misc{a, title={x\x1b]0;y\x07}, url={https://a.example/}}\n@misc{b, title={\x1b[31m}}"
    )
    assert "\x1b" not in found.usable[0].title + str(found.unusable[0])


@pytest.mark.parametrize(
    ("tex", "plain"),
    [(r"{\'E}tude \& co", "Étude & co"), ("{The} {G}rid", "The Grid"), (r"\undefined{x}", "x"), ("\\" * 9, "")],
)
def test_tex_becomes_words(tex: str, plain: str) -> None:
    assert untex(tex).strip("\\") == plain


RIS = (
    "TY  - JOUR\r\nTI  - Trees\r\nAU  - Linde, A.\r\nDO  - 10.5555/trees\r\nUR  - http://a.example/1\r\nER  - \r\n\r\n"
    "TY  - JOUR\r\nT1  - No end mark\r\nUR  - https://b.example/\r\n"
    "TY  - BOOK\r\nTI  - Nothing\r\nER  - \r\n"
)


def test_ris_gives_addresses_also_of_a_record_without_its_end() -> None:
    found = read_references("x.ris", RIS.encode())
    assert [(one.url, one.title) for one in found.usable] == [
        ("https://doi.org/10.5555/trees", "Trees"),
        ("https://b.example/", "No end mark"),
    ]
    assert [str(one) for one in found.unusable] == ["line 11: Nothing: it has no DOI, arXiv id or web address"]


def test_lines_that_are_no_ris_are_named() -> None:
    found = read_references("x.ris", b"hello\nTY  - JOUR\nDO  - 10.5555/a\nER  - \n")
    assert len(found.usable) == 1
    assert "hello" in str(found.unusable[0])


def test_csl_json_gives_addresses_and_names_what_is_none() -> None:
    items = [
        {"id": "a", "DOI": "10.5555/trees", "title": "Trees"},
        {"id": "b", "URL": "https://example.org/b"},
        {"id": "c", "publisher": "arXiv", "number": "arXiv:2101.00001", "title": "Preprint"},
        {"id": "d", "title": "Nothing"},
        7,
    ]
    for data in (items, {"items": items}):
        found = read_references("x.json", json.dumps(data).encode())
        assert [one.url for one in found.usable] == [
            "https://doi.org/10.5555/trees",
            "https://example.org/b",
            "https://arxiv.org/pdf/2101.00001",
        ]
        assert [one.what for one in found.unusable] == ["item 4: Nothing", "item 5"]


def test_a_sitemap_file_gives_its_pages_packed_or_not() -> None:
    xml = b"<urlset xmlns='x'><url><loc> https://a.example/1 </loc></url><url><loc>https://a.example/2</loc></url></urlset>"
    for name, body in (("sitemap.xml", xml), ("sitemap.xml.gz", gzip.compress(xml))):
        assert [one.url for one in read_references(name, body).usable] == ["https://a.example/1", "https://a.example/2"]


def test_the_kind_is_seen_without_an_ending() -> None:
    assert urls("upload", "@misc{a, url={https://a.example/}}") == ["https://a.example/"]
    assert urls("upload", "TY  - JOUR\nUR  - https://a.example/\nER  - \n") == ["https://a.example/"]
    assert urls("upload", '[{"URL": "https://a.example/"}]') == ["https://a.example/"]
    assert urls("list.txt", "https://a.example/\n10.5555/x\n") == ["https://a.example/", "https://doi.org/10.5555/x"]
    assert read_references("x.bib", "@misc{a, url={https://a.example/}}".encode("utf-16")).usable


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("x.bib", b"", "empty"),
        ("x.json", b"{not json", "not valid JSON"),
        ("x.json", b"7", "list of references"),
        ("x.xml", b"<html></html>", "no sitemap"),
        ("x.xml", b"<urlset>", "not valid XML"),
        ("x.bib", b"just words", "no reference"),
        ("x.gz", b"\x1f\x8bbroken", "broken"),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_reason(name: str, body: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=words):
        read_references(name, body)


@pytest.mark.parametrize(
    ("name", "body", "address"),
    [
        ("a.ris", "TY  - JOUR\nTI  - One\nLK  - https://a.example/lk\nER  - \n", "https://a.example/lk"),
        ("a.ris", "TY  - JOUR\nTI  - Two\nN1  - doi:10.1000/n1\nER  - \n", "https://doi.org/10.1000/n1"),
        ("a.ris", "TY  - JOUR\nTI  - A\nN1  - Cited by 3; DOI: 10.1000/n2.\nER  - \n", "https://doi.org/10.1000/n2"),
        ("a.ris", "TY  - JOUR\nTI  - A\nM3  - 10.1000/m3\nER  - \n", "https://doi.org/10.1000/m3"),
        ("a.ris", "TY  - JOUR\nTI  - A\nDO  - 10.1000/a\nN1  - doi:10.1000/b\nER  - \n", "https://doi.org/10.1000/a"),
        ("a.bib", "@article{x, title={A}, doi={https://dx.doi.org/10.1000%2Fabc}}", "https://doi.org/10.1000/abc"),
        ("a.bib", "@article{x, title={A}, doi={10.1000%2fabc}}", "https://doi.org/10.1000/abc"),
        ("a.bib", "@article{x, title={A}, doi={doi.org/10.1000/abc}}", "https://doi.org/10.1000/abc"),
        ("a.bib", "@article{x, title={A}, doi={DOI 10.1000/abc}}", "https://doi.org/10.1000/abc"),
        ("a.bib", "@article{x, title={A}, note={doi: 10.1000/abc}}", "https://doi.org/10.1000/abc"),
        ("a.bib", "@article{x, title={A}, ee={https://a.example/ee}}", "https://a.example/ee"),
        ("a.json", '[{"title": "A", "note": "DOI: 10.1000/extra"}]', "https://doi.org/10.1000/extra"),
    ],
)
def test_an_address_is_found_where_other_programs_write_it(name: str, body: str, address: str) -> None:
    assert urls(name, body) == [address]


@pytest.mark.parametrize(
    "body",
    [
        "TY  - JOUR\nTI  - A\nN1  - Erratum in: doi:10.1000/other\nER  - \n",
        "TY  - JOUR\nTI  - A\nN1  - Comment on https://a.example/other\nER  - \n",
        "TY  - JOUR\nTI  - A\nN1  - read twice\nER  - \n",
    ],
)
def test_the_address_of_another_work_is_not_taken(body: str) -> None:
    assert urls("a.ris", body) == []


PUBMED = (
    "\nPMID- 12345678\nOWN - NLM\nTI  - Limes in\n      the street\nLID - S0001(20)1 [pii]\nLID - 10.1000/nb [doi]\n"
    "AB  - Said - of PMID- 7.\n\nPMID- 23456789\nTI  - Elms\nAID - S2 [pii]\n"
)
ENDNOTE = (
    "%0 Journal Article\r\n%T One\r\n%A Berg, A.\r\n%R 10.1000/en\r\n%U https://a.example/1\r\n\r\n"
    "%0 Web Page\r\n%T Two\r\n%U https://a.example/2\r\n\r\n%0 Book\r\n%T Three\r\n"
)


@pytest.mark.parametrize("name", ["list.nbib", "list.txt"])
def test_pubmed_lists_give_the_doi_or_the_page_of_the_record(name: str) -> None:
    found = read_references(name, PUBMED.encode())
    assert [(one.urls, one.title) for one in found.usable] == [
        (("https://doi.org/10.1000/nb", "https://pubmed.ncbi.nlm.nih.gov/12345678/"), "Limes in the street"),
        (("https://pubmed.ncbi.nlm.nih.gov/23456789/",), "Elms"),
    ]


@pytest.mark.parametrize("name", ["list.enw", "list.txt"])
def test_endnote_lists_give_addresses_and_name_what_has_none(name: str) -> None:
    found = read_references(name, ENDNOTE.encode())
    assert [one.urls for one in found.usable] == [
        ("https://doi.org/10.1000/en", "https://a.example/1"), ("https://a.example/2",),
    ]  # fmt: skip
    assert [str(one) for one in found.unusable] == [
        "line 11: Three: it has no DOI, arXiv id or web address",
    ]
