"""Judged queries: a set of questions with grades for documents or places, and its limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Qrels = dict[str, dict[str, int]]
"""Grades by query and document."""
MAX_QUERIES = 2000
MAX_NAME = 500
MAX_QUERY = 2000
MAX_GRADE = 1000
"""Limits of a set: judged queries; characters of a name and of a query; the largest grade."""
GOLDEN, REVIEW, UPLOAD = "golden", "review", "upload"
"""Origins of a set: the demo's questions, the decisions of reviewers, a file."""


@dataclass(frozen=True, slots=True)
class JudgedQueries:
    """``qrels``: grades by query and document. ``queries``: the texts by query, may lack some. ``runs``: rankings made
    elsewhere, by name and query, best first. ``origin``: golden, review, or upload."""

    name: str
    origin: str
    qrels: Qrels
    queries: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    @property
    def judgements(self) -> int:
        """Judged pairs."""
        return sum(map(len, self.qrels.values()))

    @property
    def relevant(self) -> int:
        """Judged pairs with a grade above 0."""
        return sum(grade > 0 for judged in self.qrels.values() for grade in judged.values())

    @property
    def askable(self) -> tuple[str, ...]:
        """Judged queries with a text and something relevant, in the order of the judgements."""
        return tuple(query for query in self.scored if query in self.queries)

    @property
    def scored(self) -> tuple[str, ...]:
        """Judged queries with something relevant: the others are 0 for every system, as in trec_eval, and say
        nothing."""
        return tuple(query for query, judged in self.qrels.items() if any(grade > 0 for grade in judged.values()))


def place_name(document_id: str, start: int, end: int) -> str:
    """The name of a place in a document: ``<document id>:<start>-<end>`` (code points of the stored text)."""
    return f"{document_id}:{start}-{end}"
