"""What only a browser can show: the whole way, reloads, and that nothing leaves this machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ask, new_project, settle, upload, written
from tests.browser.made import PUMPS

pytestmark = pytest.mark.browser

Tab = Callable[..., Page]


def test_from_the_first_page_to_the_passage_that_answers_and_hostile_content_stays_text(
    tab: Tab, server: str, tmp_path: Path
) -> None:
    _from_the_first_page_to_the_passage(tab, server, tmp_path)
    _hostile_content_makes_no_request_and_runs_no_script(tab, server, tmp_path)


def _from_the_first_page_to_the_passage(tab: Tab, server: str, tmp_path: Path) -> None:
    page = tab()
    new_project(page, server, "Do heat pumps work?")
    _name_is_not_hidden_behind_the_bar_above(page)
    upload(page, written(tmp_path, "pumps.md", PUMPS))
    expect(page.get_by_text("1 source stored")).to_be_visible()
    expect(page.get_by_text("All passages can be found by words and by meaning.")).to_be_visible()
    page.get_by_role("button", name="Search them").click()
    ask(page, "How efficient are heat pumps when it freezes?")
    first = page.locator(".st-key-result-1")
    expect(first.get_by_role("heading")).to_have_text("1. Heat pumps in winter")
    expect(first).to_contain_text("three units of heat for one unit of electricity")
    expect(first.locator("mark").first).to_be_visible()
    page.locator(".st-key-hit-1").get_by_text("Why this passage").click()
    expect(page.get_by_text("Which word of the passage came closest").first).to_be_visible()
    settle(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Which word of the passage came closest")).to_have_count(0)
    page.locator(".st-key-hit-1").get_by_role("button", name="Open at the passage").click()
    shown = page.locator('[class*="st-key-the-passage-"]')
    expect(shown).to_contain_text("Field tests in Norway")
    expect(shown).to_be_in_viewport()
    assert "passage=" in page.url
    page.keyboard.press("Escape")
    expect(first).to_be_visible()
    expect(page).to_have_url(re.compile(r"^(?!.*passage=)"))


def _name_is_not_hidden_behind_the_bar_above(page: Page) -> None:
    settle(page)
    bar = page.locator('[data-testid="stHeader"]').bounding_box()
    name = page.locator(".st-key-page-heading .stText").bounding_box()
    assert bar
    assert name
    assert bar["y"] + bar["height"] <= name["y"]


def test_work_goes_on_over_a_reload_and_can_be_stopped(tab: Tab, server: str, tmp_path: Path) -> None:
    page = tab()
    slug = new_project(page, server, "Long work")
    sentences = "\n\n".join(f"Paragraph {number} says that house {number} was warm. " * 6 for number in range(6000))
    upload(page, written(tmp_path, "long.txt", sentences))
    expect(page.get_by_text("Preparing search by meaning").first).to_be_visible(timeout=300_000)  # reading comes first
    page.reload()
    expect(page.get_by_text("Preparing search by meaning").first).to_be_visible()
    page.goto(f"{server}/evidence?project={slug}&q=house+77")
    expect(page.locator(".st-key-result-1")).to_contain_text("house 77")
    page.goto(f"{server}/sources?project={slug}")
    page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile("Preparing search by meaning.* cancelled"))).to_be_visible()


def _hostile_content_makes_no_request_and_runs_no_script(tab: Tab, server: str, tmp_path: Path) -> None:
    page = tab()
    ran: list[str] = []
    page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    bait = "http://evil.example/x.png"
    slug = new_project(page, server, f"<img src={bait} onerror=alert(1)> ![a]({bait})")
    text = (
        f"# ![title]({bait}) <img src={bait} onerror=alert(2)>\n\nThe parrot said <script>alert(3)</script> and "
        f"![pixel]({bait}) and <svg/onload=alert(4)> </mark></p><img src={bait}> [link]({bait}) :material/delete:\n"
    )
    page_file = (
        f"<html><head><title>&lt;img src={bait}&gt; ![b]({bait})</title></head><body><article><h1>Two parrots</h1>"
        f"<p>A second parrot wrote &lt;img src={bait} onerror=alert(5)&gt; into a page. {'It wrote many words. ' * 30}"
        f"</p><img src='{bait}'><script>alert(6)</script></article></body></html>"
    )
    name = "![c](http:,,evil.example,y.png).md"
    upload(page, written(tmp_path, name, text), written(tmp_path, "page.html", page_file))
    expect(page.get_by_text("2 sources stored").first).to_be_visible()
    page.goto(f"{server}/evidence?project={slug}&q=parrot")
    expect(page.locator(".st-key-result-1")).to_contain_text("parrot")
    page.get_by_text("How the steps ranked").click()
    page.locator(".st-key-hit-1").get_by_text("Why this passage").click()
    expect(page.get_by_text("Which word of the passage came closest").first).to_be_visible()
    settle(page)  # a click while the page is still being painted can be lost, for a test as for a person
    page.keyboard.press("Escape")
    expect(page.get_by_text("Which word of the passage came closest")).to_have_count(0)
    page.get_by_role("button", name="Open at the passage").first.click()
    page.get_by_role("button", name="All about this source").click()
    expect(page.get_by_text("Original, as received")).to_be_visible()
    page.goto(server)
    expect(page.get_by_role("button", name="Open").first).to_be_visible()
    settle(page)
    assert not ran
    hosts = {urlsplit(url).hostname for url in page.requests if not url.startswith(("data:", "blob:"))}  # type: ignore[attr-defined]
    assert hosts == {"127.0.0.1"}
