"""An audit pack: it holds everything it rests on, is judged alike elsewhere, and comes back as a project."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import ExportError
from core.export.formats import ExportFormat
from core.labels import DecisionKind, JobKind, JobState, Reason
from core.pack.check import import_checked
from core.ports.engines import Engines
from core.records import Finding, StoredReport
from core.records.decision_chain import faults_of
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.auditing import audited
from tests.helpers.packs import bench, checked, exported, fill


@pytest.fixture(scope="module")
def made(
    tmp_path_factory: pytest.TempPathFactory, engines: Engines
) -> Iterator[tuple[Workbench, OpenProject, StoredReport, Path]]:
    folder = tmp_path_factory.mktemp("pack")
    with bench(folder / "root", engines) as workbench:
        opened, report = fill(workbench)
        yield workbench, opened, report, exported(opened, report, ExportFormat.PACK, folder / "pack.zip")


Made = tuple[Workbench, OpenProject, StoredReport, Path]


def plain(rows: list[Finding]) -> list[Finding]:
    """Rows without ids of passages, which are those of one database."""
    return [
        replace(
            row, version=0, verdict=replace(row.verdict, passage_id=None) if row.verdict else None,
            rescue=replace(row.rescue, passage_id=None) if row.rescue else None,
        )
        for row in rows
    ]  # fmt: skip


def test_a_pack_names_models_settings_and_version_and_holds_a_page_for_people(made: Made) -> None:
    _, opened, report, pack = made
    with zipfile.ZipFile(pack) as archive:
        info = json.loads(archive.read("pack.json"))
        names = archive.namelist()
        page = archive.read("report.html").decode()
    assert info["report"]["text_sha256"] == report.content_hash
    assert info["models"]["entailer"] == "word-judge-1"
    assert info["settings"]["verification"]["pass_support"] == 0.7
    assert info["by"]["name"] == "evidence-workbench"
    assert "Content-Security-Policy" in page
    assert {"findings.jsonl", "decisions.jsonl", "passages.jsonl", "manifest.json"} <= set(names)
    cited = {row.document_id for row in opened.audits.findings(report.id)} - {None}
    assert len([name for name in names if name.startswith("texts/")]) >= len(cited) + 1


def test_a_citation_of_a_saved_page_that_cannot_be_read_comes_out_alike(engines: Engines, tmp_path: Path) -> None:
    with bench(tmp_path / "root", engines) as workbench:
        opened = workbench.open(workbench.create("Sparrows").slug)
        opened.sources.add_snapshots([("https://sparrows.example/square", b"%PDF-1.4 and no more", "application/pdf")])
        report = audited(workbench, opened)
        assert [Reason.SOURCE_UNREADABLE] in [list(row.reasons) for row in opened.audits.findings(report.id)]
        found = checked(workbench, exported(opened, report, ExportFormat.PACK, tmp_path / "pack.zip"))
    assert found.sound, found


def test_everything_holds_where_it_is_judged_again(made: Made) -> None:
    workbench, opened, report, pack = made
    found = checked(workbench, pack)
    assert found.sound, found
    assert found.rows == len(opened.audits.findings(report.id))
    assert found.judged >= 3
    assert (found.decisions, found.redacted) == (2, 0)
    assert found.head == opened.reviews.log.entries()[-1].hash
    assert not found.models


def test_it_comes_back_as_a_project_with_the_same_rows_and_decisions(
    made: Made, tmp_path: Path, engines: Engines
) -> None:
    _, opened, report, pack = made
    with bench(tmp_path / "elsewhere", engines) as other:
        project = import_checked(other, pack)
        taken = other.open(project.slug)
        assert plain(taken.audits.findings(report.id)) == plain(opened.audits.findings(report.id))
        assert taken.audits.text(report.id) == opened.audits.text(report.id)
        assert taken.reviews.log.entries() == opened.reviews.log.entries()
        assert not faults_of(taken.reviews.log.entries())
        before, after = opened.reviews.standing(report.id), taken.reviews.standing(report.id)
        assert after == before
        assert after.findings


def test_what_the_report_does_not_rest_on_stays_out(made: Made) -> None:
    _, opened, report, pack = made
    rows = opened.audits.findings(report.id)
    used = {row.document_id for row in rows} | {row.rescue.document_id for row in rows if row.rescue}
    with zipfile.ZipFile(pack) as archive:
        held = [json.loads(line)["document"]["id"] for line in archive.read("documents.jsonl").splitlines()]
    assert set(held) == used - {None}


def test_an_export_outlives_the_process_and_its_file_is_checked(made: Made) -> None:
    _, opened, report, _ = made
    job = opened.exports.start(report.id, ExportFormat.CSV)
    with pytest.raises(ExportError, match="pending"):
        opened.exports.result(job)
    while run_next(opened.job_context(), "test", kinds=[JobKind.EXPORT]) is not None:
        pass
    listed = opened.exports.earlier(report.id)
    mine = next(one for one in listed if one.job.id == job.id)
    assert (mine.there, mine.name, mine.format) == (True, "report-audit.csv", ExportFormat.CSV)
    file = opened.exports.result(mine.job)
    assert file.body.startswith(b"\xef\xbb\xbf")
    assert hashlib.sha256(file.body).hexdigest() == mine.sha256
    assert b"'=looked at it" in file.body
    path = opened.exports.path(mine.job)
    path.write_bytes(file.body + b"x")
    with pytest.raises(ExportError, match="was changed"):
        opened.exports.result(mine.job)
    opened.exports.forget(mine.job)
    with pytest.raises(ExportError, match="is gone"):
        opened.exports.result(mine.job)
    assert job.id not in [one.job.id for one in opened.exports.earlier()]


def test_a_pack_without_sources_and_an_unknown_format_are_refused(made: Made) -> None:
    _, opened, report, _ = made
    with pytest.raises(ExportError, match="Include them"):
        opened.exports.start(report.id, ExportFormat.PACK, include_sources=False)
    job = opened.jobs.schedule(JobKind.EXPORT, {"report": report.id, "format": "exe"})
    ended = run_next(opened.job_context(), "test", kinds=[JobKind.EXPORT])
    assert ended is not None
    assert (ended.id, ended.state) == (job.id, JobState.FAILED)
    assert "There is no format 'exe'" in (ended.error or "")


def test_a_pack_of_a_project_with_its_own_threshold_holds_too(made: Made, tmp_path: Path) -> None:
    workbench, opened, report, _ = made
    before = [row.status for row in opened.audits.findings(report.id)]
    opened.reviews.threshold.apply(0.01, by="Ann")
    while run_next(opened.job_context(), "test") is not None:
        pass
    try:
        rows = opened.audits.findings(report.id)
        assert [row.status for row in rows] != before, "the threshold must change something here"
        found = checked(workbench, exported(opened, report, ExportFormat.PACK, tmp_path / "pack.zip"))
        assert found.sound, found
        assert "In the project of the pack a citation passes from a support of 0.01 on." in found.notes
    finally:
        opened.reviews.threshold.apply(None, by="Ann")
        while run_next(opened.job_context(), "test") is not None:
            pass


def test_a_pack_whose_source_was_deleted_says_so_when_it_is_written(engines: Engines, tmp_path: Path) -> None:
    with bench(tmp_path / "root", engines) as workbench:
        opened, report = fill(workbench)
        row = next(one for one in opened.audits.findings(report.id) if one.verdict)
        assert row.document_id is not None
        exported(opened, report, ExportFormat.PACK, tmp_path / "whole.zip")
        assert opened.exports.earlier()[0].warning == ""
        opened.sources.delete(row.document_id)
        pack = exported(opened, report, ExportFormat.PACK, tmp_path / "pack.zip")
        assert "check of this pack will fail" in opened.exports.earlier()[0].warning
        found = checked(workbench, pack, judge=False)
        assert any("is not in the pack" in one for one in found.problems)
        assert not any("report.html" in one for one in found.problems)


def test_the_page_of_a_pack_with_opposed_decisions_is_written_again_alike(engines: Engines, tmp_path: Path) -> None:
    with bench(tmp_path / "root", engines) as workbench:
        opened, report = fill(workbench)
        for at, row in enumerate(opened.audits.findings(report.id)[:3]):
            item = opened.reviews.item(opened.reviews.key_of_finding(row.id), "Bo")
            kind = DecisionKind.REJECT if at < 2 else DecisionKind.ACCEPT
            opened.reviews.decide(item.key, kind, by="Bo", version=item.version, seen=item.seen)
        pack = exported(opened, report, ExportFormat.PACK, tmp_path / "pack.zip")
        found = checked(workbench, pack, judge=False)
        assert (found.problems, found.notes) == ((), ())
