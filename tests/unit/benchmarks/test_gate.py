"""The gate names what is under its floor or missing; results survive writing and show in the table."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.gate import problems
from benchmarks.report import MOST_METRICS, TABLES, merge, read, renew_tables, table

REPOSITORY = Path(__file__).resolve().parents[3]


def result(value: float, **changes: Any) -> dict[str, Any]:
    row = {"bench": "retrieval", "data": "scifact", "split": "test", "system": "full", "metric": "ndcg@10"}
    return {**row, "value": value, "n": 300, "ci95": [0.7, 0.8], "machine": "m", **changes}


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    floors, results = tmp_path / "floors.json", tmp_path / "results"
    results.mkdir()
    rule = {key: value for key, value in result(0).items() if key not in ("value", "n", "ci95", "machine")}
    floors.write_text(json.dumps([{**rule, "floor": 0.75, "ceiling": 0.9}]))
    return floors, results


@pytest.mark.parametrize(
    ("value", "said"), [(0.75, []), (0.9, []), (0.7499, ["under its floor 0.7500"]), (0.91, ["over its ceiling"])]
)
def test_a_value_is_held_against_its_floor(places: tuple[Path, Path], value: float, said: list[str]) -> None:
    floors, results = places
    merge(results / "retrieval.json", [result(value)])
    found = problems(floors, results)
    assert len(found) == len(said)
    for sentence, part in zip(found, said, strict=True):
        assert sentence.startswith("retrieval scifact test full ndcg@10:")
        assert part in sentence


def test_a_floor_without_a_result_fails(places: tuple[Path, Path]) -> None:
    floors, results = places
    merge(results / "retrieval.json", [result(1.0, system="bm25")])
    assert "no result" in problems(floors, results)[0]


def test_new_values_replace_old_ones_and_leave_the_others(tmp_path: Path) -> None:
    path = tmp_path / "retrieval.json"
    merge(path, [result(0.1), result(0.2, system="bm25")])
    merge(path, [result(0.3)])
    assert {row["system"]: row["value"] for row in read(tmp_path)} == {"full": 0.3, "bm25": 0.2}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["{", '{"a": 1}', '[{"bench": "x"}]'])
def test_a_broken_results_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "speed.json").write_text(text)
    with pytest.raises(ValueError, match=r"speed\.json"):
        read(tmp_path)


def test_the_tables_are_written_beside_the_results(tmp_path: Path) -> None:
    merge(tmp_path / "r.json", [result(0.7712), result(123.4, bench="speed", metric="query_p50_ms", ci95=None)])
    renew_tables(tmp_path)
    text = (tmp_path / TABLES).read_text()
    assert "Measured on: m." in text
    assert "| scifact test | full | 0.7712 (0.700–0.800) |" in text
    assert "| scifact test | full | 123.4 |" in text
    renew_tables(tmp_path)
    assert (tmp_path / TABLES).read_text() == text
    assert table([]) == ""


def test_systems_with_other_metrics_stand_in_tables_of_their_own() -> None:
    wide = [result(0.1, metric=f"m{number}") for number in range(MOST_METRICS + 5)]
    text = table([*wide, result(0.2, system="other", metric="seconds")])
    headings = [line for line in text.splitlines() if line.startswith("| data |")]
    assert [line.count("|") - 3 for line in headings] == [MOST_METRICS, 5, 1]
    assert "|  |" not in text


def test_the_committed_tables_are_those_of_the_committed_results(tmp_path: Path) -> None:
    results = REPOSITORY / "benchmarks" / "results"
    for path in results.glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    renew_tables(tmp_path)
    assert (tmp_path / TABLES).read_text("utf-8") == (results / TABLES).read_text("utf-8")


def test_the_gate_runs_on_a_bare_python_and_the_committed_results_pass() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(REPOSITORY / ".ci" / "gate")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
