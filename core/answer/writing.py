"""An answer while it is written: stored as it grows, at most four times a second."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.labels import AnswerState
from core.ports.asking import OnText
from core.ports.store import ProjectStore
from core.records import Answer, Completion, Prompt

EVERY_S = 0.25
Write = Callable[[Prompt, OnText | None], Completion]


class Writing:
    """An answer that is being written. ``answer`` is its present state, which ``put`` and ``end`` store."""

    def __init__(self, store: ProjectStore, answer: Answer) -> None:
        self._store = store
        self.answer = answer
        self._put_at = 0.0

    def change(self, **fields: Any) -> None:
        """Change fields; nothing is stored yet."""
        self.answer = replace(self.answer, **fields)

    def note(self, text: str) -> None:
        self.answer = replace(self.answer, notes=(*self.answer.notes, text))

    def put(self) -> None:
        """Store the present state (AnswerError when the answer was deleted meanwhile)."""
        self._put_at = time.monotonic()
        self.answer = self._store.put_answer(self.answer)

    def end(self, state: AnswerState, **fields: Any) -> None:
        self.answer = replace(self.answer, state=state, **fields)
        self.put()

    def stream(
        self, write: Write, shown: Callable[[str], str], pulse: Callable[[], None]
    ) -> Callable[[Prompt], Completion]:
        """A function that asks the model, stores its words as they come and adds up the cost.

        Args:
            shown: the text for the user in the reply so far.
            pulse: called with every piece; may raise JobCancelled, which ends the call.
        """

        def ask(prompt: Prompt) -> Completion:
            pieces: list[str] = []

            def on_text(piece: str) -> None:
                pulse()
                if piece:
                    pieces.append(piece)
                    if time.monotonic() - self._put_at >= EVERY_S:
                        self.change(text=shown("".join(pieces)))
                        self.put()

            try:
                completion = write(prompt, on_text)
            except BaseException as error:
                self._paid(getattr(error, "completion", None))
                raise
            self._paid(completion)
            return completion

        return ask

    def _paid(self, completion: Completion | None) -> None:
        if completion is None:
            return
        before = self.answer.cost_usd
        costs = [cost for cost in (before, completion.cost_usd) if cost is not None]
        self.change(model=completion.model, cost_usd=sum(costs) if costs else None)
