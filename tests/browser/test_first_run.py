"""Someone who knows nothing but the address and “check this report”, until the first citation is decided on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import offered_sources, ready, settle, written
from tests.browser.made import PUMPS, REPORT
from tools.app_server import serving

pytestmark = pytest.mark.browser


def test_from_an_empty_start_to_the_first_reviewed_citation(tab: Callable[..., Page], tmp_path: Path) -> None:
    report, source = written(tmp_path, "cold.md", REPORT), written(tmp_path, "pumps.md", PUMPS)
    with serving(tmp_path / "root") as url:
        page = tab()
        page.goto(url)
        # 1. The first page offers it opened.
        expect(page.get_by_text("Check a report").first).to_be_visible()
        # 2. What comes next is said, with its button.
        step = offered_sources(page, report)
        step.locator('input[type="file"]').set_input_files(str(source))
        expect(step.get_by_text("pumps.md")).to_be_visible()
        settle(page)
        step.locator(".st-key-add-files button").click()
        # 3. The source is read, its citations are checked, what needs a person is said.
        expect(step.get_by_text("for your decision")).to_be_visible(timeout=180_000)
        step.get_by_role("button", name="Review what needs you").click()
        # 4. A name, then one key.
        page.get_by_label("Your name").fill("Ann")
        page.get_by_role("button", name="Start reviewing").click()
        ready(page)
        page.keyboard.press("x")
        expect(page.locator(".st-key-review-line")).to_contain_text("Rejected: ")
        expect(page.get_by_text("1 of ").first).to_be_visible()
