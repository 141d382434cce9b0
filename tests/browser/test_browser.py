"""What only a browser can show: the whole way, links, two visitors, reloads, and that nothing leaves this machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ask, new_project, settle, upload
from tools.app_server import free_port, serving

pytestmark = pytest.mark.browser

Tab = Callable[..., Page]

PUMPS = """# Heat pumps in winter

Heat pumps move heat from cold outdoor air into a house. Field tests in Norway found that they still deliver three
units of heat for one unit of electricity at minus ten degrees.

## Noise

Modern outdoor units are about as loud as a quiet conversation, and most cities limit them at night.
"""


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, "utf-8")
    return file


def test_from_the_first_page_to_the_passage_that_answers(tab: Tab, server: str, tmp_path: Path) -> None:
    page = tab()
    new_project(page, server, "Do heat pumps work?")
    upload(page, written(tmp_path, "pumps.md", PUMPS))
    expect(page.get_by_text("1 source stored")).to_be_visible()
    expect(page.get_by_text("All passages can be found by words and by meaning.")).to_be_visible()
    page.get_by_role("button", name="Search them").click()
    ask(page, "How efficient are heat pumps when it freezes?")
    first = page.locator(".st-key-result-1")
    expect(first.get_by_role("heading")).to_have_text("1. Heat pumps in winter")
    expect(first).to_contain_text("three units of heat for one unit of electricity")
    expect(first.locator("mark").first).to_be_visible()
    first.get_by_text("Why this passage").click()
    expect(first.get_by_text("Which word of the passage came closest")).to_be_visible()
    settle(page)
    first.get_by_role("button", name="Open at the passage").click()
    shown = page.locator('[class*="st-key-the-passage-"]')
    expect(shown).to_contain_text("Field tests in Norway")
    expect(shown).to_be_in_viewport()
    assert "passage=" in page.url
    page.keyboard.press("Escape")
    expect(first).to_be_visible()
    expect(page).to_have_url(re.compile(r"^(?!.*passage=)"))


def test_a_deep_link_works_after_the_server_was_started_anew(tab: Tab, tmp_path: Path) -> None:
    root, port = tmp_path / "root", free_port()
    page = tab()
    with serving(root, port) as url:
        new_project(page, url, "Kept")
        upload(page, written(tmp_path, "pumps.md", PUMPS))
        expect(page.get_by_text("1 source stored")).to_be_visible()
        page.get_by_role("button", name="Search them").click()
        ask(page, "noise at night")
        settle(page)
        page.get_by_role("button", name="Open at the passage").first.click()
        expect(page.locator('[class*="st-key-the-passage-"]')).to_contain_text("limit them at night")
        link = page.url
    with serving(root, port):
        fresh = tab()
        complaints: list[str] = []
        fresh.on("console", lambda message: complaints.append(message.text))
        fresh.goto(link)
        expect(fresh.locator('[class*="st-key-the-passage-"]')).to_contain_text("limit them at night")
        expect(fresh.get_by_label("Question or words")).to_have_value("noise at night")
        assert fresh.url == link
        assert not [line for line in complaints if "does not seem to exist" in line]


def test_what_one_visitor_adds_another_one_finds(tab: Tab, server: str, tmp_path: Path) -> None:
    one, other = tab(), tab()
    slug = new_project(one, server, "Shared")
    other.goto(f"{server}/sources?project={slug}")
    expect(other.get_by_text("No source is stored yet")).to_be_visible()
    upload(one, written(tmp_path, "pumps.md", PUMPS))
    expect(one.get_by_text("1 source stored")).to_be_visible()
    expect(other.get_by_role("heading", name="1 source, ")).to_be_visible()  # without a reload
    other.goto(f"{server}/evidence?project={slug}&q=Norway")
    expect(other.locator(".st-key-result-1")).to_contain_text("Field tests in Norway")


def test_a_project_deleted_in_another_browser_is_said_on_every_page_of_it(
    tab: Tab, server: str, tmp_path: Path
) -> None:
    one, asking, watching = tab(), tab(), tab()
    slug = new_project(one, server, "Short lived")
    upload(one, written(tmp_path, "pumps.md", PUMPS))
    expect(one.get_by_text("1 source stored")).to_be_visible()
    asking.goto(f"{server}/evidence?project={slug}&q=Norway")
    expect(asking.locator(".st-key-result-1")).to_be_visible()
    watching.goto(f"{server}/sources?project={slug}")
    expect(watching.get_by_role("heading", name="1 source, ")).to_be_visible()
    one.goto(server)
    card = one.locator(f".st-key-project-{slug}")
    card.get_by_role("button", name="More").click()
    one.get_by_role("option", name="Delete").or_(one.get_by_role("menuitem", name="Delete")).click()
    one.get_by_label("Type the name to confirm").fill("Short lived")
    one.get_by_role("button", name="Delete for good").click()
    expect(card).to_have_count(0)
    expect(watching.get_by_text("This project was deleted")).to_be_visible()  # without a reload
    expect(watching.get_by_test_id("stDataFrame")).to_have_count(0)
    ask(asking, "Which trees?")
    expect(asking.get_by_text("This project was deleted")).to_be_visible()
    expect(asking.get_by_text("Something unexpected")).to_have_count(0)
    asking.get_by_test_id("stMain").get_by_role("link", name="Projects").click()
    expect(asking.get_by_role("heading", name="Projects")).to_be_visible()


def test_the_name_of_the_project_is_not_hidden_behind_the_bar_above(tab: Tab, server: str) -> None:
    page = tab()
    new_project(page, server, "In plain sight")
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
    expect(page.get_by_text("Preparing search by meaning").first).to_be_visible()
    page.reload()
    expect(page.get_by_text("Preparing search by meaning").first).to_be_visible()
    page.goto(f"{server}/evidence?project={slug}&q=house+77")
    expect(page.locator(".st-key-result-1")).to_contain_text("house 77")
    page.goto(f"{server}/sources?project={slug}")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile("Preparing search by meaning.* cancelled"))).to_be_visible()


def test_hostile_content_makes_no_request_and_runs_no_script(tab: Tab, server: str, tmp_path: Path) -> None:
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
    expect(page.get_by_text("2 sources stored")).to_be_visible()
    page.goto(f"{server}/evidence?project={slug}&q=parrot")
    expect(page.locator(".st-key-result-1")).to_contain_text("parrot")
    page.get_by_text("How the steps ranked").click()
    page.locator(".st-key-result-1").get_by_text("Why this passage").click()
    expect(page.get_by_text("Which word of the passage came closest").first).to_be_visible()
    settle(page)  # a click while the page is still being painted can be lost, for a test as for a person
    page.get_by_role("button", name="Open at the passage").first.click()
    page.get_by_role("button", name="All about this source").click()
    expect(page.get_by_text("Original, as received")).to_be_visible()
    page.goto(server)
    expect(page.get_by_role("button", name="Open").first).to_be_visible()
    settle(page)
    assert not ran
    hosts = {urlsplit(url).hostname for url in page.requests if not url.startswith(("data:", "blob:"))}  # type: ignore[attr-defined]
    assert hosts == {"127.0.0.1"}


def test_on_a_phone_nothing_is_wider_than_the_screen(tab: Tab, server: str, tmp_path: Path) -> None:
    page = tab()
    slug = new_project(page, server, "Pocket " + "x" * 90)
    upload(page, written(tmp_path, "pumps.md", PUMPS + "\n\nnoise " + "y" * 400))
    expect(page.get_by_text("1 source stored")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    for address in (f"sources?project={slug}", f"evidence?project={slug}&q=noise", ""):
        page.goto(f"{server}/{address}")
        expect(page.get_by_role("heading").first).to_be_visible()
        settle(page)
        main = page.locator('[data-testid="stMainBlockContainer"]')
        assert main.evaluate("one => one.scrollWidth <= one.clientWidth"), address
