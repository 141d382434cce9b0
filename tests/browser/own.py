"""A report of our own about real news pages (``shared/data/html``), long enough to fill a screen, really audited."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from core.workbench.jobs import run_next
from core.workbench.wiring import open_workbench

DATA = Path(__file__).resolve().parents[2] / "../shared/data/html/pages"
PAGES = {
    "https://www.sciencealert.com/titan": "359fee22",
    "https://www.cnbc.com/emirates": "374ac9a5",
    "https://venturebeat.com/wework": "06e5123e",
    "https://www.macrumors.com/keyboard": "232a43fb",
}
"""Pages that are stored, by the address under which the report cites them, and the beginning of their file's name."""

_BACKGROUND = """The week was an odd one for anybody who follows more than one field. What happened to a moon of Saturn,
to an airline, to a landlord of offices and to a keyboard has little in common, except that each piece of news was
repeated many times before anybody read where it came from. The notes below keep to what can be looked up."""

REPORT = f"""# Notes on a week in November 2019: a moon, an airline, offices to let and a keyboard

{_BACKGROUND}

## Titan

Scientists unveiled the first global geological map of Saturn's moon Titan [1]. Dunes cover 17 percent of its surface
[1], and Titan is smaller than the planet Mercury. The map was based on data that the Cassini spacecraft collected from
2004 to 2017 [1]. Plains cover 75 percent of the surface [1].

{_BACKGROUND}

## Emirates

Emirates finalized a deal to purchase 30 of Boeing's 787-9 Dreamliner jets [2]. The order is valued at 18.8 billion
dollars at list prices [2]. The airline's president expects a smaller fleet by 2030 [5].

{_BACKGROUND}

## WeWork

WeWork shelved its plans for an initial public offering on September 30 after investors grew wary of its losses [3].
SoftBank refused to inject any money into WeWork [3]. Neumann resigned as chief executive [3].

{_BACKGROUND}

## A keyboard

Apple plans to release a new 13-inch MacBook Pro with a scissor switch keyboard in the first half of 2020, according to
industry sources [4]. The keyboards of that notebook will be made of recycled aluminium [4].

## References

[1] We finally have a global geological map of Saturn's moon Titan. https://www.sciencealert.com/titan
[2] Emirates inks order for 30 Boeing 787 jets. https://www.cnbc.com/emirates
[3] New York State Attorney General investigating WeWork. https://venturebeat.com/wework
[4] 13-inch MacBook Pro with scissor keyboard in 2020. https://www.macrumors.com/keyboard
[5] Fleet plans of the Gulf carriers. https://fleets.example/plans
"""


def make_own(root: Path) -> None:
    """A root with the project ``week``: the report, audited, with four of its five sources."""
    if not DATA.is_dir():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("the real pages are not here (shared/data/html)")
    bench = open_workbench(root)
    opened = bench.open(bench.create("Week").slug)
    files = {url: next(DATA.glob(f"{name}*.gz")) for url, name in PAGES.items()}
    opened.sources.add_snapshots(
        [(url, gzip.decompress(file.read_bytes()), "text/html") for url, file in files.items()]
    )
    while run_next(opened.job_context(), "test") is not None:
        pass
    opened.audits.add("week.md", REPORT.encode(), "text/markdown")
    while run_next(opened.job_context(), "test") is not None:
        pass
    bench.close()
