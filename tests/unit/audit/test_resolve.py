"""A reference leads to the stored source that it means, or to none with the reason."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from core.audit.references import canonical
from core.audit.report_model import Reference, ReferenceKind
from core.audit.resolve import SourceBook, reason_of
from core.labels import FetchState, Grade, Reason, SourceKind
from core.records import Acquisition, Assessment, Document

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def document(key: str, title: str = "A page about street trees in towns", **fields: object) -> Document:
    made = Document(
        id=key, content_hash=key, blob_hash=key, title=title, media_type="text/html", method="m", fetched=NOW,
        grade=Grade.C, assessment=Assessment(Grade.C, ()), length=1000,
    )  # fmt: skip
    made = replace(made, **fields)  # type: ignore[arg-type]
    urls = made.urls
    return replace(made, canonical_url=made.canonical_url or (canonical(urls[-1]) if urls else None))


def reference(text: str = "", **fields: object) -> Reference:
    return replace(Reference(0, ReferenceKind.NUMBERED, "1", 0, 0, text), **fields)  # type: ignore[arg-type]


def request(key: int, origin: str, state: FetchState, message: str = "", found: str | None = None) -> Acquisition:
    return Acquisition(key, SourceKind.URL, origin, state, NOW, message=message, document_id=found)


@pytest.mark.parametrize(
    "cited",
    [
        "https://example.org/trees",
        "http://example.org/trees",
        "https://www.example.org/trees/",
        "https://EXAMPLE.org:443/trees?utm_source=report#section-2",
        "https://web.archive.org/web/20240101000000/https://example.org/trees",
    ],
)
def test_every_spelling_of_an_address_finds_the_document(cited: str) -> None:
    book = SourceBook([document("a", urls=("https://example.org/trees",)), document("b")], [])
    found = book.find(reference(url=cited))
    assert (found.document_id, found.matched_by) == ("a", "url")


def test_another_page_of_the_same_site_is_not_taken_for_it() -> None:
    book = SourceBook([document("a", urls=("https://example.org/trees?id=1",))], [])
    for cited in ("https://example.org/trees?id=2", "https://example.org/", "https://example.org/trees/more"):
        assert book.find(reference(url=cited)).document_id is None


def test_an_address_that_led_on_to_the_document_finds_it() -> None:
    book = SourceBook([document("a", urls=("https://t.example/x", "https://example.org/long"))], [])
    found = book.find(reference(url="https://t.example/x"))
    assert (found.document_id, found.matched_by) == ("a", "redirect")


def test_a_request_that_ended_in_a_known_document_finds_it() -> None:
    rows = [request(1, "https://mirror.example/trees", FetchState.DUPLICATE, found="a")]
    found = SourceBook([document("a", urls=("https://example.org/trees",))], rows).find(
        reference(url="https://mirror.example/trees")
    )
    assert (found.document_id, found.matched_by) == ("a", "redirect")


def test_doi_and_arxiv_id_find_a_copy_from_anywhere_and_the_fullest_of_several() -> None:
    landing = document("a", doi="10.1234/abc", length=900, urls=("https://publisher.example/abc",))
    full = document("b", doi="10.1234/ABC", length=50_000, urls=("https://repository.example/7",))
    paper = document("c", urls=("https://arxiv.org/pdf/2101.00001v3",))
    book = SourceBook([landing, full, paper], [])
    found = book.find(reference(doi="10.1234/abc", url="https://doi.org/10.1234/ABC"))
    assert (found.document_id, found.matched_by) == ("b", "doi")
    for cited in ("https://arxiv.org/abs/2101.00001", "https://doi.org/10.48550/arXiv.2101.00001"):
        assert book.find(reference(url=cited)).document_id == "c"


def test_a_superseded_document_leads_to_its_current_version() -> None:
    old = document("a", urls=("https://example.org/trees",), superseded_by="b")
    new = document("b", urls=("https://other.example/trees",))
    book = SourceBook([old, new], [])
    assert book.find(reference(url="https://example.org/trees")).document_id == "b"
    assert book.previous("b") == old


def test_without_an_address_the_title_finds_it() -> None:
    stored = document("a", "Shade for All: did it give value?", authors=("City Auditor of Port Merrin",))
    found = SourceBook([stored, document("b")], []).find(
        reference(title="Shade for All: did it give value", authors=("City Auditor of Port Merrin",), year="2025")
    )
    assert (found.document_id, found.matched_by) == ("a", "title")


@pytest.mark.parametrize(
    ("title", "fields"),
    [
        ("Annual report 2023", {"authors": ("Ministry",), "published": date(2023, 5, 1)}),
        ("Annual report", {}),
        ("Night air in narrow streets: a measurement protocol", {"authors": ("Abara", "Quist")}),
        ("Heat and health: the summer of 2020", {"authors": ("Agency",)}),
        ("Annual report 2024", {"published": date(2009, 1, 1)}),
    ],
)
def test_a_like_title_of_another_work_is_not_taken_for_it(title: str, fields: dict[str, object]) -> None:
    book = SourceBook([document("a", title, **fields)], [])
    for cited in (
        reference(title="Annual report 2024", authors=("Ministry",), year="2024"),
        reference(title="Trapped heat: street trees and night air in narrow streets", authors=("Abara", "Quist")),
        reference(title="Heat and health: the summer of 2018", authors=("Agency",)),
    ):
        assert book.find(cited).document_id is None


def test_two_works_of_one_title_are_told_apart_by_their_authors_else_both_are_named() -> None:
    one = document("a", "Cooling by street trees in large towns", authors=("Ilse Varga",), published=date(2023, 1, 1))
    other = document("b", "Cooling by street trees in large towns", authors=("Jo Smith",), published=date(2023, 6, 1))
    book = SourceBook([one, other], [])
    title = "Cooling by street trees in large towns"
    assert book.find(reference(title=title, authors=("Smith",), year="2023")).document_id == "b"
    found = book.find(reference(title=title, year="2023"))
    assert (found.document_id, found.candidates, found.reason) == (None, ("a", "b"), Reason.AMBIGUOUS_REFERENCE)


TOWNS = "Cooling by street trees in large towns"


@pytest.mark.parametrize(
    ("media_type", "fields"),
    [
        ("application/pdf", {"published": date(2016, 3, 1)}),
        ("application/pdf", {"authors": ("jsmith",), "published": date(2016, 3, 1)}),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", {"published": date(2024, 1, 1)}),
        ("text/html", {"published": date(2025, 6, 1)}),
        ("text/html", {"authors": ("Web Team North",)}),
    ],
)
@pytest.mark.parametrize("authors", [("Varga", "Okonjo"), ()])
def test_an_exact_title_is_found_whatever_a_file_says_of_its_date_and_authors(
    media_type: str, fields: dict[str, object], authors: tuple[str, ...]
) -> None:
    book = SourceBook([document("a", TOWNS, media_type=media_type, **fields), document("b", "Another page")], [])
    found = book.find(reference(title=TOWNS, authors=authors, year="2021"))
    assert (found.document_id, found.matched_by) == ("a", "title")


def test_a_date_and_authors_that_a_person_corrected_count_as_those_of_the_publication() -> None:
    stored = document("a", TOWNS, media_type="application/pdf", authors=("Jo Smith",), published=date(2016, 3, 1))
    cited = reference(title=TOWNS, authors=("Varga",), year="2021")
    assert SourceBook([stored], []).find(cited).document_id == "a"
    corrected = replace(stored, mended=("authors", "published"))
    found = SourceBook([corrected], []).find(cited)
    assert found.document_id is None
    assert f"other authors or another year: \u201c{TOWNS}\u201d" in found.why  # it is not called absent


def test_one_title_with_another_doi_is_another_work_and_said_to_be_there() -> None:
    stored = document("a", TOWNS, doi="10.1/a")
    found = SourceBook([stored], []).find(reference(title=TOWNS, doi="10.1/b"))
    assert found.document_id is None


def test_a_page_that_waits_to_be_accepted_is_no_source_of_a_report() -> None:
    waiting = document("a", TOWNS, urls=("https://example.org/trees",), accepted=False)
    asked = request(1, "https://example.org/trees", FetchState.STORED, found="a")
    found = SourceBook([waiting], [asked]).find(reference(url="https://example.org/trees"))
    assert found.document_id is None
    assert "nobody has accepted it yet" in found.why


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (FetchState.NOT_FOUND, Reason.LINK_DEAD),
        (FetchState.GONE, Reason.LINK_DEAD),
        (FetchState.DNS_FAILURE, Reason.LINK_DEAD),
        (FetchState.NEVER_SEEN, Reason.LINK_NEVER_EXISTED),
        (FetchState.NO_NETWORK, Reason.FETCH_FAILED),
        (FetchState.IMAGE_ONLY, Reason.SOURCE_UNREADABLE),
        (FetchState.ENCRYPTED, Reason.SOURCE_UNREADABLE),
        (FetchState.BLOCKED, Reason.FETCH_FAILED),
        (FetchState.TIMEOUT, Reason.FETCH_FAILED),
        (FetchState.QUEUED, None),
        (FetchState.CANCELLED, None),
    ],
)
def test_what_a_fetch_ended_in_is_the_reason(state: FetchState, reason: Reason | None) -> None:
    assert reason_of(state) is reason
    rows = [
        request(1, "https://example.org/x", FetchState.TIMEOUT),
        request(2, "https://example.org/x", state),
    ]
    found = SourceBook([], rows).find(reference(url="https://www.example.org/x"))
    assert (found.document_id, found.reason) == (None, reason)
    assert found.why


def test_every_fetch_state_has_an_answer() -> None:
    for state in FetchState:
        assert (reason_of(state) is None) != state.failed


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1. limes.txt. limes.txt", "a"),
        ("[1] Limes of Mill Lane, LIMES.TXT", "a"),
        ("1. my\\_notes v2.pdf", "b"),
        ("1. my_notes v2.pdf.", "b"),
        ("1. old limes.txt", None),
        ("1. limes.txt.bak", None),
        ("1. papers/limes.txt", None),
        ("1. https://example.org/limes.txt", None),
        ("1. limes", None),
    ],
)
def test_a_source_without_an_address_is_found_by_the_whole_name_of_its_file(text: str, found: str | None) -> None:
    book = SourceBook(
        [document("a", "Limes", filename="shade/limes.txt"), document("b", "N", filename="my_notes v2.pdf")], []
    )
    assert book.find(reference(text)).document_id == found


def test_of_two_files_of_one_name_the_mark_tells_which_and_without_it_none_is_chosen() -> None:
    first, second = "0123456789abcdef", "fedcba9876543210"
    book = SourceBook([document(first, "Notes", filename="n.txt"), document(second, "Notes", filename="b/n.txt")], [])
    marked = book.find(reference(f"1. Notes. n.txt. Stored document {second}"))
    assert (marked.document_id, marked.matched_by) == (second, "id")
    open_choice = book.find(reference("1. n.txt"))
    assert (set(open_choice.candidates), open_choice.reason) == ({first, second}, Reason.AMBIGUOUS_REFERENCE)


@pytest.mark.parametrize(
    ("cited", "stored"),
    [
        ("https://www.bbc.com/news/science-12345678.amp", "https://www.bbc.com/news/science-12345678"),
        (
            "https://www.google.com/url?q=https://www.bbc.com/news/science-22345678&sa=D",
            "https://www.bbc.com/news/science-22345678",
        ),
        (
            "https://doi.org/10.1101/2020.01.02.123456",
            "https://www.biorxiv.org/content/10.1101/2020.01.02.123456v1",
        ),
        ("https://doi.org/10.21203/rs.3.rs-12345/v2", "https://doi.org/10.21203/rs.3.rs-12345/v1"),
        ("https://youtu.be/abcdefghijk", "https://www.youtube.com/watch?v=abcdefghijk"),
    ],
)
def test_a_page_is_found_under_another_address_of_it(cited: str, stored: str) -> None:
    book = SourceBook([document("a", urls=(stored,)), document("b", urls=("https://other.example/page",))], [])
    assert book.find(reference(url=cited)).document_id == "a"


def test_of_two_versions_the_cited_one_is_found() -> None:
    server = "https://www.biorxiv.org/content/10.1101/2020.01.02.123456"
    book = SourceBook([document("one", urls=(f"{server}v1",)), document("two", urls=(f"{server}v2",))], [])
    assert book.find(reference(doi="10.1101/2020.01.02.123456v1")).document_id == "one"


CITED = {"title": "Limes of Mill Lane and their shade", "authors": ("Berg",), "year": "2015"}


@pytest.mark.parametrize(
    "title",
    [
        "LIMES OF MILL LANE AND THEIR SHADE",
        "Limes of \u201cMill Lane\u201d \u2013 and their shade",
        "Limes_of_Mill_Lane_and_their_shade.pdf",
        "Limes of Mill&nbsp;Lane and their shade",
    ],
)
@pytest.mark.parametrize("kind", ["application/pdf", "application/vnd.openxmlformats-officedocument"])
def test_an_exact_title_is_found_whatever_the_program_wrote(title: str, kind: str) -> None:
    stored = document("a", title, media_type=kind, authors=("Administrator",), published=date(2023, 1, 1))
    assert SourceBook([stored], []).find(reference(**CITED)).document_id == "a"


def test_an_author_is_the_same_with_the_umlaut_written_out() -> None:
    stored = document("a", str(CITED["title"]), authors=("Anna M\u00fcller",), published=date(2024, 1, 1))
    assert SourceBook([stored], []).find(reference(**CITED | {"authors": ("Mueller",)})).document_id == "a"


def test_a_short_title_without_authors_is_named_for_what_it_is() -> None:
    found = SourceBook([document("a", "Urban Limes")], []).find(reference(title="Urban Limes", authors=("Berg",)))
    assert (found.document_id, "short" in found.why, "other authors" in found.why) == (None, True, False)
