"""Measures of one open project: its search against judgements, and its judge against people's decisions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core import demo
from core.errors import JobNotFound, QueryError
from core.evaluate.job import COMBINATIONS
from core.evaluate.judge_quality import DecidedCitations, JudgeQuality
from core.evaluate.judged import DETAIL_MEMO, JUDGED_MEMO, pack, read_judged, unpack
from core.evaluate.measures import measure
from core.labels import JobKind, JobState
from core.ports.context import ProjectContext
from core.records import GOLDEN, UPLOAD, Job, JudgedQueries, place_name
from core.review.review import Reviews
from core.text.jsonable import unsqueeze

MEASURES = ("ndcg@10", "recall@5", "recall@100", "precision@5", "mrr", "map")
"""Measured unless others are named."""
RUN = "run:"
"""Beginning of the key of an uploaded ranking among the systems."""


@dataclass(frozen=True, slots=True)
class Score:
    """A mean over queries with its 95 % bootstrap interval. ``p``: the chance of a difference to the baseline of this
    size or larger if both did equally well (randomisation test, Holm-adjusted); None for the baseline itself."""

    mean: float
    low: float
    high: float
    p: float | None


@dataclass(frozen=True, slots=True)
class System:
    """Measures of one way to search or one uploaded ranking; ``ms`` is the median time of a query."""

    key: str
    name: str
    scores: Mapping[str, Score]
    ms: float | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One measuring, asked for, under way, or done (``systems`` is empty until then). ``not_here`` of ``names`` judged
    documents are not in this project, so no search can find them. ``left_out`` judged queries have no text, have
    nothing relevant, or (``refused`` of them) cannot be searched."""

    job: Job
    name: str
    origin: str
    baseline: str
    measures: tuple[str, ...]
    systems: tuple[System, ...] = ()
    queries: int = 0
    left_out: int = 0
    refused: int = 0
    judgements: int = 0
    names: int = 0
    not_here: int = 0
    encoder: str = ""


@dataclass(frozen=True, slots=True)
class EvaluationDetail:
    """Per query: ``values`` by system, measure and query; ``rankings`` by system and query; and the judgements."""

    judged: JudgedQueries
    values: Mapping[str, Mapping[str, Mapping[str, float]]]
    rankings: Mapping[str, Mapping[str, Sequence[str]]]


