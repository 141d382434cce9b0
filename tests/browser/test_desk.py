"""The audit and the review on a report of our own: what decides is on the screen, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settle
from tests.browser.own import make_own
from tools.app_server import serving

pytestmark = pytest.mark.browser

Tab = Callable[..., Page]
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
AUDIT = "citations?project=week&report=1"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server over the report of our own; nothing is written there but decisions."""
    root = tmp_path_factory.mktemp("own") / "root"
    make_own(root)
    with serving(root) as url:
        yield url


def box(place: Locator) -> tuple[float, float]:
    """Where an element begins and ends, in pixels from the top of the screen."""
    measured = place.bounding_box()
    assert measured is not None
    return measured["y"], measured["y"] + measured["height"]


def is_within(page: Page, inner: str, outer: str) -> bool:
    """True when the first ``inner`` lies in what is seen of the first ``outer``."""
    top, end = box(page.locator(inner).first)
    above, below = box(page.locator(outer).first)
    return above <= top and end <= min(below, page.viewport_size["height"])  # type: ignore[index]


def test_a_deep_link_lands_with_its_sentence_and_its_card_in_view(tab: Tab, own: str) -> None:
    page = tab(viewport=DESK)
    page.goto(f"{own}/{AUDIT}&finding=12")  # the last citation, far below the first screen of the report
    expect(page.locator(".st-key-finding")).to_contain_text("recycled aluminium")
    expect(page.locator(".st-key-heat .current")).to_be_in_viewport()
    settle(page)
    assert is_within(page, ".st-key-heat .current", ".st-key-heat")
    top, end = box(page.locator(".st-key-finding"))
    assert top < 250  # work that has just ended may be told above it
    assert end <= 900
    assert box(page.locator(".st-key-audit-head"))[1] <= 130  # one line, below the bar of Streamlit
    assert is_within(page, ".st-key-the-passage-cited mark", ".st-key-finding")


def test_a_click_in_the_report_or_the_table_shows_the_card_without_scrolling(tab: Tab, own: str) -> None:
    page = tab(viewport=DESK)
    page.goto(f"{own}/{AUDIT}")
    card = page.locator(".st-key-finding")
    page.locator(".st-key-heat a", has_text="Plains cover 75 percent").click()
    expect(card).to_contain_text("Number differs")
    assert 0 < box(card)[0] < 250
    assert is_within(page, ".st-key-the-passage-cited mark", ".st-key-finding")
    settle(page)
    page.locator(".st-key-pane").get_by_text("Table").click()
    rows = page.locator(".st-key-rows tbody tr")
    expect(rows).to_have_count(12)
    expect(page.locator(".st-key-rows tr.current")).to_contain_text("Plains cover 75 percent")
    page.locator(".st-key-rows td a", has_text="recycled aluminium").click()
    expect(card).to_contain_text("recycled aluminium")
    assert 0 < box(card)[0] < 250
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    _whole_and_sorted(page)


def _whole_and_sorted(page: Page) -> None:
    """No cell of the table is cut, nothing scrolls sideways, a click on a head sorts, a second one the other way."""
    cut = """() => [...document.querySelectorAll('.st-key-rows :is(td, th)')]
      .filter(cell => cell.scrollWidth > cell.clientWidth || cell.textContent.endsWith('…'))
      .map(cell => cell.textContent)"""
    assert page.evaluate(cut) == []
    wide = "place => {const box = document.querySelector(place); return box.scrollWidth > box.clientWidth}"
    for place in (".st-key-rows", "[data-testid=stMain]", "html"):
        assert not page.evaluate(wide, place), place
    rows, head = page.locator(".st-key-rows tbody tr"), page.locator(".st-key-rows th")
    head.get_by_text("Outcome").click()
    expect(rows.first).to_contain_text("does not hold")
    expect(rows.last).to_contain_text("holds")
    settle(page)
    head.get_by_text("Outcome").click()
    expect(page).to_have_url(re.compile("sort=-outcome"))
    expect(rows.last).to_contain_text("does not hold")


def test_chips_with_the_counts_filter_and_next_goes_through_what_they_leave(tab: Tab, own: str) -> None:
    page = tab(viewport=DESK)
    page.goto(f"{own}/{AUDIT}")
    chips = page.locator(".st-key-outcome-chips")
    expect(chips).to_contain_text("does not hold 5")
    chips.get_by_text("does not hold").click()
    expect(page.get_by_text("5 of 12 rows")).to_be_visible()
    settle(page)
    page.locator(".st-key-heat a.shade-wrong").first.click()
    card = page.locator(".st-key-finding")
    expect(card).to_contain_text("Plains cover 75 percent")
    settle(page)
    card.get_by_role("button", name="Next").click()
    expect(card).to_contain_text("18.8 billion")
    expect(page.locator(".st-key-heat .current")).to_contain_text("18.8")


def test_on_a_phone_the_card_comes_into_view_after_a_click(tab: Tab, own: str) -> None:
    page = tab(viewport=PHONE)
    page.goto(f"{own}/{AUDIT}")
    expect(page.get_by_text("Review what needs you")).to_be_in_viewport()
    page.locator(".st-key-heat a", has_text="Plains cover 75 percent").click()
    card = page.locator(".st-key-finding")
    expect(card).to_contain_text("Number differs")
    expect(card.get_by_text("The report says")).to_be_in_viewport()
    settle(page)
    top, _ = box(card)
    assert 0 <= top <= 844 / 2
