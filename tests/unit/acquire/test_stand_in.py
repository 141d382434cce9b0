"""A page that stands in for the article is named as such; an article about such pages is an article."""

from __future__ import annotations

import pytest

from core.acquire.read_html import read_html
from core.errors import UnreadableSource
from core.labels import FetchState

LIMES = "The council planted four hundred lime trees on Mill Lane in spring and counted them again in autumn. "
COOKIES = (
    "<div class='cookie-consent'><p>We use cookies to make this site work and to measure how it is used by visitors "
    "every day of the week. Please accept all of them now.</p><p>Read our cookie policy for more.</p></div>"
)


def page(body: str, title: str = "Trees of the town") -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


NOT_FOUND = [
    page("<h1>404</h1><h2>Page not found</h2><p>Sorry, the page that you are looking for does not exist.</p>"),
    page("<p>We couldn’t find the page. Try the search.</p>", "The Herald"),
    page("<p>Try the search or go back to the start page of this site.</p>", "Page not found | The Herald"),
    page("<h1>Oops! This article is no longer available.</h1><p>Here is what others read this week.</p>"),
    page("<h1>Seite nicht gefunden</h1><p>Bitte nutzen Sie unsere Suche oder gehen Sie zur Startseite.</p>"),
    page("<p>Try again later or write to us by post.</p>", "Not Found"),
    page("<h1>410 Gone</h1><p>This page has been removed.</p>"),
    page("<p>This page isn't available right now. The link you followed may be broken.</p>"),
    page("<p>We can't find the page you are looking for.</p><p>Latest news</p><p>River floods houses</p><p>Limes on "
         "Mill Lane</p><p>The tram runs all night now.</p>"),
    page("<h1>Page not found</h1><p>It may have been moved, deleted, renamed or never have existed at all here. The "
         "server that holds the address is under maintenance from time to time, as is the rest of the site.</p>"),
    page("<h1>Error 404</h1><p>Please check the address or call us. We are glad to help you any time.</p>"),
]  # fmt: skip
BLOCKED = [
    page("<h1>Log in</h1><form>Name <input>Password <input type='password'></form><p>New here? Register.</p>"),
    page("<p>This content is not available in your country.</p>", "The Herald"),
    page(
        "<h2>We value your privacy</h2><p>We and our 842 partners store and access information on a device, such as "
        "cookies, and process personal data. You can accept or manage your choices by clicking below.</p>"
    ),
    page(
        "<p>Bevor Sie fortfahren</p><p>Wir verwenden Cookies und ähnliche Techniken, um unsere Seiten zu verbessern. "
        "Mit Ihrer Zustimmung setzen wir und unsere Partner sie ein.</p>"
    ),
    page("<h1>Checking your browser</h1><p>This may take a few seconds. Please wait while we look.</p>", "Herald"),
    page("<p>Please enable JavaScript and cookies to continue</p>", "Just a moment..."),
    page("<h1>Are you a robot?</h1><p>Our systems have seen unusual traffic from your network. Solve the captcha.</p>"),
    page("<h1>Sign in</h1><p>Please log in to continue. Forgot your password? We can send you a new one.</p>"),
    page("<p>You must be logged in to view this page of the archive.</p>", "The Herald"),
    page(f"<h1>Limes</h1><p>{LIMES}</p><p>Subscribe to continue reading. Already a subscriber? Sign in.</p>"),
    page(f"<h1>Linden</h1><p>{LIMES}</p><p>Dieser Artikel ist nur für Abonnenten.</p>"),
    page("<h1>Access denied</h1><p>You do not have permission to open this page on our server.</p>"),
]
ARTICLES = [
    page(f"<article><h1>Why pages are not found</h1><p>{LIMES * 10}</p><p>A page not found is a sign of a lost link. "
         "The page you are looking for does not exist, says the server with the number 404.</p></article>"),
    page(f"<article><h1>404 limes planted</h1><p>{LIMES}</p></article>", "404 limes planted – The Herald"),
    page(f"<article><h1>New rules for cookies</h1><p>{LIMES * 3}</p><p>We use cookies every day without thinking. The "
         "council wants to change that for its own pages, and has asked three firms for a plan that costs little.</p>"
         f"<p>{LIMES * 4}</p></article>"),
    page(f"<article><p>{LIMES * 2}</p></article>{COOKIES}"),
    page("<article><p>The library asks readers to sign in at the desk. The desk is open from nine to five, and on "
         "Thursdays until eight. Cards are free for people of the town, and others pay ten euros.</p></article>"),
    page(f"<article><h1>Abstract</h1><p>{LIMES * 6}</p><p>Purchase access to read the full text.</p></article>"),
    page("<p>Closed on Mondays.</p>"),
    page(f"<article><h1>Limes</h1><p>{LIMES * 4}</p></article><form>Sign in: <input type='password'></form>"),
    page(f"<article><h1>Page</h1><p>{LIMES}</p></article>", "Error"),
    page(f"<article><h1>404 Oak Street</h1><p>{LIMES}</p></article>", "404 Oak Street"),
    page(f"<article><h1>The site</h1><p>The site was moved in 1920. {LIMES}</p></article>"),
    page("<article><h1>Story was deleted</h1><p>The story was deleted by the editor on 3 May 2021 after readers "
         "complained. The newspaper printed a correction two days later.</p></article>"),
    page("<article><h1>404</h1><p>Error 404 was the number of a room, so the legend goes. Robert Cailliau called it "
         "hogwash in 2017, for the offices on that floor began at 410.</p></article>"),
    page("<article><h1>Lost battle</h1><p>We could not find the site of the battle. Digs in 2011 and 2014 showed only "
         "Roman tiles, 3 km north of the ford.</p></article>"),
    page("<article><h1>Link not found</h1><p>The link between heat and loss of leaves was not found. The study "
         "followed 340 limes from 2015 to 2019 and measured their leaves each month.</p></article>"),
]  # fmt: skip


