"""The citation audit in a real browser: from the list of reports to the words that decide, into the source and back."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tools.app_server import serving

pytestmark = pytest.mark.browser

Tab = Callable[..., Page]


def test_from_a_report_to_the_words_that_decide_into_the_source_and_back(tab: Tab, root: Path) -> None:
    with serving(root) as url:
        _from_a_report_and_back(tab(), url)


def _from_a_report_and_back(page: Page, url: str) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(f"{url}/citations?project=trees")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("heading", name="38 of 53 citations hold, ")).to_be_visible()
    page.locator(".st-key-outcome-chips").get_by_text("does not hold").click()
    expect(page).to_have_url(re.compile("outcome=fails"))
    expect(page.get_by_text(re.compile(r"^\d of 5\d rows"))).to_be_visible()
    settle(page)
    page.locator(".st-key-pane").get_by_text("Table").click()
    page.locator(".st-key-rows td a", has_text="just as strongly at night").click()
    detail = page.locator(".st-key-finding")
    expect(detail.locator("mark").first).to_contain_text("just as strongly at night as in the afternoon")
    expect(detail.locator(".st-key-the-passage-cited mark").first).to_be_visible()
    settle(page)
    detail.get_by_role("button", name="Open in the source").first.click()
    reader = page.locator(".st-key-reader")
    expect(reader.locator("mark").first).to_be_visible()
    page.get_by_role("button", name="All about this source").click()
    expect(page.get_by_role("heading", name="Sources", exact=True)).to_be_visible()
    expect(page.locator(".st-key-stored-text mark").first).to_be_in_viewport()
    page.get_by_role("button", name="Back to the citation").click()
    expect(detail.locator("mark").first).to_contain_text("just as strongly at night")
    expect(page).to_have_url(re.compile("outcome=fails"))
    settle(page)
    page.locator(".st-key-pane").get_by_text("Report").click()
    page.evaluate("window.sameVisit = true")
    page.locator(".st-key-heat a", has_text="wind speeds 38 per cent").click()
    expect(detail).to_contain_text("Number differs")
    expect(page.locator(".st-key-heat .current")).to_contain_text("wind speeds 38 per cent")
    assert page.evaluate("window.sameVisit === true")  # followed without a reload
    assert not [line for line in complaints if "Content Security Policy" in line]
