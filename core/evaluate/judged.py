"""A set of judged queries, wherever it comes from, and its form in the notes of a project."""

from collections.abc import Mapping

from core.evaluate.trec import EvaluationFileError, parse_qrels, parse_queries, parse_run
from core.records import MAX_QUERIES, UPLOAD, JudgedQueries
from core.text.hashing import hex_digest
from core.text.jsonable import squeeze, unsqueeze

KEPT_OF_RUN = 200

JUDGED_MEMO = "judged:{}"
"""The memo that holds a set of judged queries, by its key."""
DETAIL_MEMO = "evaluation:{}"
"""The memo that holds the values of each query, by the id of the job."""


def read_judged(
    qrels: tuple[str, bytes], queries: tuple[str, bytes] | None = None, runs: Mapping[str, bytes] | None = None
) -> JudgedQueries:
    """A set from uploaded files, each a name and its bytes. Raises EvaluationFileError: a file is not in its form,
    there is nothing relevant in it, it holds too many queries, or a file does not belong to the others."""
    name, body = qrels
    judged = parse_qrels(name, body)
    texts = parse_queries(*queries) if queries else {}
    if not any(grade > 0 for of_query in judged.values() for grade in of_query.values()):
        raise EvaluationFileError(f"{name} holds no judgement above 0, so nothing can be found. Is it the right file?")
    if len(judged) > MAX_QUERIES:
        raise EvaluationFileError(f"{name} judges {len(judged):,} queries; at most {MAX_QUERIES:,} are measured.")
    if queries and not set(judged) & set(texts):
        raise EvaluationFileError(f"{queries[0]} and {name} have no query in common. Do the two files belong together?")
    rankings: dict[str, dict[str, tuple[str, ...]]] = {}
    for run_name, run_body in (runs or {}).items():
        run = parse_run(run_name, run_body)
        if not set(judged) & set(run):
            raise EvaluationFileError(f"{run_name} and {name} have no query in common. Do they belong together?")
        rankings[run_name] = {
            query: tuple(document for document, _ in rows[:KEPT_OF_RUN])
            for query, rows in run.items()
            if query in judged
        }
    wanted = {query: text for query, text in texts.items() if query in judged}
    return JudgedQueries(name, UPLOAD, judged, wanted, rankings)


def pack(judged: JudgedQueries) -> tuple[str, str]:
    """A key of the content and the content as text, compressed."""
    value = {
        "name": judged.name,
        "origin": judged.origin,
        "qrels": judged.qrels,
        "queries": dict(judged.queries),
        "runs": {name: {query: list(rows) for query, rows in run.items()} for name, run in judged.runs.items()},
    }
    text = squeeze(value)
    return hex_digest(text)[:32], text


def unpack(text: str) -> JudgedQueries:
    """The set that ``pack`` made the text of."""
    value = unsqueeze(text)
    runs = {name: {query: tuple(rows) for query, rows in run.items()} for name, run in value["runs"].items()}
    return JudgedQueries(value["name"], value["origin"], value["qrels"], value["queries"], runs)
