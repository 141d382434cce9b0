"""Qrels and run files, in the forms of TREC and of BEIR, and the texts of queries. TREC qrels: ``query 0 document
grade``; run: ``query Q0 document rank score tag``; fields are separated by white space. BEIR qrels: tab-separated
``query-id corpus-id score`` under a header line. Queries: BEIR's ``queries.jsonl`` (one object a line with ``_id`` and
``text``), or ``query<TAB>text``. Files may come from anywhere: size, lines, names and numbers are limited, and every
fault names file and line."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.errors import WorkbenchError
from core.records import MAX_GRADE, MAX_NAME, MAX_QUERY, Qrels

Run = dict[str, list[tuple[str, float]]]

MAX_BYTES = 20_000_000
MAX_LINES = 500_000

_BEIR_HEADER = ("query-id", "corpus-id", "score")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_CONTROL = re.compile("[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]")


class EvaluationFileError(WorkbenchError):
    """A qrels, run or queries file is not in its form; the message names file, line and what was expected."""


def parse_qrels(name: str, body: bytes) -> Qrels:
    """Judgements by query and document, in either form; which one it is shows in the first line. Raises
    EvaluationFileError: ``name`` is no text or too large, a line is not in its form, or a pair is judged twice in
    different ways."""
    lines = _lines(name, body)
    beir = bool(lines) and tuple(lines[0][1].split("\t")) == _BEIR_HEADER
    wanted = "query-id<TAB>corpus-id<TAB>score" if beir else "query 0 document grade"
    qrels: Qrels = {}
    for number, line in lines[1:] if beir else lines:
        fields = line.split("\t") if beir else line.split()
        if len(fields) != (3 if beir else 4):
            raise EvaluationFileError(f"{name}, line {number}: expected {wanted!r}, found {line[:80]!r}.")
        query, document, grade = fields if beir else (fields[0], fields[2], fields[3])
        given = _grade(grade, name, number)
        judged = qrels.setdefault(_name(query, name, number), {})
        if judged.get(document, given) != given:
            raise EvaluationFileError(
                f"{name}, line {number}: {document[:60]!r} is judged a second time for query {query[:40]!r}, "
                f"as {given} after {judged[document]}. Keep one of the two lines."
            )
        judged[_name(document, name, number)] = given
    return qrels


def format_qrels(qrels: Mapping[str, Mapping[str, int]], *, beir: bool = False) -> str:
    """Judgements in TREC form, or in BEIR form (EvaluationFileError: a name that would break the form)."""
    rows = [(query, document, grade) for query, judged in qrels.items() for document, grade in judged.items()]
    if beir:
        lines = ["\t".join(_BEIR_HEADER), *(f"{query}\t{document}\t{grade}" for query, document, grade in rows)]
    else:
        lines = [f"{_word(query)} 0 {_word(document)} {grade}" for query, document, grade in rows]
    return "".join(f"{line}\n" for line in lines)


def parse_run(name: str, body: bytes) -> Run:
    """Retrieved documents with their scores by query, best first. As in trec_eval the score decides and the written
    rank is ignored; equal scores keep the order of the file. Raises EvaluationFileError: ``name`` is no text or too
    large, a line is not in its form, or a document stands twice for one query."""
    run: Run = {}
    seen: set[tuple[str, str]] = set()
    for number, line in _lines(name, body):
        fields = line.split()
        if len(fields) != 6:
            raise EvaluationFileError(
                f"{name}, line {number}: expected 'query Q0 document rank score tag', found {line[:80]!r}."
            )
        query, document = _name(fields[0], name, number), _name(fields[2], name, number)
        if (query, document) in seen:
            raise EvaluationFileError(
                f"{name}, line {number}: {document[:60]!r} stands a second time for query {query[:40]!r}. "
                "A ranking may hold a document once."
            )
        seen.add((query, document))
        run.setdefault(query, []).append((document, _score(fields[4], name, number)))
    return {query: sorted(rows, key=lambda row: -row[1]) for query, rows in run.items()}


def format_run(run: Mapping[str, Sequence[tuple[str, float]]], tag: str) -> str:
    """A run in TREC form, ranks from 1 in the order given (EvaluationFileError: a name that would break the form)."""
    return "".join(
        f"{_word(query)} Q0 {_word(document)} {rank} {score!r} {_word(tag)}\n"
        for query, rows in run.items()
        for rank, (document, score) in enumerate(rows, start=1)
    )


def parse_queries(name: str, body: bytes) -> dict[str, str]:
    """Texts by query, from BEIR's JSON lines or from tab-separated lines. Raises EvaluationFileError: ``name`` is no
    text or too large, a line is not in its form, a text is empty or over 2,000 characters, or a query stands twice."""
    texts: dict[str, str] = {}
    for number, query, text in _queries(name, _lines(name, body)):
        line_of_query = " ".join(text.split())
        if not line_of_query or len(line_of_query) > MAX_QUERY:
            raise EvaluationFileError(
                f"{name}, line {number}: the text of query {query[:40]!r} has {len(line_of_query):,} characters; "
                f"1 to {MAX_QUERY:,} can be searched."
            )
        if query in texts:
            raise EvaluationFileError(f"{name}, line {number}: the query {query[:40]!r} stands twice.")
        texts[_name(query, name, number)] = line_of_query
    return texts


def format_queries(queries: Mapping[str, str]) -> str:
    """Queries as BEIR's JSON lines."""
    rows = ({"_id": query, "text": text} for query, text in queries.items())
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _queries(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    for number, line in lines:
        if line.lstrip().startswith("{"):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise EvaluationFileError(f"{name}, line {number}: it is not JSON ({str(error)[:80]}).") from None
            query, text = row.get("_id"), row.get("text")
            if not isinstance(query, (str, int)) or not isinstance(text, str):
                raise EvaluationFileError(f'{name}, line {number}: expected {{"_id": …, "text": …}}.')
            yield number, str(query), text
        else:
            query, tab, text = line.partition("\t")
            if not tab:
                raise EvaluationFileError(
                    f"{name}, line {number}: expected 'query<TAB>text' or a JSON object, found {line[:80]!r}."
                )
            yield number, query.strip(), text


def _lines(name: str, body: bytes) -> list[tuple[int, str]]:
    if len(body) > MAX_BYTES:
        raise EvaluationFileError(f"{name} has {len(body):,} bytes; at most {MAX_BYTES:,} are read.")
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EvaluationFileError(f"{name} cannot be read as UTF-8: {error}.") from error
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if len(lines) > MAX_LINES:
        raise EvaluationFileError(f"{name} has {len(lines):,} lines; at most {MAX_LINES:,} are read.")
    return lines


def _name(text: str, name: str, number: int) -> str:
    if not text or len(text) > MAX_NAME or _CONTROL.search(text):
        raise EvaluationFileError(
            f"{name}, line {number}: {text[:40]!r} cannot name a query or document: it must have 1 to {MAX_NAME} "
            "characters and no control character."
        )
    return text


def _grade(text: str, name: str, number: int) -> int:
    if not _WHOLE.fullmatch(text.strip()):
        raise EvaluationFileError(f"{name}, line {number}: the grade {text[:20]!r} is no whole number.")
    grade = int(text)
    if abs(grade) > MAX_GRADE:
        raise EvaluationFileError(f"{name}, line {number}: the grade {grade} is beyond {MAX_GRADE:,}.")
    return grade


def _score(text: str, name: str, number: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise EvaluationFileError(f"{name}, line {number}: the score {text[:20]!r} is no number.")
    return score


def _word(text: str) -> str:
    if not text or len(text.split()) != 1:
        raise EvaluationFileError(f"{text!r} cannot stand in a TREC file: it is empty or holds white space.")
    return text
