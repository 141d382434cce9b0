"""A pack of one report of several: the log of decisions can be checked, and nothing of the other reports is in it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.export.formats import ExportFormat
from core.labels import DecisionKind, FetchState, Role
from core.pack.check import import_checked
from core.ports.engines import Engines
from core.records import Decision, StoredReport
from core.records.decision_chain import faults_of
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from storage.archive.format import VERSION
from tests.helpers.auditing import REPORT, audited
from tests.helpers.packs import bench, checked, exported, fill
from tests.hostile.archives import members_of, rewrite

OTHER = REPORT.replace("Three measures", "The confidential draft").replace("Nobody counted", "Someone else counted")
SECRET = "Told in confidence about the draft"


@dataclass(frozen=True, slots=True)
class Made:
    """The project ``streets`` with a second report, decisions on both in turn, and the pack of the first."""

    workbench: Workbench
    opened: OpenProject
    report: StoredReport
    pack: Path


def decide(opened: OpenProject, report: StoredReport, at: int, by: str, note: str) -> None:
    row = opened.audits.findings(report.id)[at]
    item = opened.reviews.item(opened.reviews.key_of_finding(row.id), by)
    opened.reviews.decide(item.key, DecisionKind.REJECT, by=by, version=item.version, seen=item.seen, note=note)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[Made]:
    folder = tmp_path_factory.mktemp("redacted")
    with bench(folder / "root", engines) as workbench:
        opened, report = fill(workbench)
        other = audited(workbench, opened, OTHER)
        opened.reviews.people.set_role("Ann", Role.OWNER, by="Ann")
        for name in ("Bo", "Zebulon"):
            opened.reviews.people.set_role(name, Role.REVIEWER, by="Ann")
        opened.sources.record_failure("https://hidden.example/draft", FetchState.GONE, "410")
        opened.sources.record_failure("http://www.sparrows.example/square/", FetchState.GONE, "410")
        opened.audits.audit(report.id)
        finish_jobs(workbench, opened)
        decide(opened, other, 0, "Zebulon", SECRET)
        decide(opened, report, 2, "Bo", "about the first report")
        decide(opened, other, 1, "Zebulon", SECRET)
        opened.reviews.undo("Zebulon")
        yield Made(workbench, opened, report, exported(opened, report, ExportFormat.PACK, folder / "pack.zip"))


def test_what_people_decided_on_another_report_is_not_in_it(made: Made) -> None:
    with zipfile.ZipFile(made.pack) as archive:
        bodies = {name: archive.read(name) for name in archive.namelist() if not name.startswith("blobs/")}
    for name, body in bodies.items():
        for word in (SECRET, "Someone else counted", "confidential draft", "Zebulon", "hidden.example"):
            assert word.encode() not in body, (name, word)
    log = [json.loads(line) for line in bodies["decisions.jsonl"].splitlines()]
    assert [bool(one.get("redacted")) for one in log] == [False, False, True, False, True, True]
    assert all(one.keys() == {"id", "previous", "hash", "redacted"} for one in log if one.get("redacted"))
    assert json.loads(bodies["manifest.json"])["version"] == VERSION


def test_an_address_that_its_own_report_cites_is_in_it(made: Made) -> None:
    asked = members_of(made.pack)["acquisitions.jsonl"].decode()
    assert "www.sparrows.example/square/" in asked


def test_only_settings_that_outcomes_rest_on_go_out(made: Made) -> None:
    settings = json.loads(members_of(made.pack)["pack.json"])["settings"]
    assert set(settings) == {"chunking", "parsing", "retrieval", "models", "verification", "claims"}


def test_the_chain_still_holds_and_the_reader_is_told_how_much_is_redacted(made: Made) -> None:
    found = checked(made.workbench, made.pack)
    assert found.sound, found
    assert (found.decisions, found.redacted) == (6, 3)
    assert found.head == made.opened.reviews.log.entries()[-1].hash


def test_a_link_of_a_redacted_entry_that_was_changed_breaks_the_chain(made: Made, tmp_path: Path) -> None:
    members = members_of(made.pack)
    lines = members["decisions.jsonl"].splitlines(keepends=True)
    for name, number in (("hash", 2), ("previous", 2), ("hash", 4)):
        record = json.loads(lines[number])
        changed = [*lines[:number], json.dumps({**record, name: "0" * 64}).encode() + b"\n", *lines[number + 1 :]]
        path = rewrite(tmp_path / "pack.zip", {**members, "decisions.jsonl": b"".join(changed)})
        found = checked(made.workbench, path, judge=False)
        assert any("does not follow the entry before it" in one for one in found.refused), (name, number)
    without = rewrite(tmp_path / "pack.zip", {**members, "decisions.jsonl": b"".join(lines[:2] + lines[3:])})
    assert any("is missing" in one for one in checked(made.workbench, without, judge=False).refused)


@pytest.mark.parametrize(
    "line",
    [
        {"id": 3, "previous": "0" * 64, "hash": "0" * 64, "redacted": False},
        {"id": 3, "previous": "0" * 64, "hash": "", "redacted": True},
        {"id": 3, "previous": "", "hash": "0" * 64, "redacted": True},
        {"id": True, "previous": "0" * 64, "hash": "0" * 64, "redacted": True},
        {"id": 2**60, "previous": "0" * 64, "hash": "0" * 64, "redacted": True},
        {"id": 3, "previous": 7, "hash": "0" * 64, "redacted": True},
        {"id": 3, "previous": "0" * 64, "hash": "0" * 64, "redacted": True, "note": "x"},
    ],
)
def test_an_impossible_redacted_entry_is_refused(made: Made, tmp_path: Path, line: dict[str, object]) -> None:
    members = members_of(made.pack)
    lines = members["decisions.jsonl"].splitlines(keepends=True)
    lines[2] = json.dumps(line).encode() + b"\n"
    path = rewrite(tmp_path / "pack.zip", {**members, "decisions.jsonl": b"".join(lines)})
    assert any("line 3 of 'decisions.jsonl'" in one for one in checked(made.workbench, path, judge=False).refused)


def test_a_project_made_of_it_goes_on_with_the_chain_and_goes_out_again(
    made: Made, tmp_path: Path, engines: Engines
) -> None:
    with bench(tmp_path / "elsewhere", engines) as other:
        taken = other.open(import_checked(other, made.pack).slug)
        kept = taken.reviews.log.entries()
        assert [one.id for one in kept] == [1, 2, 4]
        assert taken.reviews.standing(made.report.id) == made.opened.reviews.standing(made.report.id)
        decide(taken, made.report, 3, "Ann", "decided elsewhere")
        newest = taken.reviews.log.entries()[-1]
        assert (newest.id, newest.previous) == (7, made.opened.reviews.log.entries()[-1].hash)
        chain = taken.job_context().store.decision_chain()
        assert faults_of(chain) == []
        assert sum(not isinstance(one, Decision) for one in chain) == 3
        again = import_checked(other, other.export(taken.project.slug, tmp_path / "whole.zip"))
        assert other.open(again.slug).job_context().store.decision_chain() == chain
        second = exported(taken, made.report, ExportFormat.PACK, tmp_path / "second.zip")
        found = checked(other, second)
        assert found.sound, found
        assert (found.decisions, found.redacted) == (7, 3)
        log = taken.reviews.log.export()
        assert made.opened.reviews.log.take_in(log, by="Ann").added == 1
