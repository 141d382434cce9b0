"""Write the pictures of the documentation: ``python -m tools.screenshots [NAME …]`` (needs Chromium).

With names only the pictures of these pages are taken (``citation`` also gives ``verdict``).

Starts the real application over a temporary root, makes the demo project with its audited report and some decisions,
and photographs each page in both themes, the pages without anything to show in the light one, and the main ones at
the width of a phone, into ``docs/screenshots``. Pictures are reduced to a palette: the folder stays small.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from core import demo
from core.labels import DecisionKind, JobKind, Reason
from core.workbench.demo import ensure_demo
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from tools.app_server import CHROMIUM_FLAGS, HOME, chromium_path, serving

TARGET = HOME / "docs" / "screenshots"
SIZE = (1280, 900)
PHONE = (390, 844)
COLOURS = 96

Shot = tuple[str, str]
"""Name of the picture, path of the page."""


def main() -> None:
    """Make the demo project, start the server, take the pictures."""
    wanted = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        bench = open_workbench(root)
        project, _ = ensure_demo(bench)
        finding = _some_decisions(bench.open(project.slug))
        _an_answer(bench.open(project.slug))
        bench.create("Do heat pumps work in cold winters?")
        bench.close()
        with serving(root) as url, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
            for theme in ("light", "dark"):
                shots = [shot for shot in _filled(project.slug, finding) if not wanted or shot[0] in wanted]
                _take_all(chromium, url, project.slug, theme, shots)
            for name, path in () if wanted else _empty("do-heat-pumps-work-in-cold-winters"):
                _picture(chromium, f"{url}/{path}", f"{name}-empty-light", "light", SIZE)
            for name, path in () if wanted else _filled(project.slug, finding):
                if name in ("projects", "evidence", "queries", "ask", "citation", "review", "overview", "export"):
                    _picture(chromium, f"{url}/{path}", f"{name}-phone", "light", PHONE)
            chromium.close()


def _filled(slug: str, finding: int) -> list[Shot]:
    question = str(demo.questions()[0]["text"]).replace(" ", "+")
    reviewer = f"review?project={slug}&reviewer=Ann"
    return [
        ("projects", ""),
        ("sources", f"sources?project={slug}"),
        ("evidence", f"evidence?project={slug}&q={question}"),
        ("queries", f"queries?project={slug}&q={question}&transform=true&feedback=true&ran=yes"),
        ("ask", f"ask?project={slug}&answer=1"),
        ("citations", f"citations?project={slug}&report=1"),
        ("citation", f"citations?project={slug}&report=1&finding={finding}"),
        ("claims", f"claims?project={slug}"),
        ("review", reviewer),
        ("review-reliability", f"{reviewer}&section=Reliability"),
        ("review-people", f"{reviewer}&section=People+and+settings"),
        ("overview", f"overview?project={slug}&report=1"),
        ("overview-evidence", f"overview?project={slug}&report=1&finding={finding}"),
        ("export", f"export?project={slug}"),
        ("evaluation", f"evaluation?project={slug}"),
        ("usage", f"usage?project={slug}"),
        ("settings", "settings"),
    ]


def _empty(slug: str) -> list[Shot]:
    names = (
        *("sources", "evidence", "queries", "ask", "citations", "claims", "review", "overview"),
        *("export", "evaluation", "usage"),
    )
    return [(name, f"{name}?project={slug}" + ("&reviewer=Ann" if name == "review" else "")) for name in names]


def _some_decisions(opened: OpenProject) -> int:
    """Ann decides on a few; the id of a citation that does not hold."""
    reviews = opened.reviews
    report = opened.audits.reports()[0]
    opened.claims.extract(report.id)
    kinds = (DecisionKind.REJECT, DecisionKind.ACCEPT, DecisionKind.WRONG_SOURCE, DecisionKind.REJECT)
    for item, kind in zip(reviews.queue("Ann", report_id=report.id)[2:], kinds, strict=False):
        kind = kind if item.kind.value == "citation" else DecisionKind.ACCEPT
        reviews.decide(item.key, kind, by="Ann", version=item.version, seen=item.seen, note="Read.")
    rows = opened.audits.findings(report.id)
    return next((finding.id for finding in rows if Reason.NUMBER_MISMATCH in finding.reasons), rows[0].id)


def _an_answer(opened: OpenProject) -> None:
    """A question with its answer, which gets the id 1."""
    opened.answers.ask(str(demo.questions()[0]["text"]))
    run_next(opened.job_context(), "screenshots", kinds=[JobKind.ASK])


def _take_all(browser: Browser, url: str, slug: str, theme: str, shots: list[Shot]) -> None:
    """The pictures of one theme; some are reached from the page of another one."""
    more = {"evidence": (".st-key-result-1", _by_clicks), "citation": (".st-key-finding", _verdict)}
    for name, path in shots:
        shown, then = more.get(name, ("", None))
        page = _picture(browser, f"{url}/{path}", f"{name}-{theme}", theme, SIZE, shown=shown)
        if page is not None and then is not None:
            then(page, theme)
            page.context.close()


def _verdict(page: Page, theme: str) -> None:
    """One finding alone: the sentence, the words of its source, the outcome and why."""
    page.set_viewport_size({"width": SIZE[0], "height": 3 * SIZE[1]})  # else a part lies under the head of the page
    _settle(page)
    box = page.locator(".st-key-finding")
    picture = Image.open(io.BytesIO(box.screenshot())).convert("RGB")
    shown = picture.crop((0, 0, picture.width, min(picture.height, SIZE[1])))
    shown.quantize(COLOURS, dither=Image.Dither.NONE).save(TARGET / f"verdict-{theme}.png", optimize=True)


def _by_clicks(page: Page, theme: str) -> None:
    """From the answered question: how the steps ranked, a passage in its source, all about that source."""
    page.get_by_text("How the steps ranked").click()
    page.wait_for_selector('[data-testid="stVegaLiteChart"] canvas, [data-testid="stVegaLiteChart"] svg')
    page.locator(".st-key-waterfall").evaluate("one => one.scrollIntoView({block: 'start'})")
    page.mouse.wheel(0, -70)
    _settle(page)
    _save(page, f"waterfall-{theme}")
    page.get_by_role("button", name="Open at the passage").first.click()
    page.wait_for_selector('[class*="st-key-the-passage-"]')
    _settle(page)
    _save(page, f"passage-{theme}")
    page.get_by_role("button", name="All about this source").click()
    page.get_by_text("Original, as received").wait_for()
    _settle(page)
    _save(page, f"document-{theme}")


def _picture(
    browser: Browser, address: str, name: str, theme: str, size: tuple[int, int], *, shown: str = ""
) -> Page | None:
    """Open an address in a fresh tab that prefers this colour scheme, and photograph it. With ``shown``, a selector of
    what must be painted first, the tab stays open and is returned."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if theme == "dark" else "light"
    )
    page = context.new_page()
    page.goto(address)
    page.get_by_role("heading", level=1).first.wait_for()
    if shown:
        page.wait_for_selector(shown)
    _settle(page)
    _save(page, name)
    if shown:
        return page
    context.close()
    return None


def _settle(page: Page) -> None:
    """Until everything is painted and nothing moves."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.wait_for_timeout(1200)
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')


def _save(page: Page, name: str) -> None:
    """Write the picture."""
    TARGET.mkdir(parents=True, exist_ok=True)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(TARGET / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
