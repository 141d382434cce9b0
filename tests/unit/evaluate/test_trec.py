"""Qrels and runs on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evaluate.trec import EvaluationFileError, format_qrels, format_run, parse_run, read_qrels

QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}


@pytest.mark.parametrize("beir", [False, True])
def test_qrels_come_back_equal(tmp_path: Path, beir: bool) -> None:
    path = tmp_path / "qrels"
    path.write_text(format_qrels(QRELS, beir=beir), encoding="utf-8")
    assert read_qrels(path) == QRELS


def test_both_forms_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("query-id\tcorpus-id\tscore\r\nq 1\td\t1\r\n")
    assert read_qrels(path) == {"q 1": {"d": 1}}
    path.write_text("1 0 d 1\n\n2\t0\te\t0\n")
    assert read_qrels(path) == {"1": {"d": 1}, "2": {"e": 0}}


def test_runs_come_back_equal_and_the_score_decides() -> None:
    run = {"1": [("a", 0.1 + 0.2), ("b", 0.25)], "2": [("c", -1e-9)]}
    assert parse_run("run", format_run(run, "test").encode()) == run
    again = parse_run("run", b"1 Q0 a 1 0.5 t\n1 Q0 b 2 0.9 t\n1 Q0 c 3 0.5 t\n")
    assert [document for document, _ in again["1"]] == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1 0 d\n", "line 1: expected"),
        ("1 0 d one\n", "no whole number"),
        ("query-id\tcorpus-id\tscore\n1\td\n", "line 2"),
    ],
)
def test_a_bad_line_of_qrels_is_named(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "qrels"
    path.write_text(content)
    with pytest.raises(EvaluationFileError, match=said):
        read_qrels(path)


@pytest.mark.parametrize(("content", "said"), [("1 Q0 d 1\n", "line 1: expected"), ("\n1 Q0 d 1 nan t\n", "line 2")])
def test_a_bad_line_of_a_run_is_named(content: str, said: str) -> None:
    with pytest.raises(EvaluationFileError, match=said):
        parse_run("run", content.encode())


def test_a_missing_or_binary_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationFileError, match="gone"):
        read_qrels(tmp_path / "gone")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(EvaluationFileError, match="bytes"):
        read_qrels(tmp_path / "bytes")


def test_names_that_would_break_the_file_are_refused() -> None:
    with pytest.raises(EvaluationFileError, match="white space"):
        format_run({"q 1": [("d", 1.0)]}, "t")
