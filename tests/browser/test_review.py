"""Review in a real browser: by keyboard alone, by two people at once, and after the server was killed."""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.labels import DecisionKind
from core.records import Decision
from core.records.decision_chain import faults_of
from core.workbench.wiring import open_workbench
from tests.browser.conftest import ask, press, ready, settle, shown_item, upload, written
from tests.browser.made import PUMPS
from tools.app_server import free_port, serving, started

pytestmark = pytest.mark.browser

Tab = Callable[..., Page]


def log_of(root: Path, slug: str) -> list[Decision]:
    """The log of decisions as it is kept."""
    bench = open_workbench(root)
    log = bench.open(slug).reviews.log.entries()
    bench.close()
    assert faults_of(log) == []
    return log


def test_fifty_citations_are_reviewed_by_keyboard_alone_with_undo_and_redo(tab: Tab, root: Path) -> None:
    with serving(root) as url:
        page = tab()
        page.goto(f"{url}/review?project=forest")
        _say_the_name_by_keyboard(page, "Ann")
        seen = [shown_item(page)]
        for number in range(48):
            assert press(page, "axspaaxa"[number % 8]) == number + 1
            seen.append(shown_item(page))
        assert len(set(seen)) == 49
        for back in range(1, 11):
            assert press(page, "u") == 48 + back
            assert _same_item(shown_item(page), seen[48 - back])
        for again in range(1, 11):
            assert press(page, "y") == 58 + again
        for back in range(1, 11):
            assert press(page, "u") == 68 + back
        for number in range(1, 11):
            assert press(page, "ax"[number % 2]) == 78 + number
        _reword_by_keyboard(page, "What it says, put more carefully.")
        _note_and_reject_by_keyboard(page, "The table says otherwise.")
        expect(page.locator(".st-key-review-progress")).to_contain_text(re.compile("4[0-9] of 60"))
    log = log_of(root, "forest")
    kinds = Counter(one.kind for one in log)
    undone = {one.target for one in log if one.kind is DecisionKind.UNDO}
    standing = {
        one.item for one in log if one.kind not in (DecisionKind.UNDO, DecisionKind.REDO) and one.id not in undone
    }
    assert len(log) == 90
    assert len(standing) == 50
    assert kinds[DecisionKind.UNDO] == 20
    assert kinds[DecisionKind.REDO] == 10
    assert [one.rewording for one in log if one.rewording] == ["What it says, put more carefully."]
    assert log[-1].note == "The table says otherwise."
    assert {one.by for one in log} == {"Ann"}


def _same_item(one: str, other: str) -> bool:
    """Whether two states are of one item: all but version and newest decision."""
    return one.rsplit("-", 2)[0] == other.rsplit("-", 2)[0]


