"""Reports as they should not be: each is audited or refused with a clear reason, never half taken in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import ReportError
from core.labels import Reason, Status
from core.ports.engines import Engines
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.auditing import audited, judged_by
from tests.helpers.verifying import WordJudge

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
REPORTS = sorted((DATA / "reports").glob("*.md"))


@pytest.fixture
def bench(workbench: Workbench, engines: Engines) -> Iterator[Workbench]:
    with judged_by(workbench, engines, WordJudge()) as made:
        yield made


@pytest.fixture
def project(bench: Workbench) -> OpenProject:
    return bench.open(bench.create("Odd").slug)


def test_a_report_without_citations_is_audited_and_has_no_rows(bench: Workbench, project: OpenProject) -> None:
    report = audited(bench, project, "# Trees\n\nThe city planted 400 limes in 2019. They grew.\n")
    assert project.audits.findings(report.id) == []
    summary = project.audits.summary(report.id)
    assert (summary.citations, summary.waiting, summary.precision, summary.recall) == (0, 0, None, 0.0)
    assert "0 citations" in project.audits.audit_page()


def test_two_thousand_citations_are_rows_in_order(bench: Workbench, project: OpenProject) -> None:
    body = " ".join(f"Street number {n} has {n} limes [{n % 40 + 1}]." for n in range(2000))
    entries = "\n".join(f"{n}. Work {n}. https://w{n}.example/" for n in range(1, 41))
    report = audited(bench, project, f"# Many\n\n{body}\n\n## References\n\n{entries}\n")
    rows = project.audits.findings(report.id)
    assert [row.ordinal for row in rows] == list(range(2000))
    assert {row.status for row in rows} == {Status.SOURCE_NOT_INDEXED}
    assert len(project.audits.heat(report.id)) >= 2000


@pytest.mark.parametrize(
    "text",
    [
        "# A [1\n\n**Bold [1] and ](https://x.example/ ![ [^1] text (Smith et al., 2020 [2]\n\n## List\n1. [x](\n",
        "```\n[1]\n" + "[" * 3000 + "1]" + "\n\n[^1]: \n[^1]: twice",
        "| a [1] | b\n|--|\n| [2] |\n\n> quote [3\n\n## References\n\n[1] One [2] Two [3] Three",
        "---\ntitle: [x\n---\n\nText [@a; @b, p. 3].",
        "\u202eText [1]\x07 with signs.\n\n## References\n\n1. \ud83d\ude00 https://\u4f8b\u3048.example/\n".encode(
            "utf-16", "surrogatepass"
        ).decode("utf-16"),
    ],
)
def test_broken_markdown_is_audited_as_far_as_it_can_be_read(bench: Workbench, project: OpenProject, text: str) -> None:
    report = audited(bench, project, text)
    for row in project.audits.findings(report.id):
        assert row.status is not None
        assert row.explanation
    project.audits.heat(report.id)


def test_a_number_defined_twice_is_ambiguous_and_a_reference_to_the_report_itself_is_named(
    bench: Workbench, project: OpenProject
) -> None:
    text = (
        "# Trees of the town\n\nLimes stand on Mill Lane [1]. Oaks do not stand there [2].\n\n## References\n\n"
        "1. Smith, A. (2020). Limes. https://a.example/\n1. Jones, B. (2021). Oaks. https://b.example/\n"
        "2. Trees of the town\n"
    )
    rows = project.audits.findings(audited(bench, project, text).id)
    assert [row.reasons for row in rows[:2]] == [(Reason.AMBIGUOUS_REFERENCE,), (Reason.SELF_REFERENCE,)]
    assert "Smith" in rows[0].explanation
    assert "Jones" in rows[0].explanation


def test_foreign_text_makes_no_markup_in_the_page_of_audits(bench: Workbench, project: OpenProject) -> None:
    text = (
        "# <script>alert(1)</script> | x\n\nLimes ![p](https://t.example/p.png) cool <img src=x> the | air [1].\n\n"
        "## References\n\n1. `a` <b>x</b> [l](javascript:alert(1))\n"
    )
    audited(bench, project, text)
    page = project.audits.audit_page()
    for markup in ("<script", "<img", "<b>", "![p](", "[l]("):
        assert markup not in page.replace("\\<", "").replace("\\[", "")
    rows = [line for line in page.splitlines() if line.startswith("| 1 |")]
    assert all(line.replace("\\|", "").count("|") == 9 for line in rows)


def test_a_scan_is_refused_with_its_reason(bench: Workbench, project: OpenProject) -> None:
    from core.demo import sources

    scan = next(one for one in sources() if one.filename.endswith("scan.pdf"))
    with pytest.raises(ReportError, match="text recognition"):
        project.audits.add(scan.filename, scan.body, scan.media_type)
    assert project.audits.reports() == []
    assert project.jobs.all() == []


@pytest.mark.parametrize("name", ["", "x" * 5000, "../../etc/passwd", "a\nb.md"])
def test_hostile_names_stay_names(bench: Workbench, project: OpenProject, name: str) -> None:
    report, _ = project.audits.add(name, b"# T\n\nLimes cool the air.\n")
    finish_jobs(bench, project)
    assert project.audits.report(report.id).title == "T"
    assert "\n" not in project.audits.report(report.id).name


@pytest.mark.slow
@pytest.mark.skipif(not REPORTS and not os.environ.get("CI"), reason="the shared reports are not here")
def test_every_real_report_is_audited(bench: Workbench, project: OpenProject) -> None:
    assert len(REPORTS) == 28
    for path in REPORTS:
        report, _ = project.audits.add(path.name, path.read_bytes())
        finish_jobs(bench, project)
        rows = project.audits.findings(report.id)
        assert rows, path.name
        assert all(row.status is not None and row.explanation for row in rows)
        text = project.audits.text(report.id)
        assert all(text[slice(*row.marker)] == row.marker_text for row in rows if row.marker)
        covered = [(one.start, one.end) for one in project.audits.heat(report.id)]
        assert covered == sorted(covered)
