"""Qrels and runs in their forms."""

from __future__ import annotations

import pytest

from core.evaluate.trec import EvaluationFileError, format_qrels, format_run, parse_qrels, parse_run

QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}


@pytest.mark.parametrize("beir", [False, True])
def test_qrels_come_back_equal(beir: bool) -> None:
    assert parse_qrels("qrels", format_qrels(QRELS, beir=beir).encode()) == QRELS


def test_both_forms_are_recognised() -> None:
    assert parse_qrels("qrels", b"query-id\tcorpus-id\tscore\r\nq 1\td\t1\r\n") == {"q 1": {"d": 1}}
    assert parse_qrels("qrels", b"1 0 d 1\n\n2\t0\te\t0\n") == {"1": {"d": 1}, "2": {"e": 0}}


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
def test_a_bad_line_of_qrels_is_named(content: str, said: str) -> None:
    with pytest.raises(EvaluationFileError, match=said):
        parse_qrels("qrels", content.encode())


@pytest.mark.parametrize(("content", "said"), [("1 Q0 d 1\n", "line 1: expected"), ("\n1 Q0 d 1 nan t\n", "line 2")])
def test_a_bad_line_of_a_run_is_named(content: str, said: str) -> None:
    with pytest.raises(EvaluationFileError, match=said):
        parse_run("run", content.encode())


def test_a_binary_file_is_named() -> None:
    with pytest.raises(EvaluationFileError, match="some bytes"):
        parse_qrels("some bytes", b"\xff\xfe\x00")


def test_names_that_would_break_the_file_are_refused() -> None:
    with pytest.raises(EvaluationFileError, match="white space"):
        format_run({"q 1": [("d", 1.0)]}, "t")
