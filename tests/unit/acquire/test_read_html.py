"""HTML: body, headings, metadata, and pages without text."""

from __future__ import annotations

from datetime import date

import pytest

from core.acquire.read_html import read_html
from core.errors import UnreadableSource
from core.labels import FetchState

PARAGRAPH = "Rain gardens take in the water that runs off roofs and streets and let it sink into the ground. " * 3
PAGE = f"""<!DOCTYPE html><html lang="en"><head><title>Rain gardens | Site</title>
<meta name="citation_title" content="Rain gardens work"><meta name="citation_author" content="Lee, Ann">
<meta name="citation_author" content="Cho, Bo"><meta name="citation_doi" content="10.1234/ABC.5">
<meta name="citation_publication_date" content="2023/04/05"><meta name="citation_journal_title" content="Water Notes">
<link rel="canonical" href="/articles/rain"></head><body>
<nav><a href="/home">Home</a> <a href="/about">About us</a></nav>
<article><h1>Rain gardens work</h1><p>{PARAGRAPH}</p><h2>What they cost</h2>
<p>{PARAGRAPH}<a href="https://other.example/paper#top">A paper</a></p>
<ul><li>Dig a hollow.</li><li>Plant it.</li></ul>
<table><tr><th>Item</th><th>Cost</th></tr><tr><td>Soil</td><td>20</td></tr></table>
<h2>References</h2><ol class="references"><li>First work of somebody, 2001.</li><li>Second work, 2002.</li></ol>
</article><footer>Copyright. All rights reserved. Cookies.</footer></body></html>"""


def test_a_page_gives_its_body_with_headings_at_their_places() -> None:
    page = read_html(PAGE, name="page", url="https://site.example/articles/rain?x=1")
    assert "Rain gardens take in the water" in page.text
    assert "All rights reserved" not in page.text
    assert [page.text[h.start : h.end] for h in page.headings] == [h.text for h in page.headings]
    assert ("What they cost", 2) in [(h.text, h.level) for h in page.headings]
    assert "- Dig a hollow.\n- Plant it." in page.text
    assert "Soil | 20" in page.text


def test_what_the_page_says_about_itself_is_kept() -> None:
    page = read_html(PAGE, name="page", url="https://site.example/articles/rain?x=1")
    assert page.title == "Rain gardens work"
    assert page.authors == ("Lee, Ann", "Cho, Bo")
    assert page.published == date(2023, 4, 5)
    assert page.doi == "10.1234/abc.5"
    assert page.publisher == "Water Notes"
    assert page.canonical_url == "https://site.example/articles/rain"
    assert page.language == "en"
    assert page.references == 2
    assert "https://other.example/paper" in page.links
    assert "https://site.example/home" in page.links


def test_an_application_shell_needs_javascript() -> None:
    shell = (
        '<html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>'
    )
    with pytest.raises(UnreadableSource, match="shell") as caught:
        read_html(shell, name="shell")
    assert caught.value.state is FetchState.NEEDS_JAVASCRIPT


@pytest.mark.parametrize(
    "page", ["<html><body></body></html>", "<html><body><img src='a.png'></body></html>", "<p></p>"]
)
def test_a_page_without_text_is_told(page: str) -> None:
    with pytest.raises(UnreadableSource) as caught:
        read_html(page, name="page")
    assert caught.value.state is FetchState.NO_TEXT


def test_a_very_short_page_is_still_read() -> None:
    for page in ("<html><body><p>Closed on Mondays.</p></body></html>", "<p>Closed on Mondays.</p>"):
        assert read_html(page, name="page").text == "Closed on Mondays."
