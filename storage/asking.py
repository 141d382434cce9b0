"""What finding new evidence and answering keep, put together."""

from __future__ import annotations

from storage.answers import Answers
from storage.llm_calls import LlmCalls
from storage.questions import Questions


class Asking(Questions, Answers, LlmCalls):
    """``core.ports.asking.AskingStore`` over the project's database."""