def _tab_to(page: Page, what: str) -> None:
    """Press Tab until the field is reached."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.getAttribute('aria-label')") == what:
            return
    raise AssertionError(f"{what!r} cannot be reached with Tab")


def _say_the_name_by_keyboard(page: Page, name: str) -> None:
    expect(page.get_by_label("Your name")).to_be_visible()
    settle(page)
    _tab_to(page, "Your name")
    page.keyboard.press("Control+A")
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    ready(page)


def _reword_by_keyboard(page: Page, words: str) -> None:
    page.keyboard.press("w")
    expect(page.get_by_role("dialog").get_by_label("Better")).to_be_visible()
    settle(page)
    _tab_to(page, "Better")
    page.keyboard.press("Control+A")
    page.keyboard.type(words)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".st-key-review-line")).to_contain_text("Reworded: ")
    settle(page)


def _note_and_reject_by_keyboard(page: Page, words: str) -> None:
    page.keyboard.press("n")
    expect(page.get_by_role("dialog").get_by_label("Note", exact=True)).to_be_visible()
    settle(page)
    _tab_to(page, "Note")
    page.keyboard.type(words)
    button = page.get_by_role("dialog").get_by_role("button", name="No", exact=True)
    for _ in range(40):
        page.keyboard.press("Tab")
        if button.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".st-key-review-line")).to_contain_text("Rejected: ")
    settle(page)


def test_links_and_undo_work_after_the_server_was_killed(tab: Tab, root: Path) -> None:
    port = free_port()
    page = tab()
    with started(root, port) as (url, process):
        page.goto(f"{url}/review?project=trees&reviewer=Ann")
        ready(page)
        first = shown_item(page)
        press(page, "x")
        press(page, "a")
        process.send_signal(signal.SIGKILL)
        process.wait()
    kept = log_of(root, "trees")
    assert [one.kind for one in kept] == [DecisionKind.REJECT, DecisionKind.ACCEPT]
    item = kept[0].item.replace(":", "%3A")
    with serving(root, port):
        fresh = tab()
        complaints: list[str] = []
        fresh.on("console", lambda message: complaints.append(message.text))
        for address, where, words in (
            ("citations?project=trees&report=1&finding=20", ".st-key-finding", "What the report says"),
            (f"review?project=trees&item={item}&reviewer=Ann", ".st-key-review-item", "Ann"),
            ("overview?project=trees&report=1&finding=20", ".st-key-overview-evidence", "What the report says"),
            ("overview?project=trees&report=1", ".st-key-overview-outcome", "hold"),
        ):
            fresh.goto(f"{url}/{address}")
            expect(fresh.locator(where)).to_contain_text(words)
            settle(fresh)
            assert fresh.url == f"{url}/{address}"
        fresh.goto(f"{url}/review?project=trees&reviewer=Ann")
        ready(fresh)
        press(fresh, "u")
        expect(fresh.locator(".st-key-review-line")).to_contain_text("Taken back")
        press(fresh, "u")
        assert _same_item(shown_item(fresh), first)
        _passage_link(fresh, tab(), url)
        assert not [line for line in complaints if "does not seem to exist" in line]
    assert [one.kind for one in log_of(root, "trees")[2:]] == [DecisionKind.UNDO, DecisionKind.UNDO]


def _passage_link(page: Page, other: Page, url: str) -> None:
    """What is opened in the evidence browser opens elsewhere by its link."""
    page.goto(f"{url}/evidence?project=pumps")
    ask(page, "noise at night")
    settle(page)
    page.get_by_role("button", name="Open at the passage").first.click()
    expect(page.locator('[class*="st-key-the-passage-"]')).to_contain_text("limit them at night")
    other.goto(page.url)
    expect(other.locator('[class*="st-key-the-passage-"]')).to_contain_text("limit them at night")
    expect(other.get_by_label("Question or words")).to_have_value("noise at night")


def test_two_visitors_of_one_project_are_told_what_the_other_did(tab: Tab, root: Path, tmp_path: Path) -> None:
    with serving(root) as url:
        one, other = tab(), tab()
        one.goto(f"{url}/review?project=pumps&reviewer=Ann")
        ready(one)
        link = one.url
        other.goto(link.replace("reviewer=Ann", "reviewer=Bob"))
        ready(other)
        assert shown_item(one) == shown_item(other)
        press(one, "a")
        expect(one.locator(".st-key-review-line")).to_contain_text("Accepted: ")
        press(other, "x")  # on what Bob saw before Ann decided
        expect(other.locator(".st-key-review-line")).to_contain_text("Nothing was written")
        expect(other.locator(".st-key-review-line")).to_contain_text("Ann")
        expect(other.locator(".st-key-review-item")).to_contain_text("Ann accepted it")
        assert [(kept.by, kept.kind) for kept in log_of(root, "pumps")] == [("Ann", DecisionKind.ACCEPT)]
        _what_one_adds_the_other_finds(one, other, url, tmp_path)
        _what_one_deletes_the_other_is_told(one, other, url)


def _what_one_adds_the_other_finds(one: Page, other: Page, url: str, folder: Path) -> None:
    other.goto(f"{url}/sources?project=empty")
    expect(other.get_by_text("No source is stored yet")).to_be_visible()
    one.goto(f"{url}/sources?project=empty")
    settle(one)
    upload(one, written(folder, "pumps.md", PUMPS))
    expect(one.get_by_text("1 source stored").first).to_be_visible()
    expect(other.get_by_role("heading", name="1 source, ")).to_be_visible()  # without a reload
    other.goto(f"{url}/evidence?project=empty&q=Norway")
    expect(other.locator(".st-key-result-1")).to_contain_text("Field tests in Norway")


def _what_one_deletes_the_other_is_told(one: Page, other: Page, url: str) -> None:
    one.goto(url)
    card = one.locator(".st-key-project-empty")
    card.get_by_role("button", name="More").click()
    one.get_by_role("option", name="Delete").or_(one.get_by_role("menuitem", name="Delete")).click()
    one.get_by_label("Type the name to confirm").fill("Empty")
    one.get_by_role("button", name="Delete for good").click()
    expect(card).to_have_count(0)
    ask(other, "Which trees?")
    expect(other.get_by_text("This project was deleted")).to_be_visible()
    expect(other.get_by_text("Something unexpected")).to_have_count(0)
    other.get_by_test_id("stMain").get_by_role("link", name="Projects").click()
    expect(other.get_by_role("heading", name="Projects")).to_be_visible()
