"""In blind review nobody reads in an export what they may not see on the page; owners get everything."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.commands.__main__ import app
from core.export.formats import ExportFormat
from core.labels import DecisionKind, Role
from core.ports.engines import Engines
from core.records import StoredReport
from core.workbench import wiring
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.auditing import with_judge
from tests.helpers.packs import bench, checked, exported, fill
from tests.helpers.verifying import WordJudge

SECRET = "Bo thinks that it holds"
ANN = "looked at it"
BLIND = "Review is blind in this project"


@dataclass(frozen=True, slots=True)
class Made:
    """A blind review: Ann (owner) decided on two rows, Bo on one of them, Cy on none."""

    root: Path
    workbench: Workbench
    opened: OpenProject
    report: StoredReport


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[Made]:
    root = tmp_path_factory.mktemp("blind") / "root"
    with bench(root, engines) as workbench:
        opened, report = fill(workbench)
        reviews = opened.reviews
        reviews.people.set_role("Ann", Role.OWNER, by="Ann")
        for name in ("Bo", "Cy"):
            reviews.people.set_role(name, Role.REVIEWER, by="Ann")
        reviews.people.set_policy(replace(reviews.people.policy(), blind=True), by="Ann")
        item = reviews.item(reviews.key_of_finding(opened.audits.findings(report.id)[0].id), "Bo")
        reviews.decide(item.key, DecisionKind.ACCEPT, by="Bo", version=item.version, seen=item.seen, note=SECRET)
        yield Made(root, workbench, opened, report)


def _bodies(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.startswith("blobs/")}


@pytest.mark.parametrize(("by", "hidden"), [("Cy", 3), ("", 3), ("Bo", 1), ("Ann", 0)])
def test_a_pack_has_hashes_in_place_of_what_its_reader_may_not_see_and_holds(
    made: Made, tmp_path: Path, by: str, hidden: int
) -> None:
    pack = exported(made.opened, made.report, ExportFormat.PACK, tmp_path / "pack.zip", by=by)
    bodies = _bodies(pack)
    log = [json.loads(line) for line in bodies["decisions.jsonl"].splitlines()]
    assert sum(bool(one.get("redacted")) for one in log) == hidden
    told = SECRET.encode() in b"".join(bodies.values())
    assert told is (by in ("Bo", "Ann"))
    assert (BLIND.encode() in bodies["report.html"]) is (hidden > 0)
    found = checked(made.workbench, pack)
    assert found.sound, found
    assert (found.decisions, found.redacted) == (3, hidden)


@pytest.mark.parametrize("format", [one for one in ExportFormat if one is not ExportFormat.PACK])
def test_no_format_tells_it_and_all_with_room_for_a_sentence_say_so(
    made: Made, tmp_path: Path, format: ExportFormat
) -> None:
    for by in ("Cy", ""):
        path = exported(made.opened, made.report, format, tmp_path / "out", by=by)
        zipped = format in (ExportFormat.XLSX, ExportFormat.DOCX)
        body = b"".join(_bodies(path).values()) if zipped else path.read_bytes()
        assert SECRET.encode() not in body
        assert ANN.encode() not in body
        assert (BLIND.encode() in body) is (format is not ExportFormat.CSV)
        assert BLIND in made.opened.exports.earlier(by=by)[0].warning


def test_who_decided_and_owners_get_the_decisions(made: Made, tmp_path: Path) -> None:
    for by in ("Bo", "Ann"):
        path = exported(made.opened, made.report, ExportFormat.JSON, tmp_path / "out", by=by)
        assert SECRET in path.read_text("utf-8")
    assert BLIND not in path.read_text("utf-8")


def test_the_command_names_who_asks_and_says_on_stderr_what_is_left_out(
    made: Made, engines: Engines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = with_judge(engines, WordJudge())
    shared.close = lambda: None  # type: ignore[method-assign]
    monkeypatch.setattr(wiring, "_engines", lambda *_: shared)
    monkeypatch.delenv("WORKBENCH_REVIEWER", raising=False)
    for options, sees in (([], False), (["--by", "Cy"], False), (["--by", "Ann"], True)):
        out = tmp_path / "out.csv"
        command = ["--root", str(made.root), "export", "-p", "streets", "--format", "csv", "-o", str(out), *options]
        told = CliRunner().invoke(app, command)
        assert told.exit_code == 0, told.output
        assert (BLIND in told.stderr) is not sees
        assert (SECRET in out.read_text("utf-8")) is sees
