"""A language model for tests of expansion: a function that answers what it is told to."""

from __future__ import annotations

from core.records import Completion, Prompt, TokenUsage


class Scripted:
    """Gives one answer after the other, the last one again and again; an exception among them is raised."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.prompts: list[Prompt] = []

    def __call__(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return Completion(answer, "scripted", TokenUsage(10, 10), 0.0, None, 1.0)
