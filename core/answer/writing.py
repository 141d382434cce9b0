"""An answer while it is being written: kept as it grows, at most four times a second."""

from __future__ import annotations

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
    """One answer in work. ``answer`` is how it stands; it is stored by ``put`` and ``end``."""

    def __init__(self, store: ProjectStore, answer: Answer) -> None:
        self._store = store
        self.answer = answer
        self._put_at = 0.0

    def change(self, **fields: Any) -> None:
        """Change fields; nothing is stored yet."""
        self.answer = replace(self.answer, **fields)

    def note(self, text: str) -> None:
        """One more plain sentence for people."""
        self.answer = replace(self.answer, notes=(*self.answer.notes, text))

    def put(self) -> None:
        """Store it as it stands (AnswerError when it was deleted meanwhile)."""
        self._put_at = time.monotonic()
        self.answer = self._store.put_answer(self.answer)

    def end(self, state: AnswerState, **fields: Any) -> None:
        """Store it as it ended."""
        self.answer = replace(self.answer, state=state, **fields)
        self.put()

    def stream(
        self, write: Write, shown: Callable[[str], str], pulse: Callable[[], None]
    ) -> Callable[[Prompt], Completion]:
        """A way to ask the model that shows its words as they come and adds up what it cost.

        Args:
            shown: what of the reply so far is text for people.
            pulse: asked with every piece; may raise JobCancelled, which ends the call.
        """

        def ask(prompt: Prompt) -> Completion:
            came: list[str] = []

            def on_text(piece: str) -> None:
                pulse()
                if piece:
                    came.append(piece)
                    if time.monotonic() - self._put_at >= EVERY_S:
                        self.change(text=shown("".join(came)))
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
        known = [one for one in (before, completion.cost_usd) if one is not None]
        self.change(model=completion.model, cost_usd=sum(known) if known else None)
