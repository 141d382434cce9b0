"""The demonstration report against its key: planted faults found, clean citations left alone; and its time.

``faults_found``: share of planted faults whose row has the status of the key and, where the key names a reason, that
reason (or one that it accepts) first. ``fault_<reason>``: the same for one kind. ``status_right``: share of planted
faults with the right status, whatever the reason. ``clean_passed``: share of clean citations that ``PASS``;
``clean_not_worse_than_review``: that ``PASS`` or go to ``REVIEW``. ``rows_found``: share of the key's rows for which
the audit has a row at all. Time: :func:`timed` audits one page of the same report (its first and last section, seven
references) in a project that holds the sources and no verdict yet, models loaded, and audits it again.
"""

from __future__ import annotations

import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.audit_bench import bench, judged_pairs, work
from benchmarks.report import Row
from benchmarks.rows import row
from core import demo
from core.labels import Reason, Status
from core.ports.engines import Engines
from core.records import Finding
from core.workbench.demo import ensure_demo
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench

_PAGE = ("In short", "What the city plans, and what to ask")
_REPEATS = 3


def run(shared: dict[str, Any], *, quick: bool = False) -> list[Row]:
    """Make the demo project, audit its report and the page of seven references."""
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder)) as workbench:
        project, _ = ensure_demo(workbench)
        opened = workbench.open(project.slug)
        findings = _findings(opened, "demo.md", demo.report())
        rows = score(findings, demo.key(), shared)
        return rows if quick else rows + timed(_sources_only(workbench), workbench.engines, shared)


def run_page(shared: dict[str, Any]) -> list[Row]:
    """The page of seven references alone: first audit and repeat."""
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder)) as workbench:
        return timed(_sources_only(workbench), workbench.engines, shared)


def _sources_only(workbench: Workbench) -> OpenProject:
    """A project with the demo's sources, where nothing has been judged."""
    opened = workbench.open(workbench.create("Time").slug)
    opened.sources.add_snapshots([(source.url, source.body, source.media_type) for source in demo.sources()])
    work(opened)
    return opened


def _findings(opened: OpenProject, name: str, text: str) -> list[Finding]:
    stored = [report for report in opened.audits.reports() if opened.audits.text(report.id) == text]
    if stored:
        work(opened)
        return opened.audits.findings(stored[0].id)
    report, _ = opened.audits.add(name, text.encode(), "text/markdown")
    work(opened)
    return opened.audits.findings(report.id)


# ---------------------------------------------------------------- against the key


def score(findings: Sequence[Finding], key: dict[str, Any], shared: dict[str, Any]) -> list[Row]:
    """Compare rows with the key; what differs goes to standard error."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for expected in key["citations"]:
        matched = match(expected, findings)
        hits["rows_found"].append(matched is not None)
        status = matched.status if matched else None
        if not expected["planted"]:
            hits["clean_passed"].append(status is Status.PASS)
            hits["clean_not_worse_than_review"].append(status in (Status.PASS, Status.REVIEW))
            right = status is Status.PASS
        else:
            right = _right(expected, matched)
            hits["faults_found"].append(right)
            hits["status_right"].append(status == expected["status"])
            hits[f"fault_{expected['reason'] or 'not_fetched'}"].append(right)
        if not right:
            print(_difference(expected, matched), file=sys.stderr)
    unused = {reference["label"] for reference in key["unused_references"]}
    reported = {finding.reference_label for finding in findings if Reason.UNUSED_REFERENCE in finding.reasons}
    hits["unused_references_found"] = [label in reported for label in unused]
    return [
        row("audit", "demo", "", "audit", metric, sum(values) / len(values), n=len(values), **shared)
        for metric, values in hits.items()
    ]


def match(expected: dict[str, Any], findings: Sequence[Finding]) -> Finding | None:
    """The row of the marker and reference that the key names: same marker, then same entry, address or order."""
    start, end = expected["marker"]["start"], expected["marker"]["end"]
    there = [
        finding for finding in findings if finding.marker and finding.marker[0] < end and start < finding.marker[1]
    ]
    entry = expected["reference"]
    if entry and len(there) > 1:
        same = [finding for finding in there if finding.reference and finding.reference[0] == entry["start"]]
        there = same or [finding for finding in there if finding.reference_label == entry["label"]] or there
    return there[0] if there else None


def _right(expected: dict[str, Any], finding: Finding | None) -> bool:
    if finding is None or finding.status != expected["status"]:
        return False
    if expected["reason"] is None:
        return True
    return bool(finding.reasons) and finding.reasons[0] in (expected["reason"], *expected["accept"])


def _difference(expected: dict[str, Any], finding: Finding | None) -> str:
    wanted = " ".join(filter(None, (expected["status"], expected["reason"])))
    if finding is None:
        return f"demo {expected['id']}: {wanted} expected, no row"
    got = " ".join([str(finding.status), *finding.reasons])
    verdict = finding.verdict
    figures = f" (supports {verdict.supports:.2f}, contradicts {verdict.contradicts:.2f})" if verdict else ""
    return f"demo {expected['id']}: {wanted} expected, {got}{figures}: {finding.claim_text[:90]!r}"


# ---------------------------------------------------------------- time


def page() -> str:
    """One page of the demo report: title, first and last section, and the references that these cite."""
    text = demo.report()
    head = re.search(r"^# .+$", text, re.MULTILINE)
    sections = [re.search(rf"^## {re.escape(name)}\n.*?(?=^## )", text, re.MULTILINE | re.DOTALL) for name in _PAGE]
    assert head is not None
    body = "\n\n".join([head[0], *(section[0].strip() for section in sections if section)])
    cited = {
        number
        for group in re.findall(r"\[([\d,\s–-]+)\]", body)
        for first, last in re.findall(r"(\d+)(?:\s*[–-]\s*(\d+))?", group)
        for number in range(int(first), int(last or first) + 1)
    }
    listed = re.findall(r"^(\d+)\. .+$", text, re.MULTILINE)
    entries = [re.search(rf"^{number}\. .+$", text, re.MULTILINE) for number in listed if int(number) in cited]
    return "\n".join([body, "", "## References", "", *(entry[0] for entry in entries if entry), ""])


def timed(opened: OpenProject, engines: Engines, shared: dict[str, Any]) -> list[Row]:
    """First audit of the page, then the same again: seconds, their ratio, and the pairs judged by each."""
    engines.entailer().judge([("The models are read at their first text.", "So they get one.")])
    engines.encoder().encode_queries(["The models are read at their first text."])
    before, started = judged_pairs(engines), time.perf_counter()
    report, _ = opened.audits.add("page.md", page().encode(), "text/markdown")
    work(opened)
    first, middle = time.perf_counter() - started, judged_pairs(engines)
    again = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        opened.audits.audit(report.id)
        work(opened)
        again.append(time.perf_counter() - started)
    repeat = statistics.median(again)
    values = {
        "page_references": len({finding.reference_label for finding in opened.audits.findings(report.id)}),
        "first_s": first,
        "repeat_s": repeat,
        "repeat_of_first": repeat / first,
        "first_pairs_judged": middle - before,
        "repeat_pairs_judged": judged_pairs(engines) - middle,
    }
    return [row("audit", "demo page", "", "audit", name, value, n=1, **shared) for name, value in values.items()]