class Evaluations:
    """Judged queries and measurings of one project."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store
        self._decided = DecidedCitations(context.store, Reviews(context).standing)

    def quality(self) -> JudgeQuality:
        """The agreement of the judge of citations with the decisions of people."""
        return self._decided.quality()

    def reviewed(self) -> JudgedQueries | None:
        """People's decisions on citations as judged queries; None while nothing is decided."""
        return self._decided.judgements()

    def golden(self) -> JudgedQueries | None:
        """The judged questions that come with the demo; None in any other project, and while its sources are not there.
        Each judgement is the place of the words that answer."""
        if not self._store.project.demo:
            return None
        by_url = {url: document.id for document in self._store.documents() for url in document.urls}
        of_file = {source.filename: by_url.get(source.url) for source in demo.sources()}
        texts: dict[str, str] = {}
        qrels: dict[str, dict[str, int]] = {}
        for question in demo.questions():
            for answer in question["answers"]:
                document_id = of_file.get(answer["source"])
                if document_id is None:
                    continue
                text = texts.setdefault(document_id, self._store.text(document_id))
                if span := _find(answer["quote"], text):
                    judged = qrels.setdefault(str(question["id"]), {})
                    judged[place_name(document_id, *span)] = int(answer["relevance"])
        queries = {str(question["id"]): str(question["text"]) for question in demo.questions()}
        return JudgedQueries("Questions of the demo", GOLDEN, qrels, queries) if qrels else None

    def read(
        self,
        qrels: tuple[str, bytes],
        queries: tuple[str, bytes] | None = None,
        runs: Mapping[str, bytes] | None = None,
    ) -> JudgedQueries:
        """Judged queries from uploaded files (EvaluationFileError names file and line)."""
        return read_judged(qrels, queries, runs)

    def uploaded(self) -> list[JudgedQueries]:
        """The sets that somebody gave as files and had measured; also of where this project was
        copied or imported from."""
        sets = (_unpacked(text) for text in self._store.memos(JUDGED_MEMO.format("")).values())
        return [judged for judged in sets if judged.origin == UPLOAD]

    def start(
        self,
        judged: JudgedQueries,
        combinations: Sequence[str],
        measures: Sequence[str] = MEASURES,
        *,
        baseline: str = "",
    ) -> Job:
        """Ask for a measuring; the worker does it. The judgements are kept, so that it can be looked at again.
        ``combinations``: keys of ``COMBINATIONS``; may be empty where the set brings rankings. ``baseline``: the key of
        the combination, or ``run:<name>``, that the others are compared with; "" for the first. Raises QueryError: a
        name is not known, or there is nothing that can be measured."""
        if unknown := [key for key in combinations if key not in COMBINATIONS]:
            raise QueryError(f"There is no way to search named {unknown[0]!r}.")
        try:
            for name in measures:
                measure(name)
        except ValueError as error:
            raise QueryError(f"{str(error).capitalize()}.") from error
        systems = [*combinations, *(RUN + name for name in judged.runs)]
        if not systems or not measures:
            raise QueryError("Choose at least one way to search and one measure.")
        if combinations and not judged.askable:
            raise QueryError("None of the judged queries has a text. Give the file with the texts of the queries too.")
        key, content = pack(judged)
        self._store.set_memo(JUDGED_MEMO.format(key), content)
        payload = {
            "judged": key,
            "name": judged.name,
            "origin": judged.origin,
            "combinations": list(combinations),
            "runs": list(judged.runs),
            "measures": list(dict.fromkeys(measures)),
            "baseline": baseline if baseline in systems else systems[0],
        }
        return self._context.schedule(JobKind.EVALUATE, payload, unique=True)

    def all(self) -> list[Evaluation]:
        """Measurings, newest first."""
        return [_evaluation(job) for job in self._store.jobs(kinds=[JobKind.EVALUATE], limit=100)]

    def get(self, job_id: int) -> Evaluation:
        """One measuring (JobNotFound)."""
        job = self._store.job(job_id)
        if job.kind is not JobKind.EVALUATE:
            raise JobNotFound(f"Job {job_id} of this project measured nothing.")
        return _evaluation(job)

    def detail(self, evaluation: Evaluation) -> EvaluationDetail | None:
        """The values and rankings of each query; None until the measuring is done."""
        if evaluation.job.state is not JobState.DONE:
            return None
        detail = self._store.memo(DETAIL_MEMO.format(evaluation.job.id))
        judged = self._store.memo(JUDGED_MEMO.format(evaluation.job.payload.get("judged")))
        if detail is None or judged is None:
            return None
        value = unsqueeze(detail)
        return EvaluationDetail(unpack(judged), value["values"], value["rankings"])


@lru_cache(4)
def _unpacked(text: str) -> JudgedQueries:
    """A page asks again with everything that is pressed on it."""
    return unpack(text)


def system_name(key: str) -> str:
    return key.removeprefix(RUN) if key.startswith(RUN) else COMBINATIONS[key].name


def _evaluation(job: Job) -> Evaluation:
    given: Mapping[str, Any] = job.payload
    result: Mapping[str, Any] = job.result
    systems = tuple(
        System(
            row["key"],
            system_name(row["key"]),
            {name: Score(**score) for name, score in row["measures"].items()},
            row["ms"],
        )
        for row in result.get("systems", ())
    )
    counts = {
        key: int(result.get(key, 0)) for key in ("queries", "left_out", "refused", "judgements", "names", "not_here")
    }
    return Evaluation(
        job=job,
        name=str(given.get("name", "")),
        origin=str(given.get("origin", "")),
        baseline=str(given.get("baseline", "")),
        measures=tuple(given.get("measures", ())),
        systems=systems,
        encoder=str(result.get("encoder", "")),
        **counts,
    )


def _find(quote: str, text: str) -> tuple[int, int] | None:
    """The range of the words of ``quote`` in ``text``, whatever the white space between them."""
    match = re.search(r"\s+".join(map(re.escape, quote.split())), text)
    return match.span() if match else None
