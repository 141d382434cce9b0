"""A project with a few sources and a report about them, for tests of audits: real storage, reader and encoder, and a
judge that counts what it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.ports.engines import Engines
from core.ports.store import Entailer
from core.records import Finding, StoredReport
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.verifying import WordJudge

TREES = "Street trees cool the air. The city planted 400 limes on Mill Lane between 2015 and 2019. Oaks were not tried."
LANES = "Cycle lanes help shops. Takings in the high street rose by 4 per cent within a year of the lane being built."
RAIN = "Rain gardens hold water. The garden on Dock Street held 900 litres of rain in the storm of May 2021."
SOURCES = [
    ("https://trees.example/limes", TREES.encode(), "text/plain"),
    ("https://lanes.example/shops", LANES.encode(), "text/plain"),
    ("https://rain.example/gardens", RAIN.encode(), "text/plain"),
]
REPORT = """# Three measures

The city planted 400 limes on Mill Lane between 2015 and 2019 [1]. Takings in the high street rose by 4 per cent
within a year [2]. The garden on Dock Street held 900 litres of rain in May 2021 [1]. Sparrows came back to the
market square [3]. Nobody counted the swifts [9]. In 2021 the town had 3,100 bicycles.

## References

1. Limes of Mill Lane. https://trees.example/limes
2. Shops and lanes. https://www.lanes.example/shops/?utm_source=report
3. Sparrows of the square. https://sparrows.example/square
4. Never cited. https://never.example/
"""


def with_judge(engines: Engines, judge: Entailer) -> Engines:
    """The shared models with another judge."""
    return Engines(engines.encoder, engines.reranker, engines.extractor, engines.fetcher, lambda: judge)


@contextmanager
def judged_by(workbench: Workbench, engines: Engines, judge: WordJudge) -> Iterator[Workbench]:
    """The workbench with ``judge`` in it; its own engines come back in the end."""
    own, workbench.engines = workbench.engines, with_judge(engines, judge)
    yield workbench
    workbench.engines = own


def audited(workbench: Workbench, opened: OpenProject, text: str = REPORT) -> StoredReport:
    """Add a report and carry out everything that waits."""
    report, _ = opened.audits.add("report.md", text.encode(), "text/markdown")
    finish_jobs(workbench, opened)
    return opened.audits.report(report.id)


def brief(rows: list[Finding]) -> list[tuple[str, str, list[str]]]:
    """Marker, status and reasons of rows."""
    return [(row.marker_text, row.status.value if row.status else "", [*row.reasons]) for row in rows]
