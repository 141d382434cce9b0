"""Every page, in both themes and on a phone: nothing that axe-core finds, nothing wider than the screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.made import QUESTION
from tools.app_server import serving

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SMALLEST_PX = 12

ASKED = QUESTION.replace(" ", "+").replace("?", "%3F")
ADDRESSES = (
    "", "sources?project=trees", "sources?project=empty", "evidence?project=trees",
    "evidence?project=pumps&q=cold", "queries?project=trees", "queries?project=empty",
    f"queries?project=trees&q={ASKED}&transform=true&feedback=true&ran=yes",
    f"queries?project=trees&q={ASKED}&ran=yes&part=Which+steps+help", "ask?project=trees", "ask?project=empty",
    "ask?project=trees&answer=1", "citations?project=empty", "citations?project=trees",
    "citations?project=trees&report=1&finding=20", "citations?project=trees&report=1&finding=20&pane=Table",
    "citations?project=trees&report=1&outcome=fails", "claims?project=trees", "claims?project=trees&claim=3",
    "review?project=trees", "review?project=trees&reviewer=Ann", "review?project=trees&reviewer=Ann&section=Agreement",
    "review?project=trees&reviewer=Ann&section=Reliability",
    "review?project=trees&reviewer=Ann&section=People+and+settings", "review?project=empty&reviewer=Ann",
    "overview?project=trees&report=1", "overview?project=trees&report=1&finding=20", "overview?project=empty",
    "export?project=trees", "export?project=empty", "evaluation?project=trees", "evaluation?project=trees&part=Judge",
    "evaluation?project=trees&part=Answers", "usage?project=pumps", "settings", "settings?project=trees",
)  # fmt: skip


OF_STREAMLIT = {
    "exclude": ['[data-testid="stSidebarNav"]'],  # its list has headings between its items
    "off": ["presentation-role-conflict", "heading-order"],  # its field for files; its subheaders are h3 below h1
}
"""What axe-core finds in the markup of Streamlit itself, which no page can change."""


OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core whose outcome depends on the theme; all others look at the same markup in both."""


def faults(page: Page, only: list[str] | None = None) -> list[str]:
    """What axe-core finds with all rules or ``only`` some, a line each."""
    page.evaluate(f"() => {{ if (!window.axe) {{ {AXE} }} }}")
    found: dict[str, Any] = page.evaluate(
        """async ({exclude, off, only}) => await window.axe.run({exclude}, {
          resultTypes: ["violations"], rules: Object.fromEntries(off.map(rule => [rule, {enabled: false}])),
          ...(only && {runOnly: {type: "rule", values: only}, rules: {}})})""",
        {**OF_STREAMLIT, "only": only},
    )
    return [
        f"{one['id']} ({one['impact']}): {node['target']} {node['html'][:160]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def too_wide_or_small(page: Page) -> list[str]:
    """What a reader on a phone would have to push aside or could not read."""
    told: list[str] = page.evaluate(
        """smallest => {
          const main = document.querySelector('[data-testid="stMainBlockContainer"]'), told = [];
          if (main.scrollWidth > main.clientWidth || document.documentElement.scrollWidth > innerWidth)
            told.push(`wider than the screen: ${main.scrollWidth} > ${main.clientWidth}`);
          const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            const box = walk.currentNode.parentElement, style = getComputedStyle(box);
            if (walk.currentNode.data.trim() && box.checkVisibility({visibilityProperty: true}) &&
                !box.closest("sup, canvas, svg, style, script") && parseFloat(style.fontSize) < smallest)
              told.push(`${style.fontSize}: ${walk.currentNode.data.trim().slice(0, 60)}`);
          }
          return told;
        }""",
        SMALLEST_PX,
    )
    return told


def too_wide_or_small_on_a_phone(page: Page) -> list[str]:
    """The same, on the screen of a phone, when the page has taken its width."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    settle(page)
    for _ in range(50):
        if not too_wide_or_small(page):
            return []
        page.wait_for_timeout(200)
    return too_wide_or_small(page)


def wear(page: Page, theme: str) -> None:
    """Show the open page in this theme of the system; Streamlit follows it without a reload."""
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.wait_for_function(
        """dark => {
          const [red, green, blue] = getComputedStyle(document.querySelector(".stApp")).backgroundColor.match(/\\d+/g);
          return (+red + +green + +blue < 384) === dark;
        }""",
        arg=theme == "dark",
    )
    settle(page)


def test_every_page_passes_axe_in_both_themes_and_fits_a_phone(tab: Callable[..., Page], root: Path) -> None:
    told: list[str] = []
    themes = ["light", "dark"]
    with serving(root) as url:
        page = tab(color_scheme="light", reduced_motion="reduce")
        for address in ADDRESSES:
            page.set_viewport_size(DESK)  # type: ignore[arg-type]
            page.goto(f"{url}/{address}")
            expect(page.get_by_role("heading", level=1).first).to_be_visible()
            for theme, only in zip(themes, (None, OF_COLOURS), strict=True):
                wear(page, theme)
                told += [f"{theme} /{address} {line}" for line in faults(page, only)]
            themes.reverse()  # the next page is opened in the theme that this one ends with
            told += [f"phone /{address} {line}" for line in too_wide_or_small_on_a_phone(page)]
    assert not told, "\n".join(told)
