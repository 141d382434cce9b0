"""The audit and the review on a report of our own: what decides is on the screen, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import press, ready, settle, shown_item
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


def _shows_all_that_decides(page: Page) -> list[str]:
    """What of an item is not on the screen without scrolling, in words."""
    bar = box(page.locator(".st-key-review-bar"))
    missing = []
    for name, place in {
        "question": ".st-key-review-head h2",
        "claim": ".st-key-review-said mark",
        "reason": ".st-key-review-reason",
    }.items():
        top, end = box(page.locator(place).first)
        if top < 60 or end > bar[0] + 1:
            missing.append(f"{name} at {top:.0f} to {end:.0f}")
    source = page.locator(".st-key-review-source mark")
    if source.count() and not is_within(page, ".st-key-review-source mark", ".st-key-review-source"):
        missing.append(f"deciding sentence at {box(source.first)}")
    if bar[1] > page.viewport_size["height"] + 1:  # type: ignore[index]
        missing.append(f"keys at {bar}")
    return missing


def test_one_item_fills_the_screen_and_nothing_is_to_be_scrolled(tab: Tab, own: str) -> None:
    page = tab(viewport=DESK)
    page.goto(f"{own}/review?project=week&reviewer=Ann")
    ready(page)
    settle(page)
    assert box(page.locator(".st-key-review-top"))[1] <= 120
    faults: list[str] = []
    answers = set()
    for number in range(12):
        answers.add(box(page.locator(".st-key-review-decide")))
        faults += [f"item {number + 1}: {fault}" for fault in _shows_all_that_decides(page)]
        if number < 11:
            before = shown_item(page)
            page.keyboard.press("j")
            expect(page.locator(f'[class*="st-key-decide-accept-{before}"]')).to_have_count(0)
            settle(page)
            ready(page)
    assert len(faults) <= 12 // 20, "\n".join(faults)
    assert len(answers) == 1, "the answers keep their place, so that a press meant for one lands on no other"
    page.locator(".st-key-review-strip a").first.click()  # the strip leads to the items around this one
    expect(page.locator(".st-key-review-strip .current")).to_have_text(re.compile(r"^\d+$"))


def test_on_a_phone_the_question_and_the_deciding_sentence_are_in_the_first_600_pixels(tab: Tab, own: str) -> None:
    page = tab(viewport=PHONE)
    page.goto(f"{own}/review?project=week&reviewer=Ann")
    ready(page)
    settle(page)
    assert box(page.locator(".st-key-review-head h2"))[1] < 300
    assert is_within(page, ".st-key-review-source mark", ".st-key-review-source")
    assert box(page.locator(".st-key-review-source mark").first)[1] <= 600
    assert box(page.locator(".st-key-review-bar"))[0] >= 600


def test_accepting_without_the_source_asks_where_it_was_checked_and_the_end_is_said(tab: Tab, own: str) -> None:
    page = tab(viewport=DESK)
    page.goto(f"{own}/{AUDIT}&finding=7&reviewer=Ann")  # its source is not here
    page.locator(".st-key-finding").get_by_role("button", name="Decide on it").click()
    expect(page.locator(".st-key-review-said")).to_contain_text("smaller fleet by 2030")  # the name is kept
    settle(page)
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Checked elsewhere")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(dialog).to_contain_text("Write where you read it")
    settle(page)
    page.keyboard.type("the annual report, page 12")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".st-key-review-line")).to_contain_text("Accepted: ")
    page.goto(f"{own}/review?project=week&reviewer=Ann&report=1")
    ready(page)
    settle(page)
    for number in range(11):
        assert press(page, "x") == number + 2
    expect(page.get_by_text("All 12 decided").last).to_be_visible()
    main = page.get_by_test_id("stMain")
    expect(main).not_to_contain_text("passes this filter")
    for name in ("Overview", "Export"):
        expect(main.get_by_role("button", name=name)).to_be_visible()
    page.goto(f"{own}/{AUDIT}&finding=7")
    expect(page.locator(".st-key-finding")).to_contain_text("accepted without the source here")
