"""A file that somebody has chosen stays chosen, whatever ends, begins or is said on the page meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PATIENCE_MS, new_project, offered_sources, settle, upload, written
from tests.browser.made import PUMPS, REPORT
from tools.app_server import serving

pytestmark = pytest.mark.browser
Tab = Callable[..., Page]


def _hold_uploads(page: Page) -> list[Route]:
    """The uploads that wait from now on, until they are let go: a slow network, at will."""
    held: list[Route] = []
    page.route(
        "**/upload_file/**", lambda route: held.append(route) if route.request.method == "PUT" else route.continue_()
    )
    return held


def _let_go(page: Page, held: list[Route]) -> None:
    """Let the one upload that waits go on."""
    for _ in range(PATIENCE_MS // 100):  # the request may still be under way to this process
        if held:
            break
        page.wait_for_timeout(100)
    (upload,) = held
    upload.continue_()


def test_on_the_page_of_sources_while_a_source_is_read_and_encoded(tab: Tab, server: str, tmp_path: Path) -> None:
    page = tab()
    new_project(page, server, "Two files, one after the other")
    upload(page, written(tmp_path, "first.md", PUMPS))
    expect(page.locator(".st-key-files-1")).to_have_count(1)
    expect(page.locator(".st-key-files-0")).to_have_count(0)
    held = _hold_uploads(page)
    page.locator('.st-key-files-1 input[type="file"]').set_input_files(
        written(tmp_path, "second.md", "# A house\n\nIt is warm.\n")
    )
    expect(page.get_by_text("All passages can be found by words and by meaning.")).to_be_visible()
    settle(page)
    _let_go(page, held)
    expect(page.locator(".st-key-add-files button")).to_be_enabled()
    expect(page.get_by_test_id("stFileChipName")).to_contain_text("second.md")


def test_below_a_report_while_its_citations_are_checked_again(tab: Tab, tmp_path: Path) -> None:
    with serving(tmp_path / "root") as url:
        page = tab()
        page.goto(url)
        step = offered_sources(page, written(tmp_path, "cold.md", REPORT))
        held = _hold_uploads(page)
        step.locator('input[type="file"]').set_input_files(written(tmp_path, "pumps.md", PUMPS))
        page.get_by_role("button", name="Check all again").click()
        said = page.get_by_text("The citations are being checked again.")
        expect(said).to_be_visible()
        settle(page)
        for _ in range(20):  # the end of the check paints the page anew, or has done so already: then the key does
            if said.is_hidden():
                break
            page.keyboard.press("r")
            page.wait_for_timeout(500)
        settle(page)
        _let_go(page, held)
        expect(step.locator(".st-key-add-files button")).to_be_enabled()
        expect(step.get_by_test_id("stFileChipName")).to_contain_text("pumps.md")
