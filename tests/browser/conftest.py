"""A real server, a real Chromium. Without Chromium the tests are skipped, on CI they fail."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect, sync_playwright

from tests.browser.made import make_root
from tools.app_server import CHROMIUM_FLAGS, chromium_path, serving

PATIENCE_MS = 180_000
"""How long a browser test waits for anything. Long, because CI begins all its stages at once."""


# Per module, not per run: an open Playwright counts as a running event loop for every test after it.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests; each test opens its own tabs."""
    path = chromium_path()
    if path is None:
        message = "Chromium is not installed (looked for chromium, chromium-browser, google-chrome on the path)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one server that the tests share, each with a project of its own; its root is empty at first."""
    with serving(tmp_path_factory.mktemp("served") / "root") as url:
        yield url


@pytest.fixture(scope="session")
def made_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The projects of ``tests.browser.made``, to be copied."""
    root = tmp_path_factory.mktemp("made") / "root"
    make_root(root)
    return root


@pytest.fixture
def root(made_root: Path, tmp_path: Path) -> Path:
    """Those projects for one test alone."""
    return shutil.copytree(made_root, tmp_path / "root")


@pytest.fixture
def tab(browser: Browser) -> Iterator[Callable[..., Page]]:
    """``tab()``: a fresh visitor. Every request of every tab is kept in ``page.requests``."""
    contexts = []

    def opened(**options: object) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        requests: list[str] = []

        def keep(request: Request) -> None:
            requests.append(request.url)

        page.on("request", keep)
        page.requests = requests  # type: ignore[attr-defined]
        return page

    yield opened
    for context in contexts:
        context.close()


def settle(page: Page) -> None:
    """Until Streamlit has painted everything."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')


def new_project(page: Page, server: str, name: str) -> str:
    """Make a project by hand; its slug."""
    page.goto(server)
    page.get_by_role("textbox", name="New project").fill(name)
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="Sources", exact=True)).to_be_visible()
    expect(page.get_by_text("Add its first sources")).to_be_visible()
    return page.url.split("project=")[1].split("&")[0]


def upload(page: Page, *files: Path) -> None:
    """Add files on the open Sources page."""
    page.locator('input[type="file"]').set_input_files([str(file) for file in files])
    expect(page.get_by_text(files[0].name[:6]).first).to_be_visible()
    page.locator(".st-key-add-files button").click()


def offered_sources(page: Page, report: Path) -> Locator:
    """Give a report on the open first page, and open the form for its sources; the box of the next step."""
    page.locator('input[type="file"]').first.set_input_files(report)
    expect(page.get_by_text(report.name)).to_be_visible()
    page.get_by_role("button", name="Check its citations").click()
    step = page.locator(".st-key-next-step")
    expect(step).to_contain_text("must be here")
    settle(page)
    step.get_by_text("Add the sources you have").click()
    return step


def written(folder: Path, name: str, text: str) -> Path:
    """A file with this text."""
    file = folder / name
    file.write_text(text, "utf-8")
    return file


def ask(page: Page, question: str) -> None:
    """Type a question on the open Evidence page."""
    box = page.get_by_label("Question or words")
    box.fill(question)
    box.press("Enter")


def shown_item(page: Page) -> str:
    """Which item review shows, in which state: from the key of a button, which names both."""
    found = re.search(r"st-key-decide-accept-(\S+)", _button_class(page))
    return found.group(1) if found else ""


def _button_class(page: Page) -> str:
    return page.locator('[class*="st-key-decide-accept-"]').first.get_attribute("class") or ""


def ready(page: Page) -> None:
    """Until review shows something to decide on, which it does when it listens to keys. (Its empty frame is there a
    little earlier.)"""
    expect(page.locator("html[data-keys-heard] .st-key-review-item")).to_be_visible()


def press(page: Page, key: str) -> int:
    """One key in review, until what came of it is said above the buttons, as a person waits before the next key. Where
    the page asks where a source was checked that is not here, that is answered. Returns the number of the entry in the
    log, 0 when nothing was kept."""
    line = page.locator(".st-key-review-line")
    before = line.inner_text()
    page.keyboard.press(key)
    page.wait_for_function(
        """before => {
          const line = document.querySelector(".st-key-review-line")?.innerText ?? before;
          return document.querySelector('[role="dialog"] textarea') || (line !== before && !line.startsWith("One key"));
        }""",
        arg=before,
    )
    if (elsewhere := page.get_by_label("Checked elsewhere")).count():
        settle(page)
        elsewhere.fill("in print")
        elsewhere.press("Control+Enter")
        expect(line).to_contain_text("Accepted: ")
    expect(line).not_to_have_text(before)
    settle(page)
    number = re.match(r"([\d,]+)\. ", line.inner_text())
    return int(number.group(1).replace(",", "")) if number else 0
