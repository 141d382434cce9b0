"""Questions, answers and calls of the store in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from core.errors import AnswerError, BudgetReached, RowMoved, StorageError
from core.labels import CallState
from core.ports.store import Clock
from core.records import Answer, LlmCall, Question
from storage.tables.answers import packed_answer
from storage.tables.checks import check_call, check_money, check_question
from tests.contract.memory_review import MemoryReview


class MemoryAsking(MemoryReview):
    """``AskingStore`` in dictionaries."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._questions: dict[int, Question] = {}
        self._answers: dict[int, Answer] = {}
        self._calls: dict[int, tuple[LlmCall, float]] = {}
        self._given = dict.fromkeys(("question", "answer", "call"), 0)

    def _next(self, what: str) -> int:
        self._given[what] += 1
        return self._given[what]

    def save_question(self, question: Question) -> Question:
        check_question(question)
        with self._lock:
            now = self._clock()
            if not question.id:
                kept = replace(question, id=self._next("question"), version=1, created=now, changed=now)
            else:
                stored = self.question(question.id)
                if stored.version != question.version:
                    raise RowMoved("The question was changed meanwhile.")
                kept = replace(question, version=stored.version + 1, created=stored.created, changed=now)
            self._questions[kept.id] = kept
            return kept

    def questions(self) -> list[Question]:
        return sorted(self._questions.values(), key=lambda one: (one.changed, one.id), reverse=True)

    def question(self, question_id: int) -> Question:
        if question_id not in self._questions:
            raise AnswerError("No such question.")
        return self._questions[question_id]

    def delete_question(self, question_id: int) -> None:
        self._questions.pop(question_id, None)

    def add_answer(self, answer: Answer) -> Answer:
        with self._lock:
            kept, _ = packed_answer(replace(answer, at=self._clock()))
            kept = replace(kept, id=self._next("answer"), version=1)
            self._answers[kept.id] = kept
            return kept

    def put_answer(self, answer: Answer) -> Answer:
        with self._lock:
            kept, _ = packed_answer(answer)
            stored = self.answer(answer.id)
            self._answers[answer.id] = replace(kept, version=stored.version + 1, at=stored.at)
            return self._answers[answer.id]

    def answers(self, *, limit: int = 200) -> list[Answer]:
        return list(reversed(self._answers.values()))[: max(0, limit)]

    def answer(self, answer_id: int) -> Answer:
        if answer_id not in self._answers:
            raise AnswerError("No such answer.")
        return self._answers[answer_id]

    def delete_answer(self, answer_id: int) -> None:
        self._answers.pop(answer_id, None)

    def begin_call(self, call: LlmCall, *, reserve_usd: float, budget_usd: float) -> LlmCall:
        check_money(reserve_usd)
        check_money(budget_usd)
        check_call(call)
        with self._lock:
            if sum(self.spent()) + reserve_usd > budget_usd + 1e-9:
                raise BudgetReached("The budget is used up.")
            begun = replace(call, id=self._next("call"), at=self._clock(), state=CallState.STARTED)
            self._calls[begun.id] = (begun, reserve_usd)
            return begun

    def end_call(self, call: LlmCall) -> None:
        check_call(call)
        with self._lock:
            if call.state is CallState.STARTED or call.id not in self._calls:
                raise StorageError("This call has not begun or not ended.")
            self._calls[call.id] = (replace(call, at=self._calls[call.id][0].at), 0.0)

    def calls(self, *, limit: int = 10_000) -> Sequence[LlmCall]:
        return [call for call, _ in reversed(self._calls.values())][: max(0, limit)]

    def spent(self) -> tuple[float, float]:
        now, hour = self._clock(), timedelta(hours=1)
        spent = sum(call.cost_usd or 0.0 for call, _ in self._calls.values() if call.state is not CallState.STARTED)
        going = [now - hour < call.at <= now + hour for call, _ in self._calls.values()]
        kept = [reserved for _, reserved in self._calls.values()]
        lost = sum(reserved for reserved, here in zip(kept, going, strict=True) if not here)
        return spent + lost, sum(reserved for reserved, here in zip(kept, going, strict=True) if here)
