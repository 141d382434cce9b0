"""Audit packs from an enemy: what breaks a rule is refused with the reason, what was altered is told by its row."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.commands.__main__ import app
from core.errors import HostileArchive
from core.export.as_html import policy
from core.export.formats import ExportFormat
from core.pack.check import import_checked
from core.ports.engines import Engines
from core.workbench import wiring
from core.workbench.workbench import Workbench
from tests.helpers.packs import bench, checked, exported, fill
from tests.hostile.archives import Members, change_line, members_of, rewrite


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[tuple[Workbench, Path]]:
    """A workbench and a sound pack."""
    folder = tmp_path_factory.mktemp("packs")
    with bench(folder / "root", engines) as workbench:
        opened, report = fill(workbench)
        yield workbench, exported(opened, report, ExportFormat.PACK, folder / "pack.zip")


@pytest.fixture
def workbench(place: tuple[Workbench, Path]) -> Workbench:
    return place[0]


@pytest.fixture
def pack(place: tuple[Workbench, Path], tmp_path: Path) -> Path:
    """A copy of the sound pack."""
    return Path(shutil.copy(place[1], tmp_path / "pack.zip"))


def refused(workbench: Workbench, pack: Path, reason: str) -> None:
    """Checking and importing both say why, and nothing is left behind."""
    found = checked(workbench, pack)
    assert found.refused
    assert any(re.search(reason, one) for one in found.refused), found.refused
    before = sorted(os.listdir(workbench.root))
    with pytest.raises(HostileArchive, match=reason):
        import_checked(workbench, pack)
    assert sorted(os.listdir(workbench.root)) == before


def line_of(members: Members, wanted: Callable[[dict[str, Any]], bool]) -> int:
    """Number of the first row that fits."""
    rows = [json.loads(line) for line in members["findings.jsonl"].splitlines()]
    return next(at for at, row in enumerate(rows) if wanted(row))


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "c:\\evil", "pack.json/../x", "Pack.json", "report.htm"])
def test_a_foreign_name_is_refused(workbench: Workbench, pack: Path, name: str) -> None:
    refused(workbench, rewrite(pack, {**members_of(pack), name: b"x"}), "does not belong")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_second_member_of_one_name_is_refused(workbench: Workbench, pack: Path) -> None:
    with zipfile.ZipFile(pack, "a") as opened:
        opened.writestr("pack.json", b"{}")
    refused(workbench, pack, "occurs 2 times")


def test_a_bomb_is_refused(workbench: Workbench, pack: Path) -> None:
    refused(workbench, rewrite(pack, {**members_of(pack), "report.html": b"\x00" * 60_000_000}), "zip bomb")


def test_a_wrong_hash_is_refused_by_the_name_of_its_member(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    name = next(name for name in members if name.startswith("texts/"))
    changed = {**members, name: members[name].replace(b"e", b"a", 1)}
    refused(workbench, rewrite(pack, changed, honest=False), f"{name}.*differs from the manifest")
    refused(workbench, rewrite(pack, changed), "differ.*SHA-256")


def test_a_link_is_refused(workbench: Workbench, pack: Path) -> None:
    info = zipfile.ZipInfo("blobs/" + "0" * 64)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(pack, "a") as opened:
        opened.writestr(info, b"/etc/passwd")
    refused(workbench, pack, "not an ordinary file")


def test_an_encrypted_member_is_refused(workbench: Workbench, pack: Path) -> None:
    raw = bytearray(pack.read_bytes())
    at = raw.index(b"PK\x01\x02")
    raw[at + 8] |= 1
    pack.write_bytes(raw)
    refused(workbench, pack, "encrypted")


def test_what_stands_before_or_after_the_zip_is_refused(workbench: Workbench, pack: Path) -> None:
    body = pack.read_bytes()
    pack.write_bytes(body + b"PK trailing")
    refused(workbench, pack, "follows its end record|not a whole zip")
    pack.write_bytes(b"#!/bin/sh\n" + body)
    refused(workbench, pack, "in front of its first member")
    pack.write_bytes(body)
    with zipfile.ZipFile(pack, "a") as opened:
        opened.comment = b"hidden"
    refused(workbench, pack, "comment")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda info: info.update(version=99), "reads"),
        (lambda info: info["settings"]["verification"].update(pass_support=7), "pass_support"),
        (lambda info: info.pop("models"), "missing"),
        (lambda info: info.update(settings=[]), "missing"),
        (lambda info: info.update(rows=None), "rows"),
        (lambda info: info.update(rows=[6]), "rows"),
        (lambda info: info.update(rows=10**400), "rows"),
        (lambda info: info.update(threshold=float("nan")), "threshold"),
        (lambda info: info.update(threshold="low"), "threshold"),
        (lambda info: info["settings"].update(verification=None), "verification: "),
    ],
)
def test_a_pack_json_out_of_its_ranges_is_refused(
    workbench: Workbench, pack: Path, change: Callable[[Any], Any], reason: str
) -> None:
    members = members_of(pack)
    info = json.loads(members["pack.json"])
    change(info)
    found = checked(workbench, rewrite(pack, {**members, "pack.json": json.dumps(info).encode()}))
    assert re.search(reason, found.refused[0])


@pytest.mark.parametrize("body", [b"[]", b"nul", b"\xff", b"{" * 100_000, b'{"rows": NaN}', b" " * 1_500_000])
def test_a_pack_json_that_is_none_is_refused(workbench: Workbench, pack: Path, body: bytes) -> None:
    assert checked(workbench, rewrite(pack, {**members_of(pack), "pack.json": body})).refused


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.update(kind="reject" if one["kind"] == "accept" else "accept"),
        lambda one: one.update(by="Bo"),
        lambda one: one["basis"].update(claim_text="Another claim."),
    ],
)
def test_an_altered_decision_is_refused_by_its_number(
    workbench: Workbench, pack: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    refused(workbench, rewrite(pack, change_line(members_of(pack), "decisions.jsonl", change)), "decisions.*ntry 1")


def test_decisions_in_another_order_or_left_out_are_refused(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    first, second = members["decisions.jsonl"].splitlines(keepends=True)
    refused(workbench, rewrite(pack, {**members, "decisions.jsonl": second + first}), "decisions is not whole")
    refused(workbench, rewrite(pack, {**members, "decisions.jsonl": second}), "decisions is not whole")


# ---------------------------------------------------------------- told by row


def test_an_altered_verdict_is_told_by_its_row_with_both_values(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    at = line_of(members, lambda row: row["status"] == "REVIEW" and row["verdict"])

    def lie(row: dict[str, Any]) -> None:
        row.update(status="PASS", reasons=[], rescue=None)
        row["verdict"].update(supports=0.99, label="supports", vetoed=False)

    found = checked(workbench, rewrite(pack, change_line(members, "findings.jsonl", lie, at)))
    assert not found.refused
    assert not found.sound
    told = [one for one in found.differences if one.startswith(f"Row {at + 1}:")]
    assert any("status is PASS in the pack, REVIEW here" in one for one in told)
    assert any("support is 0.990 in the pack" in one for one in told)
    assert {one.split(":")[0] for one in found.differences} == {f"Row {at + 1}"}
    assert f"report.html shows another outcome of row {at + 1} than its record." in found.problems


def test_an_altered_reason_is_told_by_its_row(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    at = line_of(members, lambda row: row["status"] == "SOURCE_NOT_INDEXED" or row["reasons"] == ["dangling_marker"])
    found = checked(
        workbench,
        rewrite(pack, change_line(members, "findings.jsonl", lambda row: row.update(reasons=["partial"]), at)),
    )
    assert [one.split(" is ")[0] for one in found.differences] == [f"Row {at + 1}: reasons"]


@pytest.mark.parametrize("name", ["marker_text", "reference_label", "reference_text", "url"])
def test_what_a_row_cites_is_read_in_the_report_once_more(workbench: Workbench, pack: Path, name: str) -> None:
    altered = change_line(members_of(pack), "findings.jsonl", lambda row: row.update({name: "https://other.example/"}))
    (difference,) = checked(workbench, rewrite(pack, altered)).differences
    assert re.match(rf"Row 1: {name.replace('_', ' ')} is https://other.example/ in the pack", difference)


def test_an_altered_check_is_told_by_its_row(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    at = line_of(members, lambda row: bool(row["verdict"] and row["verdict"]["checks"]))

    def change(row: dict[str, Any]) -> None:
        row["verdict"]["checks"][0].update(outcome="passed", explanation="All is well.")

    found = checked(workbench, rewrite(pack, change_line(members, "findings.jsonl", change, at)))
    assert any(re.match(rf"Row {at + 1}: check of .* is passed \(All is well", one) for one in found.differences)


def test_a_quotation_that_does_not_stand_there_is_told_by_its_row_and_place(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    at = line_of(members, lambda row: bool(row["verdict"]))

    def lie(row: dict[str, Any]) -> None:
        row["verdict"]["best"]["text"] = row["verdict"]["best"]["text"].replace("400", "900")

    found = checked(workbench, rewrite(pack, change_line(members, "findings.jsonl", lie, at)))
    assert any(
        re.search(rf"Row {at + 1}: the passage at characters \d+ to \d+ of .*900", one) for one in found.problems
    )


def test_rows_in_another_order_or_left_out_are_told(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    lines = members["findings.jsonl"].splitlines(keepends=True)
    swapped = b"".join([lines[1], lines[0], *lines[2:]])
    found = checked(workbench, rewrite(pack, {**members, "findings.jsonl": swapped}), judge=False)
    assert found.problems[0] == "Row 2 stands in place 1: rows were moved, added or left out."
    found = checked(workbench, rewrite(pack, {**members, "findings.jsonl": b"".join(lines[:-1])}), judge=False)
    assert f"It holds {len(lines) - 1} rows; pack.json names {len(lines)}." in found.problems


def test_a_source_that_is_not_in_the_pack_is_told(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    at = line_of(members, lambda row: bool(row["verdict"]))

    def lie(row: dict[str, Any]) -> None:
        row["document_id"] = row["verdict"]["document_id"] = "0" * 16

    found = checked(workbench, rewrite(pack, change_line(members, "findings.jsonl", lie, at)), judge=False)
    assert f"Row {at + 1}: its source {'0' * 16} is not in the pack." in found.problems


def test_a_lowered_threshold_is_said(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    info = json.loads(members["pack.json"])
    info["settings"]["verification"]["pass_support"] = 0.05
    found = checked(workbench, rewrite(pack, {**members, "pack.json": json.dumps(info).encode()}))
    assert "The pack was judged with pass_support 0.05; the setting here is 0.7." in found.notes
    assert found.differences


def test_another_model_is_said(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    info = json.loads(members["pack.json"])
    info["models"]["entailer"] = "another model"
    found = checked(workbench, rewrite(pack, {**members, "pack.json": json.dumps(info).encode()}))
    assert "The entailer differs: another model in the pack, word-judge-1 here." in found.notes


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"</main>", b"<script>alert(1)</script></main>", "<script>"),
        (b"</main>", b"<img src=x onerror=alert(1)></main>", "<img>"),
        (b"<main>", b"<main onclick=alert(1)>", "onclick="),
        (b'href="#c1"', b'href="javascript:alert(1)"', "leads out"),
        (b"default-src &#x27;none&#x27;", b"default-src *", "policy"),
        (b'http-equiv="Content-Security-Policy"', b'http-equiv="refresh"', "instruction"),
    ],
)
def test_a_page_that_could_harm_its_reader_is_told(
    workbench: Workbench, pack: Path, old: bytes, new: bytes, reason: str
) -> None:
    members = members_of(pack)
    page = members["report.html"].replace(old, new)
    assert page != members["report.html"]
    found = checked(workbench, rewrite(pack, {**members, "report.html": page}), judge=False)
    assert any("report.html" in one and reason in one for one in found.problems)


# ---------------------------------------------------------------- command line


def test_exit_codes_of_verify(
    workbench: Workbench, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = workbench.engines
    monkeypatch.setattr(wiring, "_engines", lambda *_: engines)
    monkeypatch.setattr(engines, "close", lambda: None)

    def call(path: Path) -> Any:
        return CliRunner().invoke(app, ["--root", str(tmp_path / "root"), "verify", str(path)])

    sound = call(pack)
    assert sound.exit_code == 0, sound.output
    assert "Sound: everything holds here too." in sound.stdout
    members = members_of(pack)
    at = line_of(members, lambda row: row["status"] == "REVIEW" and row["verdict"])
    lied = change_line(members, "findings.jsonl", lambda row: row["verdict"].update(supports=0.011), at)
    differs = call(rewrite(tmp_path / "lied.zip", lied))
    assert differs.exit_code == 1, differs.output
    assert f"Row {at + 1}: support is 0.011 in the pack" in differs.stdout
    hostile = call(rewrite(tmp_path / "hostile.zip", {**members, "../x": b"x"}))
    assert hostile.exit_code == 2, hostile.output
    assert "does not belong" in hostile.stdout
    assert "Traceback" not in hostile.output


@pytest.mark.parametrize("version", ["0.0.0-other", None])
def test_a_forged_page_is_told_or_said_not_to_have_been_compared(
    workbench: Workbench, pack: Path, version: str | None
) -> None:
    members = members_of(pack)
    style = re.search(rb"<style>(.*?)</style>", members["report.html"], re.S)
    assert style is not None
    old, new = style[1].decode(), style[1].decode() + ".review{display:none}"
    hidden = members["report.html"].decode().replace(escape(policy(old)), escape(policy(new))).replace(old, new)
    told = re.sub(r'(<p class="headline">[^<]*)\d+ of', r"\g<1>99 of", members["report.html"].decode())
    info = json.loads(members["pack.json"])
    if version is not None:
        info["by"]["version"] = version
    for page in (hidden, told):
        assert page.encode() != members["report.html"]
        altered = {**members, "report.html": page.encode(), "pack.json": json.dumps(info).encode()}
        found = checked(workbench, rewrite(pack, altered), judge=False)
        if version is None:
            assert any("not the page that the records give" in one for one in found.problems)
        else:
            assert any("not to be trusted for itself" in one for one in found.notes)


def test_a_missing_page_is_told(workbench: Workbench, pack: Path) -> None:
    members = members_of(pack)
    del members["report.html"]
    found = checked(workbench, rewrite(pack, members), judge=False)
    assert "report.html is missing." in (*found.problems, *found.refused)


@pytest.mark.parametrize("name", ["explanation", "fingerprint"])
def test_altered_words_of_a_row_are_told(workbench: Workbench, pack: Path, name: str) -> None:
    members = members_of(pack)
    at = line_of(members, lambda row: bool(row["verdict"]))

    def lie(row: dict[str, Any]) -> None:
        (row if name == "explanation" else row["verdict"])[name] = "All is well."

    found = checked(workbench, rewrite(pack, change_line(members, "findings.jsonl", lie, at)))
    assert any(one.startswith(f"Row {at + 1}: {name} is All is well.") for one in found.differences)
