"""Dates as sources write them."""

from __future__ import annotations

from datetime import date

import pytest

from core.acquire.read_common import parse_date
from core.acquire.read_html import read_html


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2024-01-31", date(2024, 1, 31)),
        ("2024-01-31T10:00:00Z", date(2024, 1, 31)),
        ("2024/1/3", date(2024, 1, 3)),
        ("2024-05", date(2024, 5, 1)),
        ("2024", date(2024, 1, 1)),
        ("D:20240131120000+01'00'", date(2024, 1, 31)),
        ("31 January 2024", date(2024, 1, 31)),
        ("Jan 31, 2024", date(2024, 1, 31)),
        ("March 2024", date(2024, 3, 1)),
        ("2021年3月5日", date(2021, 3, 5)),
        ("２０２１年１２月", date(2021, 12, 1)),
        ("2021년 3월 5일", date(2021, 3, 5)),
        ("公開：2021年3月5日 10:00", date(2021, 3, 5)),
        ("12.06.2021", date(2021, 6, 12)),
        ("31/12/2020", date(2020, 12, 31)),
        ("12/31/2020", date(2020, 12, 31)),
        ("13-05-2021", date(2021, 5, 13)),
        ("04/04/2021", date(2021, 4, 4)),
        ("2021 Mar 5", date(2021, 3, 5)),
        ("2021, March 5", date(2021, 3, 5)),
        ("5th of March 2021", date(2021, 3, 5)),
    ],
)
def test_a_date_is_understood(written: str, meant: date) -> None:
    assert parse_date(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        *(
            None,
            "",
            "soon",
            "13:45",
            "2024-13-45",
            "0000-00-00",
            "9999",
            "12 May",
            "x" * 10_000,
            "2019-2021",
            "2021/22",
        ),
        *(
            "05/03/2021",
            "5-3-2021",
            "05 03 2021",
            "Sat, 03/05/2021",
            "05/03/21",
            "5 March '21",
            "21-03-05",
            "32/13/2021",
        ),
    ],
)
def test_what_is_no_date_stays_unknown(written: str | None) -> None:
    assert parse_date(written) is None


@pytest.mark.parametrize(
    ("shown", "meant"),
    [
        ("Published 05/03/2021", None),
        ("Published 25/03/2021", date(2021, 3, 25)),
        ("Published 5 March 2021, changed 05/03/2021", date(2021, 3, 5)),
    ],
)
def test_a_page_that_leaves_the_day_open_has_no_date(shown: str, meant: date | None) -> None:
    words = "The council planted four hundred lime trees on Mill Lane in spring and counted them again in autumn. " * 3
    page = f"<html><body><article><h1>Limes</h1><p class='date'>{shown}</p><p>{words}</p></article></body></html>"
    assert read_html(page, name="p").published == meant
    tag = shown.removeprefix("Published ").partition(",")[0]
    page = (
        f"<html><head><meta property='article:published_time' content='{tag}'></head><body><p>{words}</p></body></html>"
    )
    assert read_html(page, name="p").published == meant


PAGE = """<!doctype html>
<html lang="en"><head><title>The old bridge</title>{head}</head><body><article><h1>The old bridge</h1>
<p>The pillars have been cracked since {year}, says the engineer, and the county will close the bridge in May.</p>
<p>Shopkeepers on the east bank are worried about the eleven weeks that the repair will take.</p>
</article></body></html>"""


@pytest.mark.parametrize("year", ["1998", "May 1998", "3 May 1998"])
def test_a_day_in_the_text_is_not_the_day_of_publication(year: str) -> None:
    assert read_html(PAGE.format(head="", year=year), name="bridge.html").published is None


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2020-06-02T08:00:00Z">',
        '<meta name="date" content="2020-06-02">',
        '<script type="application/ld+json">{{"@type": "Article", "datePublished": "2020-06-02"}}</script>',
    ],
)
def test_what_the_page_says_of_its_day_counts(head: str) -> None:
    page = PAGE.format(head=head.replace("{{", "{").replace("}}", "}"), year="1998")
    assert read_html(page, name="bridge.html").published == date(2020, 6, 2)
