"""Judged queries out of uploaded files, which may hold anything."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.evaluate.judged import pack, read_judged, unpack
from core.evaluate.trec import (
    EvaluationFileError,
    format_qrels,
    format_queries,
    parse_qrels,
    parse_queries,
    parse_run,
)
from core.records import JudgedQueries

QRELS = ("qrels.txt", b"1 0 a 2\n1 0 b 0\n2 0 c 1\n3 0 c 0\n")
QUERIES = (
    "queries.jsonl",
    b'{"_id": "1", "text": "one  query"}\n{"_id": 2, "text": "two"}\n{"_id": "9", "text": "x"}\n',
)


def test_a_set_is_read_from_its_files() -> None:
    judged = read_judged(QRELS, QUERIES, {"mine.run": b"1 Q0 b 1 2.0 t\n1 Q0 a 2 3.0 t\n9 Q0 a 1 1 t\n"})
    assert judged.queries == {"1": "one query", "2": "two"}
    assert judged.runs == {"mine.run": {"1": ("a", "b")}}
    assert (judged.judgements, judged.relevant, judged.scored, judged.askable) == (4, 2, ("1", "2"), ("1", "2"))
    assert read_judged(QRELS).askable == ()


def test_it_comes_back_out_of_its_packed_form() -> None:
    judged = read_judged(QRELS, QUERIES, {"mine.run": b"1 Q0 b 1 2.0 t\n"})
    key, text = pack(judged)
    assert unpack(text) == judged
    assert pack(judged)[0] == key != pack(read_judged(QRELS, QUERIES))[0]


def test_queries_come_in_both_forms() -> None:
    assert parse_queries("q", b"1\tone query\r\n\n2\ttwo\n") == {"1": "one query", "2": "two"}
    texts = {"1": 'a "quoted"  one'.replace("  ", " "), "é": "zwei\u2028drei".replace("\u2028", " ")}
    assert parse_queries("q", format_queries(texts).encode()) == texts


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"1 0 d\n", "line 1: expected 'query 0 document grade'"),
        (b"\n1 0 d 1\n1 0 d 0\n", "line 3: 'd' is judged a second time"),
        (b"1 0 d 1.5\n", "line 1: the grade '1.5' is no whole number"),
        (b"1 0 d 1_0\n", "no whole number"),
        (b"1 0 d " + b"9" * 5000, "line 1: the grade"),
        (b"1 0 d 99999\n", "beyond 1,000"),
        (b"1 0 " + b"d" * 501 + b" 1\n", "1 to 500 characters"),
        (b"1 0 d\x00e 1\n", "no control character"),
        ("1 0 d\u202ee 1\n".encode(), "no control character"),
        (b"\xff\xfe1", "cannot be read as UTF-8"),
        (b"%PDF-1.7 \x00", "line 1"),
        (b"x" * 20_000_001, "at most 20,000,000"),
        (b"1 0 d 1\n" * 500_001, "500,001 lines"),
        (b"query-id\tcorpus-id\tscore\n1\td\n", "line 2: expected 'query-id<TAB>"),
        (b"query-id\tcorpus-id\tscore\n1\t\t1\n", "line 2: '' cannot name"),
    ],
)
def test_hostile_qrels_are_refused_with_file_and_line(body: bytes, said: str) -> None:
    with pytest.raises(EvaluationFileError) as caught:
        parse_qrels("upload.txt", body)
    assert str(caught.value).startswith("upload.txt")
    assert said in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"no tab here\n", "line 1: expected 'query<TAB>text'"),
        (b"1\tone\n1\ttwo\n", "line 2: the query '1' stands twice"),
        (b"1\t \n", "has 0 characters"),
        (b"1\t" + b"x" * 2001, "has 2,001 characters"),
        (b'{"_id": "1"}\n', 'line 1: expected {"_id"'),
        (b'{"_id": ["1"], "text": "x"}\n', "line 1: expected"),
        (b'{"a":' * 100_000, "line 1: it is not JSON"),
        (b'{"_id": ' + b"9" * 5000 + b', "text": "x"}', "line 1: it is not JSON"),
    ],
)
def test_hostile_queries_are_refused_with_file_and_line(body: bytes, said: str) -> None:
    with pytest.raises(EvaluationFileError) as caught:
        parse_queries("queries", body)
    assert str(caught.value).startswith("queries, line")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"1 Q0 d 1\n", "line 1: expected 'query Q0"),
        (b"1 Q0 d 1 nan t\n", "line 1: the score"),
        (b"1 Q0 d 1 2 t\n1 Q0 d 2 1 t\n", "line 2: 'd' stands a second time"),
    ],
)
def test_hostile_runs_are_refused_with_file_and_line(body: bytes, said: str) -> None:
    with pytest.raises(EvaluationFileError, match=said):
        parse_run("run", body)


@pytest.mark.parametrize(
    ("qrels", "queries", "runs", "said"),
    [
        (b"", None, {}, "no judgement above 0"),
        (b"1 0 d 0\n", None, {}, "no judgement above 0"),
        (b"1 0 d 1\n", b"2\ttext\n", {}, "no query in common"),
        (b"1 0 d 1\n", None, {"r": b"2 Q0 d 1 1 t\n"}, "no query in common"),
        (b"".join(b"%d 0 d 1\n" % n for n in range(2001)), None, {}, "2,001 queries"),
    ],
)
def test_files_that_cannot_be_measured_are_refused(
    qrels: bytes, queries: bytes | None, runs: dict[str, bytes], said: str
) -> None:
    with pytest.raises(EvaluationFileError, match=said):
        read_judged(("qrels", qrels), ("queries", queries) if queries else None, runs)


@given(some.binary(max_size=200))
def test_any_bytes_are_read_or_refused_by_name(body: bytes) -> None:
    for parse in (parse_qrels, parse_queries, parse_run):
        with contextlib.suppress(EvaluationFileError):
            parse("file", body)


def test_what_is_written_is_read_again() -> None:
    qrels = {"citation:ab12": {"0123456789abcdef:3-90": 1}}
    for beir in (False, True):
        assert parse_qrels("x", format_qrels(qrels, beir=beir).encode()) == qrels
    assert JudgedQueries("x", "upload", qrels).scored == ("citation:ab12",)
