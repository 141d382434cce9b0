"""The citation audit in a real browser: from the list of reports to the words that decide, into the source and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from core import demo
from core.jobs import run_next
from core.labels import JobKind
from core.wiring import open_workbench
from tests.browser.conftest import settle
from tests.pages.audited_demo import keep_audited_report
from tools.app_server import serving

pytestmark = pytest.mark.browser

Tab = Callable[..., Page]


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a project “Trees” whose report has been audited."""
    root = tmp_path_factory.mktemp("audited") / "root"
    bench = open_workbench(root)
    opened = bench.open(bench.create("Trees").slug)
    opened.add_snapshots([(source.url, source.body, source.media_type) for source in demo.sources()])
    while run_next(opened.job_context(), "test", kinds=[JobKind.ADD]) is not None:
        pass
    keep_audited_report(opened)
    bench.close()
    with serving(root) as url:
        yield url


def test_from_a_report_to_the_words_that_decide_into_the_source_and_back(tab: Tab, audited: str) -> None:
    page = tab()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(f"{audited}/citations?project=trees")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("heading", name="38 of 53 citations hold.")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_text("Review", exact=True).click()
    expect(page).to_have_url(re.compile("status=Review"))
    expect(page.get_by_text(re.compile(r"^1[01] rows of "))).to_be_visible()
    settle(page)
    table = page.get_by_test_id("stDataFrame").first
    table.click(position={"x": 150, "y": 70})  # the first row: a canvas has no elements to name
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
    expect(page).to_have_url(re.compile("status=Review"))
    settle(page)
    page.evaluate("window.sameVisit = true")
    page.locator(".st-key-heat a", has_text="wind speeds 38 per cent").click()
    expect(detail).to_contain_text("Number differs")
    expect(page.locator(".st-key-heat .current")).to_contain_text("wind speeds 38 per cent")
    assert page.evaluate("window.sameVisit === true")  # followed without a reload
    assert not [line for line in complaints if "Content Security Policy" in line]


def test_on_a_phone_the_audit_is_not_wider_than_the_screen(tab: Tab, audited: str) -> None:
    page = tab()
    page.set_viewport_size({"width": 390, "height": 844})
    for address in ("citations?project=trees", "citations?project=trees&report=1&finding=20", "claims?project=trees"):
        page.goto(f"{audited}/{address}")
        expect(page.get_by_role("heading").first).to_be_visible()
        settle(page)
        main = page.locator('[data-testid="stMainBlockContainer"]')
        assert main.evaluate("one => one.scrollWidth <= one.clientWidth"), address
