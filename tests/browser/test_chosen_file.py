"""A file that somebody has chosen stays chosen, whatever ends, begins or is said on the page meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import new_project, offered_sources, settle, upload, written
from tests.browser.made import PUMPS, REPORT
from tools.app_server import serving

pytestmark = pytest.mark.browser
Tab = Callable[..., Page]


def _choose(page: Page, box: Locator, file: Path) -> Route:
    """Choose a file; its upload, which waits until it is let go on: a slow network, at will."""
    waiting: list[Route] = []
    page.route(
        "**/upload_file/**",
        lambda route: waiting.append(route) if route.request.method == "PUT" else route.continue_(),
    )
    settle(page)
    with page.expect_request(lambda request: request.method == "PUT" and "/upload_file/" in request.url):
        box.locator('input[type="file"]').set_input_files(file)
    while not waiting:  # the request is known a moment before its route
        page.wait_for_timeout(50)
    return waiting[0]


def test_on_the_page_of_sources_while_a_source_is_read_and_encoded(tab: Tab, server: str, tmp_path: Path) -> None:
    page = tab()
    new_project(page, server, "Two files, one after the other")
    upload(page, written(tmp_path, "first.md", PUMPS))
    expect(page.locator(".st-key-files-1")).to_have_count(1)
    expect(page.locator(".st-key-files-0")).to_have_count(0)
    second = written(tmp_path, "second.md", "# A house\n\nIt is warm.\n")
    chosen = _choose(page, page.locator(".st-key-files-1"), second)
    expect(page.get_by_text("All passages can be found by words and by meaning.")).to_be_visible()
    settle(page)
    chosen.continue_()
    expect(page.locator(".st-key-add-files button")).to_be_enabled()
    expect(page.get_by_test_id("stFileChipName")).to_contain_text("second.md")


def test_below_a_report_while_its_citations_are_checked_again(tab: Tab, tmp_path: Path) -> None:
    with serving(tmp_path / "root") as url:
        page = tab()
        page.goto(url)
        step = offered_sources(page, written(tmp_path, "cold.md", REPORT))
        chosen = _choose(page, step, written(tmp_path, "pumps.md", PUMPS))
        page.locator(".st-key-report-more").get_by_role("button").click()
        again = {"name": "Check all again"}
        page.get_by_role("option", **again).or_(page.get_by_role("menuitem", **again)).click()
        said = page.get_by_text("The citations are being checked again.")
        expect(said).to_be_visible()
        settle(page)
        for _ in range(20):  # the end of the check paints the page anew, or has done so already: then the key does
            if said.is_hidden():
                break
            page.keyboard.press("r")
            page.wait_for_timeout(500)
        settle(page)
        chosen.continue_()
        expect(step.locator(".st-key-add-files button")).to_be_enabled()
        expect(step.get_by_test_id("stFileChipName")).to_contain_text("pumps.md")
