"""An error page in place of a source, and an abstract, are not taken for the source."""

from __future__ import annotations

import pytest

from core.acquire.read_source import read
from core.audit.stored_text import StoredShare, stored_share
from core.demo import sources
from core.records import Fetched, Heading
from tests.unit.audit.test_resolve import document

LONG = "The figures describe trees in public streets of the city. " * 200


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("404 Not Found", "Go to the start page."),
        ("Page not found | The Courier", "Sorry. Try the search. Most read: trees, heat, rain."),
        ("The Courier", "Sorry, the page you are looking for could not be found. Most read: trees, heat, rain."),
        ("Just a moment...", "Checking your browser before you go on. Please enable JavaScript."),
        ("example.org", "This domain may be for sale. Buy it today."),
    ],
)
def test_an_error_page_is_recognised(title: str, text: str) -> None:
    assert stored_share(document("a", title), text) is StoredShare.ERROR_PAGE


def test_a_page_that_shrank_and_says_so_is_an_error_page() -> None:
    text = "News of the town. " * 50 + "The article is no longer available."
    assert stored_share(document("a", "The Courier"), text) is StoredShare.FULL
    assert stored_share(document("a", "The Courier"), text, previous_length=20_000) is StoredShare.ERROR_PAGE


def test_a_long_text_about_errors_is_a_source() -> None:
    assert (
        stored_share(document("a", "Why pages are not found: 404 errors explained"), LONG + "Page not found.")
        is StoredShare.FULL
    )
    assert (
        stored_share(document("a", "A note"), "Access to water was denied to three districts in 2022.")
        is StoredShare.FULL
    )


def test_an_abstract_with_an_offer_of_the_full_text_is_an_abstract() -> None:
    headings = (Heading(2, 0, 8, "Abstract"),)
    text = "Abstract\nTrees cool streets. Access the full text: log in via your institution."
    assert stored_share(document("a", headings=headings), text) is StoredShare.ABSTRACT
    body = (*headings, Heading(2, 20, 30, "1 Introduction"))
    assert stored_share(document("a", headings=body), text) is StoredShare.FULL
    assert stored_share(document("a", headings=headings), text + LONG) is StoredShare.FULL


def test_of_the_demo_sources_only_the_abstract_is_one() -> None:
    found = {}
    for source in sources():
        if source.grade is None:
            continue
        fetched = Fetched(source.body, source.media_type, url=source.url, filename=source.filename)
        text = read(fetched, max_bytes=10**7, max_text_chars=10**7)
        made = document("a", text.title or source.title, headings=text.headings)
        found[source.filename] = (stored_share(made, text.text), source.abstract_only)
    assert {name: kind for name, (kind, _) in found.items() if kind is not StoredShare.FULL} == {
        name: StoredShare.ABSTRACT for name, (_, abstract) in found.items() if abstract
    }