@pytest.mark.parametrize("markup", NOT_FOUND)
def test_a_page_that_says_not_found_is_not_found(markup: str) -> None:
    with pytest.raises(UnreadableSource, match=r"p\.html") as caught:
        read_html(markup, name="p.html")
    assert caught.value.state is FetchState.NOT_FOUND


@pytest.mark.parametrize("markup", BLOCKED)
def test_a_wall_before_the_article_is_named(markup: str) -> None:
    with pytest.raises(UnreadableSource, match=r"p\.html shows .*Open it in a browser") as caught:
        read_html(markup, name="p.html")
    assert caught.value.state is FetchState.BLOCKED


def test_a_fault_of_the_server_is_named() -> None:
    fault = page("<h1>Service unavailable</h1><p>The server is temporarily unable to service your request.</p>")
    with pytest.raises(UnreadableSource, match="shows a fault of its server") as caught:
        read_html(fault, name="p.html")
    assert caught.value.state is FetchState.SERVER_ERROR


@pytest.mark.parametrize("markup", ARTICLES)
def test_an_article_is_read(markup: str) -> None:
    assert len(read_html(markup, name="p.html").text) > 15


@pytest.mark.parametrize(
    "beside",
    [COOKIES, "<div class='letter'><p>Sign up for our letter and read the news of the town every week.</p></div>", ""],
)
def test_an_article_in_an_aside_is_found(beside: str) -> None:
    paragraphs = "".join(f"<p>{LIMES}Number {number} of the lane was the last.</p>" for number in range(4))
    text = read_html(page(f"<aside class='layout'><article>{paragraphs}</article></aside>{beside}"), name="p").text
    assert "Number 3 of the lane was the last." in text
    assert "cookies" not in text


def test_an_aside_beside_an_article_stays_out() -> None:
    article = f"<article><h1>Limes</h1><p>{LIMES * 5}</p></article>"
    text = read_html(
        page(f"{article}<aside><p>More news: the lido opens in May, and the mayor swims.</p></aside>"), name="p"
    ).text
    assert "lido" not in text
