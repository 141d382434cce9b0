"""A set of judged queries, wherever it comes from, and its form in the notes of a project. Judgements name a document
of the project in any way that people do: its id, an address, a DOI, a file name with or without its ending, its title;
or a place in it as ``<document id>:<start>-<end>`` (code points of the stored text)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.evaluate.trec import EvaluationFileError, parse_qrels, parse_queries, parse_run
from core.records import MAX_QUERIES, UPLOAD, Document, JudgedQueries, place_name
from core.text.hashing import hex_digest
from core.text.jsonable import squeeze, unsqueeze

ShownPassage = tuple[str, int, int]
"""A returned passage: its document, where it begins and where it ends."""

LEAST_SHARE = 0.5
"""Share of a judged place that a passage must show to count: passages are cut without regard to it."""

_PLACE = re.compile(r"(.+):([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Place:
    """A document, or the characters ``span`` of it."""

    document_id: str
    span: tuple[int, int] | None = None

    def shown_by(self, passage: ShownPassage) -> bool:
        """True when a passage shows this document, or at least half of this place."""
        document, start, end = passage
        if document != self.document_id:
            return False
        if self.span is None:
            return True
        shared = min(end, self.span[1]) - max(start, self.span[0])
        return shared > 0 and shared >= LEAST_SHARE * (self.span[1] - self.span[0])


def names_of(documents: Iterable[Document]) -> dict[str, str]:
    """Every name that means exactly one document, and that document's id; an id means itself whatever else it is."""
    meant: dict[str, set[str]] = {}
    ids = set()
    for document in documents:
        ids.add(document.id)
        file = PurePosixPath(document.filename or "")
        names = {*document.urls, document.canonical_url, document.doi, file.name, file.stem, document.title}
        for name in names - {None, ""}:
            meant.setdefault(" ".join(str(name).split()), set()).add(document.id)
    single = {name: next(iter(ids)) for name, ids in meant.items() if len(ids) == 1}
    return {**single, **{id_: id_ for id_ in ids}}


def place_of(name: str, names: Mapping[str, str]) -> Place | None:
    """The place that a judgement names, None when this project does not hold it."""
    if name in names:
        return Place(names[name])
    match = _PLACE.fullmatch(name)
    if match is None or match[1] not in names or int(match[2]) >= int(match[3]):
        return None
    return Place(names[match[1]], (int(match[2]), int(match[3])))


def ranked(passages: Sequence[ShownPassage], judged: Mapping[str, Place]) -> list[str]:
    """The names in the order in which the passages show them, each once. Where whole documents are judged a document
    stands at its best passage and its other passages take no place. Where places are judged a passage that shows
    nothing new takes a place of its own. ``judged``: those of one query, the better grades first; of several that one
    passage shows the first new one counts."""
    by_place = any(place.span is not None for place in judged.values())
    of_document: dict[str, list[tuple[str, Place]]] = {}
    for name, place in judged.items():
        of_document.setdefault(place.document_id, []).append((name, place))
    names: dict[str, None] = {}
    for passage in passages:
        shown = [name for name, place in of_document.get(passage[0], ()) if place.shown_by(passage)]
        new = next((name for name in shown if name not in names), None)
        if new is not None:
            names[new] = None
        elif by_place:
            names[place_name(*passage)] = None
        elif not shown:
            names[passage[0]] = None
    return list(names)


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
