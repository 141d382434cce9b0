"""Qrels and run files, in the forms of TREC and of BEIR.

TREC qrels: ``query 0 document grade``; run: ``query Q0 document rank score tag``; fields are separated by
white space. BEIR qrels: tab-separated ``query-id corpus-id score`` under a header line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import WorkbenchError

Qrels = dict[str, dict[str, int]]
Run = dict[str, list[tuple[str, float]]]

_BEIR_HEADER = ("query-id", "corpus-id", "score")


class EvaluationFileError(WorkbenchError):
    """A qrels or run file is not in its form; the message names file, line and what was expected."""


def read_qrels(path: Path) -> Qrels:
    """Judgements by query and document, in either form; which one it is shows in the first line.

    Raises:
        EvaluationFileError: the file cannot be read, or a line is not in its form.
    """
    lines = _lines(path)
    beir = bool(lines) and tuple(lines[0][1].split("\t")) == _BEIR_HEADER
    wanted = "query-id<TAB>corpus-id<TAB>score" if beir else "query 0 document grade"
    qrels: Qrels = {}
    for number, line in lines[1:] if beir else lines:
        fields = line.split("\t") if beir else line.split()
        if len(fields) != (3 if beir else 4):
            raise EvaluationFileError(f"{path}, line {number}: expected {wanted!r}, found {line[:80]!r}.")
        query, document, grade = fields if beir else (fields[0], fields[2], fields[3])
        try:
            qrels.setdefault(query, {})[document] = int(grade)
        except ValueError:
            raise EvaluationFileError(f"{path}, line {number}: the grade {grade[:20]!r} is no whole number.") from None
    return qrels


def write_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]], *, beir: bool = False) -> None:
    """Write judgements in TREC form, or in BEIR form."""
    rows = [(query, document, grade) for query, judged in qrels.items() for document, grade in judged.items()]
    if beir:
        lines = ["\t".join(_BEIR_HEADER), *(f"{query}\t{document}\t{grade}" for query, document, grade in rows)]
    else:
        lines = [f"{_word(query)} 0 {_word(document)} {grade}" for query, document, grade in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_run(path: Path) -> Run:
    """Retrieved documents with their scores by query, best first.

    As in trec_eval the score decides and the written rank is ignored; equal scores keep the order of the file.

    Raises:
        EvaluationFileError: the file cannot be read, or a line is not in its form.
    """
    run: Run = {}
    for number, line in _lines(path):
        fields = line.split()
        if len(fields) != 6:
            raise EvaluationFileError(
                f"{path}, line {number}: expected 'query Q0 document rank score tag', found {line[:80]!r}."
            )
        run.setdefault(fields[0], []).append((fields[2], _score(fields[4], path, number)))
    return {query: sorted(rows, key=lambda row: -row[1]) for query, rows in run.items()}


def write_run(path: Path, run: Mapping[str, Sequence[tuple[str, float]]], tag: str) -> None:
    """Write a run in TREC form, ranks from 1 in the order given."""
    lines = [
        f"{_word(query)} Q0 {_word(document)} {rank} {score!r} {_word(tag)}\n"
        for query, rows in run.items()
        for rank, (document, score) in enumerate(rows, start=1)
    ]
    path.write_text("".join(lines), encoding="utf-8")


def _lines(path: Path) -> list[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationFileError(f"{path} cannot be read: {error}.") from error
    return [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _score(text: str, path: Path, number: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise EvaluationFileError(f"{path}, line {number}: the score {text[:20]!r} is no number.")
    return score


def _word(text: str) -> str:
    if not text or len(text.split()) != 1:
        raise EvaluationFileError(f"{text!r} cannot stand in a TREC file: it is empty or holds white space.")
    return text
