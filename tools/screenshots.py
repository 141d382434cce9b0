"""Write the pictures of the documentation: ``python -m tools.screenshots`` (needs Chromium).

Starts the real application over a temporary root, makes the demo project, and photographs each page in both
themes at 1440 × 900, and the evidence browser at the width of a phone.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from core import demo
from core.demo_project import ensure_demo
from core.wiring import open_workbench
from tools.app_server import CHROMIUM_FLAGS, HOME, chromium_path, serving

TARGET = HOME / "docs" / "screenshots"
SIZE = (1440, 900)
PHONE = (390, 844)
MOST_BYTES = 190_000
"""A larger picture is reduced to a palette."""


def main() -> None:
    """Make the demo project, start the server, take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        bench = open_workbench(root)
        project, _ = ensure_demo(bench)
        bench.create("Do heat pumps work in cold winters?")
        bench.close()
        with serving(root) as url, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
            for theme in ("light", "dark"):
                take_all(chromium, url, project.slug, theme)
            phone = tab(chromium, "light", PHONE)
            search(phone, url, project.slug)
            save(phone, "evidence-phone")
            chromium.close()


def take_all(browser: Browser, url: str, slug: str, theme: str) -> None:
    """The pictures of one theme."""
    page = tab(browser, theme, SIZE)
    page.goto(url)
    settle(page)
    save(page, f"projects-{theme}")
    page.goto(f"{url}/sources?project={slug}")
    settle(page)
    save(page, f"sources-{theme}")
    search(page, url, slug)
    save(page, f"evidence-{theme}")
    page.get_by_text("How the steps ranked").click()
    page.wait_for_selector('[data-testid="stVegaLiteChart"] canvas, [data-testid="stVegaLiteChart"] svg')
    settle(page)
    page.locator(".st-key-waterfall").evaluate("one => one.scrollIntoView({block: 'start'})")
    page.mouse.wheel(0, -70)
    settle(page)
    save(page, f"waterfall-{theme}")
    search(page, url, slug)
    page.get_by_role("button", name="Open at the passage").first.click()
    page.wait_for_selector('[class*="st-key-the-passage-"]')
    settle(page)
    save(page, f"passage-{theme}")
    page.get_by_role("button", name="All about this source").click()
    page.get_by_text("Original, as received").wait_for()
    settle(page)
    save(page, f"document-{theme}")


def tab(browser: Browser, theme: str, size: tuple[int, int]) -> Page:
    """A fresh tab that prefers this colour scheme."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if theme == "dark" else "light",
    )
    return context.new_page()


def search(page: Page, url: str, slug: str) -> None:
    """The first golden question of the demo project, answered."""
    page.goto(f"{url}/evidence?project={slug}")
    box = page.get_by_label("Question or words")
    box.fill(str(demo.questions()[0]["text"]))
    box.press("Enter")
    page.wait_for_selector(".st-key-result-1")
    settle(page)
    box.blur()


def settle(page: Page) -> None:
    """Until everything is painted and nothing moves."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.wait_for_timeout(1200)


def save(page: Page, name: str) -> None:
    """Write the picture."""
    TARGET.mkdir(parents=True, exist_ok=True)
    file = TARGET / f"{name}.png"
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.save(file, optimize=True)
    if file.stat().st_size > MOST_BYTES:
        picture.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
