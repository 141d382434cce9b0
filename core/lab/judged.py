"""The judgements of a question of the query lab: made here, by reviewers, or part of the demo."""

import json
import logging
import threading
from typing import TypeGuard

from core import demo
from core.errors import QueryError
from core.evaluate.evaluations import Evaluations
from core.evaluate.judged import names_of, place_of
from core.expand.question import one_line, same
from core.ports.context import ProjectContext
from core.records import place_name
from core.text.hashing import hex_digest

JUDGED_MEMO = "lab-judged:{}"
"""The memo that holds the judged places of one question, by a hash of its words."""
HIGHEST = 3
_lock = threading.Lock()
log = logging.getLogger(__name__)


class LabJudgements:
    """Grades 0 to 3 of places in documents. A place outlives its passage: documents may be cut anew."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store
        self._evaluations = Evaluations(context)

    def judge(self, question: str, passage_id: int, grade: int | None) -> None:
        if grade is not None and not _is_grade(grade):
            raise QueryError(f"A grade is a whole number, 0 (not relevant) to {HIGHEST} (answers it), not {grade!r}.")
        passage = self._store.passages([passage_id]).get(passage_id)
        if passage is None:
            raise QueryError("This passage is no longer there: its source was removed or cut anew. Search again.")
        place = place_name(passage.document_id, passage.start, passage.end)
        with _lock:  # pages of one server judge; nothing else writes here
            grades = self._own(question)
            if grade is None:
                grades.pop(place, None)
            else:
                grades[place] = grade
            self._store.set_memo(JUDGED_MEMO.format(_key(question)), json.dumps(grades))

    def places(self, question: str) -> dict[str, int]:
        """Grade by the name of a place or document; what was judged here goes before decisions, these before golden
        questions."""
        wanted = same(one_line(question))
        judged: dict[str, int] = {}
        is_golden = any(same(one_line(str(question["text"]))) == wanted for question in demo.questions())
        golden = self._evaluations.golden() if is_golden else None  # it reads every source
        for judged_set in (golden, self._evaluations.reviewed()):
            for query, text in judged_set.queries.items() if judged_set else ():
                if judged_set is not None and same(one_line(text)) == wanted:
                    judged.update(judged_set.qrels.get(query, {}))
        return {**judged, **self._own(question)}

    def grades(self, question: str) -> dict[int, int]:
        """Grade by passage of those passages that hold at least half of a judged place, the best where there are
        several; whole documents name no passage."""
        places = self.places(question)
        names = names_of(self._store.documents()) if places else {}
        graded: dict[int, int] = {}
        for name, grade in places.items():
            place = place_of(name, names)
            if place is None or place.span is None:
                continue
            for passage in self._store.passages_of(place.document_id):
                if place.shown_by((passage.document_id, passage.start, passage.end)):
                    graded[passage.id] = max(grade, graded.get(passage.id, 0))
        return graded

    def _own(self, question: str) -> dict[str, int]:
        memo = self._store.memo(JUDGED_MEMO.format(_key(question)))
        try:
            values: object = json.loads(memo) if memo else {}
        except (ValueError, RecursionError):
            log.warning("What is judged for %r cannot be read and is left out.", question[:80])
            values = {}
        rows = values.items() if isinstance(values, dict) else ()
        own: dict[str, int] = {}
        for place, grade in rows:
            if _is_grade(grade):
                own[place] = grade
            else:
                log.warning("The grade %.40r of %s is none and is left out.", grade, place)
        return own


def _is_grade(value: object) -> TypeGuard[int]:
    """True for the whole numbers 0 to 3. True and false are no grades, though Python takes them for 1 and 0."""
    return type(value) is int and 0 <= value <= HIGHEST


def _key(question: str) -> str:
    words = "\x1f".join(same(one_line(question)))
    return hex_digest(words)[:32]
