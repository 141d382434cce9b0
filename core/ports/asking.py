"""Ports of finding new evidence and of answering: language models, web search, and their store."""

from collections.abc import Callable, Sequence
from typing import Protocol

from core import records

OnText = Callable[[str], None]
"""Receives every piece of a reply as it comes, and "" a few times a second while nothing does. JobCancelled raised by
it ends the call at once."""


class Writer(Protocol):
    """A language model behind one API. It makes the call and nothing else: ``core.llm.budget`` reserves and records."""

    def model(self, prompt: records.Prompt) -> str:
        """The model that would answer."""

    def reason_off(self) -> str:
        """The reason why no call would be made, and what to do; "" when one would. Nothing is sent."""

    def estimate(self, prompt: records.Prompt) -> records.Estimate:
        """The greatest cost of the call; nothing is sent."""

    def write(self, prompt: records.Prompt, on_text: OnText | None = None) -> records.Completion:
        """The whole reply, streamed to ``on_text``; retried only where that can help, never after text was handed on.
        Raises LlmError: see the tree in ``core.errors``; an error after the API has counted tokens carries them in
        ``completion`` (a Completion, else None)."""


class WebSearcher(Protocol):
    """One provider of web search."""

    @property
    def info(self) -> records.ProviderInfo: ...

    def search(self, query: str, max_results: int) -> list[records.WebHit]:
        """At most ``max_results`` hits, best first, pages of the provider fetched as needed. Raises ProviderFailed
        (``core.backends.web.providers``): with the ProviderState that says why."""


class WebArchive(Protocol):
    """An archive of the web."""

    def closest(self, url: str) -> records.Snapshot | None:
        """The newest copy of a page, None when there is none. Raises ProviderFailed (``core.backends.web.providers``):
        the archive did not answer."""


class AskingStore(Protocol):
    """Saved questions, answers, and calls of language models. Each writing call is one transaction."""

    def save_question(self, question: records.Question) -> records.Question:
        """Keep a new question (``id`` 0) or the next version of one (RowMoved when ``version`` is not the stored one;
        AnswerError when it is gone). Ids, versions and times are given here."""

    def questions(self) -> list[records.Question]:
        """Newest change first."""

    def question(self, question_id: int) -> records.Question:
        """AnswerError when it is not there."""

    def delete_question(self, question_id: int) -> None: ...

    def add_answer(self, answer: records.Answer) -> records.Answer:
        """Keep an answer; ``id``, ``version`` and ``at`` are given here. Raises StorageError: a number out of its
        range, a sentence outside its text, or something that is not JSON."""

    def put_answer(self, answer: records.Answer) -> records.Answer:
        """Replace an answer by id, giving it the next version; ``at`` stays. While it is being written a power cut may
        take the last pieces. Raises AnswerError (it was deleted meanwhile) or StorageError (as ``add_answer``)."""

    def answers(self, *, limit: int = 200) -> list[records.Answer]:
        """Newest first."""

    def answer(self, answer_id: int) -> records.Answer:
        """AnswerError when it is not there."""

    def delete_answer(self, answer_id: int) -> None: ...

    def begin_call(self, call: records.LlmCall, *, reserve_usd: float, budget_usd: float) -> records.LlmCall:
        """Record that a call begins and reserve its greatest cost, if spent + reserved + this stays within the budget;
        one transaction, so that two processes cannot both spend the last cent. Reservations of calls begun over an hour
        ago and never ended (their process died) count as spent. Raises BudgetReached: nothing was recorded."""

    def end_call(self, call: records.LlmCall) -> None:
        """Write down how a call ended; its reservation is replaced by its cost (an unknown one is 0). Raises
        StorageError: there is no such call, or it says that it has not ended."""

    def calls(self, *, limit: int = 10_000) -> Sequence[records.LlmCall]:
        """Newest first."""

    def spent(self) -> tuple[float, float]:
        """(spent, reserved) in US dollars; lost calls count as spent."""
