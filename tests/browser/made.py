"""Projects that the browser tests look at, made through the engine before the server starts."""

from __future__ import annotations

from pathlib import Path

from core import demo
from core.labels import JobKind
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.pages.audited_demo import keep_audited_report

QUESTION = "How much cooler is the air below street trees on a summer afternoon?"
PUMPS = """# Heat pumps in winter

Heat pumps move heat from cold outdoor air into a house. Field tests in Norway found that they still deliver three
units of heat for one unit of electricity at minus ten degrees.

## Noise

Modern outdoor units are about as loud as a quiet conversation, and most cities limit them at night.
"""

REPORT = """# Do heat pumps work in the cold?

Field tests in Norway found that heat pumps deliver three units of heat for one unit of electricity at minus ten
degrees [1]. Most cities limit outdoor units at night [1]. In Norway they even delivered seven units of heat for one
unit of electricity [1]. Every third new house in Estermark has one [2].

## References

[1] Heat pumps in winter. https://pumps.example/winter
[2] Estermark Housing Survey 2024. https://housing.example/survey
"""
"""One citation that holds in so many words, one with another number, one whose source nobody has."""


def make_root(root: Path) -> None:
    """A root with three projects.

    ``trees``: the demo report as audited, and a question with its answer (1). ``forest``: three such reports, so that
    more than fifty citations wait for a person. ``pumps``: a small report, really judged. ``empty``: nothing.
    """
    bench = open_workbench(root)
    _trees(bench)
    bench.duplicate("trees", "Forest")
    for _ in range(2):
        keep_audited_report(bench.open("forest"))
    _pumps(bench)
    bench.create("Empty")
    bench.close()


def _trees(bench: Workbench) -> None:
    opened = bench.open(bench.create("Trees").slug)
    opened.sources.add_snapshots([(source.url, source.body, source.media_type) for source in demo.sources()])
    _work(opened)
    keep_audited_report(opened)
    report = opened.audits.reports()[0]
    opened.claims.extract(report.id)
    opened.answers.ask(QUESTION, domain="general")
    _work(opened)


def _pumps(bench: Workbench) -> None:
    opened = bench.open(bench.create("Pumps").slug)
    opened.sources.add_snapshots([("https://pumps.example/winter", PUMPS.encode(), "text/markdown")])
    while run_next(opened.job_context(), "test", kinds=[JobKind.ADD]) is not None:
        pass
    opened.audits.add("cold.md", REPORT.encode(), "text/markdown")
    _work(opened)


def _work(opened: OpenProject) -> None:
    while run_next(opened.job_context(), "test") is not None:
        pass
