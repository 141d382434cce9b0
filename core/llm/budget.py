"""The use of a language model in one project: its status, its cost, and calls within the budget and on record. All
other code calls a model only through ``write = LanguageModel(context).write``."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from core.errors import BudgetReached, JobCancelled, LlmMalformed, LlmOff, LlmRefused, WorkbenchError
from core.labels import CallState, LlmTask
from core.ports.asking import OnText
from core.ports.context import ProjectContext
from core.records import Completion, Estimate, LlmCall, LlmSpending, LlmStatus, Prompt, TokenUsage
from core.text.urls import url_parts

log = logging.getLogger(__name__)

BAD_ENDS = frozenset({CallState.REFUSED, CallState.MALFORMED, CallState.FAILED})
"""States of a call that failed though nobody stopped it."""


class LanguageModel:
    """The language model in one project."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store

    def status(self) -> LlmStatus:
        """The status: whether calls are possible, the reason if not, and the data that a call sends."""
        reason = self._why_off()
        settings = self._context.settings.llm
        host = url_parts(settings.base_url).netloc or "api.anthropic.com"
        goes_out = (
            f"A call sends the question and the passages chosen for it to {host}, with the key, and nothing else of "
            "the project."
        )
        models = {
            LlmTask.ANSWER.value: settings.model_answer,
            LlmTask.EXPAND.value: settings.model_expand,
            LlmTask.JUDGE.value: settings.model_judge,
            LlmTask.EXTRACT.value: settings.model_extract,
        }
        return LlmStatus(not reason, reason, goes_out, models)

    def estimate(self, prompt: Prompt) -> Estimate:
        """The most that a call costs; nothing is sent (LlmOff without a model)."""
        return self._context.engines.writer().estimate(prompt)

    def _why_off(self) -> str:
        try:
            if reason := self._context.engines.writer().reason_off():
                return reason
        except LlmOff as error:
            return str(error)
        budget = self._context.settings.llm.budget_usd
        if budget <= 0:
            return "The budget for language models is 0. Raise it under Settings → Language model (llm.budget_usd)."
        spent, reserved = self._store.spent()
        if spent + reserved >= budget:
            return (
                f"The budget of ${budget:.2f} of this project is used up. Raise it under Settings → Language model "
                "(llm.budget_usd)."
            )
        return ""

    def write(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Ask the model. The greatest cost is reserved first, and the end of the call is always recorded. If this
        process dies, the call stays as started and its reservation counts as spent.

        Raises:
            BudgetReached: the call could cost more than is left, or its price is unknown; nothing was sent.
            LlmError: see the tree in ``core.errors``. Any exception of ``on_text`` ends the call.
        """
        writer = self._context.engines.writer()
        if reason := writer.reason_off():
            raise LlmOff(reason)
        estimate = writer.estimate(prompt)
        if estimate.cost_usd is None:
            raise BudgetReached(
                f"What the model {estimate.model!r} costs is not known, so the budget cannot be kept. Nothing was "
                "sent. Name its price in llm.prices, or choose another model in the settings."
            )
        call = self._store.begin_call(
            LlmCall(0, self._context.clock(), prompt.task, estimate.model, CallState.STARTED),
            reserve_usd=estimate.cost_usd,
            budget_usd=self._context.settings.llm.budget_usd,
        )
        try:
            completion = writer.write(prompt, on_text)
        except BaseException as error:
            counted = getattr(error, "completion", None)
            self._end(ended(call, counted, state_of(error), _words_of(error)))
            raise
        self._end(ended(call, completion, CallState.TRUNCATED if completion.truncated else CallState.OK, ""))
        return completion

    def _end(self, call: LlmCall) -> None:
        try:
            self._store.end_call(call)
        except WorkbenchError:
            # The reply is there and paid for; the call stays as started, and so its reservation counts as spent.
            log.exception("How call %s of the language model ended could not be written down.", call.id)

    def calls(self, *, limit: int = 10_000) -> Sequence[LlmCall]:
        """The calls, newest first."""
        return self._store.calls(limit=limit)

    def spending(self) -> LlmSpending:
        """The spending of the project so far."""
        calls = self.calls()
        spent, reserved = self._store.spent()
        by_task: dict[str, tuple[int, float]] = {}
        for call in calls:
            number, money = by_task.get(call.task.value, (0, 0.0))
            by_task[call.task.value] = (number + 1, money + (call.cost_usd or 0.0))
        failed = sum(call.state in BAD_ENDS for call in calls)
        return LlmSpending(
            len(calls), failed, usage_of(calls), spent, reserved, self._context.settings.llm.budget_usd, by_task
        )


def usage_of(calls: Sequence[LlmCall]) -> TokenUsage:
    return TokenUsage(
        input=sum(call.usage.input for call in calls),
        output=sum(call.usage.output for call in calls),
        cache_read=sum(call.usage.cache_read for call in calls),
        cache_write=sum(call.usage.cache_write for call in calls),
    )


def ended(call: LlmCall, completion: Completion | None, state: CallState, error: str) -> LlmCall:
    """The record of a call with its end."""
    if completion is None:
        return replace(call, state=state, error=error)
    return replace(
        call,
        state=state,
        error=error,
        model=completion.model or call.model,
        usage=completion.usage,
        cost_usd=completion.cost_usd,
        first_token_ms=completion.first_token_ms,
        total_ms=completion.total_ms,
    )


def state_of(error: BaseException) -> CallState:
    """The state of a call that raised ``error``."""
    if isinstance(error, LlmRefused):
        return CallState.REFUSED
    if isinstance(error, LlmMalformed):
        return CallState.MALFORMED
    stopped = isinstance(error, (JobCancelled, KeyboardInterrupt, SystemExit, GeneratorExit))
    return CallState.CANCELLED if stopped else CallState.FAILED


def _words_of(error: BaseException) -> str:
    return str(error)[:500] if isinstance(error, WorkbenchError) else f"{type(error).__name__} in the program."
