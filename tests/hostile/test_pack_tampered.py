"""What somebody changed in a pack is told, though every hash of the zip, and of the log of decisions, was made anew."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.commands.__main__ import app
from core.export.formats import ExportFormat
from core.labels import DecisionKind, Grade, Role
from core.ports.engines import Engines
from core.records import Decision
from core.records.decision_chain import from_line, sealed, to_line
from core.workbench import wiring
from core.workbench.workbench import Workbench
from tests.helpers.packs import bench, checked, exported, fill
from tests.hostile.archives import Members, change_line, members_of, rewrite

SOURCE = "documents.jsonl"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[tuple[Workbench, Path]]:
    """A workbench and a sound pack with people, a note, and a grade given by hand."""
    folder = tmp_path_factory.mktemp("tampered")
    with bench(folder / "root", engines) as workbench:
        opened, report = fill(workbench)
        opened.reviews.people.set_role("Ann", Role.OWNER, by="Ann")
        opened.reviews.people.set_role("Bo", Role.REVIEWER, by="Ann")
        row = opened.audits.findings(report.id)[3]
        item = opened.reviews.item(opened.reviews.key_of_finding(row.id), "Bo")
        opened.reviews.decide(
            item.key, DecisionKind.WRONG_SOURCE, by="Bo", version=item.version, seen=item.seen, note="Looked twice."
        )
        cited = opened.audits.findings(report.id)[0].document_id
        assert cited is not None
        opened.sources.override_grade(cited, Grade.A, reason="known to be good", by="Ann")
        yield workbench, exported(opened, report, ExportFormat.PACK, folder / "pack.zip")


@pytest.fixture
def workbench(place: tuple[Workbench, Path]) -> Workbench:
    return place[0]


@pytest.fixture
def pack(place: tuple[Workbench, Path], tmp_path: Path) -> Path:
    """A copy of the sound pack."""
    return Path(shutil.copy(place[1], tmp_path / "pack.zip"))


def told(workbench: Workbench, pack: Path, members: Members) -> list[str]:
    """What is said of the changed pack, which must not be refused: it is wrong, not broken."""
    found = checked(workbench, rewrite(pack, members), judge=False)
    assert not found.refused, found.refused
    assert not found.sound
    return [*found.problems, *found.differences]


def graded(members: Members) -> int:
    """The line of the source whose grade was given by hand."""
    lines = members[SOURCE].splitlines()
    return next(at for at, one in enumerate(lines) if json.loads(one)["document"]["grade_override"])


def resealed(members: Members, at: int, change: Callable[[Decision], Decision]) -> Members:
    """The log with one entry changed, sealed anew from there on: its chain shows no break."""
    log: list[Decision] = []
    for number, line in enumerate(members["decisions.jsonl"].splitlines()):
        one = from_line(line)
        log.append(sealed(change(one) if number == at else one, log[-1].hash if log else ""))
    return {**members, "decisions.jsonl": b"".join(to_line(one).encode() + b"\n" for one in log)}


def test_the_sound_pack_holds_and_says_what_was_checked(workbench: Workbench, pack: Path) -> None:
    found = checked(workbench, pack)
    assert found.sound, found
    for words in (
        "read again from the bytes",
        "list in pack.json",
        "byte for byte",
        "by judging again",
        "3 by content",
    ):
        assert any(words in one for one in found.made), words
    assert found.not_made == ()


# ---------------------------------------------------------------- sources


@pytest.mark.parametrize(
    ("name", "value", "by_bytes"),
    [
        ("title", "Quite another title", True),
        ("authors", ["An Invented Author"], True),
        ("published", "2019-01-01", True),
        ("doi", "10.1000/invented", True),
        ("publisher", "The Invented Press", True),
        ("language", "fr", True),
        ("pages", [{"number": 7, "start": 0, "end": 10}], True),
        ("headings", [{"level": 1, "start": 0, "end": 10, "text": "Invented"}], True),
        ("canonical_url", "https://nature.example/other", False),
    ],
)
def test_changed_metadata_of_a_source_is_told(
    workbench: Workbench, pack: Path, name: str, value: object, by_bytes: bool
) -> None:
    changed = change_line(members_of(pack), SOURCE, lambda one: one["document"].update({name: value}))
    found = told(workbench, pack, changed)
    if by_bytes:
        assert any(f"{name.replace('_', ' ')} is " in one and "by its bytes" in one for one in found), found
    else:
        assert any("pack.json" in one for one in found), found


def test_a_changed_title_is_told_by_list_bytes_passages_and_page(workbench: Workbench, pack: Path) -> None:
    changed = change_line(members_of(pack), SOURCE, lambda one: one["document"].update(title="Another title"))
    found = " ".join(told(workbench, pack, changed))
    for words in ("is “Another title” by its record", "in the pack, ", "under another title", "report.html shows"):
        assert words in found, words


@pytest.mark.parametrize("name", ["grade", "grade_override"])
def test_a_changed_grade_is_told(workbench: Workbench, pack: Path, name: str) -> None:
    members = members_of(pack)

    def lie(one: dict[str, Any]) -> None:
        one["document"][name] = "B"
        if name == "grade":
            one["document"]["assessment"]["grade"] = "B"

    found = told(workbench, pack, change_line(members, SOURCE, lie, graded(members)))
    assert any("grade" in one and "by pack.json" in one for one in found), found
    assert any("by its bytes" in one or "the log of grades ends with A" in one for one in found), found


def test_a_grade_that_does_not_follow_from_its_reasons_is_told(workbench: Workbench, pack: Path) -> None:
    def lie(one: dict[str, Any]) -> None:
        one["document"]["assessment"]["reasons"][0]["effect"] = 3.0

    found = told(workbench, pack, change_line(members_of(pack), SOURCE, lie))
    assert any("the reasons of its grade are others here" in one for one in found), found


def test_a_changed_log_of_grades_is_told(workbench: Workbench, pack: Path) -> None:
    changed = change_line(members_of(pack), "grade_changes.jsonl", lambda one: one.update(grade="C"))
    assert any("the log of grades ends with C" in one for one in told(workbench, pack, changed))


def test_a_changed_title_of_the_better_source_of_a_row_is_told(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    rows = [json.loads(line) for line in members["findings.jsonl"].splitlines()]
    at = next(at for at, row in enumerate(rows) if row["rescue"])
    changed = change_line(members, "findings.jsonl", lambda row: row["rescue"].update(title="Another"), at)
    found = told(workbench, pack, changed)
    assert any(one.startswith(f"Row {at + 1}: the better source is called “Another”") for one in found), found


# ---------------------------------------------------------------- people and decisions


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda people: people[1].update(name="Beatrice"), "person Bo is not among|person Bo, which is not among"),
        (lambda people: people[1].update(role="owner"), "role of the person Bo is “owner” by its record"),
        (lambda people: people.pop(1), "lists the person Bo, which is not among the records"),
        (
            lambda people: people.append({**people[1], "name": "Cy"}),
            "person Cy is among the records and not in the list",
        ),
    ],
)
def test_changed_people_are_told(
    workbench: Workbench, pack: Path, change: Callable[[list[dict[str, Any]]], object], words: str
) -> None:
    members = members_of(pack)
    review = json.loads(members["review.json"])
    change(review["people"])
    found = told(workbench, pack, {**members, "review.json": json.dumps(review).encode()})
    assert any(part in one for one in found for part in words.split("|")), found


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (lambda one: replace(one, note="Never looked."), "Never looked."),
        (lambda one: replace(one, by="Beatrice"), "Beatrice"),
        (lambda one: replace(one, at=one.at - timedelta(days=40)), "by Bo, "),
        (lambda one: replace(one, kind=DecisionKind.ACCEPT), "accept"),
        (lambda one: replace(one, reason="invented"), "(invented)"),
    ],
)
def test_a_changed_decision_is_told_though_its_chain_was_sealed_anew(
    workbench: Workbench, pack: Path, change: Callable[[Decision], Decision], shown: str
) -> None:
    found = told(workbench, pack, resealed(members_of(pack), 2, change))
    assert any("newest of the decisions" in one for one in found), found
    assert any(one.startswith("report.html shows") and shown in one for one in found), found


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda one: replace(one, at=one.at + timedelta(days=400)), "after the pack was made"),
        (lambda one: replace(one, basis=replace(one.basis, claim_text="Another.")), "not the one that its hash names"),
        (lambda one: replace(one, basis=replace(one.basis, report_hash="0" * 64)), "another text of the report"),
        (lambda one: replace(one, basis=replace(one.basis, passage_hash="0" * 64)), "does not stand in"),
    ],
)
def test_what_a_decision_rests_on_is_compared_with_the_pack(
    workbench: Workbench, pack: Path, change: Callable[[Decision], Decision], words: str
) -> None:
    found = told(workbench, pack, resealed(members_of(pack), 0, change))
    assert any(one.startswith("Decision 1") and words in one for one in found), found


def test_another_name_of_the_project_or_the_report_is_told(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    manifest = json.loads(members["manifest.json"])
    manifest["project"]["name"] = "Other streets"
    found = told(workbench, pack, {**members, "manifest.json": json.dumps(manifest).encode()})
    assert any("name of the project is “Other streets”" in one for one in found), found
    changed = change_line(members, "reports.jsonl", lambda one: one.update(title="Four measures"))
    assert any("title of the report is “Four measures”" in one for one in told(workbench, pack, changed))


# ---------------------------------------------------------------- another version


def _of_version(members: Members, *, listed: bool) -> Members:
    info = json.loads(members["pack.json"])
    info["by"]["version"] = "0.0.1"
    if not listed:
        del info["listed"]
    return {**members, "pack.json": json.dumps(info).encode()}


def test_of_a_pack_of_another_version_it_is_said_what_was_checked_and_not(workbench: Workbench, pack: Path) -> None:
    found = checked(workbench, rewrite(pack, _of_version(members_of(pack), listed=False)), judge=False)
    assert found.sound, found
    for words in (
        "list in pack.json: there is none",
        "the rest of report.html: version 0.0.1 wrote it",
        "not asked for",
    ):
        assert any(words in one for one in found.not_made), words
    for words in ("read again from the bytes", "report.html shows claim, source, grade", "3 by content and link"):
        assert any(words in one for one in found.made), words
    assert any(one.startswith("Version 0.0.1 of the workbench wrote the pack") for one in found.notes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda one: replace(one, note="Never looked."), "does not show the note of row 4: “Never looked.”"),
        (lambda one: replace(one, by="Beatrice"), "does not show the person of row 4"),
        (lambda one: replace(one, at=one.at - timedelta(days=40)), "does not show the time of the decision of row 4"),
    ],
)
def test_a_page_of_another_version_is_compared_row_by_row(
    workbench: Workbench, pack: Path, change: Callable[[Decision], Decision], words: str
) -> None:
    changed = resealed(_of_version(members_of(pack), listed=False), 2, change)
    assert any(words in one for one in told(workbench, pack, changed))


# ---------------------------------------------------------------- no zip at all


@pytest.mark.parametrize("kind", ["cut", "half", "text", "empty", "noise"])
def test_what_is_no_whole_zip_cannot_be_checked_and_says_why(
    workbench: Workbench, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    body = pack.read_bytes()
    bodies = {"cut": body[:-9], "half": body[: len(body) // 2], "text": b"hello", "empty": b"", "noise": b"PK\x05\x06x"}
    pack.write_bytes(bodies[kind])
    engines = workbench.engines
    monkeypatch.setattr(wiring, "_engines", lambda *_: engines)
    monkeypatch.setattr(engines, "close", lambda: None)
    ended = CliRunner().invoke(app, ["--root", str(tmp_path / "root"), "verify", str(pack)])
    assert ended.exit_code == 2, ended.output
    assert "is not a whole zip file" in " ".join(ended.output.split())
    assert "Traceback" not in ended.output
